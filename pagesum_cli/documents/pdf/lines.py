"""Pages and their lines in reading order."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, takewhile

from .columns import columns_of
from .runs import Box, Run
from .segments import Segment, same_line, text_of
from .spacing import without_letter_spaces

BESIDE_LARGE = 10
"""Letters of a segment above which it is a line of text beside a much larger one, not raised or
lowered.
"""

JUSTIFIED_LINES = 6  # lines of a column that end at one place, from which on it may be justified
CELL_GAP = 1.5  # gap between two cells of a table, in sizes of the text
GAP = 0.45  # one that may be between two cells
# how far letters reach above and below their baseline, as shares of their size
ASCENT, DESCENT = 0.8, 0.25

_DOUBLED_BULLET = re.compile(r"^([•●▪■▶►➢])\s?(?=\1)")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")

Style = tuple[str, float, bool]  # font, size and whether it is set in capitals
Piece = tuple[float, float, str]  # where a part of a line begins and ends, in points, and its text


@dataclass(slots=True)
class Line:
    """A line of a column."""

    text: str
    page: int  # counted from 1
    # number of the column on its page, in reading order; lines over the whole width have their own
    column: int
    # left, right: the ends of that column's text
    left: float
    right: float
    # x0, x1, y: the ends and the baseline of the line, in points
    x0: float
    x1: float
    y: float
    # size, font, bold, italic: the style of the majority of its letters
    size: float
    font: str
    bold: bool
    italic: bool
    # number of characters at its start that are set in another, heavier or slanted font than the
    # rest
    lead: int = 0
    # lead_bold, lead_italic: the style of its start
    lead_bold: bool = False
    lead_italic: bool = False
    all_bold: bool = False  # whether all of its letters are bold
    last_font: str = ""  # the font of its end
    cells: int = 1  # number of parts into which wide gaps cut it
    # of a line with gaps, the ends and the text of each part between gaps, also narrow ones
    pieces: tuple[Piece, ...] = ()
    gap: float = 0.0  # distance to the baseline above in the same column; 0 at its top
    height: float = 0.0  # the height of its page
    is_row: bool = False  # whether it is a row of a table, see ``tables.py`` and ``ruled.py``
    is_entry: bool = False  # whether it is one of a list with values, see ``entries.py``
    is_in_margin: bool = False  # whether it is part of a heading there, see ``side_headings.py``
    is_boxed: bool = False  # whether it is in a box, see ``ruled.py``
    is_cell: bool = False  # whether that is a cell of a table, see ``cells.py``
    is_justified: bool = False  # whether most lines of the column's text end at one place
    # page_width, turn, scale: the width of its page, the degrees by which the page was turned
    # clockwise for its text to be upright, and by what it was scaled
    page_width: float = 0.0
    turn: int = 0
    scale: float = 1.0
    letters: int = field(init=False)
    _is_capitals: bool = field(init=False)

    def __post_init__(self) -> None:
        self.letters = sum(map(str.isalpha, self.text))
        self._is_capitals = (
            self.letters > 3 and sum(map(str.isupper, self.text)) >= 0.8 * self.letters
        )

    @property
    def style(self) -> Style:
        """Its style."""
        return (self.font, self.size, self._is_capitals)

    @property
    def width(self) -> float:
        """The width of its column."""
        return self.right - self.left

    @property
    def box(self) -> Box:
        """The area around it in user space, from the crop box's lower left: left, bottom, right,
        top, in points.
        """
        x0, y0, x1, y1 = self.x0, self.y - DESCENT * self.size, self.x1, self.y + ASCENT * self.size
        width, height = self.page_width, self.height
        for _ in range(self.turn // 90):
            x0, y0, x1, y1 = height - y1, x0, height - y0, x1
            width, height = height, width
        return x0 / self.scale, y0 / self.scale, x1 / self.scale, y1 / self.scale


@dataclass(slots=True)
class Page:
    """A page, from the text that is drawn on it to its lines."""

    number: int  # counted from 1
    # width, height: in points, so turned that most of the text is upright
    width: float
    height: float
    turn: int = 0  # degrees by which it was turned for that, clockwise
    scale: float = 1.0  # by which it was scaled
    # what surrounds each line or area that is drawn
    shapes: list[Box] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)  # the joined text, until it is in lines
    # text in framed or shaded areas, apart from the other text, with the area
    boxes: list[tuple[Box, list[Segment]]] = field(default_factory=list)
    # cells of tables of text, with the area of their row
    cells: list[tuple[Box, list[Segment]]] = field(default_factory=list)
    # rows of other tables, cell by cell, with the area of each
    rows: list[tuple[Box, list[list[Segment]]]] = field(default_factory=list)
    gutters: Sequence[float] = ()  # where the columns of many pages end, see ``columns.py``
    lines: list[Line] = field(default_factory=list)  # in reading order


def make_lines(page: Page) -> None:
    """Order a page's text, column after column; a box is read before the first line below it."""
    page.lines = _lines_of(page.segments, page, page.gutters)
    boxes = [
        *((area, _boxed(inside, page, is_cell=False)) for area, inside in page.boxes),
        *((area, _boxed(inside, page, is_cell=True)) for area, inside in page.cells),
        *((area, _row_line(cells, page)) for area, cells in page.rows),
    ]
    for area, boxed in sorted(boxes, key=lambda one: one[0][1]):
        _insert(page, area, boxed)
    page.segments, page.boxes, page.cells, page.rows = [], [], [], []


