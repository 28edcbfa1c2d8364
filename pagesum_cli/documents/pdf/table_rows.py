"""Lines of a table → the text of its rows, each cell by itself."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ..article.building import row_of
from ..boxes import pack
from ..model import Paragraph
from .lines import CELL_GAP, Line, Piece

# of the distance between two lines of a row: by how much that of two rows exceeds it, and the
# largest there is, in sizes of the text
LOOSER, MAX_LEADING = 1.15, 1.45
MIN_WIDER = 2  # lines with more cells than most, from which on they are columns that others lack
MIN_LABEL = 20.0  # width of labels left of the first values, in points
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
        text = " ".join(" ".join(texts) for texts in self.columns if any(texts))
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
    def has_values(self) -> bool:
        """Whether it has a second cell, and at least half of those after that are values."""
        cells = ["".join(texts) for texts in self.columns[1:]]
        others = [cell for cell in cells[1:] if cell]
        return any(cells[:1]) and 0 < len(others) <= 2 * sum(map(_is_value, others))

    @property
    def text(self) -> str:
        """Its cells."""
        return row_of(map(" ".join, self.columns))


def _is_value(cell: str) -> bool:
    """Whether a cell has no fewer digits than letters."""
    return 0 < sum(map(str.isdecimal, cell)) >= sum(map(str.isalpha, cell))


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
    """The rows of some lines of a table; a cell of several lines is read as a whole, and a label
    that stands once for several rows is in each of them.
    """
    rows = list(_rows_of(lines, _columns(lines)))
    first = next((row for row in rows if row.has_values), None)
    if first is not None and first.columns[0]:  # no labels in the middle of their rows
        for above, row in pairwise(rows):
            if not row.columns[0] and row.has_values and above.has_values:
                row.columns[0] = above.columns[0]
    yield from rows


def _rows_of(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> Iterator[Row]:
    """The rows of some lines of a table with these columns."""
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
    wider = [count for count in counts if count > common and counts[count] >= MIN_WIDER]
    if columns := _wider_columns(cut, sorted(wider, reverse=True)):
        return columns
    columns = _columns_of(cut, common)
    return [*_divided(columns[0], lines), *columns[1:]] if columns else []


def _wider_columns(
    cut: Sequence[Sequence[Piece]], counts: Iterable[int]
) -> list[tuple[float, float]]:
    """The columns of the lines with one of these numbers of cells that all lines fit."""
    for count in counts:
        columns = _columns_of(cut, count)
        if columns and all(_fits(cells, columns) for cells in cut):
            return columns
    return []


def _divided(column: tuple[float, float], lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The first column of a table in two where it is one of labels and one of values: some lines
    have a label, and others begin with the value.
    """
    left, right = column
    pieces = [_pieces_in(line, left, right) for line in lines if line.cells > 1]
    starts = list(_starts_of_values(pieces, left + MIN_LABEL))
    labelled = [one for one in pieces if len(one) > 1]
    if len(starts) < MIN_WIDER or not labelled:
        return [column]
    return _halves(column, labelled, min(starts)) or [column]


def _starts_of_values(pieces: Iterable[Sequence[Piece]], left: float) -> Iterator[float]:
    """Where numbers begin that are alone in the first column, right of a place."""
    for one in pieces:
        if len(one) == 1 and _has_digit(one[0]) and one[0][0] > left:
            yield one[0][0]


def _halves(
    column: tuple[float, float], labelled: Sequence[Sequence[Piece]], place: float
) -> list[tuple[float, float]]:
    """A column of labels and one of the values that begin at a ``place``; none if they overlap."""
    last = [pieces[-1] for pieces in labelled]
    end = max(pieces[-2][1] for pieces in labelled)
    start = min(place, *(piece[0] for piece in last))
    are_apart = end <= start and all(_is_right_of(piece, place) for piece in last)
    return [(column[0], end), (start, column[1])] if are_apart else []


def _pieces_in(line: Line, left: float, right: float) -> list[Piece]:
    """The pieces of a line that begin in a column."""
    return [piece for piece in _pieces_of(line) if left - WITHIN <= piece[0] < right]


def _has_digit(piece: Piece) -> bool:
    return any(map(str.isdecimal, piece[2]))


def _is_right_of(piece: Piece, place: float) -> bool:
    """Whether most of a piece is right of a place."""
    return (piece[0] + piece[1]) / 2 >= place


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
