"""What a copying model's attention reads of its source: Table 7 and Figures 2 and 3 of the DPP attention paper.

Summaries are generated greedily and without any rule (no minimum length, nothing blocked), as in the paper. A step's
attention is renormalized, because DPP attention need not sum to 1. What is *accumulated* at a source position is the
sum over all steps.

The paper takes 100 spans of 5 tokens, and its sources are cut to 500 tokens: the spans are the whole source, one after
another. Here too they are, whatever its length.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SPAN = 5
"""Tokens of a span."""

HIGH = 0.6
"""Accumulated attention of a position from which on its span is high."""

BOUNDS = (0.2, HIGH)
"""Between low, middle and high accumulated attention (Figure 3)."""


@dataclass(frozen=True)
class Reading:
    """How one source was read.

    Attributes:
        accumulated: ``(J,)``, by source position; NaN at special tokens.
        steps: Steps, the end token's included.
        entropy: Mean entropy of a step's attention, in nats.
        high_spans: Share of the spans that are high, 0–1.
        diversity: Different tokens by all tokens of the high spans, 0–1; NaN where none is high.
        shares: Shares of the positions below, between and above :data:`BOUNDS`.
    """

    accumulated: Array
    steps: int
    entropy: float
    high_spans: float
    diversity: float
    shares: tuple[float, float, float]


@dataclass(frozen=True)
class ModelReading:
    """Means over sources, each of the same weight.

    Attributes:
        model: Its name.
        documents: Number of sources; a cluster is one.
        steps, entropy, high_spans, diversity, shares: See :class:`Reading`. Sources without a high span are left out of
            the diversity, which is NaN if there is no other.
        accumulated: By source position, mean over the sources that have a token there.
    """

    model: str
    documents: int
    steps: float
    entropy: float
    high_spans: float
    diversity: float
    shares: tuple[float, float, float]
    accumulated: tuple[float, ...]


@dataclass(frozen=True)
class AttentionAnalysis:
    """The readings of several models of the same data."""

    data: str
    readings: tuple[ModelReading, ...]


def normalized(attention: Array) -> Array:
    """Attention ``(T, J)`` of which each step sums to 1; steps after the end, which are 0, are left out."""
    sums = attention.sum(1, keepdims=True)
    return attention[sums[:, 0] > 0] / sums[sums[:, 0] > 0]


def entropies(attention: Array) -> Array:
    """The entropy of each step, in nats ``(T,)``, of normalized attention ``(T, J)``."""
    return -(attention * np.log(np.where(attention > 0, attention, 1.0))).sum(1)


def reading_of(attention: Array, tokens: Sequence[int], special: Iterable[int] = ()) -> Reading:
    """How a source was read.

    Args:
        attention: ``(T, J)``, of each step over the source; at least one step.
        tokens: The source's token ids ``(J,)``.
        special: Ids that are not text: they may have attention, but are not counted and belong to no span.

    Raises:
        ValueError: No token is text.
    """
    weights = normalized(attention)
    ids = np.array(tokens)
    is_text = ~np.isin(ids, list(special))
    if not is_text.any():
        raise ValueError("no token of the source is text")
    accumulated = np.where(is_text, weights.sum(0), np.nan)
    text, words = accumulated[is_text], ids[is_text]
    is_high = np.maximum.reduceat(text, np.arange(0, len(text), SPAN)) >= HIGH  # the last span may be shorter
    inside = words[np.repeat(is_high, SPAN)[: len(text)]]
    low, high = (text < bound for bound in BOUNDS)
    return Reading(
        accumulated,
        len(weights),
        float(entropies(weights).mean()),
        float(is_high.mean()),
        len(np.unique(inside)) / len(inside) if len(inside) else float("nan"),
        (float(low.mean()), float((high & ~low).mean()), float((~high).mean())),
    )


def mean_reading(model: str, readings: Sequence[Reading]) -> ModelReading:
    """The means over sources; at least one."""
    longest = max(len(one.accumulated) for one in readings)
    sums, counts = np.zeros(longest), np.zeros(longest)
    for one in readings:
        is_text = ~np.isnan(one.accumulated)
        sums[: len(is_text)][is_text] += one.accumulated[is_text]
        counts[: len(is_text)] += is_text
    diversities = [one.diversity for one in readings if not np.isnan(one.diversity)]
    low, middle, high = np.mean([one.shares for one in readings], axis=0).tolist()
    return ModelReading(
        model,
        len(readings),
        float(np.mean([one.steps for one in readings])),
        float(np.mean([one.entropy for one in readings])),
        float(np.mean([one.high_spans for one in readings])),
        float(np.mean(diversities)) if diversities else float("nan"),
        (low, middle, high),
        tuple((sums[counts > 0] / counts[counts > 0]).tolist()),  # special tokens are nowhere text
    )