def _insert(page: Page, area: Box, boxed: Sequence[Line]) -> None:
    """Insert the lines of a box into those of its page, as a column of their own."""
    left, bottom, right, _ = area
    first = 1 + max((line.column for line in page.lines), default=-1)
    for line in boxed:
        line.column += first
    below = (
        n
        for n, line in enumerate(page.lines)
        if line.y < bottom and line.x0 < right and line.x1 > left
    )
    position = next(below, len(page.lines))
    page.lines[position:position] = boxed


def _boxed(inside: list[Segment], page: Page, *, is_cell: bool) -> list[Line]:
    """The lines in a box or a cell."""
    lines = _lines_of(inside, page)
    for line in lines:
        line.is_boxed, line.is_cell = True, is_cell
    return lines


def _row_line(cells: Sequence[list[Segment]], page: Page) -> list[Line]:
    """A row of a table as one line, the parts of which are its cells, also those without text."""
    columns = [_lines_of(cell, page) for cell in cells]
    parts = list(filter(None, columns))
    if not parts:
        return []
    pieces = tuple(_piece_of_cell(lines, parts[0][0].x0) for lines in columns)
    text, first = " ".join(piece[2] for piece in pieces if piece[2]), parts[0][0]
    right = max(line.x1 for lines in parts for line in lines)
    row = replace(first, text=text, x1=right, cells=len(parts), pieces=pieces)
    row.is_row = row.is_cell = True
    row.is_entry = len(cells) == 2
    return [row]


def _piece_of_cell(lines: Sequence[Line], place: float) -> Piece:
    """The lines of a cell as one piece; that of an empty cell is at a ``place``."""
    if not lines:
        return (place, place, "")
    return (lines[0].x0, lines[0].x1, " ".join(line.text for line in lines))


