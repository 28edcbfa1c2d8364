"""Summaries without a model, which put a score into perspective."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ..datasets.record import Record
from ..documents.sentences import sentences_of
from ..errors import UsageError, require_package
from ..text.greedy import greedy_map, greedy_oracle
from ..text.sentences import sentence_spans
from ..text.tfidf import TfIdf, centrality
from ..text.words import plain_words, stemmed_words, words_of
from .metrics.base import Metric, Pair, punkt_sentences
from .report import Row, row_of
from .results import Result
from .scoring import mapped, score_pairs

SEED = 12345
LENGTHS = ("system", "reference", "average")
"""Rules for the number of words of a baseline's summary, see :func:`lengths_of`; a number is one
too.
"""

ORACLE_SENTENCES = 60  # more sentences than any reference has gain nothing and cost time


@dataclass(frozen=True)
class Sentences:
    """The sentences of a record's documents, headings left out, in document order."""

    record: Record
    texts: list[str]
    in_turn: list[int]
    words: int


def lead(sentences: Sentences) -> Iterable[int]:
    """The first sentences of the document; of a cluster, the first of each document, then the
    second of each …
    """
    return sentences.in_turn


def at_random(sentences: Sentences) -> Iterable[int]:
    """Random sentences, the same for the same id."""
    order = list(sentences.in_turn)
    random.Random(f"{SEED}/{sentences.record.id}").shuffle(order)
    return order


def oracle(sentences: Sentences) -> Iterable[int]:
    """Sentences added greedily while they raise ROUGE-1 + ROUGE-2 F1 against the reference: a bound
    of extraction.
    """
    stems = [stemmed_words(text) for text in sentences.texts]
    return greedy_oracle(stems, stemmed_words(sentences.record.summary), limit=ORACLE_SENTENCES)


def nearest_oracle(sentences: Sentences) -> Iterable[int]:
    """For each sentence of the reference, the sentence with the highest ROUGE-1 + ROUGE-2 F1, in
    document order.

    The extractive oracle of SummScreen (Chen et al. 2022), which Pang et al. (2022) report too;
    which ROUGE is not stated there. A sentence that is nearest to several is there once; one
    without a word in common is not.
    """
    record, stems = sentences.record, [stemmed_words(text) for text in sentences.texts]
    spans = () if record.summary_sentences else sentence_spans(record.summary)
    references = record.summary_sentences or [record.summary[start:end] for start, end in spans]
    nearest = (greedy_oracle(stems, stemmed_words(reference), limit=1) for reference in references)
    return {index for chosen in nearest for index in chosen}


def ranked(module: str, summarizer: str, sentences: Sentences) -> Iterable[int]:
    """The most central sentences by a class of a module of the sumy library."""
    from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence

    numbers: dict[Any, int] = {}
    for number, text in enumerate(sentences.texts):
        numbers.setdefault(Sentence(text, _Words), number)  # equal sentences are one for sumy
    ranking: list[int] = []

    def by_rank(rated: Sequence[Any]) -> Sequence[Any]:
        ranking.extend(numbers[info.sentence] for info in rated)
        return rated

    rank = getattr(import_module(f"sumy.summarizers.{module}"), summarizer)()
    rank(ObjectDocumentModel([Paragraph(list(numbers))]), by_rank)
    # These rank by length too: a list or table read as one sentence must not be the whole summary.
    sizes = {number: len(sentences.texts[number].split()) for number in numbers.values()}
    limit = max(sentences.words, min(sizes.values(), default=0))
    return [number for number in ranking if sizes[number] <= limit]


class _Words:
    """Splits words for sumy, whose own tokenizer needs a download."""

    to_words = staticmethod(plain_words)


def diverse(sentences: Sentences) -> Iterable[int]:
    """Central sentences that differ, by greedy MAP of a determinantal point process over TF-IDF
    vectors.
    """
    texts, words = sentences.texts, sentences.words
    sizes = np.array([len(text.split()) for text in texts])
    # Words that all sentences share have no weight. A list or table read as one must not be the
    # whole summary.
    qualities = np.where(sizes <= max(words, sizes.min()), np.maximum(centrality(texts), 1e-3), 0.0)
    return greedy_map(qualities, TfIdf.of([words_of(text) for text in texts]).similarities)


