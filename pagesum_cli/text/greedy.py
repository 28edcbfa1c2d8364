"""Greedy selection of sentences: the oracle that is closest to a reference, and diverse subsets."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .words import ngrams


def greedy_oracle(
    sentences: Sequence[Sequence[str]],
    reference: Sequence[str],
    *,
    limit: int,
    distinct: bool = False,
) -> list[int]:
    """Add the sentence with the greatest gain in ROUGE-1 F1 + ROUGE-2 F1, until none raises it.

    Sentences and reference are words; ``distinct``: each n-gram counts once per sentence and in the
    reference. Returns the places of at most ``limit`` sentences in the order of choice; one without
    words is never chosen.
    """
    targets = [_counts(reference, n, distinct) for n in (1, 2)]
    gains = [
        _hits(sentences, n, target, distinct) for n, target in zip((1, 2), targets, strict=True)
    ]
    maxima = [np.fromiter(target.values(), np.int32, len(target)) for target in targets]
    covered = [np.zeros(len(target), np.int32) for target in targets]
    sizes = np.array(
        [[_counts(words, n, distinct).total() for n in (1, 2)] for words in sentences]
    ).reshape(-1, 2)
    size = np.array([target.total() for target in targets])
    chosen: list[int] = []
    best = 0.0
    while len(chosen) < min(limit, len(sentences)):
        shared = [
            np.minimum(have + more, most).sum(1)
            for have, more, most in zip(covered, gains, maxima, strict=True)
        ]
        scores = (2 * np.stack(shared, axis=1) / np.maximum(sizes + size, 1)).sum(1)
        scores[chosen] = 0
        top = int(scores.argmax())
        if scores[top] <= best:
            break
        best = float(scores[top])
        chosen.append(top)
        size = size + sizes[top]
        covered = [have + more[top] for have, more in zip(covered, gains, strict=True)]
    return chosen


def _counts(words: Sequence[str], n: int, distinct: bool) -> Counter[tuple[str, ...]]:
    grams: Iterable[tuple[str, ...]] = ngrams(words, n)
    return Counter(set(grams) if distinct else grams)


def _hits(
    sentences: Sequence[Sequence[str]], n: int, target: Counter[tuple[str, ...]], distinct: bool
) -> np.ndarray:
    columns = {gram: column for column, gram in enumerate(target)}
    hits = np.zeros((len(sentences), len(columns)), np.int32)
    for row, words in enumerate(sentences):
        for gram, count in _counts(words, n, distinct).items():
            if (column := columns.get(gram)) is not None:
                hits[row, column] = count
    return hits


Array = NDArray[np.float64]

# what the span of the selected items leaves of another one, squared, below which it adds nothing
SMALLEST = 1e-10


def greedy_map(qualities: Array, similarities: Callable[[int], Array]) -> Iterator[int]:
    """Algorithm 1 of Perez-Beltrachini and Lapata (2021): add the item that makes the determinant
    largest.

    Each selection after ``k`` others takes ``O(M k)``, by updating a Cholesky factor (Chen et al.,
    "Fast greedy MAP inference for determinantal point process", 2018). Qualities q are ``(M,)``;
    ``similarities`` gives φᵀφ of an item with all items ``(M,)``, 1 with itself. Ends when no other
    item has a quality above 0 and adds to the span.
    """
    # squared length of each φ outside the span of the selected items
    left = np.ones(len(qualities))
    factors: list[Array] = []
    while np.any(is_open := (left > SMALLEST) & (qualities > 0)):
        item = int(np.where(is_open, qualities**2 * left, -1.0).argmax())
        yield item
        along = similarities(item).astype(np.float64)
        for factor in factors:
            along = along - factor[item] * factor
        factors.append(along / np.sqrt(left[item]))
        left = np.maximum(left - factors[-1] ** 2, 0.0)
        left[item] = 0.0