def _lines_of(segments: list[Segment], page: Page, gutters: Sequence[float] = ()) -> list[Line]:
    """The lines of a page's segments, or of some of them."""
    lines: list[Line] = []
    for number, column in enumerate(columns_of(segments, gutters)):
        rows = _rows(column)
        lefts = sorted(row[0].x0 for row in rows)
        rights = sorted(row[-1].x1 for row in rows)
        left = lefts[len(lefts) // 10] if len(lefts) < 20 else lefts[len(lefts) // 20]
        right = rights[-1 - len(rights) // 20]  # a wide table may exceed the text
        flush = sum(abs(end - right) <= 1.5 for end in rights)
        above: Line | None = None
        for row in rows:
            line = _line(row, page, number, left, right)
            if line is not None:
                line.gap = above.y - line.y if above is not None else 0.0
                line.is_justified = flush >= max(JUSTIFIED_LINES, 0.5 * len(rows))
                above = line
                lines.append(line)
    return lines


def _same_row(first: Segment, second: Segment) -> bool:
    """Whether two segments are on one line; beside a large number or initial there may be several
    lines of text.
    """
    small, large = sorted((first, second), key=lambda segment: segment.size)
    if small.size < 0.6 * large.size and small.letters > max(BESIDE_LARGE, large.letters):
        return abs(first.y - second.y) <= 0.25 * small.size
    return same_line(first, second)


def _rows(segments: list[Segment]) -> list[list[Segment]]:
    """Segments of a column → rows from top to bottom, each from left to right."""
    rows: list[tuple[Segment, list[Segment]]] = []
    for segment in sorted(segments, key=lambda item: (-item.y, item.x0)):
        for number in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            anchor, row = rows[number]
            if _same_row(segment, anchor):
                row.append(segment)
                if segment.size > anchor.size * 1.1 or (
                    segment.size > anchor.size * 0.9 and segment.letters > anchor.letters
                ):
                    rows[number] = (segment, row)
                break
        else:
            rows.append((segment, [segment]))
    rows.sort(key=lambda item: -item[0].y)
    return [sorted(row, key=lambda segment: segment.x0) for _, row in rows]


def _in_order(text: str) -> str:
    """The words of a line from right to left in order: PDFium puts only their letters in order."""
    if text.isascii() or 2 * len(_RIGHT_TO_LEFT.findall(text)) <= sum(map(str.isalpha, text)):
        return text
    return " ".join(reversed(text.split()))


def _letters(run: Run) -> int:
    return len(run.text) - run.text.count(" ")


def _is_like(first: Run, run: Run) -> bool:
    """Whether a run looks like the first of its line, or as bold, as with the name of a species,
    slanted in a bold heading.
    """
    is_like = run.font == first.font or (run.bold, run.italic) == (first.bold, first.italic)
    return is_like or (first.bold and run.bold) or not _letters(run)


def _pieces(row: Sequence[Segment], size: float) -> tuple[Piece, ...]:
    """The parts between the gaps of a row; none if it is one segment."""
    if len(row) == 1:
        return ()
    runs = [run for segment in row for run in segment.unpacked() if run.text.strip()]
    starts = [
        n for n, (one, other) in enumerate(pairwise(runs), 1) if other.x0 - one.x1 > GAP * size
    ]
    parts = (runs[first:last] for first, last in pairwise([0, *starts, len(runs)]))
    return tuple((part[0].x0, part[-1].x1, text_of(part)) for part in parts)


def _line(
    row: Sequence[Segment], page: Page, column: int, left: float, right: float
) -> Line | None:
    """The line of a row; None if it has no text."""
    runs = [run for segment in row for run in segment.unpacked()]
    if any(after.x1 < before.x1 for before, after in pairwise(row)):
        # one is drawn into a gap of the other: the second half of a bullet
        runs.sort(key=lambda run: run.x0)
    text = row[0].text if len(row) == 1 else text_of(runs)
    if not text:
        return None
    text = without_letter_spaces(_in_order(_DOUBLED_BULLET.sub("", text)), runs)
    letters: dict[tuple[str, float], int] = defaultdict(int)
    total = bold = italic = 0
    for run in runs:
        count = _letters(run)
        letters[run.font, round(run.size * 2) / 2] += count
        total += count
        bold += count if run.bold else 0
        italic += count if run.italic else 0
    font, size = max(letters, key=letters.__getitem__)
    first = next(run for run in runs if run.text.strip())
    lead = sum(map(_letters, takewhile(partial(_is_like, first), runs)))
    lettered = [run for run in runs if any(map(str.isalpha, run.text))]
    return Line(
        text=text,
        page=page.number,
        column=column,
        left=left,
        right=right,
        x0=row[0].x0,
        x1=max([segment.x1 for segment in row]),
        y=max(row, key=lambda segment: segment.letters).y,
        size=size,
        font=font,
        bold=bold > 0.75 * total,
        italic=italic > 0.75 * total,
        lead=lead if lead < total else 0,
        lead_bold=first.bold,
        lead_italic=first.italic,
        all_bold=all(run.bold for run in lettered),
        last_font=lettered[-1].font if lettered else font,
        cells=1 + sum([after.x0 - before.x1 > CELL_GAP * size for before, after in pairwise(row)]),
        pieces=_pieces(row, size),
        is_in_margin=row[0].is_in_margin,
        height=page.height,
        page_width=page.width,
        turn=page.turn,
        scale=page.scale,
    )
