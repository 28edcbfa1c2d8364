"""Lines of a table → the text of its rows, each cell by itself."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ..article.building import CELL
from ..boxes import pack
from ..model import Paragraph
from .lines import CELL_GAP, Line, Piece

# of the distance between two lines of a row: by how much that of two rows exceeds it, and the
# largest there is, in sizes of the text
LOOSER, MAX_LEADING = 1.15, 1.45
MIN_WIDER = 2  # lines with more cells than most, from which on they are columns that others lack
WITHIN = 3.0  # by how far a cell may exceed its column, in points


@dataclass
class Row:
    """The text in each column of a row, line by line."""

    columns: list[list[str]]
    lines: list[Line] = field(default_factory=list)

    @property
    def paragraph(self) -> Paragraph:
        """Its cells as a paragraph of their own."""
        page = self.lines[0].page
        boxes = [line.box for line in self.lines if line.page == page]
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        box = (min(lefts), min(bottoms), max(rights), max(tops))
        text = self.text.replace(CELL, " ")
        return Paragraph(text, ((0, page),), line_boxes=pack([(0, page, box)]))

    def add(self, line: Line, columns: Sequence[tuple[float, float]]) -> None:
        """Add a line, each part of which goes to the column in which it is."""
        self.lines.append(line)
        if not columns or line.is_cell:
            self.columns = [[text] for _, _, text in cells_of(line)]
            return
        for piece in _pieces_of(line):
            self.columns[_column_of(piece, columns)].append(piece[2])

    @property
    def text(self) -> str:
        """Its cells that are not empty."""
        return CELL.join(" ".join(texts) for texts in self.columns if texts)


def cells_of(line: Line) -> list[Piece]:
    """The parts into which wide gaps cut a line; those of a row that lines are around."""
    if line.is_cell:
        return [*line.pieces]
    cells: list[Piece] = []
    for left, right, text in _pieces_of(line):
        if cells and left - cells[-1][1] <= CELL_GAP * line.size:
            cells[-1] = (cells[-1][0], right, f"{cells[-1][2]} {text}")
        else:
            cells.append((left, right, text))
    return cells


def _pieces_of(line: Line) -> list[Piece]:
    """The parts between all gaps of a line, also of one without."""
    return [*line.pieces] or [(line.x0, line.x1, line.text)]


def rows_of(lines: Sequence[Line]) -> Iterator[Row]:
    """The rows of some lines of a table; a cell of several lines is read as a whole."""
    columns = _columns(lines)
    continued = _Continued(lines, len(columns))
    row: Row | None = None
    for line in lines:
        if row is not None and not continued.goes_on(row.lines[-1], line):
            yield row
            row = None
        if row is None:
            row = Row([[] for _ in columns])
        row.add(line, columns)
    if row is not None:
        yield row


def _columns(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The ends of the columns in which the most lines with cells have theirs, or of those of lines
    with more cells that all others fit; none if they overlap.
    """
    cut = [cells_of(line) for line in lines if line.cells > 1 and not line.is_cell]
    counts = Counter(map(len, cut))
    if not counts:
        return []
    common = max(counts, key=lambda count: (counts[count], count))
    for count in sorted(counts, reverse=True):
        if count > common and counts[count] >= MIN_WIDER:
            columns = _columns_of(cut, count)
            if columns and all(_fits(cells, columns) for cells in cut):
                return columns
    return _columns_of(cut, common)


def _columns_of(cut: Sequence[Sequence[Piece]], count: int) -> list[tuple[float, float]]:
    """The ends of the columns of the lines with so many cells; none if they overlap."""
    columns = zip(*(cells for cells in cut if len(cells) == count), strict=True)
    ends = [_ends(pieces) for pieces in columns]
    are_apart = all(one[1] <= other[0] + WITHIN for one, other in pairwise(ends))
    return ends if are_apart else []


def _fits(cells: Sequence[Piece], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether each cell of a line overlaps one column, and no two of them the same."""
    found = [
        [n for n, (left, right) in enumerate(columns) if cell[0] < right and left < cell[1]]
        for cell in cells
    ]
    numbers = [one[0] for one in found if len(one) == 1]
    return len(numbers) == len(cells) == len(set(numbers))


def _ends(pieces: Sequence[Piece]) -> tuple[float, float]:
    return min(left for left, _, _ in pieces), max(right for _, right, _ in pieces)


def _column_of(piece: Piece, columns: Sequence[tuple[float, float]]) -> int:
    """The number of the column in which most of a piece is, or the nearest one."""

    def overlap(number: int) -> float:
        left, right = columns[number]
        return min(piece[1], right) - max(piece[0], left)

    return max(range(len(columns)), key=overlap)


class _Continued:
    """Which lines of a table go on with the row above them: those as near to each other as the
    lines of a cell, where rows are apart; elsewhere those that lack a cell.
    """

    def __init__(self, lines: Sequence[Line], columns: int) -> None:
        self._columns = columns
        gaps = [_gap(*pair) for pair in pairwise(lines) if _gap(*pair) > 0]
        self._tight = LOOSER * min(gaps, default=0.0)
        near = [pair for pair in pairwise(lines) if self._is_near(*pair)]
        begins = sum(self._is_full(line) and _begins(line) for _, line in near)
        has_loose = any(gap > self._tight for gap in gaps)
        self._is_spaced = has_loose and 2 * begins <= len(near)

    def goes_on(self, above: Line, line: Line) -> bool:
        """Whether a line goes on with the row of the one above it."""
        if line.is_cell or above.is_cell or not self._columns or not self._is_near(above, line):
            return False
        if self._is_spaced:
            return True
        return not (self._is_full(line) or (_begins(line) and line.cells > 1))

    def _is_full(self, line: Line) -> bool:
        return line.cells >= self._columns

    def _is_near(self, above: Line, line: Line) -> bool:
        return 0 < _gap(above, line) <= min(self._tight, MAX_LEADING * line.size)


def _gap(above: Line, line: Line) -> float:
    """The distance of two lines of a column; 0 for those of different ones."""
    is_same = (above.page, above.column) == (line.page, line.column)
    return above.y - line.y if is_same else 0.0


def _begins(line: Line) -> bool:
    """Whether a line may begin a row: not in lower case."""
    return not line.text[:1].islower()
