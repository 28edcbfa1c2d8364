"""Distance between the source sentences that a summary sentence fuses (the paper's eq. 12–16,
Figure 4 and Table 9).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import PagesumError
from ..text.sentences import split_sentences
from ..text.words import STOP_WORDS, ngrams, plain_words, stemmed_words, stems_of
from .texts import Text

ROUGES = ("rouge1", "rouge2")  # kinds of recall, of words and of bigrams

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
    """The sentences of a document in order, indexed by their n-grams; ``rouge`` is one of
    :data:`ROUGES`.
    """

    def __init__(self, sentences: Iterable[str], rouge: str) -> None:
        words = [stemmed_words(sentence) for sentence in sentences]
        self._order = ROUGES.index(rouge) + 1
        found: defaultdict[Gram, list[tuple[int, int]]] = defaultdict(list)
        for place, own in enumerate(words):
            for gram, count in Counter(ngrams(own, self._order)).items():
                found[gram].append((place, count))
        self._postings = {
            gram: (np.array(held)[:, 0], np.array(held)[:, 1]) for gram, held in found.items()
        }
        self._starts = np.array([own[0] if own else None for own in words], dtype=object)
        self._ends = [own[-1] if own else None for own in words]

    def best_pair(self, sentence: str, above: float = -1.0) -> SourcePair | None:
        """The pair of sentences with the highest recall of a summary sentence; of equal pairs, the
        first.

        None if the summary sentence has no words, or fewer than two sentences have a higher recall
        than ``above``.
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
            """What a sentence covers together with each of some later ones; bigrams also where the
            two meet.
            """
            joined = counts[seconds] + counts[first]
            for column, gram in enumerate(grams):
                if self._order == 2 and gram[0] == self._ends[first]:
                    joined[:, column] += self._starts[seconds] == gram[1]
            return np.minimum(joined, limits).sum(axis=1)

        first, second, score = _search(alone, both, slack=self._order - 1)
        recalls = int(alone[first]), int(alone[second])
        # Whole numbers are subtracted and divided last, so that 3 of 30 more words are exactly 10
        # points.
        points = [100 * number / total for number in (score, *recalls, score - max(recalls))]
        return SourcePair(first, second, *points)


