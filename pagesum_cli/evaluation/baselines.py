"""What one gets without a model, so that a number means something."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ..documents.records import Record
from ..documents.sentences import sentences_of
from ..errors import UsageError
from .extras import needs_extra
from .pair import Metric, Pair
from .readers import source_texts
from .registry import BASELINES
from .repetition import ngrams, plain_words
from .report import Row, row_of
from .rouge import StemmingTokenizer
from .scoring import WORTH_A_POOL, process_pool, score_pairs

SEED = 12345
Place = tuple[int, int]
"""A sentence: the number of the document and of the sentence in it."""

ORACLE_SENTENCES = 60
"""An oracle of more sentences than any reference has gains nothing and costs time."""


def baseline(name: str, records: Sequence[Record]) -> Callable[[Record], str]:
    """A function that writes a baseline's summary of a record.

    All but the oracle choose whole sentences until they have as many words as the references have on average: the
    sentence that crosses that length is taken where that comes nearer to it. Chosen sentences stand in document order.

    Args:
        name: ``lead``: the first sentences (of a cluster, the first of each document, then the second of each …);
            ``random``: sentences drawn with a seed of the record's id; ``oracle``: sentences added greedily while they
            raise ROUGE-1 + ROUGE-2 F1 against the reference, an upper bound of extraction; ``lexrank``, ``textrank``:
            by the sumy library (extra ``metrics``).
        records: give the average length.

    Raises:
        UsageError: no baseline of that name.
        PagesumError: the extra is not installed.
    """
    if name not in BASELINES:
        raise UsageError(f"no baseline {name!r}", f"there are {', '.join(BASELINES)}")
    if name == "oracle":
        return oracle
    if name in ("lexrank", "textrank"):
        needs_extra("sumy", "sumy", "metrics")
    words = round(sum(len(record.summary.split()) for record in records) / len(records))
    return partial({"lead": lead, "random": drawn, "lexrank": lexrank, "textrank": textrank}[name], words=words)


def lead(record: Record, words: int) -> str:
    """The first sentences of the document; of a cluster, of each document in turn."""
    sentences = _sentences(record)
    return _text(sentences, _fill(sentences, _in_turn(sentences), words))


def drawn(record: Record, words: int) -> str:
    """Sentences drawn at random, the same for the same id."""
    sentences = _sentences(record)
    places = list(_in_turn(sentences))
    random.Random(f"{SEED}/{record.id}").shuffle(places)
    return _text(sentences, _fill(sentences, places, words))


def lexrank(record: Record, words: int) -> str:
    """The sentences most central by LexRank (Erkan and Radev 2004)."""
    from sumy.summarizers.lex_rank import LexRankSummarizer

    return _ranked(record, words, LexRankSummarizer)


def textrank(record: Record, words: int) -> str:
    """The sentences most central by TextRank (Mihalcea and Tarau 2004)."""
    from sumy.summarizers.text_rank import TextRankSummarizer

    return _ranked(record, words, TextRankSummarizer)


def oracle(record: Record) -> str:
    """The sentences that, added one by one, raise ROUGE-1 + ROUGE-2 F1 most, until none raises it any more."""
    tokenizer = StemmingTokenizer()
    reference = Grams(tokenizer.tokenize(record.summary))
    sentences = _sentences(record)
    places = sorted(_in_turn(sentences))
    candidates = [Grams(tokenizer.tokenize(sentences[document][place])) for document, place in places]
    chosen: list[int] = []
    have = Grams([])
    best = 0.0
    while len(chosen) < ORACLE_SENTENCES:
        free = [index for index in range(len(candidates)) if index not in chosen]
        scores = {index: have.f1_with(candidates[index], reference) for index in free}
        index = max(free, key=scores.__getitem__, default=-1)
        if index < 0 or scores[index] <= best:
            break
        best = scores[index]
        have.add(candidates[index], reference)
        chosen.append(index)
    return _text(sentences, [places[index] for index in chosen])


class Grams:
    """Counts of single tokens and pairs of tokens, and how many of them a reference shares."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.counts = Counter([*ngrams(tokens, 1), *ngrams(tokens, 2)])
        self.sizes = [len(tokens), max(len(tokens) - 1, 0)]
        self.shared = [0, 0]

    def f1_with(self, other: "Grams", reference: "Grams") -> float:
        """ROUGE-1 F1 + ROUGE-2 F1 of the two together."""
        shared = self._shared_with(other, reference)
        return sum(2 * shared[n] / max(self.sizes[n] + other.sizes[n] + reference.sizes[n], 1) for n in (0, 1))

    def add(self, other: "Grams", reference: "Grams") -> None:
        """Take the other's grams in."""
        self.shared = self._shared_with(other, reference)
        self.counts += other.counts
        self.sizes = [self.sizes[n] + other.sizes[n] for n in (0, 1)]

    def _shared_with(self, other: "Grams", reference: "Grams") -> list[int]:
        shared = list(self.shared)
        for gram, count in other.counts.items():
            if wanted := reference.counts[gram] - self.counts[gram]:
                shared[len(gram) - 1] += max(min(wanted, count), 0)
        return shared


