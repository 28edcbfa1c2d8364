"""A table that the columns of a page cut in two is whole again."""

from collections.abc import Iterator

from pagesum_cli.documents.pdf.halves import join_halves
from pagesum_cli.documents.pdf.lines import Line
from pagesum_cli.documents.pdf.table_rows import rows_of

LABELS = ("Strain", "Red fox", "Grey wolf", "Brown bear", "Black kite")
ZONES = ("Zone", "12 ± 1", "14 ± 2", "16 ± 1", "18 ± 3")
MIC = ("MIC", "0.5", "2.5", "10", "0.1")
MBC = ("MBC", "1.5", "5.0", "", "0.2")
ROWS = [
    "Strain | Zone | MIC | MBC",
    "Red fox | 12 ± 1 | 0.5 | 1.5",
    "Grey wolf | 14 ± 2 | 2.5 | 5.0",
    "Brown bear | 16 ± 1 | 10 |",
    "Black kite | 18 ± 3 | 0.1 | 0.2",
]


def line(column: int, y: float, *cells: tuple[float, str], is_row: bool = True) -> Line:
    """A line of some cells, each with its left end."""
    pieces = tuple((x, x + 5 * len(text), text) for x, text in cells if text)
    text = " ".join(piece[2] for piece in pieces)
    left, right = (60, 300) if column < 2 else (320, 540)
    style = (10, "Times", False, False)
    found = Line(text, 1, column, left, right, pieces[0][0], pieces[-1][1], y, *style)
    found.cells, found.is_row = len(pieces), is_row
    found.pieces = pieces if len(pieces) > 1 else ()
    return found


def right_half() -> Iterator[Line]:
    for number, cells in enumerate(zip(MIC, MBC, strict=True)):
        yield line(2, 700 - 24 * number, *zip((330, 420), cells, strict=True))


def left_half() -> Iterator[Line]:
    for number, cells in enumerate(zip(LABELS, ZONES, strict=True)):
        yield line(1, 700 - 24 * number, *zip((60, 200), cells, strict=True))


def test_the_two_halves_of_a_row_are_one_row() -> None:
    text = [line(1, 580, (60, "Foxes live in forests all over the world."), is_row=False)]
    joined = join_halves([*left_half(), *text, *right_half()])
    assert [one.text for one in joined[5:]] == [text[0].text]
    assert [row.text.rstrip() for row in rows_of(joined[:5])] == ROWS


def test_a_table_with_its_own_caption_is_no_half() -> None:
    caption = line(2, 720, (330, "Table 2. Doses of the oil."), is_row=False)
    lines = [*left_half(), caption, *right_half()]
    assert join_halves(lines) == lines


def test_rows_at_other_heights_are_no_half() -> None:
    lines = [*left_half(), *right_half()]
    for one in lines[5:]:
        one.y -= 8
    assert join_halves(lines) == lines


def test_few_cells_that_are_no_rows_go_with_the_rows_beside_them() -> None:
    cells = [line(2, 652 - 24 * n, (330, text), is_row=False) for n, text in enumerate("57")]
    joined = join_halves([*left_half(), *cells])
    assert [one.text for one in joined[2:4]] == ["Grey wolf 14 ± 2 5", "Brown bear 16 ± 1 7"]


def test_a_label_above_and_below_its_row_is_in_the_row() -> None:
    labels = [
        line(1, 700 - 24 * number + height, (60, text))
        for number, label in enumerate(LABELS)
        for height, text in zip((6, -6), [*label.split(), "fox"], strict=False)
    ]
    joined = join_halves([*labels, *right_half()])
    assert [row.text.rstrip() for row in rows_of(joined)] == [
        f"{label} | {mic} | {mbc}".rstrip()
        for label, mic, mbc in zip(("Strain fox", *LABELS[1:]), MIC, MBC, strict=True)
    ]
