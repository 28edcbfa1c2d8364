"""Segments of a page → lines in reading order, column after column."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median_low

from .bidi import in_reading_order
from .columns import columns_of
from .runs import Run
from .segments import Segment, same_line, text_of

_DOUBLED_BULLET = re.compile(r"^([•●▪■▶►➢])\s?(?=\1)")
_SPACED_CAPITALS = re.compile(r"(?:[A-Z0-9&] ){3,}[A-Z0-9.:]?")

BESIDE_LARGE = 10
"""Characters of a segment above which it is a line of text beside a much larger one, not raised or lowered."""

AROUND = 3
"""Lines above and below a line of a scan whose sizes it is compared with."""

MIN_EVENED = 15
"""Letters of a line of a scan, from which on its size is changed."""

FEW_ROWS = 4
"""Full lines that show where the text of a column ends."""

JUSTIFIED_ROWS = 6
"""Lines of a column that end at one place, from which on it may be justified."""

Style = tuple[str, float, bool]
"""Font, size and whether it is set in capitals."""


@dataclass
class Line:
    """A line of a column.

    Attributes:
        text: The line's text.
        page: Counted from 1.
        column: Number of the column on its page, in reading order; lines over the whole width have their own.
        left, right: The ends of that column's text.
        x0, x1, y: The ends and the baseline of the line, in points.
        size, font, bold, italic: The style of the majority of its letters.
        lead: Number of characters at its start that are set in another, heavier or slanted font than the rest.
        lead_bold, lead_italic: The style of its start.
        all_bold: Whether all of its letters are bold.
        last_font: The font of its end.
        cells: Number of parts into which wide gaps cut it.
        gap: Distance to the baseline above in the same column; 0 at its top.
        height: The height of its page.
        is_row: Whether it is a row of a table, see ``tables.py`` and ``ruled.py``.
        is_boxed: Whether it is in a box, see ``ruled.py``.
        is_note: Whether it is of a footnote below a line drawn, see ``ruled.py``.
        is_justified: Whether most lines of the column's text end at one place.
        small_capitals: Whether it is set in small capitals, whose text may be in lower case; their size is that of the
            large ones.
    """

    text: str
    page: int
    column: int
    left: float
    right: float
    x0: float
    x1: float
    y: float
    size: float
    font: str
    bold: bool
    italic: bool
    lead: int = 0
    lead_bold: bool = False
    lead_italic: bool = False
    all_bold: bool = False
    last_font: str = ""
    cells: int = 1
    gap: float = 0.0
    height: float = 0.0
    is_row: bool = False
    is_note: bool = False
    is_boxed: bool = False
    is_justified: bool = False
    small_capitals: bool = False

    @cached_property
    def letters(self) -> int:
        """Number of its letters."""
        return sum(map(str.isalpha, self.text))

    @cached_property
    def style(self) -> Style:
        """Its style."""
        are_capitals = self.small_capitals or sum(map(str.isupper, self.text)) >= 0.8 * self.letters
        return (self.font, self.size, self.letters > 3 and are_capitals)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The area around it: left, bottom, right, top, in points."""
        return self.x0, self.y - 0.25 * self.size, self.x1, self.y + 0.8 * self.size

    @property
    def is_centered(self) -> bool:
        """Whether there is the same space left and right of it in its column."""
        left, right = self.x0 - self.left, self.right - self.x1
        return left > 0.1 * self.width and abs(left - right) < 0.1 * self.width

    @property
    def width(self) -> float:
        """The width of its column."""
        return self.right - self.left


