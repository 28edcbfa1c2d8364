"""Chapters of codes of law in PDFs: title, list of sections, headings of sections and schedules."""

from collections.abc import Sequence

from pdf_writer import LINES, Sheet, write

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.codes import section_number
from pagesum_cli.documents.pdf.reader import pdf_document

SECTIONS = [
    "§ 12-1. Definitions.",
    "§ 12-2. Lamps of mills; exceptions.",
    "§ 12-2.1. Entry on land.",
    "§ 12-3. Offences.",
]


def chapter(*, number: str = "Chapter 12", listed: Sequence[int] = ()) -> Document:
    """A chapter of a code with a list of its sections and a schedule, all headings in bold type of
    the size of the text; its outline has some of the sections.
    """
    first = Sheet()
    first.text(280, 720, number, 10, "F2")
    first.text(270, 690, "MILL LAMPS", 10, "F2")
    for place, name in enumerate(SECTIONS):
        first.text(72, 660 - 22 * place, name, 10, "F2")
    first.text(72, 560, "[HISTORY: Adopted by the Council 2013-05-10 by By-law No. 599-", 10, "F2")
    first.text(72, 548, "2013. Amendments noted where applicable.]", 10, "F2")
    sheets = [first]
    for name in SECTIONS:
        sheet = first if name == SECTIONS[0] else Sheet()
        y = 500 if sheet is first else 700
        sheet.text(72, y, name, 10, "F2")
        sheet.lines(72, y - 30, LINES)
        sheet.lines(72, y - 140, LINES)
        if sheet is not first:
            sheets.append(sheet)
    last = Sheet()
    last.text(280, 700, "SCHEDULE A", 10, "F2")
    last.text(250, 686, "KINDS OF LAMPS", 10, "F2")
    last.lines(72, 650, LINES)
    outline = [("MILL LAMPS", 0, 1), *((SECTIONS[place], place, 2) for place in listed)]
    return pdf_document(write([*sheets, last], outline=outline if listed else []), "a.pdf", "a.pdf")


def test_the_sections_of_a_chapter_are_headings_and_their_list_is_left_out() -> None:
    found = chapter()
    assert found.title == "Chapter 12, MILL LAMPS"
    headings = [one.heading for one in found.sections]
    assert headings == [*SECTIONS, "SCHEDULE A KINDS OF LAMPS"]
    left = {one.reason: one.text for one in found.left_out}
    assert left["contents"] == " ".join(SECTIONS)
    assert left["front matter"].startswith("[HISTORY: Adopted")
    assert "HISTORY" not in found.text


def test_a_section_that_the_outline_lacks_has_the_level_of_the_others() -> None:
    levels = {one.heading: one.level for one in chapter(listed=(0, 1, 3)).sections}
    assert len({levels[name] for name in SECTIONS}) == 1


def test_a_chapter_with_another_number_than_its_sections_gives_no_title() -> None:
    assert not chapter(number="Chapter 7").title.startswith("Chapter")


def test_labels_of_sections_of_codes() -> None:
    assert section_number("§ 395-2.1. Entry on land.") == "395-2.1"
    assert section_number("Sec. 2-34. - Meetings.") == "2-34"
    assert section_number("§ 12-2 applies to lamps.") == ""
    assert section_number("Section 12-2 of the code") == ""
