"""The titles above the clauses of a by-law."""

from pdf_writer import Sheet, write

from pagesum_cli.documents.pdf.reader import pdf_document

RULE = ["shall cause or permit any stone of any mill in the town to be", "turned at night."]
TITLES = ["Definitions", "Idling of Mills", "Exemptions", "Penalties"]


def _headings(sheet: Sheet) -> list[str]:
    found = pdf_document(write([sheet]), "a.pdf", "a.pdf")
    return [one.heading for one in found.sections if one.heading]


def _clause(sheet: Sheet, y: float, number: str, title: str = "") -> float:
    """A clause of two lines below its title."""
    if title:
        sheet.text(70, y, title)
        y -= 28
    sheet.text(70, y, f"{number} No person {RULE[0]}")
    sheet.text(100, y - 14, RULE[1])
    return y - 42


def _by_law(numbers: list[str], titles: list[str]) -> Sheet:
    sheet = Sheet()
    y = 700.0
    for number, title in zip(numbers, titles, strict=True):
        y = _clause(sheet, y, number, title)
    return sheet


def test_short_lines_above_clauses_numbered_one_after_another_are_headings() -> None:
    numbers = ["1.", "2.", "3.", "4.", "5."]
    assert _headings(_by_law(numbers, [*TITLES[:2], "", *TITLES[2:]])) == TITLES


def test_short_lines_above_lists_that_begin_again_are_none() -> None:
    assert not set(_headings(_by_law(["1.", "1.", "1.", "1."], TITLES))) & set(TITLES)


def test_lines_that_end_like_a_sentence_are_none() -> None:
    titles = [f"{title} of the town." for title in TITLES]
    assert not set(_headings(_by_law(["1.", "2.", "3.", "4."], titles))) & set(titles)


def test_what_announces_the_by_laws_that_amended_one_is_none() -> None:
    sheet = _by_law(["1.", "2.", "3.", "4."], TITLES)
    sheet.text(70, 760, "As Amended by By-laws:", 16)
    assert _headings(sheet) == TITLES
