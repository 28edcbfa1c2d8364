"""How alike sentences are by the distance between them (the paper's Figure 1)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..provenance import words_of

FARTHEST = 100
"""Distances that are looked at: up to this one, or the longest document's."""

BLOCK = 1 << 22
"""Numbers that are transformed at a time."""

Columns = Iterator[NDArray[np.float64]]
"""The vectors of a document's ``n`` sentences, each of length 1, a few columns at a time: ``(n, some)``."""

Embed = Callable[[Sequence[str]], Columns]


@dataclass(frozen=True)
class SpatialLocality:
    """Mean cosine similarity of pairs of sentences.

    Attributes:
        embedding: what turned sentences into vectors.
        documents, sentences: how many were read.
        similarities: at distance 1, 2, …: the mean over documents of each one's mean over its pairs.
        reach: how many documents have a pair at that distance.
        average: the mean over documents of each one's mean over all of its pairs.
    """

    embedding: str
    documents: int
    sentences: int
    similarities: tuple[float, ...]
    reach: tuple[int, ...]
    average: float


def spatial_locality(
    documents: Iterable[Sequence[str]], embed: Embed, embedding: str, farthest: int = FARTHEST
) -> SpatialLocality | None:
    """Compare every pair of sentences of a document, up to a distance; time grows as ``n log n`` in its sentences.

    Args:
        documents: sentences in order, of each document. Those with fewer than two sentences are passed over.
        embed: turns the sentences of a document into vectors.
        embedding: what to call it.
        farthest: distance.

    Returns:
        None where no document has two sentences.
    """
    totals = np.zeros(farthest)
    reach = np.zeros(farthest, dtype=int)
    averages: list[float] = []
    sentences = 0
    for document in documents:
        worded = [sentence for sentence in document if words_of(sentence)]
        count = len(worded)
        if count < 2:
            continue
        means, average = _means(embed(worded), count, min(farthest, count - 1))
        totals[: len(means)] += means
        reach[: len(means)] += 1
        averages.append(average)
        sentences += count
    if not averages:
        return None
    held = reach > 0
    return SpatialLocality(
        embedding=embedding,
        documents=len(averages),
        sentences=sentences,
        similarities=tuple((totals[held] / reach[held]).tolist()),
        reach=tuple(reach[held].tolist()),
        average=math.fsum(averages) / len(averages),
    )


def _means(columns: Columns, count: int, farthest: int) -> tuple[NDArray[np.float64], float]:
    """Mean similarity at distances 1 … ``farthest``, and of all pairs.

    The sum of ``v_i · v_(i+d)`` over ``i`` is, column by column, an autocorrelation: one Fourier transform gives it for
    all distances at once.
    """
    size = count + farthest  # zeros behind the end, so that it does not meet the beginning
    power = np.zeros(size // 2 + 1)
    both = own = 0.0
    for block in columns:
        power += (np.abs(np.fft.rfft(block, size, axis=0)) ** 2).sum(axis=1)
        both += float((block.sum(axis=0) ** 2).sum())
        own += float((block**2).sum())
    sums = np.fft.irfft(power, size)[1 : farthest + 1]
    pairs = count - np.arange(1, farthest + 1)
    return sums / pairs, (both - own) / (count * (count - 1))


def tf_idf(sentences: Sequence[str]) -> Columns:
    """Words weighed by how often they stand in the sentence and in how few of the document's sentences.

    Weight ``tf · (ln((1 + n) / (1 + df)) + 1)``. Words of a single sentence count for its length only: no pair shares
    them, so they have no column.
    """
    counts = [Counter(words_of(sentence)) for sentence in sentences]
    frequency = Counter(word for count in counts for word in count)
    rarity = {word: math.log((1 + len(sentences)) / (1 + seen)) + 1 for word, seen in frequency.items()}
    places: dict[str, list[tuple[int, float]]] = {word: [] for word, seen in frequency.items() if seen > 1}
    for row, count in enumerate(counts):
        weights = {word: number * rarity[word] for word, number in count.items()}
        length = math.hypot(*weights.values())
        for word in count.keys() & places.keys():
            places[word].append((row, weights[word] / length))
    entries = list(places.values())
    step = max(BLOCK // len(sentences), 1)
    for begin in range(0, len(entries), step):
        part = entries[begin : begin + step]
        block = np.zeros((len(sentences), len(part)))
        for column, cells in enumerate(part):
            for row, weight in cells:
                block[row, column] = weight
        yield block


def dense(vectors: NDArray[np.float64]) -> Columns:
    """Vectors ``(n, D)`` of any length above 0, a few columns at a time."""
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    step = max(BLOCK // len(vectors), 1)
    for begin in range(0, vectors.shape[1], step):
        yield vectors[:, begin : begin + step]
