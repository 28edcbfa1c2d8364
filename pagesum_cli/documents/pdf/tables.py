"""The rows of tables, and of formulas set in several rows: lines one under another made of cells or of numbers."""

from collections.abc import Iterator, Sequence

from .body import Body
from .lines import Line
from .patterns import CAPTION, LEADER_DOTS, TERMINAL

MIN_ROWS = 3
"""Rows with three cells, or with hardly any letters, which make a table of the lines around them."""


def mark_rows(lines: Sequence[Line], body: Body) -> None:
    """Set ``is_row`` of the lines that are rows of tables.

    Args:
        lines: All lines of the document.
        body: Its body text.
    """
    for first, last in _runs(lines):
        places = [place for place in range(first, last + 1) if lines[place].cells > 1 or _is_tabular(lines[place])]
        if sum(_is_tabular(lines[place]) for place in places) < MIN_ROWS:
            continue
        first, last = places[0], places[-1]
        while first and _is_header(lines[first - 1], lines[first], body):
            first -= 1
        for line in lines[first : last + 1]:
            line.is_row = not CAPTION.match(line.text)


def _runs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The first and the last of lines one under another none of which is prose."""
    first: int | None = None
    for place, line in enumerate(lines):
        last = lines[place - 1] if place else line
        apart = (line.page, line.column) != (last.page, last.column) or line.gap > 4 * line.size
        if first is not None and (apart or not _may_be_row(line)):
            yield first, place - 1
            first = None
        if first is None and _may_be_row(line):
            first = place
    if first is not None:
        yield first, len(lines) - 1


def _may_be_row(line: Line) -> bool:
    if CAPTION.match(line.text) or LEADER_DOTS.search(line.text):
        return False
    return (
        line.cells > 1 or _is_tabular(line) or (line.x1 - line.x0 < 0.6 * line.width and not TERMINAL.search(line.text))
    )


def _is_tabular(line: Line) -> bool:
    """Whether a line has three cells, or hardly any letters."""
    return line.cells > 2 or (line.letters < 0.35 * len(line.text.replace(" ", "")) and " " in line.text)


def _is_header(line: Line, below: Line, body: Body) -> bool:
    """Whether a line is the head of the table below it: in smaller type, right above it."""
    return (
        (line.page, line.column) == (below.page, below.column)
        and 0 < below.gap < 1.8 * below.size
        and line.size < 0.97 * body.size
        and abs(line.size - below.size) < 0.6
        and line.x1 - line.x0 < 0.9 * line.width
        and not TERMINAL.search(line.text)
        and not CAPTION.match(line.text)
    )
