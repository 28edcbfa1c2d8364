"""Distance between the source sentences that a summary sentence fuses (the paper's eq. 12–16, Figure 4 and Table 9)."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..errors import PagesumError
from ..text.sentences import split_sentences
from ..text.words import STOP_WORDS, plain_words, stemmed_words, stems_of
from .source_pairs import Sources
from .texts import Text

MIN_RECALL = 20.0
"""The paper's t1: each of the two source sentences alone has a recall (0–100) above it (eq. 15)."""

MIN_GAIN = 10.0
"""The paper's t2: both together have more than this many points above each alone (eq. 16)."""

BINS = 10

COVERED = 0.5
"""Share of the words that a summary sentence has from a source sentence, which one output sentence must have too."""


@dataclass(frozen=True)
class Pair:
    """Two interdependent source sentences, and the summary sentence that fuses them.

    Attributes:
        document: The text's id.
        sentence: The place of the summary sentence.
        first, second: The places of the source sentences, in document order.
        recall: ROUGE recall (0–100) of the summary sentence by both.
        recall_first, recall_second: By each alone.
        distance: ``(second − first) / sentences of the document``, above 0 and below 1.
        across: Whether they are in two documents of a cluster.
        summary_text, first_text, second_text: The sentences.
    """

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
    """What counts as fusion.

    Attributes:
        rouge: Kind of recall, one of ``source_pairs.ROUGES``.
        min_recall, min_gain: See :data:`MIN_RECALL` and :data:`MIN_GAIN`.
    """

    rouge: str = "rouge1"
    min_recall: float = MIN_RECALL
    min_gain: float = MIN_GAIN


@dataclass(frozen=True)
class LongDistance:
    """The interdependent pairs of a data set.

    Attributes:
        name: The data set's name.
        documents, summary_sentences: Number of each.
        pairs: One for each fusion sentence.
    """

    name: str
    documents: int
    summary_sentences: int
    pairs: tuple[Pair, ...]

    def counts(self, *, across: bool = False, bins: int = BINS) -> list[int]:
        """Number of pairs by distance, in bins of equal width from 0 to 1.

        Args:
            across: Count only pairs over two documents.
            bins: Number of bins.
        """
        inner = edges(bins)[1:-1]
        counts = [0] * bins
        for pair in self.pairs:
            counts[bisect_right(inner, pair.distance)] += pair.across or not across
        return counts

    def shares(self, bins: int = BINS) -> list[float]:
        """The same as shares of all pairs, or zeros."""
        return [count / max(len(self.pairs), 1) for count in self.counts(bins=bins)]


@dataclass(frozen=True)
class Distances:
    """The analysis of one or several data sets.

    Attributes:
        fusion: What counts as fusion.
        data_sets: Each one's pairs.
        covered: The :func:`coverage` of the pairs of a single data set; empty if it was not asked for.
    """

    fusion: Fusion
    data_sets: tuple[LongDistance, ...]
    covered: tuple[str | None, ...] = ()


def edges(bins: int = BINS) -> list[float]:
    """0 … 1 in equal steps."""
    return [place / bins for place in range(bins + 1)]


def random_shares(bins: int = BINS) -> list[float]:
    """The shares of pairs of random sentences: the density of their distance is ``2 (1 − x)``."""
    return [(2 * end - end**2) - (2 * begin - begin**2) for begin, end in pairwise(edges(bins))]


def long_distance(texts: Iterable[Text], fusion: Fusion, name: str = "") -> LongDistance:
    """Find the fusion sentences of documents with summaries; texts without one are skipped.

    Args:
        texts: Documents with summaries.
        fusion: What counts as fusion.
        name: The data set's name.

    Raises:
        PagesumError: No text has a summary.
    """
    documents = sentences = 0
    pairs: list[Pair] = []
    for text in texts:
        if not text.summary or not text.sentences:
            continue
        documents += 1
        sentences += len(text.summary)
        sources = Sources(text.sentences, fusion.rouge)
        pairs += filter(None, (_fused(text, sources, number, fusion) for number in range(len(text.summary))))
    if not documents:
        where = f"{name}: no document" if name else "no document here"
        raise PagesumError(
            f"{where} has a summary, which long-distance compares it with",
            "name a data set with summaries, or one document and its --summary FILE",
        )
    return LongDistance(name, documents, sentences, tuple(pairs))


def _fused(text: Text, sources: Sources, number: int, fusion: Fusion) -> Pair | None:
    """The interdependent pair of a summary sentence, or None if it is no fusion (eq. 12, 15, 16)."""
    best = sources.best_pair(text.summary[number], above=fusion.min_recall)
    if best is None or best.gain <= fusion.min_gain:
        return None
    if min(best.recall_first, best.recall_second) <= fusion.min_recall:
        return None
    return Pair(
        document=text.id,
        sentence=number,
        first=best.first,
        second=best.second,
        recall=best.recall,
        recall_first=best.recall_first,
        recall_second=best.recall_second,
        distance=(best.second - best.first) / len(text.sentences),
        across=bool(text.document_of) and text.document_of[best.first] != text.document_of[best.second],
        summary_text=text.summary[number],
        first_text=text.sentences[best.first],
        second_text=text.sentences[best.second],
    )


def coverage(pairs: Sequence[Pair], outputs: Mapping[str, tuple[str, str]]) -> list[str | None]:
    """Which of its two source sentences a system's output has, for each pair (the paper's Table 9).

    A summary sentence h has from a source sentence s the words (stems, without stop words; clipped counts) that both
    have. An output covers s if one of its sentences has at least the share :data:`COVERED` of these words.

    Args:
        pairs: Interdependent pairs.
        outputs: By document id, the system's output and the reference that it was scored with.

    Returns:
        ``both``, ``first``, ``second`` or ``none``; None for a document without output.

    Raises:
        PagesumError: No pair's document has an output, or the reference is another.
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
                raise PagesumError(
                    f"{pair.document} has another reference in the results than in the data",
                    "give the results of this data set",
                )
            sentences[pair.document] = [Counter(stemmed_words(one)) for one in split_sentences(output)]
        first, second = (
            _covers(sentences[pair.document], pair.summary_text, source)
            for source in (pair.first_text, pair.second_text)
        )
        found.append("both" if first and second else "first" if first else "second" if second else "none")
    if pairs and not any(found):
        raise PagesumError(
            f"no result is of a document with an interdependent pair, such as {pairs[0].document!r}",
            "give the results of this data set",
        )
    return found


def _covers(output: Sequence[Counter[str]], sentence: str, source: str) -> bool:
    """Whether one sentence of an output has the words that a summary sentence has from a source sentence."""
    words = [word for word in plain_words(sentence) if word not in STOP_WORDS]
    part = Counter(stems_of(words)) & Counter(stemmed_words(source))
    return any((one & part).total() >= max(COVERED * part.total(), 1) for one in output)
