"""The cells of a table of text, by the lines around them: each is read by itself."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from .lines import Page
from .runs import Box
from .segments import Segment
from .tables import MIN_ROWS, PROSE_LETTERS, SAME_END, THIN

MIN_COLUMNS = 2
MIN_PROSE = 2  # lines of text in a cell, which cells of numbers or of a few words do not have

Ends = tuple[int, ...]  # where the columns of a table begin and end, in points


def set_cells_apart(page: Page) -> None:
    """Take the cells of tables of text out of the other text of a page: a line of text would go
    across them.
    """
    for ends, heights in _grids(page.shapes).items():
        cells = list(_cells(page.segments, ends, sorted(heights, reverse=True)))
        if not any(_is_text(inside) for _, inside in cells):
            continue
        page.cells += cells
        taken = {id(segment) for _, inside in cells for segment in inside}
        page.segments = [segment for segment in page.segments if id(segment) not in taken]


def _grids(shapes: Iterable[Box]) -> dict[Ends, list[float]]:
    """The heights of lines that are cut at the same places, for each of several columns."""
    grids: defaultdict[Ends, list[float]] = defaultdict(list)
    for height, parts in _pieces(shapes).items():
        touch = all(abs(one[2] - other[0]) < SAME_END for one, other in pairwise(parts))
        if touch and len(parts) >= MIN_COLUMNS:
            grids[(*(round(part[0]) for part in parts), round(parts[-1][2]))].append(height)
    return {ends: heights for ends, heights in grids.items() if len(heights) >= MIN_ROWS}


def _pieces(shapes: Iterable[Box]) -> dict[float, list[Box]]:
    """The horizontal lines of each height, from left to right."""
    pieces: defaultdict[float, list[Box]] = defaultdict(list)
    for shape in sorted(shapes):
        if 0 <= shape[3] - shape[1] <= THIN < shape[2] - shape[0]:
            pieces[round(shape[1])].append(shape)
    return pieces


def _cells(
    segments: Sequence[Segment], ends: Ends, heights: Sequence[float]
) -> Iterator[tuple[Box, list[Segment]]]:
    """The cells with text, row by row, each with the area of its row; not of a row in which text
    goes across a line.
    """
    inside = [one for one in segments if _is_in(one, ends[0], ends[-1])]
    for top, bottom in pairwise(heights):
        row = [one for one in inside if bottom <= one.y < top]
        cells = [list(_between(row, *columns)) for columns in pairwise(ends)]
        if sum(map(len, cells)) == len(row):
            area = (ends[0], bottom, ends[-1], top)
            yield from ((area, cell) for cell in filter(None, cells))


def _between(row: Iterable[Segment], left: float, right: float) -> Iterator[Segment]:
    return (one for one in row if _is_in(one, left, right))


def _is_in(segment: Segment, left: float, right: float) -> bool:
    return left - 2 <= segment.x0 and segment.x1 <= right + 2


def _is_text(inside: Iterable[Segment]) -> bool:
    return sum(segment.letters >= PROSE_LETTERS for segment in inside) >= MIN_PROSE
