"""The two source sentences that together cover most of a summary sentence (the paper's eq. 12), searched exactly.

Recall is that of the rouge-score library with its stemmer: clipped counts of words or bigrams of the two sentences
written one after the other in document order. ``M`` source sentences, ``G`` different n-grams of the summary sentence.
Scores are whole numbers, so that ties are exact.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..text.ngrams import ngrams
from ..text.stems import stemmed_words

ROUGES = ("rouge1", "rouge2")
"""Kinds of recall, of words and of bigrams."""

Ints = NDArray[np.int64]
Gram = tuple[str, ...]


@dataclass(frozen=True)
class SourcePair:
    """The best pair of source sentences for a summary sentence."""

    first: int
    second: int
    recall: float
    recall_first: float
    recall_second: float
    gain: float


class Sources:
    """The sentences of a document in order, indexed by their n-grams; ``rouge`` is one of :data:`ROUGES`."""

    def __init__(self, sentences: Iterable[str], rouge: str) -> None:
        words = [stemmed_words(sentence) for sentence in sentences]
        self._order = ROUGES.index(rouge) + 1
        found: defaultdict[Gram, list[tuple[int, int]]] = defaultdict(list)
        for place, own in enumerate(words):
            for gram, count in Counter(ngrams(own, self._order)).items():
                found[gram].append((place, count))
        self._postings = {gram: (np.array(held)[:, 0], np.array(held)[:, 1]) for gram, held in found.items()}
        self._starts = np.array([own[0] if own else None for own in words], dtype=object)
        self._ends = [own[-1] if own else None for own in words]

    def best_pair(self, sentence: str, above: float = -1.0) -> SourcePair | None:
        """The pair of sentences with the highest recall of a summary sentence; of equal pairs, the first.

        None if the summary sentence has no words, or fewer than two sentences have a higher recall than ``above``.
        """
        target = stemmed_words(sentence)
        if not target:
            return None
        grams, total = Counter(ngrams(target, self._order)), max(len(target) + 1 - self._order, 1)
        limits: Ints = np.array(list(grams.values()), dtype=np.int64)  # (G,)
        counts: Ints = np.zeros((len(self._ends), len(grams)), dtype=np.int64)  # (M, G)
        for column, (gram, limit) in enumerate(grams.items()):
            if gram in self._postings:
                numbers, own = self._postings[gram]
                counts[numbers, column] = np.minimum(own, limit)
        alone: Ints = counts.sum(axis=1)  # (M,)
        if np.count_nonzero(100 * alone > above * total) < 2:
            return None

        def both(first: int, seconds: Ints) -> Ints:
            """What a sentence covers together with each of some later ones; bigrams also where the two meet."""
            joined = counts[seconds] + counts[first]
            for column, gram in enumerate(grams):
                if self._order == 2 and gram[0] == self._ends[first]:
                    joined[:, column] += self._starts[seconds] == gram[1]
            shared: Ints = np.minimum(joined, limits).sum(axis=1)
            return shared

        first, second, score = _search(alone, both, slack=self._order - 1)
        recalls = int(alone[first]), int(alone[second])
        # Whole numbers are subtracted and divided last, so that 3 of 30 more words are exactly 10 points.
        points = [100 * number / total for number in (score, *recalls, score - max(recalls))]
        return SourcePair(first, second, *points)


def _search(alone: Ints, both: Callable[[int, Ints], Ints], slack: int) -> tuple[int, int, int]:
    """The first pair ``i < j`` with the highest score, and that score; at least two sentences.

    The sum of both sentences' own scores and the slack is an upper bound. Pairs are visited in document order, and only
    those whose bound is above the best score so far.
    """
    later = np.maximum.accumulate(alone[::-1])[::-1]  # the highest from each sentence on
    best, pair = -1, (0, 0)
    for first in range(len(alone) - 1):
        if alone[first] + later[first + 1] + slack > best:
            seconds = first + 1 + np.flatnonzero(alone[first + 1 :] + (alone[first] + slack) > best)
            scores = both(first, seconds)
            number = int(scores.argmax())
            if scores[number] > best:
                best, pair = int(scores[number]), (first, int(seconds[number]))
    return *pair, best
