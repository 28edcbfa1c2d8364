"""What interrupts the text of a PDF is left out and counted; sentences go on across it."""

import pytest
from pdf_writer import LINES, Sheet, write

from pagesum_cli.documents.article.building import cells_of_row
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.reader import pdf_document

FULL = (
    "The foxes of the valley have been counted by the farmers each year, "
    "and in most of these years the"
)
MORE = [
    FULL,
    "number of them was higher than in the year before, which nobody in the village could "
    "explain until now,",
]
END = "when the winters became warm."


def read(*sheets: Sheet) -> Document:
    return pdf_document(write(list(sheets)), "a.pdf", "a.pdf")


def page(
    aside: list[str], size: float = 8, font: str = "F1", *, after: str = END, gap: float = 30
) -> Sheet:
    """Body text, something else, and the rest of its sentence."""
    sheet = Sheet()
    y = sheet.lines(72, 740, MORE * 6)
    y = sheet.lines(72, y - gap + 12, aside, size, font, leading=size * 1.2)
    sheet.lines(72, y - gap, [after, *MORE * 6])
    return sheet


def reasons(document: Document) -> list[str]:
    return [one.reason for one in document.left_out]


@pytest.mark.parametrize(
    ("aside", "reason"),
    [
        (
            [
                "Figure 1: Foxes in the valley, counted by the farmers in",
                "each of the years since the war.",
            ],
            "caption",
        ),
        (["Table 2. Foxes in the valley."], "caption"),
        (["for (fox : foxes) { count(fox); }", "print(total); return total;"], "code"),
    ],
)
def test_a_sentence_goes_on_across_what_is_left_out(aside: list[str], reason: str) -> None:
    document = read(page(aside))
    assert reasons(document) == [reason]
    assert document.left_out[0].words == sum(len(line.split()) for line in aside)
    assert f"until now, {END}" in document.text
    assert aside[0] not in document.text


def test_text_between_more_code_than_text_is_read() -> None:
    code = [
        "options(width = 65)",
        *(f"## fox {number} of the valley of many foxes, mice and [1]" for number in range(9)),
    ]
    sheet = Sheet()
    y = 740.0
    for number in range(4):
        y = sheet.lines(72, y, [*MORE, FULL, f"number was higher in year {number}."]) - 12
        y = sheet.lines(72, y, code, font="F5") - 12
    text = read(sheet).text
    assert all(
        f"most of these years the number was higher in year {number}." in text
        for number in range(4)
    )


def test_accents_above_a_line_are_left_out() -> None:
    sheet = Sheet()
    sheet.lines(72, 740, MORE)
    sheet.text(172, 714, "ˆ  ˆ")
    sheet.text(72, 706, END)
    document = read(sheet)
    assert document.text.endswith(f"until now, {END}")
    assert reasons(document) == ["link or ornament"]


def test_a_sentence_about_a_figure_is_text() -> None:
    sheet = Sheet()
    sheet.lines(
        72,
        740,
        [
            *MORE * 4,
            "as far as anybody knows about this.",
            "Figure 2 shows how many there were in 1902.",
        ],
    )
    assert "Figure 2 shows" in read(sheet).text


def test_prose_in_smaller_type_is_read() -> None:
    quote = [
        "There were more foxes than ever in that winter, and we heard them bark at night when it "
        "was cold and clear,"
    ]
    document = read(
        page(
            [
                *quote,
                "and in the morning we saw where they had been, "
                "all around the house and the garden.",
            ]
        )
    )
    assert "more foxes than ever" in document.text
    assert not document.left_out


def test_a_section_in_smaller_type_is_read() -> None:
    one, two = page([]), Sheet()
    two.text(72, 740, "Appendix", 12, "F2")
    small = (
        "In the second part of it all of the foxes of the hills were counted, too, by "
        "children of the place"
    )
    two.lines(72, 720, [small, "teachers."] * 8, 8)
    document = read(one, one, two)
    assert document.text.count("children of the place") == 8


def test_footnotes_are_left_out() -> None:
    sheet = Sheet()
    sheet.lines(72, 740, [*MORE * 10, END])
    sheet.lines(
        72,
        90,
        [
            "1See the book on foxes by Smith, "
            "who counted them before the farmers of the valley did so.",
            "2There may be more of them.",
        ],
        7,
        leading=9,
    )
    document = read(sheet)
    assert "Smith" not in document.text
    assert [(one.reason, one.words) for one in document.left_out] == [("footnote", 24)]


def test_addresses_on_the_first_page_are_left_out() -> None:
    document = read(
        page(
            [
                "Department of Zoology, University of Foxville, 12 Forest Road, Foxville. "
                "ann@foxville.edu"
            ]
        )
    )
    assert reasons(document) == ["affiliation"]
    assert "Zoology" not in document.text


