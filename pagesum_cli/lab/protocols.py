"""The protocols of human evaluation, as data for :mod:`.annotation`.

Spans of errors of coherence (PageSum's Tables 7 and 8, after Goyal et al. 2022), and pairwise
best-worst scaling (Perez-Beltrachini and Lapata 2021, Table 6).
"""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..errors import require_package
from ..evaluation.report import compare
from ..text.sentences import sentence_spans
from ..text.tables import table


@dataclass(frozen=True)
class Item:
    """What annotators judge at once and know by its code: texts in single spaces, and the reference
    if they read it.
    """

    code: str
    document: str
    systems: tuple[str, ...]
    texts: tuple[str, ...]
    reference: str = ""

    @property
    def sentences(self) -> list[tuple[int, int]]:
        """Start and end of each sentence in the first text."""
        return sentence_spans(self.texts[0])


@dataclass(frozen=True)
class Mark:
    """What an annotator found: a label, and the span of the summary, or the number of the better
    summary.
    """

    label: str
    value: tuple[int, ...]


Means = Sequence[Sequence[float]]  # of each system, its means by document

Comparison = tuple[str, list[float | None], float | None]
"""What was tested; the p-value of each two systems; and that of the analysis of variance."""


@dataclass(frozen=True)
class Protocol:
    """How summaries are judged."""

    labels: Mapping[str, str]  # what is judged, with its meaning for annotators
    # number of summaries of an item; annotators read the reference too if there are two
    summaries: int
    columns: Sequence[str]  # of the sheet; ``needed``: those that a filled-in sheet must have
    needed: Sequence[str]
    rows: Callable[[Item], Iterable[Sequence[str]]]  # lines of the sheet for an item
    # the marks in a line about an item; the last argument is whether there was one about it before.
    # Raises ValueError for what cannot be.
    read: Callable[[Mapping[str, str], Item, bool], frozenset[Mark]]
    # the value that an item's marks give by a label; None if there is none.
    value: Callable[[Iterable[Mark], str], int | None]
    # what a value counts for each of the item's systems
    shares: Callable[[float], tuple[float, ...]]
    # a system's score by a label, of the values by document
    score: Callable[[Sequence[Sequence[float]]], float]
    has_total: bool  # whether values are added up over labels
    compare: Callable[[Means], Comparison]  # tests the differences of systems
    # heading, digits, unit, note: how the table of scores is labelled, rounded and explained
    heading: str
    digits: int
    unit: str
    note: str


_DATA = table(__file__, "protocols.toml")
ERRORS: dict[str, str] = _DATA["errors"]["labels"]
CRITERIA: dict[str, str] = _DATA["best-worst"]["labels"]
CHOICES = ("A", "B")


def _sentence_rows(item: Item) -> Iterable[Sequence[str]]:
    """A line for each sentence. One with several errors gets a copy of its line for each."""
    for number, (start, end) in enumerate(item.sentences, start=1):
        yield item.code, str(number), item.texts[0][start:end], "", ""


def _read_error(row: Mapping[str, str], item: Item, again: bool) -> frozenset[Mark]:
    """The error in a line, if there is one: of the span in it, or else of the sentence, or else of
    the summary.
    """
    text, spans = item.texts[0], item.sentences
    start, end = 0, len(text)
    if row["sentence"]:
        number = int(row["sentence"]) if row["sentence"].isdecimal() else 0
        if not 1 <= number <= len(spans):
            raise ValueError(f"sentence {row['sentence']!r}, but {item.code} has {len(spans)}")
        start, end = spans[number - 1]
    if row["text"] and row["text"] != text[start:end].strip():
        raise ValueError(f"the text is not that of {item.code} in the key")
    if not row["error"]:
        if row["span"]:
            raise ValueError(f"a span without an error, expected one of {', '.join(ERRORS)}")
        return frozenset()
    label = next((name for name in ERRORS if name.lower() == row["error"].lower()), None)
    if label is None:
        raise ValueError(f"unknown error {row['error']!r}, expected one of {', '.join(ERRORS)}")
    if row["start"] or row["end"]:
        start, end = (int(row[name]) if row[name].isdecimal() else -1 for name in ("start", "end"))
        if not 0 <= start < end <= len(text) or row["span"] not in ("", text[start:end].strip()):
            raise ValueError(f"span {row['start']}–{row['end']} is not in the text of {item.code}")
    elif span := " ".join(row["span"].split()):
        start = text.find(span, start, end)
        if start < 0:
            raise ValueError(f"the span {span[:40]!r} is not in the text of {item.code}")
        end = start + len(span)
    return frozenset([Mark(label, (start, end))])


def _randomization(means: Means) -> Comparison:
    pairs = combinations(means, 2)
    p_values = [
        compare(first, second).p_randomization if first else None for first, second in pairs
    ]
    return "paired approximate randomization over documents (two-sided, seed 12345)", p_values, None


def _read_choices(row: Mapping[str, str], item: Item, again: bool) -> frozenset[Mark]:
    """The better summary by each criterion: 0 for A, 1 for B. Empty cells are no judgements."""
    if again:
        raise ValueError(f"{item.code} a second time")
    for name, text in zip(CHOICES, item.texts, strict=True):
        if row[name] and row[name] != text:
            raise ValueError(f"summary {name} is not that of {item.code} in the key")
    chosen = {criterion: row[criterion].upper() for criterion in CRITERIA if row[criterion]}
    for criterion, choice in chosen.items():
        if choice not in CHOICES:
            raise ValueError(f"{criterion} is {row[criterion]!r}, expected A or B")
    return frozenset(
        Mark(criterion, (CHOICES.index(choice),)) for criterion, choice in chosen.items()
    )


def _tests_of_means(means: Means) -> Comparison:
    """The paired t-test of two systems; Tukey's test and the analysis of variance of more."""
    require_package("scipy", "SciPy", "metrics")
    from scipy import stats

    test = "Tukey HSD" if len(means) > 2 else "paired t-test"
    pairs = list(combinations(range(len(means)), 2))
    if len(means[0]) < 2:
        return test, [None] * len(pairs), None
    with warnings.catch_warnings():
        # of values that do not differ: their p-value is NaN or 0
        warnings.simplefilter("ignore", RuntimeWarning)
        if len(means) == 2:
            return test, [_defined(stats.ttest_rel(*means).pvalue)], None
        tested = stats.tukey_hsd(*means).pvalue
        return (
            test,
            [_defined(tested[pair]) for pair in pairs],
            _defined(stats.f_oneway(*means).pvalue),
        )


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


PROTOCOLS = {
    "errors": Protocol(
        **_DATA["errors"],
        rows=_sentence_rows,
        read=_read_error,
        value=lambda marks, label: sum(mark.label == label for mark in marks),
        shares=lambda count: (count,),
        score=lambda documents: float(sum(map(np.mean, documents))),
        compare=_randomization,
    ),
    "best-worst": Protocol(
        **_DATA["best-worst"],
        rows=lambda item: [(item.code, item.reference, *item.texts, *[""] * len(CRITERIA))],
        read=_read_choices,
        value=lambda marks, label: next(
            (mark.value[0] for mark in marks if mark.label == label), None
        ),
        shares=lambda better: (-1, 1) if better else (1, -1),
        score=lambda documents: float(np.mean(np.concatenate(documents))),
        compare=_tests_of_means,
    ),
}
