"""The color scale of confidences: viridis, perceptually uniform and legible without color vision and in gray print."""

from bisect import bisect_left
from collections.abc import Iterable

# matplotlib's viridis (CC0) at seventeen even steps, interpolated in between.
_TABLE = bytes.fromhex(
    "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 "
    "fde725"
)
ANCHORS = [tuple(_TABLE[place : place + 3]) for place in range(0, len(_TABLE), 3)]
COLORS_OF_256 = (53, 24, 30, 36, 77, 190)
"""The same scale in a terminal's 256 colors: those nearest to viridis are gray in places, and not even."""

_TOPS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)

Rgb = tuple[int, int, int]


def color(value: float) -> Rgb:
    """The color of a number, clipped to 0–1."""
    place = min(max(value, 0.0), 1.0) * (len(ANCHORS) - 1)
    low = min(int(place), len(ANCHORS) - 2)
    part = place - low
    red, green, blue = (round(a + part * (b - a)) for a, b in zip(ANCHORS[low], ANCHORS[low + 1], strict=True))
    return red, green, blue


def ink(background: Rgb) -> Rgb:
    """Black or white, whichever is more legible on a background."""
    red, green, blue = background
    return (0, 0, 0) if 0.299 * red + 0.587 * green + 0.114 * blue > 130 else (255, 255, 255)


def top_of(values: Iterable[float]) -> float:
    """The end of a scale for these confidences: the next round number above the largest."""
    largest = max(values, default=1.0)
    return _TOPS[min(bisect_left(_TOPS, largest - 1e-9), len(_TOPS) - 1)]
