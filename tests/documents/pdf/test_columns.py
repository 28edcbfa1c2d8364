"""The reading order of pages with sidebars and boxes."""

from tiny import assert_linear

from pagesum_cli.documents.pdf.columns import columns_of, common_gutters
from pagesum_cli.documents.pdf.runs import Run
from pagesum_cli.documents.pdf.segments import Segment
from pagesum_cli.documents.pdf.sidebars import without_sidebars


def block(
    name: str, x0: float, x1: float, top: float, rows: int, size: float = 10, leading: float = 12
) -> list[Segment]:
    """Full lines under each other."""
    segments = []
    for row in range(rows):
        y = top - leading * row
        text = f"{name}{row}" + " text" * int((x1 - x0) / size / 2.5)
        segments.append(Segment([Run(text, x0, x1, y, size, False, False, "F")], x0, x1, y, size))
    return segments


def order(columns: list[list[Segment]]) -> list[str]:
    """The names of blocks as they follow one another."""
    names = [
        one.text.split()[0].rstrip("0123456789")
        for column in columns
        for one in sorted(column, key=lambda s: -s.y)
    ]
    return [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]


def test_a_sidebar_beside_the_abstract_is_apart_and_two_columns_follow_below():
    page = [
        *block("title", 150, 560, 760, 2, 20, 24),
        *block("side", 40, 130, 690, 50, 7, 9),
        *block("abstract", 150, 560, 690, 30),
        *block("left", 150, 345, 300, 16),
        *block("right", 365, 560, 300, 16),
    ]
    assert order(columns_of(page, [355])) == ["side", "title", "abstract", "left", "right"]


def test_the_first_cells_of_a_table_are_no_sidebar():
    page = [*block("name", 40, 130, 700, 30), *block("value", 150, 560, 700, 30)]
    assert without_sidebars(page) == ([], page, [])


def test_a_box_in_two_columns_is_read_before_the_text_in_two_columns_below_it():
    page = [
        *block("box", 40, 290, 700, 12, 8, 10),
        *block("aside", 310, 560, 700, 12, 8, 10),
        *block("left", 40, 290, 560, 30),
        *block("right", 310, 560, 560, 30),
    ]
    assert order(columns_of(page)) == ["box", "aside", "left", "right"]


def test_left_and_right_pages_may_have_gutters_at_different_places():
    even = [*block("left", 40, 240, 700, 40), *block("right", 260, 460, 700, 40)]
    odd = [*block("left", 120, 320, 700, 40), *block("right", 340, 540, 700, 40)]
    even_too = [*block("left", 40, 243, 700, 40), *block("right", 263, 460, 700, 40)]
    gutters = sorted(common_gutters([odd, even, odd, even_too]))
    assert [round(gutter, -1) for gutter in gutters] == [250, 330]


def test_pages_with_many_narrow_rows_take_linear_time():
    def sort(count: int) -> None:
        page = []
        for row in range(count):
            kind = row % 10
            y = 780 - 700 * row / count
            page += block("side", 40, 130, y, 1) if kind else block("wide", 40, 560, y, 1)
            page += block("text", 150, 560, y, 1)
        columns_of(page)

    assert_linear(sort, 2000)


def test_two_columns_of_three_lines_below_an_abstract_begin_with_a_heading() -> None:
    page = [
        *block("abstract", 40, 560, 690, 40),
        *block("heading", 40, 110, 82, 1, 11),
        *block("left", 40, 290, 70, 2),
        *block("right", 310, 560, 82, 3),
    ]
    assert order(columns_of(page, [300])) == ["abstract", "heading", "left", "right"]


def test_the_heading_below_a_sidebar_belongs_to_the_text() -> None:
    page = [
        *block("title", 150, 560, 760, 2, 20, 24),
        *block("side", 40, 130, 690, 30, 7, 9),
        *block("abstract", 150, 560, 690, 30),
        *block("heading", 40, 120, 310, 1, 11),
        *block("left", 40, 290, 290, 16),
        *block("right", 310, 560, 290, 16),
    ]
    assert order(columns_of(page)[:1]) == ["side"]


def test_notes_in_a_margin_are_apart() -> None:
    page = [*block("text", 40, 400, 760, 50), *block("note", 405, 470, 600, 2, 7, 9)]
    assert order(columns_of(page)) == ["text", "note"]


