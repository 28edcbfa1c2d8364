"""By-laws, regulations and contracts in PDFs: their chapters, sections and numbered clauses."""

import pytest
from pdf_writer import Sheet, write

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.clauses import clause_number
from pagesum_cli.documents.pdf.reader import pdf_document

MEETINGS = ["shall be called in October, and the Speaker shall", "give notice of it."]
SERVED = ["for the meetings of the town shall be served by posting"]
SERVED += ["copies of them in the post office, seven days before."]
NAMES = ["GENERAL", "MEMBERSHIP", "MEETINGS", "OFFICERS"]


def document(*sheets: Sheet) -> Document:
    return pdf_document(write(list(sheets)), "a.pdf", "a.pdf")


def levels(found: Document) -> list[tuple[str, int]]:
    return [(one.heading, one.level) for one in found.sections if one.heading]


def texts(found: Document) -> list[str]:
    return [paragraph.text for section in found.sections for paragraph in section.paragraphs]


def clauses(sheet: Sheet, y: float, section: str, *, gap: float = 30) -> float:
    """Three clauses of two lines, their numbers at some distance left of them."""
    for count in range(1, 4):
        sheet.text(95, y, f"{section}.{count}.")
        sheet.text(95 + gap, y, f"A meeting {'abc'[count - 1]} {MEETINGS[0]}")
        sheet.text(95 + gap, y - 14, MEETINGS[1])
        y -= 28
    return y - 14


def by_law(*, size: float = 10, gap: float = 30, sign: str = " - ") -> list[Sheet]:
    """A page a chapter, with two sections, in one font."""
    sheets = []
    for number, name in enumerate(NAMES):
        sheet = Sheet()
        y = 640.0 - 40 * number
        sheet.text(220, y + 30, f"CHAPTER {number}{sign}{name}", size)
        for part in range(2):
            sheet.text(70, y, f"{number}.{part}. {'Agenda' if part else 'Calling a Meeting'}")
            y = clauses(sheet, y - 14, f"{number}.{part}", gap=gap)
        sheets.append(sheet)
    return sheets


@pytest.mark.parametrize("sign", [" - ", " – ", ": ", " "])
def test_chapters_and_the_sections_above_numbered_clauses_are_headings(sign: str) -> None:
    found = levels(document(*by_law(sign=sign)))
    expected = []
    for number, name in enumerate(NAMES):
        expected.append((f"CHAPTER {number}{sign}{name}", 1))
        expected.append((f"{number}.0. Calling a Meeting", 2))
        expected.append((f"{number}.1. Agenda", 2))
    assert found == expected


@pytest.mark.parametrize("gap", [30, 40, 60])
def test_clauses_keep_their_number_with_their_own_text(gap: float) -> None:
    found = texts(document(*by_law(gap=gap)))
    assert len(found) == 24
    assert found[1] == f"0.0.2. A meeting b {' '.join(MEETINGS)}"


def test_items_with_letters_before_a_gap_are_paragraphs() -> None:
    sheet = by_law()[0]
    sheet.text(95, 402, "0.2.1. A member may only be recalled, as the Board of Directors decides:")
    for place, letter in enumerate("abc"):
        sheet.text(136, 388 - 28 * place, f"{letter}.")
        sheet.text(163, 388 - 28 * place, "by a majority vote at a meeting that is called for that")
        sheet.text(163, 374 - 28 * place, "purpose alone; or")
    found = texts(document(sheet, *by_law()[1:]))
    assert [text[:4] for text in found[7:10]] == ["a. b", "b. b", "c. b"]


def test_articles_have_the_title_below_their_label() -> None:
    names = ["WARRANTS", "FINANCES AND TAXES", "TOWN OFFICERS", "STREETS"]
    sheets = []
    for place, name in enumerate(names):
        sheet, top = Sheet(), 700 - 40 * place
        sheet.text(150, top, f"ARTICLE {('1', 'II', 'III', 'IV')[place]}", 10, "F2")
        sheet.text(140, top - 24, name, 10, "F2")
        for section in range(1, 4):
            sheet.text(36, top - 40 * section - 20, f"Section {section}: All warrants {SERVED[0]}")
            sheet.text(36, top - 40 * section - 32, SERVED[1])
        sheet.text(155, top - 200, "CLERK", 10, "F2")
        sheet.text(36, top - 224, f"The clerk {SERVED[0]}")
        sheet.text(36, top - 236, SERVED[1])
        sheets.append(sheet)
    found = levels(document(*sheets))
    articles = [heading for heading, level in found if level == 1]
    labels = ["ARTICLE 1", "ARTICLE II", "ARTICLE III", "ARTICLE IV"]
    assert articles == [f"{label} {name}" for label, name in zip(labels, names, strict=True)]
    assert found.count(("CLERK", 2)) == 4


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4.11.1. A Board", (4, 11, 1)),
        ("Section 4.11 Recall", (4, 11)),
        ("§ 2.1 Recall", (2, 1)),
        ("4.11", ()),
        ("4. Recall", ()),
        ("4.5 mg of it", ()),
    ],
)
def test_numbers_of_clauses(text: str, number: tuple[int, ...]) -> None:
    assert clause_number(text) == number


def test_a_few_words_like_the_label_of_a_part_make_no_headings() -> None:
    sheet = Sheet()
    sheet.lines(70, 700, ["Part 2", f"Foxes {SERVED[0]}", SERVED[1]])
    assert all(section.found_by == "fallback" for section in document(sheet).sections)


@pytest.mark.parametrize(
    ("label", "ending", "after"),
    [
        ("7.", "for not more than thirty", "(30) days of a year."),
        ("7.", "of whom not fewer than", "(12) may be at a meeting."),
        ("(5)", "at the same time as six", "(6) others."),
        ("(5)", "in the village for a month", "(6) others do so as well"),
    ],
)
def test_a_number_in_brackets_is_a_label_only_where_it_continues_a_series(
    label: str, ending: str, after: str
) -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, [*SERVED, *MEETINGS])
    y = sheet.lines(72, y, [f"{label} No baker of the town may keep an oven {ending}"])
    sheet.lines(72 if label == "(5)" else 100, y, [after])
    found = texts(document(sheet))
    is_label = "month" in ending
    assert found[-1].endswith(after)
    assert found[-1].startswith("(6)" if is_label else f"{label} No baker")


@pytest.mark.parametrize("name", ["Schedule 1 – Prohibited Noise", "APPENDIX “B” BID FORMS"])
def test_the_schedules_of_a_by_law_are_headings(name: str) -> None:
    last = Sheet()
    last.text(70, 700, name, 11, "F2")
    for line in range(4):
        last.text(
            70, 660 - 14 * line, f"This By-law names mill {line} of the town beside the brook."
        )
    assert levels(document(*by_law(), last))[-1] == (name, 1)