def _search(alone: Ints, both: Callable[[int, Ints], Ints], slack: int) -> tuple[int, int, int]:
    """The first pair ``i < j`` with the highest score, and that score; at least two sentences.

    The sum of both sentences' own scores and the slack is an upper bound. Pairs are visited in
    document order, and only those whose bound is above the best score so far.
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


# the paper's t1: each of the two source sentences alone has a recall (0–100) above it (eq. 15)
MIN_RECALL = 20.0
# the paper's t2: both together have more than this many points above each alone (eq. 16)
MIN_GAIN = 10.0

EDGES = [place / 10 for place in range(11)]

# share of the words that a summary sentence has from a source sentence, to be in an output sentence
# too
COVERED = 0.5


@dataclass(frozen=True)
class Pair:
    """Two interdependent source sentences, and the summary sentence that fuses them."""

    document: str
    sentence: int
    first: int
    second: int
    recall: float
    recall_first: float
    recall_second: float
    distance: float
    across: bool
    summary_text: str
    first_text: str
    second_text: str


@dataclass(frozen=True)
class Fusion:
    """What counts as fusion."""

    rouge: str = "rouge1"
    min_recall: float = MIN_RECALL
    min_gain: float = MIN_GAIN


@dataclass(frozen=True)
class LongDistance:
    """The interdependent pairs of a data set."""

    name: str
    documents: int
    summary_sentences: int
    pairs: tuple[Pair, ...]

    def counts(self, *, across: bool = False) -> list[int]:
        """Number of pairs by distance, in bins of equal width from 0 to 1."""
        distances = [pair.distance for pair in self.pairs if pair.across or not across]
        return np.histogram(distances, EDGES)[0].tolist()

    def shares(self) -> list[float]:
        return [count / max(len(self.pairs), 1) for count in self.counts()]


@dataclass(frozen=True)
class Distances:
    """The analysis of one or several data sets."""

    fusion: Fusion
    data_sets: tuple[LongDistance, ...]
    covered: tuple[str | None, ...] = ()

    @property
    def case(self) -> Pair | None:
        """The pair with the largest distance of which the system's output has one sentence alone
        (the paper's Table 9); None where there is none.
        """
        pairs = (pair for one in self.data_sets for pair in one.pairs)
        halves = [
            pair
            for pair, covered in zip(pairs, self.covered, strict=False)
            if covered in ("first", "second")
        ]
        return max(halves, key=lambda pair: pair.distance, default=None)


def random_shares() -> list[float]:
    """The shares of pairs of random sentences: the density of their distance is ``2 (1 − x)``."""
    return np.diff([2 * edge - edge**2 for edge in EDGES]).tolist()


def long_distance(texts: Iterable[Text], fusion: Fusion, name: str = "") -> LongDistance:
    """Find the fusion sentences of documents with summaries; texts without one are skipped."""
    documents = sentences = 0
    pairs: list[Pair] = []
    for text in texts:
        if not text.summary or not text.sentences:
            continue
        documents += 1
        sentences += len(text.summary)
        sources = Sources(text.sentences, fusion.rouge)
        pairs += filter(
            None, (_fused(text, sources, number, fusion) for number in range(len(text.summary)))
        )
    if not documents:
        where = f"{name}: no document" if name else "no document here"
        message = f"{where} has a summary, which long-distance compares it with"
        raise PagesumError(
            message, "name a data set with summaries, or one document and its --summary FILE"
        )
    return LongDistance(name, documents, sentences, tuple(pairs))


def _fused(text: Text, sources: Sources, number: int, fusion: Fusion) -> Pair | None:
    """The interdependent pair of a summary sentence, or None if it is no fusion (eq. 12, 15,
    16).
    """
    best = sources.best_pair(text.summary[number], above=fusion.min_recall)
    if (
        best is None
        or best.gain <= fusion.min_gain
        or min(best.recall_first, best.recall_second) <= fusion.min_recall
    ):
        return None
    return Pair(
        document=text.id,
        sentence=number,
        **{name: value for name, value in vars(best).items() if name != "gain"},
        distance=(best.second - best.first) / len(text.sentences),
        across=bool(text.document_of)
        and text.document_of[best.first] != text.document_of[best.second],
        summary_text=text.summary[number],
        first_text=text.sentences[best.first],
        second_text=text.sentences[best.second],
    )


def coverage(pairs: Sequence[Pair], outputs: Mapping[str, tuple[str, str]]) -> list[str | None]:
    """Which of its two source sentences a system's output has, for each pair (the paper's Table 9).

    A summary sentence h has from a source sentence s the words (stems, without stop words; clipped
    counts) that both have. An output covers s if one of its sentences has at least the share
    :data:`COVERED` of these words. Outputs come with their reference. Returns ``both``, ``first``,
    ``second``, ``none``, or None without output.
    """
    sentences: dict[str, list[Counter[str]]] = {}
    found: list[str | None] = []
    for pair in pairs:
        if pair.document not in outputs:
            found.append(None)
            continue
        if pair.document not in sentences:
            output, reference = outputs[pair.document]
            if " ".join(pair.summary_text.split()) not in " ".join(reference.split()):
                message = (
                    f"{pair.document} has a different reference in the results than in the data"
                )
                raise PagesumError(message, "use the results for this data set")
            sentences[pair.document] = [
                Counter(stemmed_words(one)) for one in split_sentences(output)
            ]
        own = sentences[pair.document]
        first, second = (
            _covers(own, pair.summary_text, source)
            for source in (pair.first_text, pair.second_text)
        )
        found.append(
            "both" if first and second else "first" if first else "second" if second else "none"
        )
    if pairs and not any(found):
        message = (
            f"no result is of a document with an interdependent pair, such as {pairs[0].document!r}"
        )
        raise PagesumError(message, "use the results for this data set")
    return found


def _covers(output: Sequence[Counter[str]], sentence: str, source: str) -> bool:
    words = [word for word in plain_words(sentence) if word not in STOP_WORDS]
    part = Counter(stems_of(words)) & Counter(stemmed_words(source))
    return any((one & part).total() >= max(COVERED * part.total(), 1) for one in output)
