"""Tables across a page whose rows are cut in two by its columns: each row is one line again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ..article.wording import CAPTION
from .lines import Line, Piece

MIN_ROWS = 3  # rows in each half
SAME_ROWS = 0.6  # share of the rows of the right half that are at the height of one of the left
# difference of the heights of two halves of a row, and of a row from the middle of the two lines of
# its label, in sizes of the text
LEVEL, MIDDLE = 0.35, 0.15
OVERLAP = 0.8  # distance of lines that are closer than those of a text, in sizes of the text


def join_halves(lines: Sequence[Line]) -> list[Line]:
    """Lines in reading order; what is right of a table in another column, at the height of its
    rows and without a caption of its own, is part of these rows.
    """
    joined = list(lines)
    runs = [run for run in _runs(joined) if len(run) >= MIN_ROWS and _is_open(joined[run[0]])]
    for left in runs:
        halves = (one for one in _runs(joined) if _are_halves(joined, left, one))
        if right := next(halves, None):
            whole = _whole([joined[n] for n in left], [joined[n] for n in right])
            return join_halves([*_replaced(joined, left, right, whole)])
    return _with_labels(joined)


def _replaced(
    lines: Sequence[Line], left: range, right: range, whole: Sequence[Line]
) -> Iterator[Line]:
    """The lines with a whole table in the place of its left half."""
    for number, line in enumerate(lines):
        if number == left.start:
            yield from whole
        if number not in left and number not in right:
            yield line


def _runs(lines: Sequence[Line]) -> Iterator[range]:
    """The numbers of lines one under another in a column, rows of tables apart from others."""
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or _place(lines[end]) != _place(lines[start]):
            yield range(start, end)
            start = end


def _place(line: Line) -> tuple[int, int, bool]:
    return line.page, line.column, _is_open(line)


def _is_open(line: Line) -> bool:
    """Whether a line is a row that may be a half: not between lines, and no entry of a list."""
    return line.is_row and not line.is_cell and not line.is_entry


def _are_halves(lines: Sequence[Line], left: range, right: range) -> bool:
    """Whether some rows are the left half of a table, and other lines the right half."""
    one, other = lines[left.start : left.stop], lines[right.start : right.stop]
    if one[0].page != other[0].page or one[0].column >= other[0].column:
        return False
    end = max(line.x1 for line in one)
    if end > min(line.x0 for line in other) or _has_caption(lines, right.start, end):
        return False
    return _are_level(one, other)


def _has_caption(lines: Sequence[Line], start: int, left: float) -> bool:
    """Whether the line above another one in its column is a caption that begins right of a
    place.
    """
    above, line = lines[start - 1], lines[start]
    is_above = (above.page, above.column) == (line.page, line.column) and above.x0 >= left
    return is_above and CAPTION.match(above.text) is not None


def _are_level(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Whether enough lines are at the heights of rows; those that are no rows all must be."""
    heights = [line.y for line in left]
    level = sum(_is_at(line, heights, LEVEL) for line in right)
    if not _is_open(right[0]):
        return level == len(right)
    middles = [(one + other) / 2 for one, other in pairwise(heights)]
    between = sum(_is_at(line, middles, MIDDLE) for line in right)
    return max(level, between) >= max(MIN_ROWS, SAME_ROWS * len(right))


def _is_at(line: Line, heights: Iterable[float], share: float) -> bool:
    return any(abs(line.y - height) <= share * line.size for height in heights)


def _whole(left: Sequence[Line], right: Sequence[Line]) -> list[Line]:
    """The rows of a table from its halves, from top to bottom."""
    rest = list(right)
    rows = []
    for line in left:
        half = next((one for one in rest if _is_at(one, [line.y], LEVEL)), None)
        rows.append(line if half is None else _joined(line, half))
        rest = [one for one in rest if one is not half]
    rows += [replace(one, column=left[0].column, is_row=True) for one in rest]
    return sorted(rows, key=lambda line: -line.y)


def _joined(left: Line, right: Line) -> Line:
    """The two halves of a row as one line."""
    return replace(
        left,
        text=f"{left.text} {right.text}",
        right=right.right,
        x1=right.x1,
        cells=left.cells + right.cells,
        pieces=(*_pieces(left), *_pieces(right)),
    )


def _pieces(line: Line) -> tuple[Piece, ...]:
    return line.pieces or ((line.x0, line.x1, line.text),)


def _with_labels(lines: Sequence[Line]) -> list[Line]:
    """Lines, in which a row is one line with the two lines of its label, above and below it."""
    found = list(lines)
    n = 1
    while n + 1 < len(found):
        above, row, below = found[n - 1 : n + 2]
        if _is_label(above, row) and _is_label(below, row):
            label = (min(above.x0, below.x0), max(above.x1, below.x1), f"{above.text} {below.text}")
            first = replace(above, text=label[2], pieces=(label,), y=row.y)
            found[n - 1 : n + 2] = [_joined(first, row)]
        n += 1
    return found


def _is_label(label: Line, row: Line) -> bool:
    """Whether a line beside a row is one of the two lines of its label."""
    if not (_is_open(row) and label.is_row) or label.cells > 1:
        return False
    is_beside = label.column == row.column and label.x1 <= row.x0
    return is_beside and 0 < abs(label.y - row.y) < OVERLAP * row.size
