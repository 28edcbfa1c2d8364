"""Distance between the source sentences that a summary sentence fuses (the paper's §5.7 and Figure 4)."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ..errors import PagesumError
from ..text.ngrams import STOP_WORDS, ngrams, plain_words
from ..text.stems import stems_of
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
        document: The text's id.
        sentence: The place of the summary's sentence.
        first: The place of the source sentence that covers most of it.
        second: The place of the one that adds most to that.
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
    """The interdependent pairs of documents.

    Attributes:
        documents, summary_sentences: Number of each.
        pairs: The pair of each fusion sentence, a summary sentence that fuses two source sentences.
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


def random_shares(edges: list[float]) -> list[float]:
    """The shares of a histogram for random pairs: the density of the distance is ``2 (1 − x)``."""
    return [(2 * end - end**2) - (2 * begin - begin**2) for begin, end in pairwise(edges)]


def long_distance(texts: Iterable[Text]) -> LongDistance:
    """Find the fusion sentences of documents with summaries; texts without one are skipped.

    Raises:
        PagesumError: No text has a summary.
    """
    documents = sentences = 0
    pairs: list[Pair] = []
    for text in texts:
        if not text.summary or not text.sentences:
            continue
        documents += 1
        where: dict[tuple[str, ...], list[int]] = {}
        for place, source in enumerate(text.sentences):
            for gram in set(_content_bigrams(source)):
                where.setdefault(gram, []).append(place)
        for number, sentence in enumerate(text.summary):
            sentences += 1
            grams = list(dict.fromkeys(_content_bigrams(sentence)))
            if fused := _fused(_covered(grams, where), len(grams)):
                first, second, recall = fused
                distance = abs(first - second) / len(text.sentences)
                pairs.append(Pair(text.id, number, first, second, recall, distance))
    if not documents:
        raise PagesumError(
            "no document here has a summary, which long-distance compares it with",
            "name a data set with summaries, or one document and its --summary FILE",
        )
    return LongDistance(documents, sentences, tuple(pairs))


def _content_bigrams(text: str) -> list[tuple[str, ...]]:
    """The stemmed bigrams of a text, without those of two stop words, which any two sentences share."""
    words = plain_words(text)
    bigrams = zip(ngrams(stems_of(words), 2), ngrams(words, 2), strict=True)
    return [stems for stems, plain in bigrams if not STOP_WORDS.issuperset(plain)]


def _covered(grams: list[tuple[str, ...]], where: dict[tuple[str, ...], list[int]]) -> dict[int, int]:
    """The bigrams of a summary sentence that each source sentence has, as bits."""
    covered: dict[int, int] = {}
    for bit, gram in enumerate(grams):
        for place in where.get(gram, ()):
            covered[place] = covered.get(place, 0) | 1 << bit
    return covered


def _fused(covered: dict[int, int], grams: int) -> tuple[int, int, float] | None:
    """The two source sentences that a sentence fuses, and the recall of both; None if it fuses none.

    Of sentences that cover equally much, the first is the earliest; of those that add equally much, the second is the
    nearest to it.
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
