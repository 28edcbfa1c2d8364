"""The time of a sentence of a transcript is that of the last mark before it."""

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.retrieval.marks import TimeMarks
from pagesum_cli.retrieval.passages import passages_of

SAID = [f"[00:0{n}:30] The miller mends wheel number {n}." for n in range(6)]


def test_a_sentence_has_the_time_of_the_mark_before_it() -> None:
    text = " ".join(SAID)
    assert TimeMarks(text).before(text.index("wheel number 2")) == 150
    assert TimeMarks("The mill. " + text).before(3) is None


def test_few_marks_or_others_are_no_times() -> None:
    assert TimeMarks(" ".join(SAID[:3])).before(100) is None
    assert TimeMarks(" ".join(reversed(SAID))).before(100) is None


def test_a_passage_has_its_time() -> None:
    document = Document("a", (Section("Mills", tuple(map(Paragraph, SAID))),))
    times = [one.time for one in passages_of(document)]
    assert times == [30 + 60 * n for n in range(6)]
