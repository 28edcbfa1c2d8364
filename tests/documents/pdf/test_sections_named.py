"""A sentence is in the section whose heading is printed over it; no heading is in a sentence."""

from pdf_writer import Sheet, write

from pagesum_cli.documents.pdf.reader import pdf_document

FULL = (
    "Foxes live in forests all over the world and eat what they find there, which is often a "
    "mouse or a bird"
)
TEXT = [
    FULL,
    "that has fallen from its nest in the storms of spring. They hunt alone and at night.",
]


def report(*parts, outline=()):
    """One page a part: lines of text, each with its size, its font and the space above it."""
    sheets = []
    for part in parts:
        sheet, y = Sheet(), 740
        for text, size, font, above in part:
            y -= above
            sheet.text(72, y, text, size, font)
        sheet.lines(72, y - 16, TEXT * 4)
        sheets.append(sheet)
    return pdf_document(write(sheets, outline=list(outline)), "a.pdf", "a.pdf")


def headings(found):
    return [section.heading for section in found.sections if section.heading]


def test_bookmarks_that_point_nowhere_do_not_outweigh_the_others():
    """Names of an appendix that is another file; "Size" is in the type of the text."""
    parts = [
        [("1. Context", 14, "F2", 0)],
        [("Size", 10, "F1", 0)],
        [("Service area", 10, "F1", 0)],
        [("2. Findings", 14, "F2", 0)],
    ]
    outline = [(part[0][0], place) for place, part in enumerate(parts)]
    elsewhere = [(f"Appendix {number}", None) for number in range(8)]
    found = report(*parts, outline=[*outline, *elsewhere])
    assert headings(found) == ["1. Context", "Size", "Service area", "2. Findings"]


def test_a_large_heading_that_fills_its_line_over_another_heading():
    full = "How the Foxes of the Northern Forests Find Food in Winter"
    parts = [
        [("An Audit of Foxes", 24, "F2", 0), ("Introduction", 12, "F2", 40)],
        [("Redirection of Foxes", 14.5, "F2", 0), ("Impact", 12, "F2", 26)],
        [(full, 14.5, "F2", 0), ("Status", 12, "F2", 30)],
        [("Paths of Birds", 14.5, "F2", 0), ("Score", 12, "F2", 34)],
    ]
    assert headings(report(*parts))[3:] == [full, "Status", "Paths of Birds", "Score"]


def test_the_bold_beginning_of_a_numbered_paragraph_is_no_heading():
    bold = [
        "1. Facilitate open and direct communication between all the technical staff and all the",
        "2. Deploy in a flexible environment. Traffic on the site is highly variable in a season",
    ]
    rest = ["contributors. The site has many components.", "Near the end of it more people come."]
    parts = [
        [(name, 14, "F2", 0), (bold[n], 10, "F2", 24), (rest[n], 10, "F1", 12)]
        for n, name in enumerate(("The Lessons", "The Process"))
    ]
    assert not set(bold) & set(headings(report(*parts)))
