"""The bundled editor quotes what matters."""

from pathlib import Path

from pagesum_cli import PageSummarizer

MINUTES = """# Minutes of the council

Ann Lee opened the meeting at nine and welcomed everybody. The minutes of the last meeting were
read. There was a short talk about the weather and about the new curtains of the hall.

The council decided to lend seed to forty farms of the valley until the harvest. Tom Ray asked
whether tea would be served. He had walked a long way that morning. It was served at ten.

The old bridge is closed from the first of May, because its beams are rotten. Somebody laughed.
The chair thanked all who had come. Coats were in the next room.
"""


def test_a_decision_is_quoted_and_small_talk_is_not(tmp_path: Path) -> None:
    (tmp_path / "minutes.md").write_text(MINUTES)
    summarizer = PageSummarizer.from_pretrained("editor", device="cpu")
    (sentence,) = summarizer.summarize(tmp_path / "minutes.md", sentences=1).sentences
    decision = "The council decided to lend seed to forty farms of the valley until the harvest."
    assert sentence.text == decision
    assert not sentence.needs_context
