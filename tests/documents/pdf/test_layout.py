"""The passes from the text that is drawn to lines, and the places of these."""

import pytest
from pdf_writer import LINES, PROSE, Sheet, write

from pagesum_cli.documents.pdf.reader import PAGE_PASSES, pdf_document, read_lines
from pagesum_cli.documents.pdf.runs import Dropped, PageText, Run


def pages() -> list[PageText]:
    """Pages with a running head."""
    return [
        PageText(
            [
                Run(text, 72, 300, y, 10, False, False, "F")
                for text, y in (("A head", 770), (f"Text of page {number}", 400))
            ]
        )
        for number in range(1, 5)
    ]


def test_each_pass_can_be_switched_off_by_name() -> None:
    passes = [name for name, _ in PAGE_PASSES if name != "lines"]
    everything = [line.text for line in read_lines(pages(), Dropped(), passes)]
    assert "A head" in everything
    dropped = Dropped()
    assert [line.text for line in read_lines(pages(), dropped)] == [
        f"Text of page {n}" for n in range(1, 5)
    ]
    assert [group.reason for group in dropped.left_out()] == ["running head"]
    kept = [line.text for line in read_lines(pages(), Dropped(), {"running heads"})]
    assert kept.count("A head") == 4


def test_one_word_of_a_line_that_begins_several_pages_is_no_running_head() -> None:
    first = pages()
    for page in first:
        page.runs.append(Run("The", 72, 90, 740, 10, False, False, "F"))
    kept = [line.text for line in read_lines(first, Dropped())]
    assert kept.count("The") == 4


@pytest.mark.parametrize(
    ("turn", "box"),
    [
        (0, (72, 398, 300, 406)),
        (90, (394, 72, 402, 300)),
        (180, (300, 394, 528, 402)),
        (270, (398, 300, 406, 528)),
    ],
)
def test_boxes_of_lines_are_those_of_the_page_before_it_is_turned(
    turn: int, box: tuple[float, ...]
) -> None:
    width, height = 600, 800
    run = Run("Text", 72, 300, 400, 8, False, False, "F", turn)
    (line,) = read_lines([PageText([run], width, height)], Dropped())
    assert line.box == pytest.approx(box, abs=1)


def test_numbers_of_every_fifth_line_are_no_text():
    sheet = Sheet()
    for place, line in enumerate(LINES * 4):
        sheet.text(90, 740 - 22 * place, line)
        if place % 5 == 4:
            sheet.text(60 - 5 * (place > 8), 740 - 22 * place, str(place + 1))
    document = pdf_document(write([sheet]), "a", "a.pdf")
    assert document.sections[0].text == " ".join([PROSE] * 4)
    assert [(one.reason, one.text) for one in document.left_out] == [("line number", "5 10 15 20")]


def test_numbers_of_lines_that_go_on_with_few_lines_are_no_text() -> None:
    sheets, number = [], 100
    for count in (3, 20, 20, 2):
        sheet = Sheet()
        for place, line in enumerate((LINES * 4)[:count]):
            sheet.text(90, 640 - 22 * place, line)
            sheet.text(55, 640 - 22 * place, str(number := number + 1), 6)
        sheets.append(sheet)
    document = pdf_document(write(sheets), "a", "a.pdf")
    assert not set("123456789") & set("".join(one.text for one in document.sections))
    (left_out,) = document.left_out
    assert (left_out.reason, left_out.pdf_pages) == ("line number", (1, 2, 3, 4))


def test_numbers_in_a_table_are_kept():
    sheet = Sheet()
    for place, line in enumerate(LINES):
        sheet.text(60, 700 - 14 * place, str(5 * place + 5))
        sheet.text(90, 700 - 14 * place, line)
    assert "line number" not in [
        one.reason for one in pdf_document(write([sheet]), "a", "a.pdf").left_out
    ]


