"""Pages whose text is drawn twice, at places that differ."""

from pdf_writer import LINES, PROSE, Sheet, write

from pagesum_cli.documents.pdf.layers import REASON, without_second_layer
from pagesum_cli.documents.pdf.reader import pdf_document
from pagesum_cli.documents.pdf.runs import Run

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
    other = ["Owls sleep by day in the old mills near the river, and", *OTHERS[:16]]
    assert without_second_layer(_runs(LINES + other))[1] == ()
    assert len(without_second_layer(_runs(LINES + LINES))[1]) == len(LINES)


def _runs(lines: list[str]) -> list[Run]:
    """The lines of two layers of the same height, one after another."""
    half = len(lines) // 2
    places = [*range(half), *range(len(lines) - half)]
    pairs = zip(lines, places, strict=True)
    return [Run(text, 72, 400, 700 - 12 * y, 10, False, False, "Serif") for text, y in pairs]
