"""The first page of a paper: badges and dates beside the title, the end of an unnamed abstract."""

from typing import Any

import pytest
from pdf_writer import Sheet, write

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.reader import pdf_document

ABSTRACT = [
    "We count the foxes of a forest by their dens, and find more of them than others did."
] * 4
TEXT = [
    "Foxes have been counted for many years, and no two of the counts that we know of agree."
] * 4
ADDRESS = "Institute of Foxes, University of the Forest, Leoben. e-mail: ann@foxes.org"
BOLD, OTHER = "F2", "F6"


def paper(*, font: str = BOLD, badge: bool = True, repeat: int = 1) -> Document:
    """A paper with an abstract and an introduction without headings."""
    first = Sheet()
    first.text(156, 700, "Counting the Foxes of the", 24, BOLD)
    first.text(156, 672, "Great Forest", 24, BOLD)
    if badge:
        first.text(72, 700, "OPEN", 24, BOLD)
        first.text(20, 640, "Published: 12 January 2016", 8)
    y = 620.0
    for line in ABSTRACT:
        first.text(156, y, line, 9, font)
        y -= 11
    y -= 20
    for _ in range(repeat):
        for line in TEXT:
            first.text(156, y, line, 9)
            y -= 10
    first.text(156, 46, ADDRESS, 8.5, OTHER)
    second = Sheet()
    y = 740.0
    for name in ("Methods", "Results", "References"):
        second.text(156, y, name, 12, BOLD)
        y -= 16
        for line in (
            TEXT if name != "References" else ["1. Author, A. Foxes. J. Foxes 1, 2 (2001)."]
        ):
            second.text(156, y, line, 9)
            y -= 10
        y -= 14
    return pdf_document(write([first, second]), "a.pdf", "a.pdf")


def shape(found: Document) -> list[tuple[str, int]]:
    return [(one.heading, len(one.text.split())) for one in found.sections[:3]]


def words(lines: list[str]) -> int:
    return len(" ".join(lines).split())


@pytest.mark.parametrize("badge", [True, False])
def test_the_abstract_ends_where_the_type_of_the_text_begins(badge: Any) -> None:
    found = paper(badge=badge)
    expected = [("Abstract", words(ABSTRACT)), ("", words(TEXT)), ("Methods", words(TEXT))]
    assert shape(found) == expected
    assert found.title == "Counting the Foxes of the Great Forest"


def test_pages_of_text_in_one_type_are_not_taken_for_an_abstract() -> None:
    found = paper(font="F1", repeat=8)
    assert "Abstract" not in [one.heading for one in found.sections]
    assert words(TEXT) * 8 <= len(found.sections[0].text.split())


def test_an_address_with_e_mail_below_the_text_is_no_part_of_it() -> None:
    assert "Leoben" not in paper().text
