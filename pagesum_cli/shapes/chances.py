"""The sentences that may fill the slots of a brief summary, by the model's probabilities and by the
rules for their words.
"""

import re
from collections.abc import Mapping, Sequence
from math import log
from statistics import fmean, pstdev

from .points import MIN_SCORE, Place, Point

LIKELY = 0.0  # log odds from which a sentence belongs in a slot
POSSIBLE = -1.4  # the same, of one whose words fit there
FITTING = 0.8  # how much more such a sentence counts
SCORE = 0.5  # how much a standard deviation of the model's score counts among those in a slot
SURE = 1e-6  # least distance of a probability from 0 and 1
_DEPENDS = re.compile(
    r"\W{0,3}(?:[Ww]hereas\b|WHEREAS\b|(?i:being an? by-?law)\b|[a-z]+ "
    r"|[^.;:]{0,60}\bexercises? (?:this|that|such) right\b)"
)
"""The beginning of a recital, of the rest of a sentence, and of what is about the one before."""


def fitting(
    ranked: Sequence[Point],
    by_words: Mapping[str, Sequence[Point]],
    learned: Mapping[str, Mapping[Place, float]],
    weights: Mapping[Place, float] | None = None,
) -> dict[str, list[Point]]:
    """The sentences that may fill each slot, the best first.

    Args:
        ranked: All sentences.
        by_words: Those whose words fit in each slot.
        learned: How likely each sentence is to belong in a slot. In others, only words count.
        weights: By how much some sentences count more, in log odds.
    """
    found = {slot: list(points) for slot, points in by_words.items()}
    for slot, chances in learned.items():
        found[slot] = _likely(ranked, by_words.get(slot, ()), chances, weights or {})
    return found


def _likely(
    ranked: Sequence[Point],
    by_words: Sequence[Point],
    chances: Mapping[Place, float],
    weights: Mapping[Place, float],
) -> list[Point]:
    """The sentences that belong in a slot, the best first: by how likely they belong there, and
    how much they matter.
    """
    fits = {one.place for one in by_words}
    deviations = _deviations([one.score for one in ranked])
    found = []
    for point, deviation in zip(ranked, deviations, strict=True):
        odds = _log_odds(chances.get(point.place, 0.0))
        is_fitting = point.place in fits
        if odds >= POSSIBLE if is_fitting else odds >= LIKELY and _stands(point):
            matters = weights.get(point.place, 0.0) + SCORE * deviation
            found.append((odds + FITTING * is_fitting + matters, point))
    return [point for _, point in sorted(found, key=lambda one: -one[0])]


def _deviations(scores: Sequence[float]) -> list[float]:
    """By how many standard deviations each score differs from the mean."""
    if not scores:
        return []
    mean, unit = fmean(scores), pstdev(scores) or 1.0
    return [(score - mean) / unit for score in scores]


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, SURE), 1 - SURE)
    return log(bounded / (1 - bounded))


def _stands(point: Point) -> bool:
    """Whether a sentence can fill a slot that no rule chooses it for: it is whole, and depends on
    no other.
    """
    return point.score > MIN_SCORE and _DEPENDS.match(point.text) is None
