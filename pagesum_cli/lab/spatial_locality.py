"""Similarity of sentences by the distance between them (the paper's Figure 1)."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import PagesumError
from ..text.tfidf import TfIdf
from ..text.words import words_of

FARTHEST = 100  # the maximum distance; less for shorter documents
BLOCK = 1 << 22  # number of values that are transformed at a time

Columns = Iterator[NDArray[np.float64]]
"""The vectors of a document's ``n`` sentences, each of length 1, a few columns at a time: ``(n,
some)``.
"""

Embed = Callable[[Sequence[str]], Columns]


@dataclass(frozen=True)
class SpatialLocality:
    """Mean cosine similarity of pairs of sentences of a document."""

    embedding: str
    documents: int
    sentences: int
    # at distance 1, 2, …: the mean over the pairs of all documents; ``average``, at any distance
    similarities: tuple[float, ...]
    average: float
    # at distance 1, 2, …: each document's mean at that distance, divided by its mean over all of
    # its pairs; then the mean over documents
    normalized: tuple[float, ...]
    # reach, pairs: number of documents with a pair at that distance, and of these pairs
    reach: tuple[int, ...]
    pairs: tuple[int, ...]
    all_pairs: int
    # number of documents whose average is not above 0, which are left out of ``normalized``
    without_norm: int

    @property
    def relative(self) -> tuple[float, ...]:
        """Similarities divided by the average, which makes embeddings comparable; NaN if it is not
        above 0.
        """
        return tuple(
            one / self.average if self.average > 0 else math.nan for one in self.similarities
        )


def spatial_locality(
    documents: Iterable[Sequence[str]], embed: Embed, embedding: str, farthest: int = FARTHEST
) -> SpatialLocality:
    """Compare every pair of sentences of a document, up to a distance; time grows as ``n log n`` in
    its sentences.
    """
    totals, ratios = np.zeros(farthest), np.zeros(farthest)
    reach, pairs, normed = (np.zeros(farthest, dtype=int) for _ in range(3))
    sums: list[float] = []
    all_pairs = sentences = skipped = 0
    for document in documents:
        worded = [sentence for sentence in document if words_of(sentence)]
        count = len(worded)
        if count < 2:
            continue
        own, total = _sums(embed(worded), count, min(farthest, count - 1))
        numbers = count - np.arange(1, len(own) + 1)
        own_pairs = count * (count - 1) // 2
        totals[: len(own)] += own
        pairs[: len(own)] += numbers
        reach[: len(own)] += 1
        if total / own_pairs > 1e-9:
            ratios[: len(own)] += own / numbers / (total / own_pairs)
            normed[: len(own)] += 1
        else:
            skipped += 1
        sums.append(total)
        all_pairs += own_pairs
        sentences += count
    if not sums:
        raise PagesumError(
            "no document has two sentences, so there is nothing to compare", "name longer documents"
        )
    held = reach > 0
    return SpatialLocality(
        embedding=embedding,
        documents=len(sums),
        sentences=sentences,
        similarities=tuple((totals[held] / pairs[held]).tolist()),
        average=math.fsum(sums) / all_pairs,
        normalized=tuple((ratios[normed > 0] / normed[normed > 0]).tolist()),
        reach=tuple(reach[held].tolist()),
        pairs=tuple(pairs[held].tolist()),
        all_pairs=all_pairs,
        without_norm=skipped,
    )


def _sums(columns: Columns, count: int, farthest: int) -> tuple[NDArray[np.float64], float]:
    """Sum of the similarities of the pairs at distances 1 … ``farthest``, and of all pairs.

    The sum of ``v_i · v_(i+d)`` over ``i`` is, column by column, an autocorrelation: one Fourier
    transform gives it for all distances at once.
    """
    size = count + farthest  # zeros after the end, so that it does not meet the beginning
    power = np.zeros(size // 2 + 1)
    both = own = 0.0
    for block in columns:
        power += (np.abs(np.fft.rfft(block, size, axis=0)) ** 2).sum(axis=1)
        both += float((block.sum(axis=0) ** 2).sum())
        own += float((block**2).sum())
    return np.fft.irfft(power, size)[1 : farthest + 1], (both - own) / 2


def embedding_of(name: str | None, pooling: str = "auto") -> tuple[str, Embed]:
    """The name of an embedding, and the function that computes it."""
    if name is None:
        return "TF-IDF", tf_idf
    from ..evaluation.metrics.encoders import SentenceEmbedder

    embedder = SentenceEmbedder(name, pooling)
    return f"{name}, {embedder.pooling} pooling, float32", lambda sentences: dense(
        embedder(sentences)
    )


def tf_idf(sentences: Sequence[str]) -> Columns:
    """TF-IDF vectors, weighted ``tf · (ln((1 + n) / (1 + df)) + 1)``, ``n`` and ``df`` within the
    document.

    Words of a single sentence only affect the vectors' lengths: no pair shares them, so they have
    no column.
    """
    return TfIdf.of([words_of(sentence) for sentence in sentences], smooth=True).shared_columns(
        BLOCK
    )


def dense(vectors: NDArray[np.float64]) -> Columns:
    """Vectors ``(n, D)`` of any length above 0, at once."""
    yield vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
