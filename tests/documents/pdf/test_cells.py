"""A sentence does not go across the cells of a table."""

from itertools import pairwise

import pytest
from pdf_writer import Sheet, write

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.reader import pdf_document

ENDS = (72, 160, 420, 540)
ROWS = [
    (
        ["NIST"],
        ["Provide a plan for the standards", "of the agencies and offices by May."],
        ["30 days"],
    ),
    (
        ["DHS (in", "accord)"],
        ["Review the lists of systems that", "have weaknesses in their networks."],
        ["60 days"],
    ),
    (
        ["OMB"],
        ["Publish a guide for the offices", "which buy services and other things."],
        ["90 days"],
    ),
]


def table_of_text() -> Document:
    """A page with three lines and the rows of :data:`ROWS`, as it is read."""
    sheet, y = Sheet(), 700
    sheet.lines(72, 750, ["Foxes eat what they find in the forests of the north, mostly mice."] * 3)
    for cells in [*ROWS, None]:
        for left, right in pairwise(ENDS):
            sheet.rule(left, y, right)
        for left, lines in zip(ENDS, cells or (), strict=False):
            sheet.lines(left + 4, y - 14, lines)
        y -= 40
    return pdf_document(write([sheet]), "a.pdf", "a.pdf")


def test_cells_are_read_one_after_another():
    found = table_of_text()
    texts = [one.text for section in found.sections for one in section.paragraphs]
    assert texts[-9:] == [" ".join(lines) for row in ROWS for lines in row]


FOXES = [
    "Foxes eat what they find in the forests of the north, mostly mice, and they sleep by day."
] * 3
FINES = [
    (["Offence"], ["Section"], ["Fine"]),
    (["Keeping more than three dogs in a", "house without a licence"], ["12(1)"], ["$250"]),
    (["Feeding foxes"], ["14"], ["$500 and 30 days", "of work"]),
    (["Selling wet hay"], ["22(3)"], ["$1,000"]),
]
COUNTS = [*FINES[:1], *((name, number, ["12 foxes"]) for name, number, _ in FINES[1:])]
FINES_BY_ROW = (
    "Offence | Section | Fine",
    "Keeping more than three dogs in a house without a licence | 12(1) | $250",
    "Feeding foxes | 14 | $500 and 30 days of work",
    "Selling wet hay | 22(3) | $1,000",
)


def tables_of(*sheets: Sheet) -> tuple[list[tuple[str, ...]], list[str]]:
    """The rows of each table, and the paragraphs that are not about foxes."""
    found = pdf_document(write(list(sheets)), "a.pdf", "a.pdf")
    texts = [one.text for section in found.sections for one in section.paragraphs]
    others = [one for one in texts if "mostly mice" not in one]
    assert found.text.count("mostly mice") == 2 * len(FOXES)
    return [one.rows for one in found.left_out if one.rows], others


def table(ruled: str, columns: tuple[int, ...] = (0, 1, 2), fines: list = FINES) -> Sheet:
    """Text around a table with lines around its cells, between its rows, whole and upright ones,
    or none.
    """
    sheet = Sheet()
    sheet.lines(72, 750, FOXES)
    starts = (72, 300, 380)
    rows = [[row[number] for number in columns] for row in fines]
    y = 700
    for row in [*rows, None]:
        if ruled == "cells":
            for left, right in pairwise((*starts, 500)):
                sheet.rule(left, y, right)
        elif ruled in ("rows", "grid"):
            sheet.rule(72, y, 500)
        height = 6 + 12 * max(map(len, row or [[]]))
        for left, lines in zip(starts, row or (), strict=False):
            sheet.lines(left + 4, y - 12, lines)
        if row and ruled == "grid":
            for x in (*starts, 500):
                sheet.operators.append(f"{x} {y} m {x} {y - height} l S")
        y -= height
    sheet.lines(72, y - 20, FOXES)
    return sheet


@pytest.mark.parametrize("ruled", ["cells", "grid", "rows", ""])
@pytest.mark.parametrize("columns", [(0, 1, 2), (0, 2)])
def test_entries_with_values_are_read_one_by_one(ruled: str, columns: tuple[int, ...]) -> None:
    cells = [row.split(" | ") for row in FINES_BY_ROW]
    rows = [" | ".join(row[number] for number in columns) for row in cells]
    found, texts = tables_of(table(ruled, columns))
    assert found == [tuple(rows)]
    assert texts == [row.replace(" |", "") for row in rows]


@pytest.mark.parametrize("ruled", ["cells", "grid", "rows", ""])
def test_another_table_is_left_out_by_rows(ruled: str) -> None:
    document = pdf_document(write([table(ruled, fines=COUNTS)]), "a.pdf", "a.pdf")
    (one,) = [one for one in document.left_out if one.rows]
    assert one.rows[1].startswith(
        "Keeping more than three dogs in a house without a licence | 12(1)"
    )
    assert (len(one.rows), "foxes" in document.text) == (4, False)
    text = " ".join(one.rows).replace(" |", "")
    assert (one.text, one.words) == (text, len(text.split()))


def test_two_columns_of_text_are_no_table() -> None:
    """Terms with what they mean are read, and so are contents with pages."""
    sheet = Sheet()
    sheet.lines(72, 750, FOXES)
    terms = ["Fox", "Hare", "Mouse", "Hen"]
    meanings = ["A red animal of the forest", "A brown one", "A small one", "A bird that lays"]
    for y, term, meaning in zip(range(700, 0, -14), terms, meanings, strict=False):
        sheet.text(72, y, term)
        sheet.text(200, y, meaning)
    sheet.lines(72, 600, FOXES)
    text = pdf_document(write([sheet]), "a.pdf", "a.pdf").text
    assert all(one in text for one in meanings)


def test_a_table_goes_on_on_the_next_page() -> None:
    first, second = Sheet(), Sheet()
    first.lines(72, 750, FOXES)
    rows = [[" ".join(lines) for lines in row[::2]] for row in FINES]
    for sheet, y, part in ((first, 80, rows[:2]), (second, 750, rows[2:])):
        for offence, fine in part:
            sheet.text(72, y, offence)
            sheet.text(380, y, fine)
            y -= 18
    second.lines(72, 690, FOXES)
    found, texts = tables_of(first, second)
    assert [len(one) for one in found] == [4]
    assert texts == [" ".join(row) for row in rows]


def test_rows_of_cells_that_are_text_are_known_too() -> None:
    found = table_of_text()
    (table,) = [one for one in found.left_out if one.rows]
    assert table.words == 0
    assert table.rows[0] == (
        "NIST | Provide a plan for the standards of the agencies and offices by May. | 30 days"
    )
