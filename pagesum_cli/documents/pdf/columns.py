"""The columns of a page, in reading order."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate, groupby, pairwise
from math import inf
from statistics import median

from .measures import extent_of, fill_of, letters_of, weighted
from .segments import Segment, same_line
from .side_headings import parts_by_headings
from .sidebars import MIN_WIDTH, without_sidebars

# Fitted on articles in two columns with figures, tables and titles across them; places are in
# points.
GRID = 3  # distance of the places at which a gutter is looked for
SAME_GUTTER = 20  # distance within which the gutters of two pages are the same
MAX_DEPTH = 3  # how often a page is divided: four columns
MAX_STRIPES = 3  # white stripes of a page that are tried as its gutter
MIN_BESIDE, MIN_BESIDE_NARROW = 0.35, 0.95
"""Share of the letters that are beside a gutter: titles, abstracts and figures go across a page,
hardly a column.
"""
# white stripes across two columns, the highest ones, at which a band may be cut in two
MAX_CUTS = 5
# share of a column's width that its median row fills: more than the cells of a table do
MIN_FILL = 0.55
MIN_PROSE_ROWS, PROSE_ROWS, PROSE_FILL = 15, 0.6, 0.8
"""Rows of a column that begin in lower case, their share, and that of its width which they fill,
beside a table.
"""
LABEL_SHARE = 0.6  # share of a column's lines that are numbers, from which on it is none
MIN_SHORT_ROWS, SHORT_WORDS, SHORT_CONTINUING = 3, 4, 0.4
"""Rows of a short column, the words of its median row, and the share of its rows that begin in
lower case.
"""
MIN_SHORT_WIDTH = 80  # width of a short column


def common_gutters(pages: Sequence[list[Segment]]) -> list[float]:
    """Gutters that at least a quarter of the pages have: the other pages are searched for them
    too.
    """
    found = sorted(gutter for segments in pages if (gutter := _gutter(segments)) is not None)
    groups: list[list[float]] = []
    for gutter in found:
        if groups and gutter - groups[-1][0] <= 10:
            groups[-1].append(gutter)
        else:
            groups.append([gutter])
    required = max(2, 0.25 * len(pages)) if len(pages) > 3 else 1
    groups = sorted((group for group in groups if len(group) >= required), key=len, reverse=True)
    # left and right pages may have different margins
    return [median(group) for group in groups[:2]]


def columns_of(segments: list[Segment], gutters: Sequence[float] = ()) -> list[list[Segment]]:
    """Segments → columns in reading order; ``gutters`` are those of the other pages, see
    :func:`common_gutters`.

    Where a gutter runs down the page, what crosses it cuts the page into bands; in each band the
    left column is read before the right one. A page without a gutter of its own is searched for
    those of the other pages.
    """
    parts = parts_by_headings(segments)
    return [column for part in parts for column in _columns_of_part(part, gutters)]


def _columns_of_part(segments: list[Segment], gutters: Sequence[float]) -> list[list[Segment]]:
    """The columns of what is above, below or between headings in the margin."""
    left, middle, right = without_sidebars(segments)
    columns = _divided(middle, 0, gutters)
    if len(columns) == 1:
        columns = _short_columns(middle)
    return [column for column in (left, *columns, right) if column]


def _divided(segments: list[Segment], depth: int, gutters: Sequence[float]) -> list[list[Segment]]:
    """Segments without sidebars, of a page that was divided ``depth`` times, → columns in reading
    order.
    """
    if not segments or depth == MAX_DEPTH:
        return [segments] if segments else []
    own = _gutter(segments)
    for x in gutters if own is None else (own, *gutters):
        if x is not own and own is not None and abs(own - x) < SAME_GUTTER:
            break
        is_common = any(abs(x - common) < SAME_GUTTER for common in gutters)
        if x is own:
            bands = _bands(segments, x, partial(_has_own_columns, gutter=x, is_common=is_common))
        else:
            bands = _bands(segments, x, partial(_keeps_to, gutter=x))
        if any(in_columns for in_columns, _ in bands):
            others = [other for other in gutters if abs(other - x) >= SAME_GUTTER]
            return _ordered(bands, x, depth, others, gutters if x is own else ())
    return [segments]


def _ordered(
    bands: Iterable[tuple[bool, list[Segment]]],
    gutter: float,
    depth: int,
    inside: Sequence[float] = (),
    across: Sequence[float] = (),
) -> list[list[Segment]]:
    """The columns of bands; other gutters are looked for ``inside`` columns, and in what goes
    ``across`` them.
    """
    columns: list[list[Segment]] = []
    for in_columns, band in bands:
        if not in_columns:
            columns += _divided(band, depth + 1, across)
            continue
        for part in _by_size(band, gutter):
            for side in _sides(part, gutter):
                columns += _divided(side, depth + 1, inside)
    return columns


def _sides(segments: Iterable[Segment], gutter: float) -> tuple[list[Segment], list[Segment]]:
    """What is left and right of a gutter."""
    sides: tuple[list[Segment], list[Segment]] = ([], [])
    for segment in segments:
        sides[(segment.x0 + segment.x1) / 2 >= gutter].append(segment)
    return sides


def _by_size(band: list[Segment], gutter: float) -> list[list[Segment]]:
    """Two columns, cut across where on both sides of the gutter the size changes: a box above text,
    notes below it.
    """
    rows = sorted(band, key=lambda segment: -segment.y)
    stripes = sorted(
        ((above.y - below.y) / max(above.size, below.size), n)
        for n, (above, below) in enumerate(pairwise(rows), start=1)
    )
    for _, n in reversed([stripe for stripe in stripes[-MAX_CUTS:] if stripe[0] > 1.4]):
        above, below = (
            [_common(side) for side in _sides(part, gutter)] for part in (rows[:n], rows[n:])
        )
        changes = [
            first and second and abs(first - second) > 0.3
            for first, second in zip(above, below, strict=True)
        ]
        if all(changes):
            return [rows[:n], rows[n:]]
    return [band]


def _common(side: Sequence[Segment]) -> float:
    """The size that nearly all letters of at least three pieces have; 0 where there is none."""
    if len(side) < 3:
        return 0.0
    total = letters_of(side)
    middle = weighted([(segment.size, segment.letters) for segment in side], 0.5 * total)
    return (
        middle
        if letters_of(segment for segment in side if abs(segment.size - middle) < 0.3)
        >= 0.85 * total
        else 0.0
    )


def _bands(
    segments: list[Segment], gutter: float, are_columns: Callable[[list[Segment]], bool]
) -> list[tuple[bool, list[Segment]]]:
    """A page cut across where it begins or ceases to keep to a gutter; whether each band is in two
    columns.
    """
    bands: list[tuple[bool, list[Segment]]] = []
    for segment in sorted(segments, key=lambda segment: -segment.y):
        clear = segment.x1 <= gutter + 3 or segment.x0 >= gutter - 3
        if bands and not clear and bands[-1][0] and same_line(segment, bands[-1][1][-1]):
            above, row = bands[-1][1], [segment]
            # the row crosses the gutter, not what is above it
            while above and same_line(segment, above[-1]):
                row.append(above.pop())
            bands[-1:] = [*([(True, above)] if above else []), (False, row[::-1])]
        elif bands and (bands[-1][0] == clear or same_line(segment, bands[-1][1][-1])):
            bands[-1][1].append(segment)
        else:
            bands.append((clear, [segment]))
    merged: list[tuple[bool, list[Segment]]] = []
    for clear, band in bands:
        in_columns = clear and are_columns(band)
        if merged and not in_columns and not merged[-1][0]:
            merged[-1][1].extend(band)
        else:
            merged.append((in_columns, band))
    return merged


def _has_own_columns(band: Sequence[Segment], gutter: float, is_common: bool) -> bool:
    """Whether a band of more than one row has text on both sides of the page's own gutter."""
    right = sum(segment.x0 > gutter - 4 for segment in band)
    return band[0].y - band[-1].y > 10 and min(right, len(band) - right) >= (1 if is_common else 4)


