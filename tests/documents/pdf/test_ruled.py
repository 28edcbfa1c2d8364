"""Lines and boxes drawn on a page tell tables, footnotes and boxes from the text around them."""

import pytest
from pdf_writer import LINES, Sheet, write

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
CELLS = ["Forest", "Many trees, and few", "Meadow", "No trees, but mice"]


def read(*sheets: Sheet) -> Document:
    return pdf_document(write(list(sheets)), "a.pdf", "a.pdf")


def page(
    *, caption: bool = True, rules: bool = True, footer: bool = True, head: str = "Place"
) -> Sheet:
    """Text in whose middle is a table of words in the size of the text, between three rules."""
    sheet = Sheet()
    y = sheet.lines(72, 740, MORE * 6) - 20
    if caption:
        sheet.text(72, y, "Table 1. Where foxes live.")
    if rules:
        sheet.rule(72, y - 8, 540)
    sheet.text(72, y - 20, head)
    if rules:
        sheet.rule(72, y - 26, 540)
    y = sheet.lines(72, y - 38, CELLS)
    if rules:
        sheet.rule(72, y, 540)
    y = sheet.lines(72, y - 30, [END, *MORE * 2])
    if footer:
        sheet.rule(72, y - 10, 540)
    return sheet


@pytest.mark.parametrize("head", ["Place", FULL])
@pytest.mark.parametrize("footer", [False, True])
def test_the_words_of_a_table_between_rules_are_left_out(footer: bool, head: str) -> None:
    document = read(page(footer=footer, head=head))
    assert f"until now, {END}" in document.text
    assert document.text.count("until now,") == 8
    table = next(one for one in document.left_out if one.reason == "table or figure")
    assert table.text == " ".join([head, *CELLS])


def test_a_table_above_its_caption() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, MORE * 6) - 20
    sheet.rule(72, y, 540)
    sheet.text(72, y - 12, "Place")
    sheet.rule(72, y - 16, 540)
    y = sheet.lines(72, y - 30, CELLS)
    sheet.rule(72, y, 540)
    sheet.text(72, y - 14, "Table 1. Where foxes live.")
    sheet.lines(72, y - 44, [END, *MORE * 2])
    document = read(sheet)
    assert f"until now, {END}" in document.text
    assert "Meadow" not in document.text


def test_text_between_rules_without_a_caption_is_read() -> None:
    assert "Meadow" in read(page(caption=False)).text
    assert "Meadow" in read(page(rules=False)).text


def test_text_below_a_short_rule_is_read() -> None:
    sheet = Sheet()
    y = sheet.lines(72, 740, [*MORE * 15, END])
    sheet.rule(72, y, 190)
    sheet.lines(72, y - 14, [*MORE * 2, END])
    assert read(sheet).text.count(END) == 2


def boxed(fill: str) -> Sheet:
    """A page on which a box over both columns stands within the left one's sentence."""
    sheet = Sheet()
    sheet.operators.append(f"q {fill} 60 560 492 120 re {'S' if not fill else 'f'} Q")
    inside = [
        "A box says that hares are counted with the foxes of the",
        "valley, in the same spring and by the same men.",
    ]
    for x in (72, 312):
        sheet.lines(
            x,
            740,
            [*LINES[:3], "spring. They hunt alone, and at night they walk"]
            if x == 72
            else LINES[:4],
        )
        sheet.lines(x, 665, inside * 4, 9)
    sheet.lines(72, 540, ["for a long time and for many miles.", *LINES * 5])
    sheet.lines(312, 540, LINES * 5)
    return sheet


@pytest.mark.parametrize("fill", ["", "0.9 g", "0.8 0.9 1 rg"])
def test_a_sentence_goes_on_across_a_box(fill: str) -> None:
    first = Sheet()
    first.lines(72, 740, LINES * 8)
    first.lines(312, 740, LINES * 8)
    text = " ".join(read(first, boxed(fill)).text.split())
    assert "they walk for a long time and for many miles." in text
    assert text.count("hares are counted with the foxes of the valley") == 8


def test_the_background_of_a_page_is_no_box() -> None:
    sheet = Sheet()
    sheet.operators.append("q 0.9 g 30 30 550 740 re f Q")
    sheet.lines(72, 740, [*MORE * 10, END])
    other = Sheet()
    other.lines(72, 740, [*MORE * 10, END])
    assert read(sheet, sheet).text == read(other, other).text
