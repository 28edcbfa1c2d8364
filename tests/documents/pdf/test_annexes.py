"""Schedules, appendices and annexes in PDFs: headings at the top level."""

import pytest
from pdf_writer import Sheet, write

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.reader import pdf_document

TEXT = [
    "A person shall hold a permit of the town before the first day of",
    "the event, and shall show it to an officer of the town on demand.",
]
SECTIONS = ["Definitions", "Permits", "Exemptions", "Effective Date"]


def document(*sheets: Sheet) -> Document:
    return pdf_document(write(list(sheets)), "a.pdf", "a.pdf")


def written(sheet: Sheet, y: float, times: int = 3) -> float:
    """Paragraphs of two lines; where the next thing may be."""
    for _ in range(times):
        for line in TEXT:
            sheet.text(72, y, line, 12)
            y -= 14
        y -= 14
    return y - 14


def by_law() -> Sheet:
    sheet, y = Sheet(), 700.0
    for number, name in enumerate(SECTIONS, start=1):
        sheet.text(72, y, f"{number}. {name}", 12, font="F2")
        y = written(sheet, y - 28, 1)
    return sheet


def schedule(name: str, size: float = 12) -> Sheet:
    sheet = Sheet()
    sheet.text(72, 700, name, size, font="F2")
    written(sheet, 660)
    return sheet


def headings(found: Document) -> list[tuple[str, int]]:
    return [(one.heading, one.level) for one in found.sections]


@pytest.mark.parametrize(
    "name", ["Schedule 1 - Fees", 'APPENDIX "A": FEES', "Annex II. Fees", "Schedule A"]
)
def test_a_schedule_is_a_section_of_the_top_level(name: str) -> None:
    found = document(by_law(), schedule(name))
    assert headings(found)[-2:] == [("4. Effective Date", 1), (name, 1)]


def test_a_line_that_says_that_a_schedule_goes_on_is_no_heading() -> None:
    names = ["Schedule 1 - Fees", "Schedule 1 (continued) - Fees", "Schedule 1 (Cont'd)"]
    found = document(by_law(), *map(schedule, names))
    assert headings(found)[-2:] == [("4. Effective Date", 1), ("Schedule 1 - Fees", 1)]
    assert "Schedule 1" not in found.sections[-1].text


def test_a_list_of_schedules_has_no_headings() -> None:
    first = by_law()
    for number in range(3):
        first.text(72, 300 - 30 * number, f"SCHEDULE {number + 1} - FEES")
    found = document(first, schedule("SCHEDULE 1 - FEES"))
    assert headings(found)[-2:] == [("4. Effective Date", 1), ("SCHEDULE 1 - FEES", 1)]


@pytest.mark.parametrize("line", ["Schedule 1 is repealed", "Appendix B of this by-law"])
def test_a_sentence_about_a_schedule_is_no_heading(line: str) -> None:
    found = document(by_law(), schedule(line))
    assert [name for name, _ in headings(found)][-1] == "4. Effective Date"