def _starts(segments: Sequence[Segment]) -> list[float]:
    """The places left of which short columns may end, the most frequent first."""
    low, high = extent_of(segments)
    starts = Counter(
        round(segment.x0)
        for segment in segments
        if low + MIN_SHORT_WIDTH < segment.x0 < high - MIN_SHORT_WIDTH
    )
    return [start - 4.0 for start, count in starts.most_common(3) if count >= MIN_SHORT_ROWS]


def _short_columns(segments: list[Segment]) -> list[list[Segment]]:
    """What no gutter divides, with the few lines of running text that stand side by side apart."""
    for x in _starts(segments):
        bands = _bands(segments, x, _are_short_columns)
        if any(in_columns for in_columns, _ in bands):
            columns: list[list[Segment]] = []
            for in_columns, band in bands:
                columns += _side_by_side(band) if in_columns else [band]
            return columns
    return [segments]


def _are_short_columns(band: Sequence[Segment]) -> bool:
    """Whether all that stands side by side is running text: no column is the cells of a table."""
    sides = _side_by_side(band)
    return len(sides) > 1 and all(_is_running(side) for side in sides)


def _side_by_side(band: Iterable[Segment]) -> list[list[Segment]]:
    """The columns of a band, from left to right: no piece of one is above or below one of
    another.
    """
    columns: list[list[Segment]] = []
    end = -inf
    for segment in sorted(band, key=lambda segment: segment.x0):
        if segment.x0 < end:
            columns[-1].append(segment)
        else:
            columns.append([segment])
        end = max(end, segment.x1)
    return columns


