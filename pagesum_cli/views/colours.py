"""The colour scale of confidences: viridis, even to the eye and told apart by the colour-blind and in grey print."""

from bisect import bisect_left
from collections.abc import Iterable

# matplotlib's viridis (CC0) at seventeen even steps; what lies between is interpolated.
ANCHORS = [
    "440154",
    "481668",
    "482878",
    "433d84",
    "3e4c8a",
    "365d8d",
    "2f6c8e",
    "297a8e",
    "228b8d",
    "1f998a",
    "22a884",
    "38b977",
    "56c667",
    "7ad151",
    "a0da39",
    "d0e11c",
    "fde725",
]
_RGB = [tuple(int(anchor[place : place + 2], 16) for place in (0, 2, 4)) for anchor in ANCHORS]
_TOPS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)

Rgb = tuple[int, int, int]


def colour(value: float) -> Rgb:
    """The colour of a number in 0–1; what lies beyond has that of the end."""
    place = min(max(value, 0.0), 1.0) * (len(_RGB) - 1)
    low = min(int(place), len(_RGB) - 2)
    part = place - low
    red, green, blue = (round(a + part * (b - a)) for a, b in zip(_RGB[low], _RGB[low + 1], strict=True))
    return red, green, blue


def ink(background: Rgb) -> str:
    """Black or white, whichever reads better on a background."""
    red, green, blue = background
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 130 else "white"


def top_of(values: Iterable[float]) -> float:
    """The end of a scale for these confidences: the next round number above the greatest."""
    greatest = max(values, default=1.0)
    return _TOPS[min(bisect_left(_TOPS, greatest - 1e-9), len(_TOPS) - 1)]