def test_the_numbers_of_ruled_paper_are_no_text_also_where_most_rows_are_empty():
    sheet = Sheet()
    for row in range(1, 29):
        sheet.text(60 - 5 * (row > 9), 740 - 23 * row, str(row))
    for place, line in enumerate(LINES):
        sheet.text(90, 740 - 23 * (10 + place), line)
    read = pdf_document(write([sheet]), "a", "a.pdf")
    assert read.sections[0].text == PROSE
    assert "line number" in [one.reason for one in read.left_out]


def test_numbers_among_others_are_kept():
    sheet = Sheet()
    for row in range(1, 29):
        sheet.text(60, 740 - 23 * row, str(row))
        sheet.text(90, 740 - 23 * row, str(row * row))
    sheet.text(90, 40, PROSE)
    left_out = pdf_document(write([sheet]), "a", "a.pdf").left_out
    assert "line number" not in [one.reason for one in left_out]


EATS = "eats what it finds there, which is often a mouse or a bird of the forest."


def test_slides_that_are_built_up_are_read_once():
    pages = []
    for slide in range(2):
        items = [f"• The fox of valley {place + 3 * slide} {EATS}" for place in range(3)]
        for shown in range(1, 4):
            sheet = Sheet()
            sheet.text(72, 720, f"Foxes of part {['one', 'two'][slide]}", 20)
            sheet.lines(72, 600, items[:shown], 11, leading=60)
            sheet.text(500, 30, f"{len(pages) + 1} / 6")
            pages.append(sheet)
    document = pdf_document(write(pages), "a", "a.pdf")
    assert [document.text.count(f"valley {place}") for place in range(6)] == [1] * 6
    repeated = [one.pdf_pages for one in document.left_out if one.reason == "repeated page"]
    assert repeated == [(1,), (2,), (4,), (5,)]


@pytest.mark.parametrize(
    ("initial", "first", "read"),
    [("T", "he foxes live", "The foxes live"), ("A", "council of", "A council of")],
)
@pytest.mark.parametrize("rows", [2, 3])
def test_a_drop_cap_begins_its_word(initial, first, read, rows):
    sheet = Sheet()
    sheet.text(72, 700 - 12 * (rows - 1), initial, 12 * rows)
    lines = [f"{first} in forests all over the", *LINES]
    sheet.lines(72 + 9 * rows, 700, lines[:rows])
    sheet.lines(72, 700 - 12 * rows, lines[rows:])
    text = pdf_document(write([sheet]), "a", "a.pdf").text
    assert f"{read} in forests all over the {PROSE}" in text


def test_a_sentence_goes_on_where_a_rule_has_a_hanging_indent() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, LINES)
    sheet.text(72, y - 10, "A. If the people of this valley want it so, no hunter who is not a")
    y = sheet.lines(96, y - 22, ["Member of the Club, other than a guest, shall enter the woods"])
    sheet.text(96, y, "after dark.")
    y = sheet.lines(72, y - 22, LINES)
    document = pdf_document(write([sheet]), "a", "a.pdf")
    paragraphs = [one.text for section in document.sections for one in section.paragraphs]
    assert paragraphs == [
        PROSE,
        "A. If the people of this valley want it so, no hunter who is not a "
        "Member of the Club, other than a guest, shall enter the woods after dark.",
        PROSE,
    ]


def test_a_short_line_that_ends_inside_a_sentence_goes_on() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, LINES)
    sheet.text(72, y - 10, "B. Where an owner failed to comply with")
    y = sheet.lines(96, y - 22, ["Old Chapter 5 and the council did the work in the woods, it"])
    sheet.text(96, y, "may recover its costs.")
    text = pdf_document(write([sheet]), "a", "a.pdf").text
    assert "failed to comply with Old Chapter 5 and the council did the work" in text


def test_a_label_at_the_end_of_a_full_line_belongs_to_the_next_one() -> None:
    sheet = Sheet()
    last = sheet.lines(72, 700, LINES)
    below = sheet.lines(
        72, last - 24, ["The clerk called the roll: Present were Ames and Lee. Absent:"]
    )
    sheet.lines(90, below, ["Gatto. Olsen came at 7:32 a.m."])
    text = pdf_document(write([sheet]), "a.pdf", "a.pdf").text
    assert "Ames and Lee. Absent: Gatto. Olsen came" in text