def test_a_table_beside_text_is_a_column() -> None:
    page = block("text", 40, 290, 700, 30)
    for row in range(20):
        for x in (312, 360, 450):
            page += block("cell", x, x + 30, 696 - 13 * row, 1, 9)
    assert order(columns_of(page, [301])) == ["text", "cell"]


def test_references_below_both_columns_follow_them() -> None:
    page = [
        *block("left", 40, 290, 700, 20),
        *block("right", 310, 560, 700, 20),
        *block("list", 40, 290, 400, 20, 7.5, 9),
        *block("more", 310, 560, 400, 20, 7.5, 9),
    ]
    assert order(columns_of(page, [300])) == ["left", "right", "list", "more"]


def test_four_columns_whose_lines_are_not_level() -> None:
    page = [
        *block("one", 34, 270, 520, 30),
        *block("two", 293, 528, 521, 30),
        *block("three", 551, 787, 519, 30),
        *block("four", 810, 1045, 522, 12),
    ]
    assert order(columns_of(page)) == ["one", "two", "three", "four"]


def test_a_list_of_short_lines_beside_text_is_a_column_where_other_pages_have_one() -> None:
    text = [*block("left", 60, 295, 740, 50), *block("right", 318, 560, 740, 50)]
    listed = [*block("entry", 60, 180, 733, 20), *block("right", 318, 560, 740, 50)]
    gutters = common_gutters([text, listed, text, text])
    assert order(columns_of(listed, gutters)) == ["entry", "right"]


def test_wide_gaps_in_some_lines_of_a_column_are_no_gutter():
    lines = []
    for row in range(40):
        if row % 8 > 1:
            lines += [
                *block("first", 60, 180, 700 - 12 * row, 1),
                *block("second", 195, 290, 700 - 12 * row, 1),
            ]
        else:
            lines += block("whole", 60, 290, 700 - 12 * row, 1)
    page = [*lines, *block("right", 310, 550, 700, 40)]
    assert [len(column) for column in columns_of(page)] == [70, 40]


def prose(x: float, top: float, rows: int) -> list[Segment]:
    """Rows of a column that go on with a sentence, every second one."""
    texts = [
        "Foxes live in forests all over the world and",
        "eat what they find there, often a well-known",
    ]
    return [
        Segment(
            [Run(texts[n % 2], x, x + 200, top - 12 * n, 10, False, False, "F")],
            x,
            x + 200,
            top - 12 * n,
            10,
        )
        for n in range(rows)
    ]


def test_prose_beside_a_table_whose_rows_are_level_with_it_is_a_column() -> None:
    table = [cell for x in (330, 420, 500) for cell in block("cell", x, x + 30, 700, 30)]
    found = columns_of([*prose(72, 700, 30), *table])
    assert [segment.x0 < 300 for segment in found[0]] == [True] * 30


def test_a_wide_note_below_a_narrow_column_is_no_second_column():
    page = [
        *block("left", 40, 290, 700, 40),
        Segment([Run("*", 250, 560, 100, 8, False, False, "F")], 250, 560, 100, 8),
    ]
    assert common_gutters([page]) == []
    assert order(columns_of(page)) == ["left", "*"]


def rows(x0: float, top: float, texts: list[str], width: float = 200) -> list[Segment]:
    """Lines of these texts under each other."""
    return [
        Segment([Run(text, x0, x0 + width, y, 10, False, False, "F")], x0, x0 + width, y, 10)
        for y, text in zip(range(int(top), 0, -12), texts, strict=False)
    ]


def test_a_few_lines_side_by_side_are_read_one_column_after_the_other():
    left = ["The council met in March and", "agreed to build the old tower", "before winter."]
    right = ["Engineers of the town found that", "two of the arches were unsafe", "for lorries."]
    page = [*rows(40, 300, left), *rows(280, 300, right)]
    assert columns_of(page) == [page[:3], page[3:]]
    three = [*page, *rows(520, 300, left)]
    assert columns_of(three) == [page[:3], page[3:], three[6:]]


def test_short_cells_side_by_side_are_no_columns():
    page = [*rows(40, 300, ["Name", "fox", "hare"]), *rows(280, 300, ["Number", "two", "ten"])]
    assert columns_of(page) == [page]
