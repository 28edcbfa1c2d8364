"""Similarity of sentences by the distance between them (the paper's Figure 1)."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import PagesumError
from ..text.ngrams import words_of
from ..text.tfidf import TfIdf

FARTHEST = 100
"""The maximum distance; less for shorter documents."""

BLOCK = 1 << 22
"""Number of values that are transformed at a time."""

Columns = Iterator[NDArray[np.float64]]
"""The vectors of a document's ``n`` sentences, each of length 1, a few columns at a time: ``(n, some)``."""

Embed = Callable[[Sequence[str]], Columns]


@dataclass(frozen=True)
class SpatialLocality:
    """Mean cosine similarity of pairs of sentences.

    Attributes:
        embedding: How sentences were turned into vectors.
        documents, sentences: Number of each.
        similarities: At distance 1, 2, …: the mean over documents of each one's mean over its pairs.
        reach: Number of documents with a pair at that distance.
        average: The mean over documents of each one's mean over all of its pairs.
    """

    embedding: str
    documents: int
    sentences: int
    similarities: tuple[float, ...]
    reach: tuple[int, ...]
    average: float


def spatial_locality(
    documents: Iterable[Sequence[str]], embed: Embed, embedding: str, farthest: int = FARTHEST
) -> SpatialLocality:
    """Compare every pair of sentences of a document, up to a distance; time grows as ``n log n`` in its sentences.

    Args:
        documents: The sentences of each document in order. Documents with fewer than two sentences are skipped.
        embed: Turns the sentences of a document into vectors.
        embedding: Its name.
        farthest: The maximum distance.

    Raises:
        PagesumError: No document has two sentences.
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
        raise PagesumError("no document has two sentences, so there is nothing to compare", "name longer documents")
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
    size = count + farthest  # zeros after the end, so that it does not meet the beginning
    power = np.zeros(size // 2 + 1)
    both = own = 0.0
    for block in columns:
        power += (np.abs(np.fft.rfft(block, size, axis=0)) ** 2).sum(axis=1)
        both += float((block.sum(axis=0) ** 2).sum())
        own += float((block**2).sum())
    sums = np.fft.irfft(power, size)[1 : farthest + 1]
    pairs = count - np.arange(1, farthest + 1)
    return sums / pairs, (both - own) / (count * (count - 1))


def embedding_of(folder: str | None) -> tuple[str, Embed]:
    """The name of an embedding, and the function that computes it.

    Args:
        folder: A sentence encoder; None for TF-IDF.

    Raises:
        PagesumError: The folder holds none.
    """
    if folder is None:
        return "TF-IDF", tf_idf
    from .embeddings import SentenceEmbedder

    embedder = SentenceEmbedder(folder)
    return f"embeddings of {folder}", lambda sentences: dense(embedder(sentences))


def tf_idf(sentences: Sequence[str]) -> Columns:
    """TF-IDF vectors, weighted ``tf · (ln((1 + n) / (1 + df)) + 1)``, ``n`` and ``df`` within the document.

    Words of a single sentence only affect the vectors' lengths: no pair shares them, so they have no column.
    """
    return TfIdf.of([words_of(sentence) for sentence in sentences], smooth=True).shared_columns(BLOCK)


def dense(vectors: NDArray[np.float64]) -> Columns:
    """Vectors ``(n, D)`` of any length above 0, a few columns at a time."""
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    step = max(BLOCK // len(vectors), 1)
    for begin in range(0, vectors.shape[1], step):
        yield vectors[:, begin : begin + step]
