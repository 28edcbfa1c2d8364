"""Headings in the margin, beside the text."""

from collections.abc import Sequence

from pdf_writer import LINES, Sheet, write
from tiny import assert_linear

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.columns import columns_of, common_gutters
from pagesum_cli.documents.pdf.reader import pdf_document
from pagesum_cli.documents.pdf.runs import Run
from pagesum_cli.documents.pdf.segments import Segment

LONG = ["Uncertainty Remains", "about How Many", "Foxes Live in the", "Valley, the Forest,"]
LONG += ["the Hills, and the", "Nonconventional", "Gardens"]
FIRST = ["The council met in March"] + ["and agreed to build it anew"] * 9


def rows(x0: float, top: float, texts: list[str], width: float) -> list[Segment]:
    """Lines of these texts under each other."""
    return [
        Segment([Run(text, x0, x0 + width, y, 10, False, False, "F")], x0, x0 + width, y, 10)
        for text, y in zip(texts, range(int(top), int(top) - 12 * len(texts), -12), strict=True)
    ]


def document(*sheets: Sheet, outline: Sequence[tuple[str, int, int]] = ()) -> Document:
    """The document of some pages below a title."""
    title = Sheet()
    title.text(37, 740, "All the Foxes of the Forest", 28, "F2")
    title.operators += sheets[0].operators
    return pdf_document(write([title, *sheets[1:]], outline=list(outline)), "a.pdf", "a.pdf")


def with_headings(*headings: list[str], size: float = 14) -> Sheet:
    """A page of paragraphs, with a heading in the margin beside each but the first."""
    sheet = Sheet()
    y = sheet.lines(216, 720, LINES) - 14
    for heading in headings:
        sheet.lines(37, y, heading, size, "F2", size + 1)
        y = sheet.lines(216, y, LINES) - 14
        y = sheet.lines(216, y, LINES) - 14
    return sheet


def headings_of(found: Document) -> list[str]:
    return [section.heading for section in found.sections]


def test_headings_in_the_left_margin_are_read_before_the_text_beside_them():
    page = []
    for name, top in (("Purpose", 700), ("Costs", 560), ("Timetable", 420)):
        page += [*rows(40, top, [name], 60), *rows(200, top, FIRST, 330)]
    texts = [column[0].text.split()[0] for column in columns_of(page, common_gutters([page]))]
    assert texts == ["Purpose", "The", "Costs", "The", "Timetable", "The"]


def test_a_single_heading_in_the_margin_stands_before_the_paragraph_beside_it():
    found = document(with_headings(["Costs and Benefits", "of the Foxes"]), with_headings())
    before, costs = found.sections[:2]
    assert headings_of(found)[:2] == ["", "Costs and Benefits of the Foxes"]
    assert before.text.endswith(LINES[-1])
    assert costs.text.startswith(LINES[0])
    assert len(costs.paragraphs) == 2


def test_a_heading_of_many_lines_in_the_margin_is_whole():
    found = document(with_headings(LONG, ["Costs"]), with_headings(["Results"], ["Discussion"]))
    assert headings_of(found)[1:3] == [" ".join(LONG), "Costs"]
    assert not any("Gardens" in section.text for section in found.sections)


def test_headings_of_two_sizes_one_below_the_other_are_two():
    sheet = with_headings()
    sheet.lines(37, 634, ["The Forest"], 17, "F2")
    sheet.lines(37, 616, ["Trees and Their", "Leaves"], 13, "F2", 14)
    sheet.lines(216, 634, LINES * 3)
    found = document(sheet, with_headings(["Results"], ["Discussion"]))
    assert headings_of(found)[1:3] == ["The Forest", "Trees and Their Leaves"]


def test_a_heading_in_the_margin_that_an_outline_lacks_is_no_part_of_a_sentence():
    names = ["Results", "Methods", "Discussion", "Summary", "Trees", "Leaves", "Birds", "Owls"]
    sheets = [with_headings([name]) for name in names]
    sheets[2].lines(37, 720, ["Notes to You"], 12, "F2")
    outline = [(name, place, 1) for place, name in enumerate(names)]
    found = document(*sheets, outline=outline)
    assert [name for name in headings_of(found) if name] == names
    assert not any("Notes" in section.text for section in found.sections)


def test_the_end_of_a_heading_across_the_page_is_none_in_the_margin():
    sheet = Sheet()
    sheet.lines(37, 720, ["Appendix I: Foxes and the Valley in", "Methodology"], 24, "F2", 27)
    sheet.lines(216, 640, LINES * 3)
    found = document(sheet, with_headings(["Results"], ["Discussion"]))
    assert headings_of(found)[0] == "Appendix I: Foxes and the Valley in Methodology"


def test_labels_of_a_contents_page_are_no_headings():
    page = []
    for number, top in enumerate(range(700, 200, -40), start=1):
        page += rows(36, top, [f"Appendix {number}"], 80)
        page += [*rows(216, top, ["Key Studies of the Foxes in the Valley"], 300)]
        page += rows(560, top, [str(number)], 14)
    assert not any(one.is_in_margin for column in columns_of(page) for one in column)


def test_the_first_cells_of_a_table_and_the_left_one_of_two_columns_are_no_headings():
    table = [*rows(40, 700, ["Fox", "Hare", "Owl"] * 9, 60), *rows(200, 700, FIRST * 3, 330)]
    columns = [*rows(40, 700, FIRST * 4, 240), *rows(300, 700, FIRST * 4, 240)]
    for page in (table, columns):
        assert not any(one.is_in_margin for column in columns_of(page) for one in column)


def test_headings_in_the_margin_take_linear_time():
    def read(count: int) -> None:
        text = rows(200, 120 * count, FIRST * count, 330)
        notes = [(f"Note{n}", 120.0 * (count - n)) for n in range(count)]
        runs = [Run(name, 40, 90, y, 12, True, False, "B") for name, y in notes]
        columns_of([*text, *(Segment([run], run.x0, run.x1, run.y, run.size) for run in runs)])

    assert_linear(read, 500)


def test_a_number_below_the_margins_last_heading_does_not_hide_it() -> None:
    page = [*rows(40, 700, ["Costs"], 60), *rows(200, 700, FIRST, 330)]
    page[0].size = 14
    page += rows(40, 90, ["(844328471)"], 60)
    columns_of(page, common_gutters([page]))
    assert [one.text for one in page if one.is_in_margin] == ["Costs"]
