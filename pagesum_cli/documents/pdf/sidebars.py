"""Narrow columns and notes beside the text of a page."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from .measures import extent_of, fill_of, letters_of, weighted
from .segments import Segment

MIN_WIDTH = 150  # width of text that may hold two columns
SIDEBAR_ROWS = 8  # rows of a narrow column beside the text
NOTED_LETTERS = 800  # letters of a page that may have notes in its margins


def without_sidebars(
    segments: list[Segment],
) -> tuple[list[Segment], list[Segment], list[Segment]]:
    """A narrow column or notes left of the text, the text, and notes right of it; empty where there
    are none.
    """
    left = _sidebar(segments) or _margin_notes(segments, is_left=True)
    rest = [segment for segment in segments if id(segment) not in left]
    right = _margin_notes(rest, is_left=False)
    return (
        [segment for segment in segments if id(segment) in left],
        [segment for segment in rest if id(segment) not in right],
        [segment for segment in rest if id(segment) in right],
    )


def _sidebar(segments: Sequence[Segment]) -> set[int]:
    """The segments of a narrow column left of the text, which begins at one place, by identity."""
    low, high = extent_of(segments)
    width = high - low
    starts = Counter(
        round(segment.x0) for segment in segments if 0.1 * width < segment.x0 - low < 0.35 * width
    )
    if width < 2 * MIN_WIDTH or not starts:
        return set()
    edge = max(starts, key=lambda start: starts[start])
    if sum([segment.x1 <= edge - 4 for segment in segments]) < SIDEBAR_ROWS:
        return set()
    rows = sorted(segments, key=lambda segment: -segment.y)
    right = [segment for segment in rows if segment.x0 >= edge - 2]
    heights = [-segment.y for segment in right]
    outside = set(map(id, right))
    run: list[Segment] = []
    for segment in (*rows, None):
        if segment is not None and segment.x1 <= edge - 4:
            run.append(segment)
        elif segment is None or id(segment) not in outside:  # this one crosses the edge
            run = _without_headings(run)
            if len(run) >= SIDEBAR_ROWS:
                first = bisect_left(heights, -run[0].y - 2)
                if _is_sidebar(run, right[first : bisect_right(heights, -run[-1].y + 2)]):
                    return set(map(id, run))
            run = []
    return set()


def _without_headings(run: list[Segment]) -> list[Segment]:
    """Rows of a sidebar without those below it that are larger and far away: the first heading of
    the text.
    """
    gaps = [above.y - below.y for above, below in pairwise(run)]
    leading = median([gap for gap in gaps if gap > 1] or [0.0])
    size = median([segment.size for segment in run] or [0.0])
    last = next((n for n in range(len(gaps), 0, -1) if gaps[n - 1] > 4 * leading), 0)
    return run[:last] if last and all(segment.size > 1.05 * size for segment in run[last:]) else run


def _is_sidebar(run: Sequence[Segment], beside: Sequence[Segment]) -> bool:
    """Whether narrow rows one under another are a column of text of their own, not the first cells
    of a table.
    """
    if not 20 * SIDEBAR_ROWS <= letters_of(run) <= letters_of(beside) or fill_of(run) < 0.5:
        return False
    baselines = {round(segment.y) + near for segment in beside for near in (-1, 0, 1)}
    own = sum(round(segment.y) not in baselines for segment in run)
    smaller = median(segment.size for segment in run) < 0.95 * median(
        segment.size for segment in beside
    )
    return own > (0.25 if smaller else 0.5) * len(run)


def _margin_notes(segments: Sequence[Segment], *, is_left: bool) -> set[int]:
    """Notes in smaller type left or right of all text, by identity: dates of an article, "See
    appendix".
    """
    total = letters_of(segments)
    if total < NOTED_LETTERS:
        return set()
    size = weighted([(segment.size, segment.letters) for segment in segments], 0.5 * total)
    ends = [
        (-segment.x0 if is_left else segment.x1, segment.letters)
        for segment in segments
        if segment.size >= 0.95 * size
    ]
    edge = weighted(ends, 0.97 * sum(letters for _, letters in ends))
    notes = [
        segment
        for segment in segments
        if (-segment.x1 if is_left else segment.x0) > edge + 1
        and segment.letters >= 4
        and segment.size < 0.92 * size
    ]
    return set(map(id, notes)) if letters_of(notes) < 0.1 * total else set()
