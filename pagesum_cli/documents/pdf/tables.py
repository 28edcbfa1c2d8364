"""The rows of tables and of formulas, made of cells or of numbers, and the labels inside figures."""

import re
from collections.abc import Iterator, Sequence

from .asides import family
from .body import Body
from .lines import Line
from .patterns import CAPTION, LEADER_DOTS, NUMBER, TERMINAL, is_name, is_prose

MAX_HEADERS = 4
"""Lines of a table's head."""

_FIGURE = re.compile(r"(?:fig|scheme|chart|plate|photo|map)", re.IGNORECASE)

_VALUE = re.compile(r"(?<![\d.,%±])[.,]?\d[\d.,%±]*+\W*+$")

MIN_ROWS = 3
"""Rows with three cells, or with hardly any letters, which make a table of the lines around them."""


def mark_rows(lines: Sequence[Line], body: Body) -> None:
    """Set ``is_row`` of the lines that are rows of tables or labels inside figures.

    Args:
        lines: All lines of the document.
        body: Its body text.
    """
    for first, last in _runs(lines):
        places = [place for place in range(first, last + 1) if lines[place].cells > 1 or _is_tabular(lines[place])]
        if sum(_is_tabular(lines[place]) for place in places) < MIN_ROWS:
            continue
        first, last = places[0], places[-1]
        for _ in range(MAX_HEADERS):
            if first and _is_header(lines[first - 1], lines[first], body):
                first -= 1
        start = min(lines[place].x0 for place in places if _is_tabular(lines[place]))
        for line in lines[first : last + 1]:
            line.is_row = not CAPTION.match(line.text) and not joins_formulas(line, start, body)
    for place, line in enumerate(lines):
        if CAPTION.match(line.text):
            if _FIGURE.match(line.text):
                _mark_labels(lines, place, body)
            else:
                _mark_above(lines, place)


def joins_formulas(line: Line, start: float, body: Body) -> bool:
    """Whether a line is text between displayed formulas: "so that" at the column's left, where no formula begins.

    Args:
        line: The line.
        start: Where the formulas begin, in points.
        body: The body text.
    """
    return (
        line.cells == 1
        and line.font == body.font
        and abs(line.size - body.size) < 0.3
        and abs(line.x0 - line.left) < 2
        and line.letters >= 0.8 * len(line.text.replace(" ", ""))
        and len(line.text.split(maxsplit=1)[0]) > 1
        and start > line.left + 1.5 * line.size
    )


def _mark_above(lines: Sequence[Line], caption: int) -> None:
    """Mark the rows of a table above its caption: all lines from the column's top, most of which end in numbers."""
    where = (lines[caption].page, lines[caption].column)
    first = caption
    while first and (lines[first - 1].page, lines[first - 1].column) == where:
        line = lines[first - 1]
        if not (line.cells > 1 or line.x1 - line.x0 < 0.8 * line.width) or TERMINAL.search(line.text):
            break
        first -= 1
    is_top = not first or (lines[first - 1].page, lines[first - 1].column) != where
    rows = sum(line.cells > 1 or _VALUE.search(line.text) is not None for line in lines[first:caption])
    if is_top and rows > 1 and rows >= 0.6 * (caption - first):
        for line in lines[first:caption]:
            line.is_row = True


def _mark_labels(lines: Sequence[Line], caption: int, body: Body) -> None:
    """Mark the labels of the figure above a caption: lines in a font that is not the text's, none of them prose."""
    first = caption
    while first and lines[first - 1].page == lines[caption].page and _is_label(lines[first - 1], body):
        first -= 1
    if first < caption and lines[first].bold and lines[first].size > 1.05 * body.size and lines[first].cells == 1:
        before = lines[first - 1] if first else lines[first]
        if abs(lines[first].x0 - before.left) < 3:  # it may be a heading
            first += 1
    if caption - first >= MIN_ROWS:
        for line in lines[first:caption]:
            line.is_row = True


def _is_label(line: Line, body: Body) -> bool:
    if CAPTION.match(line.text) or is_name(line.text) or is_prose(line.text):
        return False
    if abs(line.size - body.size) < 0.3 and line.cells == 1 and line.x1 - line.x0 > 0.6 * line.width:
        return False  # a line of text full of slanted names
    other = family(line.font) != family(body.font) or line.size < 0.9 * body.size
    return other and not TERMINAL.search(line.text) and not (line.bold and NUMBER.match(line.text))


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