def test_the_last_line_of_a_paragraph_is_text_even_if_it_has_few_letters() -> None:
    sheet = Sheet()
    sheet.lines(72, 740, [*MORE * 5, FULL + " (see 1,", "2, 2019).", *MORE * 5])
    document = read(sheet)
    assert "2, 2019)." in document.text
    assert not document.left_out


def test_the_notes_of_a_table_are_left_out_with_it() -> None:
    sheet = page([])
    sheet.text(72, 380, "Table 1. Foxes in each of the years.", 8)
    for row in range(4):
        for column in range(3):
            sheet.text(72 + 120 * column, 365 - 10 * row, f"{row + 1900} {column}", 8)
    sheet.lines(
        72,
        322,
        [
            "The values are means of what three of the farmers counted in "
            "each of these years of the war."
        ],
        8,
    )
    document = read(sheet)
    assert set(reasons(document)) == {"caption", "table or figure"}
    assert "The values are means" not in document.text


def test_items_of_a_list_are_paragraphs() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, [*MORE * 3, "of which two are well known:"])
    y = sheet.lines(
        80,
        y,
        [
            "• Within 30 days, all foxes of the hills and of the valley are counted by the "
            "farmers, and"
        ],
    )
    sheet.lines(80, y, ["• Within 60 days, they are counted again."])
    paragraphs = [one.text for one in read(sheet).sections[0].paragraphs]
    assert paragraphs[-1] == "• Within 60 days, they are counted again."
    assert paragraphs[-2].startswith("• Within 30 days")


def test_items_without_stops_and_with_capitals_on_their_second_line() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, [*MORE * 3, "of which these are well known:"])
    for number in (1, 2):
        y = sheet.lines(
            80,
            y,
            [
                f"{number}. A fox of the valley or of the hills, seen by one of the farmers, "
                f"and counted by"
            ],
        )
        y = sheet.lines(96, y, [f"Ann, who wrote it into book {number}"])
    texts = [one.text for one in read(sheet).sections[0].paragraphs]
    assert [text.split()[0] + text[-6:] for text in texts[-2:]] == ["1.book 1", "2.book 2"]


def test_back_matter_in_smaller_type_at_the_end() -> None:
    sheet = Sheet()
    sheet.text(72, 770, "The Life of Foxes in Forests", 18, "F2")
    sheet.text(72, 755, "1 Introduction", 12, "F2")
    y = sheet.lines(72, 740, [*MORE * 6, END])
    sheet.text(72, y - 10, "2 Conclusions", 12, "F2")
    y = sheet.lines(72, y - 30, [*MORE * 6, END])
    sheet.lines(
        72,
        y - 20,
        [
            "Funding: This work was supported by the National Fox Foundation of the valley.",
            "Conflicts of Interest: The authors declare no conflict of interest.",
        ],
        8,
    )
    document = read(sheet)
    assert [one.heading for one in document.sections] == ["1 Introduction", "2 Conclusions"]
    assert "Foundation" not in document.text
    assert "declare" not in document.text
    assert set(reasons(document)) == {"back matter"}
    assert sum(one.words for one in document.left_out) == 23


def test_rows_of_a_table_in_the_size_of_the_text_are_left_out() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, [*MORE * 6, END])
    for row, cells in enumerate(
        (("Valley", "Foxes", "Hares"), ("North", "12", "31"), ("South", "14", "8"))
    ):
        for column, cell in enumerate(cells):
            sheet.text(90 + 120 * column, y - 20 - 12 * row, cell)
    sheet.lines(72, y - 80, [*MORE * 6, END])
    document = read(sheet)
    assert reasons(document) == ["table or figure"]
    assert "Valley" not in document.text


COLUMNS = (72, 200, 290, 400)


def rows_of_table(*rows: tuple[str, ...], y: float = 0) -> list[str]:
    """The rows that are known of a table between two texts, or of one whose last row is at ``y``.

    A row with three cells lacks the first one.
    """
    sheet = Sheet()
    top = sheet.lines(72, 740, [*MORE * 6, END]) - 20
    first = y + 12 * (len(rows) - 1) if y else top - 24
    sheet.text(72, first + 24, "Table 1. Foxes of the valley.")
    for number, cells in enumerate(rows):
        for x, cell in zip(COLUMNS[-len(cells) :], cells, strict=True):
            sheet.text(x, first - 12 * number, cell)
    if not y:
        sheet.lines(72, first - 12 * len(rows) - 40, [*MORE * 6, END])
    return [row for one in read(sheet, page([])).left_out for row in one.rows]


OIL = [("Oil of the fox", "10", "19.6 ± 0.8", "47.3 ± 0.9"), ("40", "11.3 ± 0.7", "33.5 ± 0.6")]
OIL += [("75", "7.9 ± 1.1", "22.5 ± 0.3"), ("100", "3.3 ± 0.7", "12.1 ± 0.7")]


