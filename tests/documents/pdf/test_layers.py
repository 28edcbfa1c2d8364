"""Pages whose text is drawn twice, at places that differ."""

from pdf_writer import LINES, PROSE, Sheet, write

from pagesum_cli.documents.pdf.layers import REASON
from pagesum_cli.documents.pdf.reader import pdf_document

OTHERS = [f"{word.capitalize()} is word {number}." for number, word in enumerate(PROSE.split())]


def _read(first: list[str], second: list[str]) -> tuple[str, list[str]]:
    """The text of a page with two layers, and why something was left out."""
    sheet = Sheet()
    sheet.lines(72, 700, first)
    sheet.lines(76, 706, second, leading=9)
    document = pdf_document(write([sheet]), "a.pdf", "a.pdf")
    return " ".join(document.sections[0].paragraphs[0].text.split()), [
        one.reason for one in document.left_out
    ]


def test_a_layer_that_says_the_same_at_other_places_is_left_out() -> None:
    for second in (LINES, [one.replace("walk", "wa1k") for one in LINES]):
        assert _read(LINES, second) == (PROSE, [REASON])


def test_another_text_on_the_same_page_is_no_second_layer() -> None:
    text, reasons = _read(LINES, OTHERS[:16])
    assert OTHERS[3] in text
    assert reasons == []
