"""Sparse TF-IDF vectors of sentences."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .words import words_of

# letters of a word that count for centrality: "summarizes" and "summarization" are the same
PREFIX = 6


@dataclass(frozen=True)
class TfIdf:
    """The TF-IDF vectors of sentences, each of length 1 (or 0), as triples."""

    # rows, columns, weights: sentence, word and weight of each entry, ordered by sentence
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    weights: NDArray[np.float64]
    frequency: NDArray[np.int64]  # number of sentences in which each word occurs
    sentences: int  # number of sentences

    @classmethod
    def of(cls, sentences: Sequence[Sequence[Hashable]], smooth: bool = False) -> "TfIdf":
        """Count and weight words; takes linear time."""
        known: dict[Hashable, int] = {}
        words = np.array(
            [known.setdefault(word, len(known)) for one in sentences for word in one],
            dtype=np.int64,
        )
        owners = np.repeat(np.arange(len(sentences)), [len(one) for one in sentences])
        entries, counts = np.unique(owners * max(len(known), 1) + words, return_counts=True)
        rows, columns = np.divmod(entries, max(len(known), 1))
        frequency = np.bincount(columns, minlength=len(known))
        n = len(sentences)
        rarity = (
            np.log((1 + n) / (1 + frequency)) + 1
            if smooth
            else np.log(n / np.maximum(frequency, 1))
        )
        weights = counts * rarity[columns]
        norms = np.sqrt(np.bincount(rows, weights**2, n))
        return cls(rows, columns, weights / np.maximum(norms, 1e-9)[rows], frequency, n)

    def similarities(self, sentence: int) -> NDArray[np.float64]:
        """The cosine of one sentence with each ``(n,)``."""
        first, last = np.searchsorted(self.rows, [sentence, sentence + 1])
        own = np.zeros(len(self.frequency))
        own[self.columns[first:last]] = self.weights[first:last]
        return np.bincount(self.rows, self.weights * own[self.columns], self.sentences).astype(
            np.float64
        )

    def shared_columns(self, block: int) -> Iterator[NDArray[np.float64]]:
        """The dense columns of words that two sentences share, at most ``block`` numbers at a time
        ``(n, some)``.
        """
        place = np.full(len(self.frequency), -1)
        shared = np.flatnonzero(self.frequency > 1)
        place[shared] = np.arange(len(shared))
        columns = place[self.columns]
        order = np.argsort(columns, kind="stable")
        step = max(block // max(self.sentences, 1), 1)
        for begin in range(0, len(shared), step):
            first, last = np.searchsorted(columns[order], [begin, begin + step])
            part = order[first:last]
            dense = np.zeros((self.sentences, min(step, len(shared) - begin)))
            dense[self.rows[part], columns[part] - begin] = self.weights[part]
            yield dense


def centrality(sentences: Sequence[str]) -> NDArray[np.float64]:
    """Cosine of each sentence's TF-IDF vector with the centroid of all of them ``(sentences,)``.
    Takes linear time.

    See Radev et al., "Centroid-based summarization of multiple documents", 2004.
    """
    vectors = TfIdf.of([[word[:PREFIX] for word in words_of(sentence)] for sentence in sentences])
    if not len(vectors.rows):
        return np.zeros(len(sentences))
    sums: NDArray[np.float64] = np.bincount(vectors.columns, vectors.weights).astype(np.float64)
    centroid = sums / max(float(np.linalg.norm(sums)), 1e-9)
    return np.bincount(
        vectors.rows, vectors.weights * centroid[vectors.columns], len(sentences)
    ).astype(np.float64)