def lines_of(segments: list[Segment], page: int, height: float, gutters: Sequence[float] = ()) -> list[Line]:
    """The lines of a page.

    Args:
        segments: The page's segments.
        page: Its number.
        height: In points.
        gutters: See :func:`~.columns.common_gutters`.
    """
    lines: list[Line] = []
    for number, column in enumerate(columns_of(segments, 0, gutters)):
        rows = _rows(column)
        lefts = sorted(row[0].x0 for row in rows)
        left = lefts[len(lefts) // 10] if len(lefts) < 20 else lefts[len(lefts) // 20]
        right = max(row[-1].x1 for row in rows)
        text_size, text_right, is_justified = _text_end(rows)
        above: Line | None = None
        for row in rows:
            is_text = abs(row[0].size - text_size) < 0.6 and row[-1].x1 <= text_right
            line = _line(row, page, number, left, text_right if is_text else right, height)
            if line is not None:
                line.gap = above.y - line.y if above is not None else 0.0
                line.is_justified = is_text and is_justified
                above = line
                lines.append(line)
    return lines


def even_sizes(lines: Sequence[Line]) -> None:
    """Set the size of each line of a scanned page to the median size of the lines around it.

    Text recognition measures every line separately, so the sizes within a paragraph differ.

    Args:
        lines: The lines of one page. Short lines, and larger lines at the start of a paragraph, keep their size.
    """
    sizes = [line.size for line in lines]
    is_heading = False
    for place, line in enumerate(lines):
        first = last = place
        while first > max(0, place - AROUND) and _is_below(lines[first], lines[first - 1]):
            first -= 1
        while last < min(len(lines) - 1, place + AROUND) and _is_below(lines[last + 1], lines[last]):
            last += 1
        usual = median_low(sizes[first : last + 1])
        is_heading = line.size >= 1.12 * usual and (first == place or is_heading)
        if last - first >= AROUND and line.letters >= MIN_EVENED and not is_heading:
            line.size = usual


def _is_below(line: Line, above: Line) -> bool:
    """Whether a line is the next one of a paragraph."""
    return line.column == above.column and 0 < line.gap < 1.6 * max(line.size, above.size)


def _text_end(rows: Sequence[Sequence[Segment]]) -> tuple[float, float, bool]:
    """Size and right end of a column's running text, which a wide table may exceed, and whether it is justified.

    The end is 0 if it is not clear.
    """
    letters: Counter[float] = Counter()
    for row in rows:
        letters[round(row[0].size * 2) / 2] += sum(one.letters for one in row)
    size = letters.most_common(1)[0][0]
    ends = [row[-1].x1 for row in rows if len(row) == 1 and abs(row[0].size - size) < 0.6]
    if len(ends) < FEW_ROWS:
        return size, 0.0, False
    common = Counter(map(round, ends)).most_common(1)[0][0]
    same = [one for one in ends if abs(one - common) <= 1.5]
    if len(same) >= max(JUSTIFIED_ROWS, 0.5 * len(ends)):
        return size, max(same), True
    end = max(ends)
    full = sum(one > end - 2.5 * size for one in ends)
    return size, end if full >= 0.5 * len(ends) else 0.0, False


def _same_row(one: Segment, other: Segment) -> bool:
    """Whether two segments are on one line; beside a large number or initial there may be several lines of text."""
    small, large = sorted((one, other), key=lambda segment: segment.size)
    if small.size < 0.6 * large.size and small.letters > max(BESIDE_LARGE, large.letters):
        return abs(one.y - other.y) <= 0.25 * small.size
    return same_line(one, other)


def _rows(segments: list[Segment]) -> list[list[Segment]]:
    """Segments of a column → rows from top to bottom, each from left to right."""
    rows: list[tuple[Segment, list[Segment]]] = []
    for segment in sorted(segments, key=lambda one: (-one.y, one.x0)):
        for place in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            anchor, row = rows[place]
            if _same_row(segment, anchor):
                row.append(segment)
                if segment.size > anchor.size * 1.1 or (
                    segment.size > anchor.size * 0.9 and segment.letters > anchor.letters
                ):
                    rows[place] = (segment, row)
                break
        else:
            rows.append((segment, [segment]))
    rows.sort(key=lambda one: -one[0].y)
    return [sorted(row, key=lambda one: one.x0) for _, row in rows]


def _line(row: Sequence[Segment], page: int, column: int, left: float, right: float, height: float) -> Line | None:
    runs = [run for segment in row for run in segment.unpacked()]
    if any(after.x1 < before.x1 for before, after in pairwise(row)):
        runs.sort(key=lambda run: run.x0)  # one is drawn into a gap of the other: the second half of a bullet
    text = row[0].text if len(row) == 1 else text_of(runs)
    if not text:
        return None
    text = _DOUBLED_BULLET.sub("", in_reading_order(text))
    if _SPACED_CAPITALS.fullmatch(text + " ") and any(map(str.isalpha, text)):
        text = text.replace(" ", "")
    counts = [len("".join(run.text.split())) for run in runs]
    weights: dict[tuple[str, float], int] = {}
    bold = italic = 0
    for run, count in zip(runs, counts, strict=True):
        key = (run.font, run.size)
        weights[key] = weights.get(key, 0) + count
        bold += count * run.bold
        italic += count * run.italic
    rounded: Counter[tuple[str, float]] = Counter()
    for (font, size), count in weights.items():
        rounded[font, round(size * 2) / 2] += count
    (font, size), _ = rounded.most_common(1)[0]
    total = sum(counts)
    small_capitals = size < max(run.size for run in runs) and _is_small_capitals(runs)
    if small_capitals:
        size = round(max(run.size for run in runs) * 2) / 2
    first = next(run for run in runs if run.text.strip())
    lead = 0
    for run, count in zip(runs, counts, strict=True):
        alike = run.font == first.font or (run.bold, run.italic) == (first.bold, first.italic)
        if count and not alike and not (first.bold and run.bold):  # a species' name in a bold heading is slanted
            break
        lead += count
    return Line(
        text=text,
        page=page,
        column=column,
        left=left,
        right=right,
        x0=row[0].x0,
        x1=max(one.x1 for one in row),
        y=max(row, key=lambda one: one.letters).y,
        size=size,
        font=font,
        bold=bold > 0.75 * total,
        italic=italic > 0.75 * total,
        lead=lead if lead < total else 0,
        lead_bold=first.bold,
        lead_italic=first.italic,
        all_bold=all(run.bold for run in runs if any(map(str.isalpha, run.text))),
        last_font=next((run.font for run in reversed(runs) if any(map(str.isalpha, run.text))), font),
        cells=1 + sum(after.x0 - before.x1 > 1.5 * size for before, after in pairwise(row)),
        height=height,
        small_capitals=small_capitals,
    )


def _is_small_capitals(runs: Sequence[Run]) -> bool:
    """Whether a line is in small capitals: one font in two sizes, the larger one for capitals only."""
    sizes = {round(run.size * 2) / 2 for run in runs if run.text.strip()}
    if len({run.font for run in runs if run.text.strip()}) > 1 or len(sizes) != 2:
        return False
    large = "".join(run.text for run in runs if round(run.size * 2) / 2 == max(sizes))
    return 0.6 < min(sizes) / max(sizes) < 0.9 and any(map(str.isupper, large)) and not any(map(str.islower, large))
