"""Places on a page: matrices, the part of a page that is seen, and how it is turned."""

from collections.abc import Sequence
from math import inf

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


def times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


EVERYWHERE: Box = (-inf, -inf, inf, inf)


def corners(box: Box, matrix: Matrix) -> list[tuple[float, float]]:
    """The four corners of a box, transformed."""
    return [times((1, 0, 0, 1, x, y), matrix)[4:] for x in box[::2] for y in box[1::2]]


def around(points: Sequence[tuple[float, float]]) -> Box:
    """The smallest box around points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def intersection(one: Box, other: Box) -> Box:
    """What two boxes share; where they share nothing, a box that nothing is in."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def is_within(x: float, y: float, box: Box, slack: float) -> bool:
    """Whether a point is in a box, or not farther from it than a slack."""
    return box[0] - slack <= x <= box[2] + slack and box[1] - slack <= y <= box[3] + slack


def upright(box: Box, turn: int, scale: float) -> Matrix:
    """The matrix that turns a page upright, its lower left corner at the origin."""
    left, bottom, right, top = box
    turns: dict[int, Matrix] = {
        0: (1.0, 0.0, 0.0, 1.0, -left, -bottom),
        90: (0.0, -1.0, 1.0, 0.0, -bottom, right),
        180: (-1.0, 0.0, 0.0, -1.0, right, top),
        270: (0.0, 1.0, -1.0, 0.0, top, -left),
    }
    return times(turns[turn], (scale, 0.0, 0.0, scale, 0.0, 0.0))
