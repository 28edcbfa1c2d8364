"""The columns of a page, in reading order."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from statistics import median

from .segments import Segment, same_line
from .thresholds import (
    GRID,
    MAX_DEPTH,
    MAX_STRIPES,
    MIN_BESIDE,
    MIN_BESIDE_NARROW,
    MIN_FILL,
    MIN_WIDTH,
    NOTED_LETTERS,
    SAME_GUTTER,
    SHELF,
    SIDEBAR_ROWS,
)


def common_gutters(pages: Sequence[list[Segment]]) -> list[float]:
    """Gutters that at least a quarter of the pages have: the other pages are searched for them too."""
    found = sorted(gutter for segments in pages if (gutter := _gutter(segments)) is not None)
    groups: list[list[float]] = []
    for gutter in found:
        if groups and gutter - groups[-1][0] <= 10:
            groups[-1].append(gutter)
        else:
            groups.append([gutter])
    required = max(2, 0.25 * len(pages)) if len(pages) > 3 else 1
    groups = sorted((group for group in groups if len(group) >= required), key=len, reverse=True)
    return [median(group) for group in groups[:2]]  # left and right pages may have different margins


def columns_of(segments: list[Segment], gutters: Sequence[float] = ()) -> list[list[Segment]]:
    """Segments → columns in reading order.

    Where a gutter runs down the page, what crosses it cuts the page into bands; in each band the left column is read
    before the right one. A page without a gutter of its own is searched for those of the other pages.

    Args:
        segments: The segments of a page or a part of it.
        gutters: See :func:`common_gutters`.
    """
    left, middle, right = _without_sidebars(segments)
    return [column for column in (left, *_divided(middle, 0, gutters), right) if column]


def _divided(segments: list[Segment], depth: int, gutters: Sequence[float]) -> list[list[Segment]]:
    """Segments without sidebars → columns in reading order.

    Args:
        segments: The segments of a page or a part of it.
        depth: How often the page has been divided.
        gutters: See :func:`common_gutters`.
    """
    if not segments or depth == MAX_DEPTH:
        return [segments] if segments else []
    own = _gutter(segments)
    for x in (*([own] if own is not None else []), *gutters):
        if x is not own and own is not None and abs(own - x) < SAME_GUTTER:
            break
        is_common = any(abs(x - common) < SAME_GUTTER for common in gutters)
        bands = _bands(segments, x, own=x is own, is_common=is_common)
        if any(in_columns for in_columns, _ in bands):
            columns: list[list[Segment]] = []
            for in_columns, band in bands:
                if in_columns:
                    for part in _by_size(band, x):
                        columns += _halves(part, x, depth, gutters)
                else:
                    columns += _divided(band, depth + 1, gutters if x is own else ())
            return columns
    stripe = _beside_figure(segments)
    return _halves(segments, stripe, depth, ()) if stripe is not None else [segments]


def _halves(segments: Iterable[Segment], gutter: float, depth: int, gutters: Sequence[float]) -> list[list[Segment]]:
    left: list[Segment] = []
    right: list[Segment] = []
    for segment in segments:
        (left if (segment.x0 + segment.x1) / 2 < gutter else right).append(segment)
    others = [other for other in gutters if abs(other - gutter) >= SAME_GUTTER]
    return [*_divided(left, depth + 1, others), *_divided(right, depth + 1, others)]


def _by_size(band: list[Segment], gutter: float) -> list[list[Segment]]:
    """Two columns, cut across where on both sides of the gutter the size changes: a box above text, notes below it."""
    rows = sorted(band, key=lambda one: -one.y)
    stripes = sorted(
        ((above.y - below.y) / max(above.size, below.size), place)
        for place, (above, below) in enumerate(pairwise(rows), start=1)
    )
    for wide, place in reversed(stripes[-5:]):
        sizes = [[_common(side) for side in _sides(part, gutter)] for part in (rows[:place], rows[place:])]
        if wide > 1.4 and all(
            above and below and abs(above - below) > 0.3 for above, below in zip(*sizes, strict=True)
        ):
            return [rows[:place], rows[place:]]
    return [band]


def _sides(segments: Iterable[Segment], gutter: float) -> tuple[list[Segment], list[Segment]]:
    """What is left and right of a gutter."""
    sides: tuple[list[Segment], list[Segment]] = ([], [])
    for one in segments:
        sides[(one.x0 + one.x1) / 2 >= gutter].append(one)
    return sides


def _common(side: Sequence[Segment]) -> float:
    """The size that nearly all letters of at least three pieces have; 0 where there is none."""
    if len(side) < 3:
        return 0.0
    total = sum(one.letters for one in side)
    middle = _weighted([(one.size, one.letters) for one in side], 0.5 * total)
    return middle if sum(one.letters for one in side if abs(one.size - middle) < 0.3) >= 0.85 * total else 0.0


def _without_sidebars(segments: list[Segment]) -> tuple[list[Segment], list[Segment], list[Segment]]:
    """A narrow column or notes left of the text, the text, and those right of it; empty where there are none."""
    left = _sidebar(segments, is_left=True) or _margin_notes(segments, is_left=True)
    rest = [one for one in segments if id(one) not in left] if left else segments
    right = _sidebar(rest, is_left=False) or _margin_notes(rest, is_left=False)
    return (
        [one for one in segments if id(one) in left],
        [one for one in rest if id(one) not in right] if right else rest,
        [one for one in rest if id(one) in right],
    )


def _sidebar(segments: Sequence[Segment], *, is_left: bool) -> set[int]:
    """The segments of a narrow column beside the text, by identity: smaller text, or with baselines of its own.

    The column, or the text right of it, begins at one place.
    """
    low, high = min((one.x0 for one in segments), default=0), max((one.x1 for one in segments), default=0)
    width = high - low
    if width < 2 * MIN_WIDTH:
        return set()
    near, far = (0.1, 0.35) if is_left else (0.65, 0.9)
    edges = Counter(round(one.x0) for one in segments if near * width < one.x0 - low < far * width)
    rows = sorted(segments, key=lambda one: -one.y)
    for edge, count in edges.most_common(3):
        if count < SIDEBAR_ROWS:
            continue
        left = [one for one in rows if one.x1 <= edge - (4 if is_left else 1)]
        right = [one for one in rows if one.x0 >= edge - 2]
        inside, others = (left, right) if is_left else (right, left)
        heights = [-one.y for one in others]
        known = {id(one) for one in inside}
        outside = {id(one) for one in others}
        run: list[Segment] = []
        for one in (*rows, None):
            if one is not None and id(one) in known:
                run.append(one)
            elif one is None or id(one) not in outside:  # this one crosses the edge
                run = _without_headings(run)
                if len(run) >= SIDEBAR_ROWS:
                    first = bisect_left(heights, -run[0].y - 2)
                    beside = others[first : bisect_right(heights, -run[-1].y + 2)]
                    if _is_sidebar(run, beside):
                        return {id(one) for one in run}
                run = []
    return set()


def _without_headings(run: list[Segment]) -> list[Segment]:
    """Rows of a sidebar without those below it that are larger and far away: the first heading of the text."""
    gaps = [above.y - below.y for above, below in pairwise(run)]
    leading = median(one for one in gaps if one > 1) if any(one > 1 for one in gaps) else 0.0
    size = median(one.size for one in run) if run else 0.0
    place = next((n for n in range(len(gaps), 0, -1) if gaps[n - 1] > 4 * leading), 0)
    return run[:place] if place and all(one.size > 1.05 * size for one in run[place:]) else run


def _margin_notes(segments: Sequence[Segment], *, is_left: bool) -> set[int]:
    """Notes in smaller type left or right of all text, by identity: dates of an article, "See appendix"."""
    total = sum(one.letters for one in segments)
    if total < NOTED_LETTERS:
        return set()
    size = _weighted([(one.size, one.letters) for one in segments], 0.5 * total)
    side = -1 if is_left else 1
    text = [(side * (one.x0 if is_left else one.x1), one.letters) for one in segments if one.size >= 0.95 * size]
    edge = side * _weighted(text, 0.97 * sum(letters for _, letters in text))
    large = [one for one in segments if one.size > 1.15 * size][:SHELF]
    notes, noted, crossing = [], 0, 0
    for one in segments:
        if (one.x1 <= edge - 4) if is_left else (one.x0 >= edge + 1):
            if one.letters >= 4 and (one.size < 0.92 * size or _is_beside_larger(one, large)):
                notes.append(one)
                noted += one.letters
            else:
                crossing += one.letters
        elif (one.x0 < edge - 4) if is_left else (one.x1 > edge + 4):
            crossing += one.letters
    return {id(one) for one in notes} if noted < 0.1 * total and crossing < 0.05 * total else set()


def _is_beside_larger(note: Segment, large: Iterable[Segment]) -> bool:
    """Whether there is much larger text in the row of a note: "OPEN" left of a title."""
    return any(note.size < 0.8 * one.size and same_line(note, one) for one in large)


def _weighted(values: Iterable[tuple[float, int]], share: float) -> float:
    """The value up to which values have a number of the letters."""
    ordered = sorted(values)
    reached = accumulate(letters for _, letters in ordered)
    return next((value for (value, _), sofar in zip(ordered, reached, strict=True) if sofar >= share), 0.0)


def _is_sidebar(run: Sequence[Segment], beside: Sequence[Segment]) -> bool:
    """Whether narrow rows one under another are a column of text of their own, not the first cells of a table."""
    if sum(one.letters for one in run) < 20 * SIDEBAR_ROWS or _fill(run) < 0.5:
        return False
    if sum(one.letters for one in beside) < sum(one.letters for one in run):
        return False
    baselines = {round(one.y) for one in beside}
    own = sum(not {round(one.y) - 1, round(one.y), round(one.y) + 1} & baselines for one in run)
    smaller = median(one.size for one in run) < 0.95 * median(one.size for one in beside)
    return own > 0.5 * len(run) or (smaller and own > 0.25 * len(run))


def _beside_figure(segments: Sequence[Segment]) -> float | None:
    """The white stripe between a narrow column of text and a figure that is wider than a column; None without one."""
    low, high = min(one.x0 for one in segments), max(one.x1 for one in segments)
    if high - low < 2 * MIN_WIDTH:
        return None
    for x in _stripes(segments, low, high, 0):
        left = [one for one in segments if one.x1 <= x + 3]
        right = [one for one in segments if one.x0 >= x - 3 and one.x1 > x + 3]
        if len(left) + len(right) == len(segments) and (_is_text_beside(left, right) or _is_text_beside(right, left)):
            return x
    return None


def _is_text_beside(text: Sequence[Segment], figure: Sequence[Segment]) -> bool:
    """Whether rows are flush left and right, and others beside them have baselines of their own."""
    rows: dict[int, list[Segment]] = defaultdict(list)
    for one in text:
        rows[round(one.y)].append(one)
    ends = [(min(one.x0 for one in row), max(one.x1 for one in row)) for row in rows.values()]
    if len(ends) < SIDEBAR_ROWS or not figure:
        return False
    edges = median(start for start, _ in ends), median(end for _, end in ends)
    flush = sum(abs(start - edges[0]) <= 2 and abs(end - edges[1]) <= 4 for start, end in ends)
    own = [one for one in figure if not {round(one.y) - 1, round(one.y), round(one.y) + 1} & rows.keys()]
    return flush >= SIDEBAR_ROWS and flush >= 0.6 * len(ends) and len(own) > 0.5 * len(figure)


def _bands(segments: list[Segment], gutter: float, own: bool, is_common: bool) -> list[tuple[bool, list[Segment]]]:
    """A page cut across where it begins or ceases to keep to the gutter; whether each band is in two columns.

    Args:
        segments: The page's segments.
        gutter: The gutter's place.
        own: Whether this page itself has it.
        is_common: Whether other pages have it.
    """
    bands: list[tuple[bool, list[Segment]]] = []
    body = 1.1 * median(one.size for one in segments)
    for segment in sorted(segments, key=lambda one: -one.y):
        label = own and is_common and segment.x1 - segment.x0 < 75 and segment.size <= body  # in a figure
        clear = label or segment.x1 <= gutter + 3 or segment.x0 >= gutter - 3
        if bands and not clear and bands[-1][0] and same_line(segment, bands[-1][1][-1]):
            above, row = bands[-1][1], [segment]
            while above and same_line(segment, above[-1]):  # the row crosses the gutter, not what is above it
                row.append(above.pop())
            bands[-1:] = [*([(True, above)] if above else []), (False, row[::-1])]
        elif bands and (bands[-1][0] == clear or same_line(segment, bands[-1][1][-1])):
            bands[-1][1].append(segment)
        else:
            bands.append((clear, [segment]))
    merged: list[tuple[bool, list[Segment]]] = []
    for clear, band in bands:
        in_columns = clear and (_has_own_columns(band, gutter, is_common) if own else _keeps_to(band, gutter))
        if merged and not in_columns and not merged[-1][0]:
            merged[-1][1].extend(band)
        else:
            merged.append((in_columns, band))
    return merged


def _has_own_columns(band: Sequence[Segment], gutter: float, is_common: bool) -> bool:
    """Whether a band of more than one row has text on both sides of the page's own gutter."""
    right = [one for one in band if one.x0 > gutter - 4]
    left = [one for one in band if one.x0 <= gutter - 4]
    required = 1 if is_common else 4
    is_high = band[0].y - band[-1].y > 10
    return is_high and len(right) >= required and len(left) >= required


