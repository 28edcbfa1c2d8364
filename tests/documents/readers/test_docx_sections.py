"""Numbered sections of Word documents without styles: bills, ordinances and contracts."""

import pytest
from docx import Document as WordDocument
from word_files import PROSE, read

OWLS = ["DEPARTMENT OF OWLS", "DEPARTMENT OF FOXES", "STATE TREASURER"]


@pytest.mark.parametrize(
    "names",
    [
        [f"Sec. {25 + number}.  {name}" for number, name in enumerate(OWLS)],
        [f"Sec.  {name}" for name in OWLS],  # Word counts them
        [f"Section {number}. {name.title()}." for number, name in enumerate(OWLS, 1)],
        ["ARTICLE I", "ARTICLE II", "ARTICLE III"],
    ],
)
def test_lines_that_begin_a_numbered_section_are_headings(names: list[str]) -> None:
    word = WordDocument()
    for name in names:
        word.add_paragraph(name)
        word.add_paragraph(PROSE)
    headings = [(one.level, one.heading) for one in read(word).sections]
    assert headings == [(1, " ".join(name.split())) for name in names]


def test_sections_below_articles_are_a_level_deeper() -> None:
    word = WordDocument()
    for number in "123":
        word.add_paragraph(f"ARTICLE {'I' * int(number)} - OWLS")
        word.add_paragraph(f"Section {number}. Definitions")
        word.add_paragraph(PROSE)
    assert [one.level for one in read(word).sections] == [1, 2] * 3


@pytest.mark.parametrize(
    "text",
    [
        "Section 4 of this act applies to owls",
        "Section 7. An owl that is found in the forest belongs to the one who found it there.",
        "Sec. Owls of the river are as follows:",
    ],
)
def test_sentences_about_a_section_are_no_headings(text: str) -> None:
    word = WordDocument()
    for _ in range(4):
        word.add_paragraph(text)
        word.add_paragraph(PROSE)
    assert [one.heading for one in read(word).sections] == [""]


def test_a_line_that_ends_with_an_amount_is_no_heading() -> None:
    word = WordDocument()
    for name in ("Other funds 500,000", "State general fund $1,250,000"):
        word.add_paragraph().add_run(name).bold = True
        word.add_paragraph(PROSE)
    assert [one.heading for one in read(word).sections] == [""]
