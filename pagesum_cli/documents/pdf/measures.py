"""How much of a page some text takes."""

from collections.abc import Iterable, Sequence
from math import inf
from statistics import median

from .segments import Segment

MIN_ROWS_OF_TEXT, SAME_ROW = 6, 0.3
"""Rows of a column of text, and the distance of two that count as one, as a share of their size."""


def letters_of(segments: Iterable[Segment]) -> int:
    """Number of letters of segments."""
    return sum([segment.letters for segment in segments])


def extent_of(segments: Sequence[Segment]) -> tuple[float, float]:
    """Where segments begin and end."""
    return min([segment.x0 for segment in segments], default=0.0), max(
        [one.x1 for one in segments], default=0.0
    )


def weighted(values: Iterable[tuple[float, int]], share: float) -> float:
    """The value up to which values have a number of the letters."""
    reached = 0
    for value, letters in sorted(values):
        reached += letters
        if reached >= share:
            return value
    return 0.0


def fill_of(side: Sequence[Segment]) -> float:
    """How much of its width the median row of a column fills; 0 for a few rows."""
    widths: list[float] = []
    height = inf
    for segment in sorted(side, key=lambda segment: -segment.y):
        if height - segment.y > SAME_ROW * segment.size:
            widths.append(0.0)
            height = segment.y
        widths[-1] += segment.x1 - segment.x0
    low, high = extent_of(side)
    return median(widths) / max(high - low, 1) if len(widths) >= MIN_ROWS_OF_TEXT else 0.0