def _sentences(record: Record) -> list[list[str]]:
    """The sentences of each document, headings left out."""
    return [
        [sentence.text for section in document.sections for sentence in sentences_of(section)]
        for document in record.documents
    ]


def _in_turn(sentences: Sequence[Sequence[str]]) -> Iterator[Place]:
    """The first of each document, the second of each …"""
    for place in range(max(map(len, sentences))):
        for document, found in enumerate(sentences):
            if place < len(found):
                yield document, place


def _fill(sentences: Sequence[Sequence[str]], places: Iterable[Place], words: int) -> list[Place]:
    """The first places that have about so many words together."""
    chosen: list[Place] = []
    length = 0
    for document, place in places:
        more = len(sentences[document][place].split())
        if chosen and length + more - words > words - length:
            break
        chosen.append((document, place))
        length += more
        if length >= words:
            break
    return chosen


def _text(sentences: Sequence[Sequence[str]], chosen: Iterable[Place]) -> str:
    return " ".join(sentences[document][place] for document, place in sorted(chosen))


def _ranked(record: Record, words: int, summarizer: type) -> str:
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence

    sentences = _sentences(record)
    places = {}
    for document, found in enumerate(sentences):
        for place, text in enumerate(found):
            places.setdefault(Sentence(text, _Words), (document, place))  # sumy takes equal sentences for one
    ranking: list[Any] = []

    def by_rank(rated: Sequence[Any]) -> Sequence[Any]:
        ranking.extend(info.sentence for info in rated)
        return rated

    summarizer()(ObjectDocumentModel([Paragraph(list(places))]), by_rank)
    # These rank by length too: a list or table taken for one sentence must not be the whole summary.
    ranked = (places[sentence] for sentence in ranking)
    fitting = [(document, place) for document, place in ranked if len(sentences[document][place].split()) <= words]
    return _text(sentences, _fill(sentences, fitting, words))


class _Words:
    """Splits for sumy, whose own tokenizer needs a download."""

    to_words = staticmethod(plain_words)


def baseline_row(name: str, records: Sequence[Record], metrics: Sequence[Metric], processes: int) -> Row:
    """The scores of a baseline, its summaries written and scored by several processes."""
    write = baseline(name, records)
    if processes == 1 or len(records) < WORTH_A_POOL:
        texts = [write(record) for record in records]
    else:
        with process_pool(processes) as pool:
            texts = list(pool.map(write, records, chunksize=max(1, min(8, len(records) // (4 * processes)))))
    pairs = [
        Pair(record.id, text, record.summary, source_texts(record)) for record, text in zip(records, texts, strict=True)
    ]
    return row_of(score_pairs(pairs, metrics, processes), texts)
