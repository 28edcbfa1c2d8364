"""How far apart the source sentences are that a summary's sentence fuses (the paper's §5.7 and Figure 4)."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise

from ..evaluation.repetition import ngrams
from ..evaluation.rouge import StemmingTokenizer
from .texts import Text

COVERED = 20.0
"""Points of ROUGE-2 recall that two source sentences together must reach."""

ADDED = 10.0
"""Points of it that each of the two must add to the other."""

BINS = 10


@dataclass(frozen=True)
class Pair:
    """Two source sentences that one sentence of a summary needs.

    Attributes:
        document: the text's id.
        sentence: the place of the summary's sentence.
        first, second: places of the source sentences, in order.
        recall: ROUGE-2 recall (0–100) of the summary's sentence by both.
        distance: ``(second − first) / sentences of the document``, above 0 and below 1.
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
        fusion_sentences: those of which two source sentences together cover :data:`COVERED` points, and more than the
            strongest one alone.
        pairs: of each fusion sentence that has one, its interdependent pair.
    """

    documents: int
    summary_sentences: int
    fusion_sentences: int
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
    """Find the interdependent pairs of documents with summaries; texts without one are passed over."""
    tokenizer = StemmingTokenizer()
    documents = sentences = fused = 0
    pairs: list[Pair] = []
    for text in texts:
        if not text.summary or not text.sentences:
            continue
        documents += 1
        where: dict[tuple[str, ...], list[int]] = {}
        for place, source in enumerate(text.sentences):
            for gram in set(ngrams(tokenizer.tokenize(source), 2)):
                where.setdefault(gram, []).append(place)
        for number, sentence in enumerate(text.summary):
            sentences += 1
            grams = list(dict.fromkeys(ngrams(tokenizer.tokenize(sentence), 2)))
            is_fusion, best = _fused(_covered(grams, where), len(grams))
            fused += is_fusion
            if best:
                first, second, recall = best
                distance = (second - first) / len(text.sentences)
                pairs.append(Pair(text.id, number, first, second, recall, distance))
    return LongDistance(documents, sentences, fused, tuple(pairs))


def _covered(grams: list[tuple[str, ...]], where: dict[tuple[str, ...], list[int]]) -> dict[int, int]:
    """Which of a summary sentence's bigrams each source sentence has, as bits."""
    covered: dict[int, int] = {}
    for bit, gram in enumerate(grams):
        for place in where.get(gram, ()):
            covered[place] = covered.get(place, 0) | 1 << bit
    return covered


def _fused(covered: dict[int, int], grams: int) -> tuple[bool, tuple[int, int, float] | None]:
    """Whether a sentence is a fusion, and its interdependent pair: the one that covers most, of equals the nearest.

    A pair's gain over one of its sentences is at most what the other one covers alone, so that only sentences which
    cover :data:`ADDED` points alone can be in an interdependent pair.
    """
    if not grams:
        return False, None
    point = grams / 100
    able = sorted(place for place, bits in covered.items() if bits.bit_count() >= ADDED * point)
    best: tuple[int, int, int] | None = None
    for first, second in combinations(able, 2):
        one, other = covered[first], covered[second]
        both = (one | other).bit_count()
        if (
            both >= COVERED * point
            and both - max(one.bit_count(), other.bit_count()) >= ADDED * point
            and (best is None or (both, first - second) > (best[0], best[1] - best[2]))
        ):
            best = (both, first, second)
    if best:
        return True, (best[1], best[2], best[0] / point)
    return _is_fusion(covered, point), None


def _is_fusion(covered: dict[int, int], point: float) -> bool:
    """Whether the strongest source sentence and the one that adds most to it cover enough, and more than it alone."""
    strongest = max(covered.values(), key=int.bit_count, default=0)
    both = max(((strongest | bits).bit_count() for bits in covered.values()), default=0)
    return both >= COVERED * point and both > strongest.bit_count()