def _keeps_to(band: Iterable[Segment], gutter: float) -> bool:
    """Whether the edges of a band's columns are where they are on the other pages.

    Beside eight lines of text that keep to one of them, the other column may be a figure, a table or a list.
    """
    right = left = 0
    for one in band:
        right += gutter - 3 <= one.x0 <= gutter + 20 and one.x1 > gutter + 80
        left += gutter - 20 <= one.x1 <= gutter + 3 and one.x0 < gutter - 80
    return min(right, left) >= 3 or max(right, left) >= 8


def _gutter(segments: Sequence[Segment]) -> float | None:
    """The place of a white stripe that separates two columns of running text; None where none does."""
    if not segments:
        return None
    low, high = min(one.x0 for one in segments), max(one.x1 for one in segments)
    if high - low < MIN_WIDTH:
        return None
    total = sum(one.letters for one in segments)
    share = MIN_BESIDE if high - low >= 2 * MIN_WIDTH else MIN_BESIDE_NARROW
    for x in _stripes(segments, low, high, 0.01 * total):
        left = [one for one in segments if one.x1 <= x + 3]
        right = [one for one in segments if one.x0 >= x - 3 and one.x1 > x + 3]
        if _are_columns(left, right, share * total):
            return x
    return None


def _are_columns(left: Sequence[Segment], right: Sequence[Segment], letters: float) -> bool:
    """Whether what is left and right of a stripe is running text, of a number of letters at least."""
    if sum(one.letters for one in (*left, *right)) < letters:
        return False
    if sum(one.alphabetic for one in right) < 0.1 * sum(one.letters for one in right):  # of a contents page
        return False
    if min(_fill(left), _fill(right)) < MIN_FILL:
        return False
    top = min(max(one.y for one in side) for side in (left, right))
    bottom = max(min(one.y for one in side) for side in (left, right))
    return top - bottom >= 60


