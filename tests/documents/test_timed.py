"""Transcripts in ordinary text, whose turns have times in brackets."""

import pytest

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Paragraph
from pagesum_cli.documents.readers.formats import format_of

BEFORE = """# Library board

[00:00:05] **Anna Berg:** [00:01:00] The board will pay 4,000 [00:02:00] dollars for the roof.

[00:02:10] And the work begins in June.

[00:02:20] **Carl Dorn:** I vote for it.

[00:02:30] **Anna Berg:** So do I,

[00:02:31] **Carl Dorn:** then it passed.

[00:02:40] **Anna Berg:** We close at nine.
"""

AFTER = """Anna Berg (00:00):
The board will pay for the roof.

Carl Dorn (00:43):
I vote for it.

Anna Berg (01:37):
So do I.

Carl Dorn (01:40):
Then it passed.

Anna Berg (02:10):
We close at nine.

Carl Dorn (02:12):
Good night.
"""

LINES = """[00:01] Anna Berg: The board will pay
[00:04] for the roof.
[00:09] Carl Dorn: I vote for it.
[00:12] Anna Berg: So do I.
[00:15] Carl Dorn: Then it passed.
[00:18] Anna Berg: We close at nine.
[00:20] Carl Dorn: Good night.
"""

HOURS = """Opening hours, a notice

[09:00] Anna Berg: The library opens, and the café.

[08:30] Carl Dorn: The archive opens.

[10:00] Anna Berg: The reading room opens.

[07:00] Carl Dorn: The gate opens.

[11:00] Anna Berg: The museum opens.

[06:00] Carl Dorn: The car park opens.
"""


def paragraphs(text: str, name: str) -> list[Paragraph]:
    source = Input(name, name, given=text.encode())
    (document,) = format_of(source).read(source)
    return [one for section in document.sections for one in section.paragraphs]


def test_turns_have_their_speaker_and_their_times() -> None:
    first, second, *_, last = paragraphs(BEFORE, "board.md")
    assert first.text == "Anna Berg: The board will pay 4,000 dollars for the roof."
    assert first.speaker == second.speaker == last.speaker == "Anna Berg"
    assert [first.time(first.body), first.time(50), second.time()] == [60, 120, 130]
    assert second.text == "And the work begins in June."


def test_turns_without_an_end_are_not_joined() -> None:
    texts = [(one.speaker, one.text[one.body :]) for one in paragraphs(BEFORE, "board.md")]
    assert texts[3:5] == [("Anna Berg", "So do I,"), ("Carl Dorn", "then it passed.")]


@pytest.mark.parametrize(("text", "time"), [(AFTER, 43), (LINES, 9)])
def test_times_stand_before_or_after_names(text: str, time: float) -> None:
    turns = paragraphs(text, "board.txt")
    assert [one.speaker for one in turns] == 3 * ["Anna Berg", "Carl Dorn"]
    assert turns[0].text == "Anna Berg: The board will pay for the roof."
    assert turns[1].time() == time


def test_times_that_are_in_no_order_stay() -> None:
    assert paragraphs(HOURS, "hours.md")[1].text.startswith("[09:00] Anna Berg:")
