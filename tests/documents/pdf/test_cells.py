"""A sentence does not go across the cells of a table."""

from itertools import pairwise

from pdf_writer import Sheet, write

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


def test_cells_are_read_one_after_another():
    sheet, y = Sheet(), 700
    sheet.lines(72, 750, ["Foxes eat what they find in the forests of the north, mostly mice."] * 3)
    for cells in [*ROWS, None]:
        for left, right in pairwise(ENDS):
            sheet.rule(left, y, right)
        for left, lines in zip(ENDS, cells or (), strict=False):
            sheet.lines(left + 4, y - 14, lines)
        y -= 40
    found = pdf_document(write([sheet]), "a.pdf", "a.pdf")
    texts = [one.text for section in found.sections for one in section.paragraphs]
    assert texts[-9:] == [" ".join(lines) for row in ROWS for lines in row]