class Baseline(NamedTuple):
    """A way to select sentences."""

    # the numbers of sentences, the best first. The first ones that have about as many words as a
    # summary may have are the summary; all of them, if they are chosen for the reference.
    rank: Callable[[Sentences], Iterable[int]]
    # the imported module and the name of a library of the extra ``metrics`` that it needs
    package: tuple[str, str] | None = None
    uses_reference: bool = False  # whether it looks at the reference: a bound, and not a system


BASELINES = {
    "lead": Baseline(lead),
    "random": Baseline(at_random),
    "oracle": Baseline(oracle, uses_reference=True),
    "oracle-nearest": Baseline(nearest_oracle, uses_reference=True),
    # Erkan and Radev 2004; Mihalcea and Tarau 2004
    "lexrank": Baseline(partial(ranked, "lex_rank", "LexRankSummarizer"), ("sumy", "sumy")),
    "textrank": Baseline(partial(ranked, "text_rank", "TextRankSummarizer"), ("sumy", "sumy")),
    "map": Baseline(diverse),
}


def summary_of(name: str, record: Record, words: int) -> str:
    own = [
        [sentence.text for section in document.sections for sentence in sentences_of(section)]
        for document in record.documents
    ]
    texts = [text for document in own for text in document]
    numbers = [number for document in own for number in range(len(document))]
    in_turn = sorted(range(len(texts)), key=numbers.__getitem__)
    baseline = BASELINES[name]
    chosen: list[int] = []
    length = 0
    for index in baseline.rank(Sentences(record, texts, in_turn, words)):
        more = 0 if baseline.uses_reference else len(texts[index].split())
        if chosen and length + more - words > words - length:
            break
        chosen.append(index)
        length += more
        if length >= words and not baseline.uses_reference:
            break
    return " ".join(texts[index] for index in sorted(chosen))


def check_baselines(names: Iterable[str]) -> None:
    for name in names:
        if name not in BASELINES:
            raise UsageError(f"no baseline {name!r}", f"choose from {', '.join(BASELINES)}")
        if package := BASELINES[name].package:
            require_package(*package, "metrics")


def check_length(rule: str) -> None:
    if rule not in LENGTHS and not (rule.isdecimal() and int(rule)):
        message = f"--baseline-length {rule!r}: expected {', '.join(LENGTHS)} or a number of words"
        raise UsageError(message, f"for example --baseline-length {LENGTHS[0]}")


def lengths_of(rule: str, predictions: Sequence[str], records: Sequence[Record]) -> list[int]:
    """The number of words that a baseline may write about each record.

    The rule is ``system``: as many as the scored system wrote about it; ``reference``: as many as
    its reference has; ``average``: as many as the references have on average; or the number itself.
    """
    if rule == "system":
        return [len(prediction.split()) for prediction in predictions]
    references = [len(record.summary.split()) for record in records]
    if rule == "reference":
        return references
    words = round(sum(references) / len(references)) if rule == "average" else int(rule)
    return [words] * len(records)


def baseline_row(
    name: str,
    records: Sequence[Record],
    lengths: Sequence[int],
    metrics: Sequence[Metric],
    processes: int,
) -> Row:
    """The scores of a baseline, its summaries written and scored by several processes."""
    texts = list(mapped(partial(summary_of, name), processes, records, lengths))
    pairs = [
        Pair(
            record.id,
            text,
            record.summary,
            record.texts,
            reference_sentences=record.summary_sentences,
        )
        for record, text in zip(records, texts, strict=True)
    ]
    row = row_of(score_pairs(pairs, metrics, processes), texts)
    return replace(row, uses_reference=BASELINES[name].uses_reference)


def reference_rows(metrics: Iterable[Metric], results: Sequence[Result]) -> dict[str, Row]:
    """The coherence of the references, and of their sentences in random order (the paper's Table
    3).
    """
    rows = {}
    for metric in metrics:
        if metric.name == "coherence":
            from .metrics.classifiers import Coherence, shuffled

            assert isinstance(metric, Coherence)
            sentences = [punkt_sentences(one.reference) for one in results]
            mixed = [shuffled(own, one.id) for own, one in zip(sentences, results, strict=True)]
            for name, texts in (("reference", sentences), ("reference-random", mixed)):
                scores = [metric.of_sentences(own) for own in texts]
                rows[name] = row_of(scores, map(" ".join, texts))
    return rows