def _is_stack(rows: Sequence[Segment]) -> bool:
    """Whether rows from top to bottom are one below another, none beside another."""
    return all(above.y - below.y >= 0.8 * below.size for above, below in pairwise(rows))


def _is_running(side: Iterable[Segment]) -> bool:
    """Whether a few lines, one below another, are sentences that go on from line to line."""
    rows = sorted(side, key=lambda segment: -segment.y)
    if len(rows) < MIN_SHORT_ROWS or not _is_stack(rows):
        return False
    words = median(len(row.text.split()) for row in rows)
    continuing = sum(row.text[:1].islower() for row in rows)
    return words >= SHORT_WORDS and continuing >= SHORT_CONTINUING * len(rows)


def _keeps_to(band: Iterable[Segment], gutter: float) -> bool:
    """Whether the edges of a band's columns are where they are on the other pages.

    A line of a column may be short: its heading, or the last one of a paragraph. Beside eight lines
    of text that keep to one of them, the other column may be a figure, a table or a list.
    """
    right = left = 0
    for segment in band:
        right += gutter - 3 <= segment.x0 <= gutter + 20 and segment.x1 > gutter + 80
        left += gutter - 20 <= segment.x1 <= gutter + 3 and segment.x0 < gutter - 80
    fewer, more = sorted((right, left))
    return fewer >= 3 or (fewer >= 2 and more >= 3) or more >= 8


def _gutter(segments: Sequence[Segment]) -> float | None:
    """The place of a white stripe that separates two columns of running text; None where none
    does.
    """
    low, high = extent_of(segments)
    if high - low < MIN_WIDTH:
        return None
    total = letters_of(segments)
    share = MIN_BESIDE if high - low >= 2 * MIN_WIDTH else MIN_BESIDE_NARROW
    for x in _stripes(segments, low, high, 0.01 * total):
        left = [segment for segment in segments if segment.x1 <= x + 3]
        right = [segment for segment in segments if segment.x0 >= x - 3 and segment.x1 > x + 3]
        if letters_of(left) + letters_of(right) >= share * total and _are_columns(left, right):
            return x
    return None


def _are_columns(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Whether what is left and right of a stripe is running text, or one of them prose beside a
    table or a figure.
    """
    if not left or not right or _are_labels(left, right):
        return False
    is_filled = min(fill_of(left), fill_of(right)) >= MIN_FILL
    if not is_filled and not any(map(_is_prose, (left, right))):
        return False
    # the numbers of a contents page
    if sum(segment.alphabetic for segment in right) < 0.1 * letters_of(right):
        return False
    top = min(max(segment.y for segment in side) for side in (left, right))
    bottom = max(min(segment.y for segment in side) for side in (left, right))
    return top - bottom >= 60


def _are_labels(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Whether what is left is mostly numbers of the lines beside them, as of clauses, and a few
    words between them.
    """
    heights = {round(segment.y) + near for segment in right for near in (-1, 0, 1)}
    labels = [one for one in left if not one.alphabetic]
    level = sum(round(one.y) in heights for one in labels)
    return len(labels) >= LABEL_SHARE * len(left) and 2 * level >= len(labels)


def _is_prose(side: Sequence[Segment]) -> bool:
    """Whether most rows of a column go on with a sentence, and fill the column: not the first cells
    of a table.
    """
    continuing = sum(segment.text[:1].islower() for segment in side)
    return continuing >= max(MIN_PROSE_ROWS, PROSE_ROWS * len(side)) and fill_of(side) >= PROSE_FILL


def _stripes(segments: Sequence[Segment], low: float, high: float, slack: float) -> list[float]:
    """The middles of the stripes that the smallest amount of text crosses, with a tolerance: the
    widest ones first.
    """
    steps = int((high - low) / GRID)
    changes = [0] * (steps + 2)  # letters that begin, minus those that end, at each place
    for segment in segments:
        first = max(0, int((segment.x0 + 3 - low) / GRID) + 1)
        last = min(steps, int((segment.x1 - 3 - low) / GRID))
        if first <= last:
            changes[first] += segment.letters
            changes[last + 1] -= segment.letters
    first, last = int(0.15 * steps), int(0.85 * steps)
    crossings = list(accumulate(changes[:-1]))[first : last + 1]
    free = min(crossings, default=0) + slack
    found: list[tuple[int, float]] = []
    for is_free, group in groupby(
        enumerate(crossings, start=first), key=lambda item: item[1] <= free
    ):
        indexes = [index for index, _ in group]
        if is_free:
            found.append((-len(indexes), low + GRID * (indexes[0] + indexes[-1]) / 2))
    return [middle for _, middle in sorted(found)[:MAX_STRIPES]]
