"""The cells of tables, by the lines around them: each is read by itself."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

from ..article.building import row_of
from ..article.wording import ends_sentence
from .lines import Page
from .runs import Box, Dropped
from .segments import Segment
from .tables import MIN_ROWS, PROSE_LETTERS, SAME_END, THIN

MIN_COLUMNS = 2
MIN_PROSE = 2  # lines of text in a cell, which cells of numbers or of a few words do not have
SENTENCES = 0.4  # share of a table's letters in cells of sentences, from which it is read as text
HEAD = 1.2  # distance of its head from the first line of a table, in sizes of the text
MAX_LINES = 4  # lines of two cells beside each other from which these are several rows

Ends = tuple[int, ...]  # where the columns of a table begin and end, in points


@dataclass(frozen=True)
class _Row:
    """A row of a table: its area, and the text of each column."""

    area: Box
    cells: list[list[Segment]]

    @property
    def text(self) -> str:
        """Its cells."""
        return row_of(map(_text, self.cells))


def set_cells_apart(page: Page, dropped: Dropped) -> None:
    """Take the cells of tables out of the other text of a page: a line of text would go across
    them. Those of sentences are read one after another; the rows of other tables are lines.
    """
    for ends, heights in _grids(page.shapes).items():
        rows = _filled(list(_rows(page.segments, ends, sorted(heights, reverse=True))))
        if len(rows) < MIN_ROWS - 1 or _is_open(rows):
            continue
        if _has_sentences(rows):
            page.cells += _cells(rows)
            dropped.add_rows([row.text for row in rows], page.number)
        else:
            page.rows += ((row.area, row.cells) for row in rows)
        page.segments = _without(page.segments, rows)


def _filled(rows: Sequence[_Row]) -> list[_Row]:
    """Rows without the columns that are empty in all of them."""
    has_text = [any(column) for column in zip(*(row.cells for row in rows), strict=True)]
    return [_Row(row.area, list(compress(row.cells, has_text))) for row in rows]


def _cells(rows: Iterable[_Row]) -> Iterator[tuple[Box, list[Segment]]]:
    """The cells with text, each with the area of its row."""
    return ((row.area, cell) for row in rows for cell in row.cells if cell)


def _without(segments: Iterable[Segment], rows: Iterable[_Row]) -> list[Segment]:
    """The segments that are not in rows."""
    taken = {id(segment) for _, cell in _cells(rows) for segment in cell}
    return [segment for segment in segments if id(segment) not in taken]


def _grids(shapes: Iterable[Box]) -> dict[Ends, list[float]]:
    """The heights of lines that are cut at the same places, by others or by being several pieces,
    for each of several columns.
    """
    shapes = list(shapes)
    grids: defaultdict[Ends, list[float]] = defaultdict(list)
    for height, parts in _pieces(shapes).items():
        touch = all(abs(one[2] - other[0]) < SAME_END for one, other in pairwise(parts))
        if touch:
            grids[(*(round(part[0]) for part in parts), round(parts[-1][2]))].append(height)
    found: defaultdict[Ends, list[float]] = defaultdict(list)
    for ends, heights in grids.items():
        if len(heights) >= MIN_ROWS:
            found[_cut(ends, heights, shapes)] += heights
    return {ends: heights for ends, heights in found.items() if len(ends) > MIN_COLUMNS}


def _cut(ends: Ends, heights: Sequence[float], shapes: Iterable[Box]) -> Ends:
    """The ends of columns; of lines that are whole, where upright lines between them are."""
    if len(ends) > MIN_COLUMNS:
        return ends
    low, high = min(heights), max(heights)
    upright = {
        round((left + right) / 2)
        for left, bottom, right, top in shapes
        if 0 <= right - left <= THIN < top - bottom and low - THIN <= bottom and top <= high + THIN
    }
    inside = (x for x in upright if ends[0] + SAME_END < x < ends[-1] - SAME_END)
    places = [ends[0]]
    for x in sorted(inside):
        if x > places[-1] + SAME_END:
            places.append(x)
    return (*places, ends[-1])


def _pieces(shapes: Iterable[Box]) -> dict[float, list[Box]]:
    """The horizontal lines of each height, from left to right."""
    pieces: defaultdict[float, list[Box]] = defaultdict(list)
    for shape in sorted(shapes):
        if 0 <= shape[3] - shape[1] <= THIN < shape[2] - shape[0]:
            pieces[round(shape[1])].append(shape)
    return pieces


def _rows(segments: Sequence[Segment], ends: Ends, heights: Sequence[float]) -> Iterator[_Row]:
    """The rows with text, from top to bottom; not one in which text goes across a line, and a
    head above the first line only if it has several cells.
    """
    inside = [one for one in segments if _is_in(one, ends[0], ends[-1])]
    for top, bottom in pairwise([heights[0] + _head(inside, heights[0]), *heights]):
        row = [one for one in inside if bottom <= one.y < top]
        cells = [list(_between(row, *columns)) for columns in pairwise(ends)]
        count = sum(map(bool, cells))
        is_whole = sum(map(len, cells)) == len(row)
        if is_whole and count >= (MIN_COLUMNS if bottom == heights[0] else 1):
            yield _Row((ends[0], bottom, ends[-1], top), cells)


def _head(segments: Iterable[Segment], top: float) -> float:
    """The height of a head above the first line of a table: one line of text."""
    near = [one for one in segments if top <= one.y < top + HEAD * one.size]
    return max((one.y + one.size - top for one in near), default=0.0)


def _between(row: Iterable[Segment], left: float, right: float) -> Iterator[Segment]:
    return (one for one in row if _is_in(one, left, right))


def _is_in(segment: Segment, left: float, right: float) -> bool:
    return left - 2 <= segment.x0 and segment.x1 <= right + 2


def _text(cell: Iterable[Segment]) -> str:
    ordered = sorted(cell, key=lambda segment: (-round(segment.y), segment.x0))
    return " ".join(segment.text for segment in ordered)


def _has_sentences(rows: Iterable[_Row]) -> bool:
    """Whether much of the text is in cells of sentences."""
    cells = [cell for row in rows for cell in row.cells if cell]
    letters = [sum(segment.letters for segment in cell) for cell in cells]
    prose = sum(count for cell, count in zip(cells, letters, strict=True) if _is_text(cell))
    return prose > SENTENCES * sum(letters)


def _is_text(cell: Sequence[Segment]) -> bool:
    """Whether a cell has several lines of text, and a sentence that ends."""
    lines = sum(segment.letters >= PROSE_LETTERS for segment in cell)
    text = _text(cell)
    return lines >= MIN_PROSE and (ends_sentence(text) or ". " in text)


def _is_open(rows: Sequence[_Row]) -> bool:
    """Whether only the head and the body of a table have lines between them: its rows have none."""
    long = [[_count(cell) >= MAX_LINES for cell in row.cells] for row in rows]
    has_rows = any(sum(one) > 1 for one in long)
    return len(rows) < MIN_ROWS and has_rows and not _has_sentences(rows)


def _count(cell: Iterable[Segment]) -> int:
    """The number of lines of a cell."""
    return len({round(segment.y) for segment in cell})
