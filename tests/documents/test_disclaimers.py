"""What a document says of itself: that it is no official text."""

from pathlib import Path

import pytest

from pagesum_cli.documents.disclaimers import disclaimer_of
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.notes import notes_on
from pagesum_cli.documents.read import read_file

TEXT = ("The council met at the mill.",) * 20


def disclaimer(*texts: str) -> str:
    return disclaimer_of(Document("a.txt", (Section("", tuple(map(Paragraph, texts))),)))


@pytest.mark.parametrize(
    "text",
    [
        "Sample document — the proceedings are invented.",
        "Not an official record of the town of Mill.",
        "All names in this document are fictitious.",
        "These are draft minutes, subject to approval by the council.",
        "This is an unofficial translation of the act.",
    ],
)
def test_a_text_that_is_not_official(text: str) -> None:
    assert disclaimer(*TEXT, text) == text
    assert disclaimer(text, *TEXT) == text
    assert disclaimer(*TEXT, text, *TEXT) == ""


@pytest.mark.parametrize(
    "text",
    [
        "The draft report on the mill was sent to the owner.",
        "The council approved the minutes of May.",
        "The sample was taken from an official record.",
    ],
)
def test_other_documents_and_samples_are_none(text: str) -> None:
    assert disclaimer(*TEXT, text) == ""


def test_a_note_quotes_it(tmp_path: Path) -> None:
    path = tmp_path / "mill.txt"
    path.write_text("\n\n".join([*TEXT, "Not an official record of the mill."]), encoding="utf-8")
    notes = notes_on([read_file(str(path))[0]], "tiny", ["en"])
    assert any("“Not an official record of the mill.”" in one for one in notes)