def _stripes(segments: Sequence[Segment], low: float, high: float, slack: float) -> list[float]:
    """The middles of the stripes that the smallest amount of text crosses, with a tolerance: the widest ones first."""
    steps = int((high - low) / GRID)
    changes = [0] * (steps + 2)  # letters that begin, minus those that end, at each place
    for one in segments:
        first = max(0, int((one.x0 + 3 - low) / GRID) + 1)
        last = min(steps, int((one.x1 - 3 - low) / GRID))
        if first <= last:
            changes[first] += one.letters
            changes[last + 1] -= one.letters
    crossings, crossing = [], 0
    for change in changes[:-1]:
        crossing += change
        crossings.append(crossing)
    places = range(int(0.15 * steps), int(0.85 * steps) + 1)
    if not places:
        return []
    free = min(crossings[place] for place in places) + slack
    found: list[tuple[int, float]] = []
    start: int | None = None
    for place in (*places, -1):
        is_free = place >= 0 and crossings[place] <= free
        if is_free and start is None:
            start = place
        elif not is_free and start is not None:
            end = place if place >= 0 else places[-1] + 1
            found.append((start - end, low + GRID * (start + end - 1) / 2))
            start = None
    return [middle for _, middle in sorted(found)[:MAX_STRIPES]]


def _fill(side: Sequence[Segment]) -> float:
    """How much of its width the median row of a column fills; 0 for fewer than six rows."""
    low, high = min((one.x0 for one in side), default=0), max((one.x1 for one in side), default=0)
    rows: dict[int, float] = defaultdict(float)
    for one in side:
        rows[round(one.y / max(one.size * 0.5, 1))] += one.x1 - one.x0
    return median(rows.values()) / max(high - low, 1) if len(rows) >= 6 else 0.0
