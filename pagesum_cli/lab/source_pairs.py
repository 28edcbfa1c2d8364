"""The two source sentences that together cover most of a summary sentence (the paper's eq. 12), searched exactly.

Recall is that of the rouge-score library with its stemmer: clipped counts of words or bigrams, or a longest common
subsequence, of the two sentences written one after the other in document order. ``M`` source sentences, ``G`` different
n-grams and ``T`` words of the summary sentence. Scores are whole numbers over a common denominator, so that ties are
exact.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..text.words import lcs_rows, ngrams, positions_of, stemmed_words

ROUGES = ("rouge1", "rouge2", "mean")
"""Kinds of recall; ``mean`` is that of ROUGE-1, ROUGE-2 and ROUGE-L."""

Ints = NDArray[np.int64]
Gram = tuple[str, ...]
Postings = dict[Gram, tuple[Ints, Ints]]
"""Of each n-gram, the source sentences that have it, and how often."""


@dataclass(frozen=True)
class SourcePair:
    """The best pair of source sentences for a summary sentence.

    Attributes:
        first, second: Their places in the document, in this order.
        recall: ROUGE recall (0–100) of the summary sentence by both, one after the other.
        recall_first, recall_second: By each alone.
        gain: Points by which both are above the better one.
    """

    first: int
    second: int
    recall: float
    recall_first: float
    recall_second: float
    gain: float


class Sources:
    """The sentences of a document, indexed by their n-grams.

    Args:
        sentences: Source sentences in document order.
        rouge: One of :data:`ROUGES`.
    """

    def __init__(self, sentences: Iterable[str], rouge: str) -> None:
        self.words = [stemmed_words(sentence) for sentence in sentences]
        self.rouge = rouge
        orders = {"rouge1": (1,), "rouge2": (2,), "mean": (1, 2)}[rouge]
        self._postings = {order: _postings(self.words, order) for order in orders}
        self._reversed = [words[::-1] for words in self.words] if rouge == "mean" else []

    def best_pair(self, sentence: str, above: float = -1.0) -> SourcePair | None:
        """The pair of sentences with the highest recall of a summary sentence; of equal pairs, the first.

        Args:
            sentence: The summary sentence.
            above: Search only if at least two sentences have a higher recall than this (0–100) alone.

        Returns:
            None if the summary sentence has no words, or there are no two such sentences.
        """
        target = stemmed_words(sentence)
        if not target:
            return None
        measures, denominator = self._measures(target)
        alone = np.sum([weight * measure.alone for measure, weight in measures], axis=0)  # (M,)
        if np.count_nonzero(100 * alone > above * denominator) < 2:
            return None
        first, second, score = _search(measures, alone)
        own = int(alone[first]), int(alone[second])
        # Whole numbers are subtracted and divided last, so that 3 of 30 more words are exactly 10 points.
        points = [100 * number / denominator for number in (score, *own, score - max(own))]
        return SourcePair(first, second, *points)

    def _measures(self, target: Sequence[str]) -> tuple[list[tuple["_Clipped | _Subsequence", int]], int]:
        """What is counted for a summary sentence, with the weight of each, and the common denominator."""
        words, bigrams = len(target), max(len(target) - 1, 1)
        clipped = {
            order: _Clipped(Counter(ngrams(target, order)), postings, self.words, joint=order == 2)
            for order, postings in self._postings.items()
        }
        if self.rouge != "mean":
            ((order, measure),) = clipped.items()
            return [(measure, 1)], words if order == 1 else bigrams
        subsequence = _Subsequence(target, self.words, self._reversed)
        return [(clipped[1], bigrams), (clipped[2], words), (subsequence, bigrams)], 3 * words * bigrams


def _postings(sentences: Sequence[Sequence[str]], order: int) -> Postings:
    found: defaultdict[Gram, list[tuple[int, int]]] = defaultdict(list)
    for place, words in enumerate(sentences):
        for gram, count in Counter(ngrams(words, order)).items():
            found[gram].append((place, count))
    return {gram: (np.array(held)[:, 0], np.array(held)[:, 1]) for gram, held in found.items()}


class _Clipped:
    """The n-grams that source sentences share with a summary sentence, each at most as often as it has them.

    Args:
        target: Its n-grams.
        postings: Those of the source sentences.
        words: The words of the source sentences.
        joint: Whether these are bigrams, so that the end of one sentence and the start of the next form another.

    Attributes:
        alone: The number that each source sentence shares, ``(M,)``.
        slack: What two sentences can share more than both alone.
    """

    def __init__(self, target: Counter[Gram], postings: Postings, words: Sequence[list[str]], *, joint: bool) -> None:
        self._limits: Ints = np.array(list(target.values()), dtype=np.int64)  # (G,)
        self._counts: Ints = np.zeros((len(words), len(target)), dtype=np.int64)  # (M, G)
        for column, (gram, limit) in enumerate(target.items()):
            if gram in postings:
                numbers, counts = postings[gram]
                self._counts[numbers, column] = np.minimum(counts, limit)
        self.alone: Ints = self._counts.sum(axis=1)
        self.slack = int(joint)
        self._pairs = [gram if joint else ("", "") for gram in target]
        self._starts = np.array([own[0] if own else None for own in words], dtype=object)
        self._ends = [own[-1] if own else None for own in words]

    def both(self, first: int, seconds: Ints) -> Ints:
        """The number that a sentence shares together with each of some later ones."""
        counts = self._counts[seconds] + self._counts[first]
        for column, (end, start) in enumerate(self._pairs):
            if end == self._ends[first]:
                counts[:, column] += self._starts[seconds] == start
        shared: Ints = np.minimum(counts, self._limits).sum(axis=1)
        return shared


class _Subsequence:
    """Longest common subsequences of a summary sentence and source sentences.

    That of two sentences one after the other is the best division of the summary sentence: its beginning with the
    first, the rest with the second.

    Args:
        target: The words of the summary sentence.
        words: The words of the source sentences.
        backward: The same, each from its end.

    Attributes:
        alone, slack: See :class:`_Clipped`.
    """

    slack = 0

    def __init__(self, target: Sequence[str], words: Sequence[list[str]], backward: Sequence[list[str]]) -> None:
        self._beginnings = _prefix_lengths(target, words)  # (M, T + 1)
        self._rests = _prefix_lengths(target[::-1], backward)[:, ::-1]  # (M, T + 1)
        self.alone: Ints = self._beginnings[:, -1]

    def both(self, first: int, seconds: Ints) -> Ints:
        """See :meth:`_Clipped.both`."""
        longest: Ints = (self._rests[seconds] + self._beginnings[first]).max(axis=1)
        return longest


def _prefix_lengths(target: Sequence[str], sentences: Sequence[list[str]]) -> Ints:
    """Length of the common subsequence of each sentence and the first 0, 1, … words of the target, ``(M, T + 1)``."""
    positions, width = positions_of(target), len(target)
    size = -(-width // 8)
    rows = b"".join(lcs_rows(words, positions, width)[-1].to_bytes(size, "little") for words in sentences)
    packed = np.frombuffer(rows, dtype=np.uint8).reshape(len(sentences), size)
    lengths = np.zeros((len(sentences), width + 1), dtype=np.int64)
    lengths[:, 1:] = np.unpackbits(packed, axis=1, count=width, bitorder="little").cumsum(axis=1)
    return lengths


def _search(measures: Sequence[tuple[_Clipped | _Subsequence, int]], alone: Ints) -> tuple[int, int, int]:
    """The first pair ``i < j`` with the highest score, and that score; at least two sentences.

    The sum of both sentences' own scores is an upper bound. Pairs are visited in document order, and only those whose
    bound is above the best score so far.
    """
    slack = sum(weight * measure.slack for measure, weight in measures)
    later = np.maximum.accumulate(alone[::-1])[::-1]  # the highest from each sentence on
    best, pair = -1, (0, 0)
    for first in range(len(alone) - 1):
        if alone[first] + later[first + 1] + slack > best:
            seconds = first + 1 + np.flatnonzero(alone[first + 1 :] + (alone[first] + slack) > best)
            scores = np.sum([weight * measure.both(first, seconds) for measure, weight in measures], axis=0)
            number = int(scores.argmax())
            if scores[number] > best:
                best, pair = int(scores[number]), (first, int(seconds[number]))
    return *pair, best