def test_a_label_that_stands_once_is_in_each_row_below_it() -> None:
    rows = rows_of_table(("Citrate", "10", "24.2 ± 0.6", "62.9 ± 0.2"), *OIL)
    assert rows[-3:] == [f"Oil of the fox | {' | '.join(cells)}" for cells in OIL[1:]]
    assert rows[-5].startswith("Citrate | 10 |")


def test_labels_in_the_middle_of_their_rows_are_not_filled_down() -> None:
    low, high = OIL[1:3]
    rows = rows_of_table(low, ("Citrate", *high), OIL[3], low, ("Oil", *high), OIL[3])
    assert rows.count(f"| {' | '.join(OIL[3])}") == 2  # the first cell is empty


def test_the_number_before_the_last_row_of_a_page_is_no_number_of_the_page() -> None:
    rows = rows_of_table(("Citrate", "10", "24.2 ± 0.6", "62.9 ± 0.2"), *OIL, y=60)
    assert rows[-1] == "Oil of the fox | 100 | 3.3 ± 0.7 | 12.1 ± 0.7"


def test_a_caption_in_the_size_of_the_text_at_the_top_of_a_page() -> None:
    one, two = Sheet(), Sheet()
    one.lines(72, 740, MORE * 20)
    y = two.lines(
        72,
        740,
        [
            "Figure 1. Foxes in the valley, counted by the farmers in",
            "each of the years of the war.",
        ],
    )
    two.lines(72, y - 30, [END, *MORE * 10])
    document = read(one, two)
    assert reasons(document) == ["caption"]
    assert f"until now, {END}" in document.text


def test_labels_of_a_figure_above_its_caption_are_left_out() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, [*MORE * 6, END])
    for x, label in (
        (100, "Foxes seen"),
        (250, "Foxes counted"),
        (150, "Two farmers"),
        (300, "Again"),
    ):
        y -= 22
        sheet.text(x, y, label, 8)
    sheet.text(72, y - 20, "Figure 1. Foxes in the valley.", 8)
    sheet.lines(72, y - 60, [*MORE * 6, END])
    document = read(sheet)
    assert "Foxes counted" not in document.text


def test_sections_beside_a_table_are_read() -> None:
    sheet = Sheet()
    y = 740.0
    for heading in ("1 Methods", "2 Results", "3 Discussion"):
        sheet.text(72, y, heading, 12, "F2")
        y = sheet.lines(72, y - 16, LINES * 3) - 10
    sheet.text(330, 740, "Table 1. Foxes in each of the years.")
    for row in range(30):
        for x, cell in ((330, f"Forest {row}"), (420, f"{row}.7"), (500, f"{row} to {row + 9}")):
            sheet.text(x, 724 - 12 * row, cell)
    document = read(page([]), sheet)
    assert [section.heading for section in document.sections[-3:]] == [
        "1 Methods",
        "2 Results",
        "3 Discussion",
    ]
    assert min(len(section.text.split()) for section in document.sections[-3:]) > 60
    assert "Forest 7" not in document.text


@pytest.mark.parametrize(("size", "font"), [(14, "F2"), (13, "F3"), (14, "F1")])
def test_a_sentence_goes_on_across_a_pull_quote(size: float, font: str) -> None:
    quote = ["Nobody in the village", "could explain it"]
    sheet = page(quote, size, font)
    sheet.text(72, 770, "The Foxes of the Valley", 20)
    document = read(sheet)
    assert f"until now, {END}" in document.text
    assert [section.heading for section in document.sections] == ["p. 1"]
    assert " ".join(quote) in [one.text for one in document.sections[0].paragraphs]


def test_a_small_box_on_the_first_page_is_apart() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, [*MORE * 6, FULL])
    sheet.operators.append(f"66 {y - 66} 470 66 re S")
    sheet.text(72, y - 14, "In brief", 10, "F2")
    sheet.lines(72, y - 28, LINES[:3])
    sheet.lines(72, y - 90, ["number was high.", *MORE * 6])
    paragraphs = [one.text for one in read(sheet).sections[0].paragraphs]
    assert any("years the number was high." in one for one in paragraphs)
    assert any(LINES[0] in one and FULL not in one for one in paragraphs)


def test_an_empty_cell_keeps_its_place_in_a_row() -> None:
    cells = ("Citrate", "10", "", "62.9 ± 0.2")
    rows = rows_of_table(("Salt", "Dose", "Sleep", "Death"), *OIL[:1], cells, OIL[0], OIL[0])
    assert rows[2] == "Citrate | 10 | | 62.9 ± 0.2"
    assert cells_of_row(rows[2]) == list(cells)
