"""The rows of tables and of formulas, made of cells or of numbers, and the labels inside figures."""

import re
from collections.abc import Iterator, Sequence

from ..article.names import NUMBER, is_name
from ..article.wording import CAPTION, is_prose
from .asides import family
from .body import Body
from .lines import Line
from .patterns import TERMINAL

MIN_ROWS = 3
"""Rows with three cells, or with hardly any letters, which make a table of the lines around them."""

_FIGURE = re.compile(r"(?:fig|scheme|chart|plate|photo|map)", re.IGNORECASE)


def mark_rows(lines: Sequence[Line], body: Body) -> None:
    """Set ``is_row`` of the lines that are rows of tables or labels inside figures.

    Args:
        lines: All lines of the document.
        body: Its body text.
    """
    for first, last in _groups(lines):
        rows = [n for n in range(first, last + 1) if lines[n].cells > 1 or _is_tabular(lines[n])]
        if sum(_is_tabular(lines[n]) for n in rows) >= MIN_ROWS:
            for line in lines[rows[0] : rows[-1] + 1]:
                line.is_row = not CAPTION.match(line.text)
    for n, line in enumerate(lines):
        if CAPTION.match(line.text) and _FIGURE.match(line.text):
            _mark_labels(lines, n, body)


def _mark_labels(lines: Sequence[Line], caption: int, body: Body) -> None:
    """Mark the labels of the figure above a caption: lines in a font that is not the text's, none of them prose."""
    first = caption
    while first and lines[first - 1].page == lines[caption].page and _is_label(lines[first - 1], body):
        first -= 1
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


def _groups(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The first and the last of lines one under another none of which is prose."""
    first: int | None = None
    for n, line in enumerate(lines):
        last = lines[n - 1] if n else line
        apart = (line.page, line.column) != (last.page, last.column) or line.gap > 4 * line.size
        if first is not None and (apart or not _may_be_row(line)):
            yield first, n - 1
            first = None
        if first is None and _may_be_row(line):
            first = n
    if first is not None:
        yield first, len(lines) - 1


def _may_be_row(line: Line) -> bool:
    if CAPTION.match(line.text):
        return False
    return (
        line.cells > 1 or _is_tabular(line) or (line.x1 - line.x0 < 0.6 * line.width and not TERMINAL.search(line.text))
    )


def _is_tabular(line: Line) -> bool:
    """Whether a line has three cells, or hardly any letters."""
    return line.cells > 2 or (line.letters < 0.35 * len(line.text.replace(" ", "")) and " " in line.text)
