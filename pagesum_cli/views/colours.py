"""The colour scale of confidences: viridis, even to the eye and told apart by the colour-blind and in grey print."""

from bisect import bisect_left
from collections.abc import Iterable

# matplotlib's viridis (CC0) at seventeen even steps; what lies between is interpolated.
_TABLE = bytes.fromhex(
    "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 "
    "fde725"
)
ANCHORS = [tuple(_TABLE[place : place + 3]) for place in range(0, len(_TABLE), 3)]
COLOURS_OF_256 = (53, 24, 30, 36, 77, 190)
"""The same walk in a terminal's 256 colours, by number: those nearest to viridis are grey in places, and not even."""

_TOPS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)

Rgb = tuple[int, int, int]


def colour(value: float) -> Rgb:
    """The colour of a number in 0–1; what lies beyond has that of the end."""
    place = min(max(value, 0.0), 1.0) * (len(ANCHORS) - 1)
    low = min(int(place), len(ANCHORS) - 2)
    part = place - low
    red, green, blue = (round(a + part * (b - a)) for a, b in zip(ANCHORS[low], ANCHORS[low + 1], strict=True))
    return red, green, blue


def ink(background: Rgb) -> Rgb:
    """Black or white, whichever reads better on a background."""
    red, green, blue = background
    return (0, 0, 0) if 0.299 * red + 0.587 * green + 0.114 * blue > 130 else (255, 255, 255)


def top_of(values: Iterable[float]) -> float:
    """The end of a scale for these confidences: the next round number above the greatest."""
    greatest = max(values, default=1.0)
    return _TOPS[min(bisect_left(_TOPS, greatest - 1e-9), len(_TOPS) - 1)]
