"""What a copying model's attention reads of its source: Table 7 and Figures 2 and 3 of the DPP attention paper.

Summaries are generated greedily and without any rule (no minimum length, nothing blocked), as in the paper. A step's
attention is renormalized, because DPP attention need not sum to 1. What is *accumulated* at a source position is the
sum over all steps.

The paper takes 100 spans of 5 tokens, and its sources are cut to 500 tokens: the spans are the whole source, one after
another. Here too they are, whatever its length.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SPAN = 5
"""Tokens of a span."""

HIGH = 0.6
"""Accumulated attention of a position from which on its span is high."""

BOUNDS = (0.2, HIGH)
"""Between low, middle and high accumulated attention (Figure 3)."""


FIGURES = ("steps", "entropy", "high_spans", "diversity")


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
    steps: float
    entropy: float
    high_spans: float
    diversity: float
    shares: tuple[float, ...]


@dataclass(frozen=True)
class ModelReading:
    """The mean over the sources that a model read, each of the same weight; NaN values are left out.

    Attributes:
        model: Its name.
        documents: Number of sources; a cluster is one.
        steps, entropy, high_spans, diversity, shares, accumulated: See :class:`Reading`.
    """

    model: str
    documents: int
    steps: float
    entropy: float
    high_spans: float
    diversity: float
    shares: tuple[float, ...]
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
    padded = [np.pad(one.accumulated, (0, longest - len(one.accumulated)), constant_values=np.nan) for one in readings]
    accumulated = _mean(padded)
    figures = {name: float(_mean([getattr(one, name) for one in readings])) for name in FIGURES}
    shares = tuple(_mean([one.shares for one in readings]).tolist())
    text = tuple(accumulated[~np.isnan(accumulated)].tolist())  # special tokens are nowhere text
    return ModelReading(model, len(readings), **figures, shares=shares, accumulated=text)


def _mean(rows: Sequence[Any]) -> Array:
    """The means of columns over the rows where they are defined; NaN where they never are."""
    values = np.array(rows, float)
    counts = (~np.isnan(values)).sum(0)
    return np.where(counts > 0, np.nansum(values, 0) / np.maximum(counts, 1), np.nan)
