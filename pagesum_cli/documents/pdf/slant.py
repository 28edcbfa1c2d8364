"""Pages whose text is slanted: turned by an angle that is not along an edge of the page."""

from collections import Counter
from collections.abc import Sequence
from math import cos, radians, sin

from .runs import Run


def straightened(runs: Sequence[tuple[Run, float]]) -> tuple[float, float]:
    """Turn the runs of the most common angle upright, with their neighbours by a degree.

    Args:
        runs: Slanted runs, and the angle of each in degrees.

    Returns:
        Width and height of the page on which they stand then.
    """
    letters: Counter[int] = Counter()
    for run, angle in runs:
        letters[round(angle)] += len(run.text.strip())
    angle = letters.most_common(1)[0][0]
    along, up = cos(radians(angle)), sin(radians(angle))
    straight = [run for run, other in runs if abs(other - angle) <= 1]
    for run in straight:
        width = run.x1 - run.x0
        run.x0, run.y = run.x0 * along + run.y * up, run.y * along - run.x0 * up
        run.x1, run.turn = run.x0 + width, 0
    left, bottom = min(run.x0 for run in straight) - 36, min(run.y for run in straight) - 36
    for run in straight:
        run.x0, run.x1, run.y = run.x0 - left, run.x1 - left, run.y - bottom
    return max(run.x1 for run in straight) + 36, max(run.y + run.size for run in straight) + 36
