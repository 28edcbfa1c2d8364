"""Confidence intervals of means and tests of differences. Seeded: the same scores give the same figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEED = 12345
RESAMPLES = 1000
LEVEL = 0.95

Floats = NDArray[np.float64]


def interval(scores: Sequence[float], seed: int = SEED, resamples: int = RESAMPLES) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean, over documents.

    Returns:
        The 2.5th and 97.5th percentile of the resamples' means.
    """
    means = np.concatenate([chunk.mean(axis=1) for chunk in _resampled(np.asarray(scores, float), seed, resamples)])
    return _percentiles(means)


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same documents; differences are second minus first, in points.

    Attributes:
        first: Mean of the first system.
        second: Mean of the second system.
        difference: ``second - first``.
        low: Lower end of the difference's 95 % interval (paired bootstrap).
        high: Its upper end.
        p_bootstrap: Two-sided p-value of the paired bootstrap, the differences shifted to a mean of 0.
        p_randomization: Two-sided p-value of approximate randomization: for each document, the systems are exchanged
            with probability ½.
        wins: Number of documents on which the second scores higher.
        ties: Number of documents with equal scores.
        losses: Number of documents on which the second scores lower.
    """

    first: float
    second: float
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomization: float
    wins: int
    ties: int
    losses: int

    @property
    def p(self) -> float:
        """The larger of the two p-values."""
        return max(self.p_bootstrap, self.p_randomization)


def compare(
    first: Sequence[float], second: Sequence[float], seed: int = SEED, resamples: int = RESAMPLES
) -> Comparison:
    """Paired tests (Koehn 2004; Riezler and Maxwell 2005) of two systems' scores, document by document.

    P-values are ``(c + 1) / (n + 1)`` for c of n resamples at least as extreme, so that none is 0.
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    differences = b - a
    observed = differences.mean()
    means = np.concatenate([chunk.mean(axis=1) for chunk in _resampled(differences, seed, resamples)])
    low, high = _percentiles(means)
    # The last digit of a sum depends on its order: equally extreme must count as such.
    extreme = abs(observed) - 1e-12
    rng = np.random.default_rng(seed)
    flipped = np.array([(differences * rng.choice((-1.0, 1.0), len(differences))).mean() for _ in range(resamples)])
    return Comparison(
        first=float(a.mean()),
        second=float(b.mean()),
        difference=float(observed),
        low=low,
        high=high,
        p_bootstrap=_p_value(np.abs(means - observed) >= extreme),
        p_randomization=_p_value(np.abs(flipped) >= extreme),
        wins=int((differences > 1e-9).sum()),
        ties=int((np.abs(differences) <= 1e-9).sum()),
        losses=int((differences < -1e-9).sum()),
    )


def _resampled(scores: Floats, seed: int, resamples: int, at_a_time: int = 50) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    for done in range(0, resamples, at_a_time):
        yield scores[rng.integers(0, len(scores), (min(at_a_time, resamples - done), len(scores)))]


def _percentiles(means: Floats) -> tuple[float, float]:
    low, high = np.percentile(means, [50 * (1 - LEVEL), 100 - 50 * (1 - LEVEL)])
    return float(low), float(high)


def _p_value(extreme: NDArray[np.bool_]) -> float:
    return float((extreme.sum() + 1) / (len(extreme) + 1))
