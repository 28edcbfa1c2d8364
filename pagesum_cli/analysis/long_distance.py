"""How far apart the source sentences are that a summary's sentence fuses (the paper's §5.7 and Figure 4)."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ..evaluation.repetition import ngrams, plain_words
from ..evaluation.rouge import StemmingTokenizer
from ..provenance import STOP_WORDS
from .texts import Text

FIRST = 20.0
"""Points of ROUGE-2 recall (of 100; bigrams of two stop words left out) that the first source sentence must reach."""

ADDED = 10.0
"""Points that the second one must add to it."""

BINS = 10


@dataclass(frozen=True)
class Pair:
    """Two source sentences that one sentence of a summary fuses.

    Attributes:
        document: the text's id.
        sentence: the place of the summary's sentence.
        first: the place of the source sentence that covers most of it.
        second: the place of the one that adds most to that.
        recall: ROUGE-2 recall (0–100) of the summary's sentence by both.
        distance: ``|first − second| / sentences of the document``, above 0 and below 1.
    """

    document: str
    sentence: int
    first: int
    second: int
    recall: float
    distance: float


@dataclass(frozen=True)
class LongDistance:
    """What was found.

    Attributes:
        documents, summary_sentences: how many were looked at.
        pairs: the interdependent pair of each fusion sentence: of each summary sentence that has one.
    """

    documents: int
    summary_sentences: int
    pairs: tuple[Pair, ...]

    def histogram(self, bins: int = BINS) -> tuple[list[float], list[float]]:
        """Edges 0 … 1, and the share of the pairs between two of them; at least one pair."""
        edges = [place / bins for place in range(bins + 1)]
        counts = [0] * bins
        for pair in self.pairs:
            counts[min(bisect_right(edges, pair.distance) - 1, bins - 1)] += 1
        return edges, [count / len(self.pairs) for count in counts]


def chance(edges: list[float]) -> list[float]:
    """The shares of a histogram if both sentences stood anywhere: the density of the distance is ``2 (1 − x)``."""
    return [(2 * end - end**2) - (2 * begin - begin**2) for begin, end in pairwise(edges)]


def long_distance(texts: Iterable[Text]) -> LongDistance:
    """Find the fusion sentences of documents with summaries; texts without one are passed over."""
    tokenizer = StemmingTokenizer()
    documents = sentences = 0
    pairs: list[Pair] = []
    for text in texts:
        if not text.summary or not text.sentences:
            continue
        documents += 1
        where: dict[tuple[str, ...], list[int]] = {}
        for place, source in enumerate(text.sentences):
            for gram in set(_telling(tokenizer, source)):
                where.setdefault(gram, []).append(place)
        for number, sentence in enumerate(text.summary):
            sentences += 1
            grams = list(dict.fromkeys(_telling(tokenizer, sentence)))
            if found := _fused(_covered(grams, where), len(grams)):
                first, second, recall = found
                distance = abs(first - second) / len(text.sentences)
                pairs.append(Pair(text.id, number, first, second, recall, distance))
    return LongDistance(documents, sentences, tuple(pairs))


def _telling(tokenizer: StemmingTokenizer, text: str) -> list[tuple[str, ...]]:
    """The stemmed bigrams of a text, without those of two stop words, which any two sentences share."""
    plain = ngrams(plain_words(text), 2)
    stemmed = ngrams(tokenizer.tokenize(text), 2)
    return [gram for gram, words in zip(stemmed, plain, strict=True) if not STOP_WORDS.issuperset(words)]


def _covered(grams: list[tuple[str, ...]], where: dict[tuple[str, ...], list[int]]) -> dict[int, int]:
    """Which of a summary sentence's bigrams each source sentence has, as bits."""
    covered: dict[int, int] = {}
    for bit, gram in enumerate(grams):
        for place in where.get(gram, ()):
            covered[place] = covered.get(place, 0) | 1 << bit
    return covered


def _fused(covered: dict[int, int], grams: int) -> tuple[int, int, float] | None:
    """The two source sentences that a sentence fuses, and the recall of both; None where it fuses none.

    Of sentences that cover as much the earliest is the first; of those that add as much the nearest is the second.
    """
    if not covered:
        return None
    first = max(sorted(covered), key=lambda place: covered[place].bit_count())
    alone = covered[first].bit_count()
    second = max(
        sorted(covered), key=lambda place: ((covered[first] | covered[place]).bit_count(), -abs(place - first))
    )
    both = (covered[first] | covered[second]).bit_count()
    if 100 * alone < FIRST * grams or 100 * (both - alone) < ADDED * grams:
        return None
    return first, second, 100 * both / grams
