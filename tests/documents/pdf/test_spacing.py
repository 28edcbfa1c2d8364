"""Lines that are typed with spaces between their letters have only those between their words."""

import pytest
from pdf_writer import Sheet, write

from pagesum_cli.documents.pdf.reader import pdf_document


def typed(text: str, between: str = "  ") -> str:
    return between.join(" ".join(word) for word in text.split())


def text(sheet: Sheet) -> str:
    document = pdf_document(write([sheet]), "a", "a")
    return document.title or document.sections[0].text


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (typed("FINDINGS OF THE STUDY"), "FINDINGS OF THE STUDY"),
        (typed("Findings of the Study", "    "), "Findings of the Study"),
        ("1. " + typed("TO BE OR NOT"), "1. TO BE OR NOT"),
        (typed("ERGEBNISSE DER ÜBERPRÜFUNG", "   "), "ERGEBNISSE DER ÜBERPRÜFUNG"),
        (typed("COSTS & TIME IN 2024:"), "COSTS & TIME IN 2024:"),
        (typed("SUMMARY"), "SUMMARY"),
        ("H  8  4", "H 8 4"),  # a row of a table
        ("x y z w u v", "x y z w u v"),
    ],
)
@pytest.mark.parametrize("font", ["F1", "F2"])
def test_letters_typed_with_spaces_are_words(line: str, read: str, font: str) -> None:
    sheet = Sheet()
    sheet.text(72, 700, line, 14, font)
    assert text(sheet) == read


def test_wide_spacing_of_letters_leaves_the_words_apart() -> None:
    sheet = Sheet()
    sheet.operators.append("BT /F1 10 Tf 6 Tc 1 0 0 1 72 700 Tm (THE FOX RAN ALONE.) Tj ET")
    assert text(sheet) == "THE FOX RAN ALONE."
