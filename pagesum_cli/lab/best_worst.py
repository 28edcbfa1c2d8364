"""Human evaluation by pairwise best-worst scaling (Perez-Beltrachini and Lapata 2021, Table 6).

Annotators read the reference and the summaries of two anonymous systems, and choose the better one by each of four
criteria; the other is the worse one. A system's score is the share of judgements in which it is the best, less the
share in which it is the worst.
"""

import json
import math
import random
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import PagesumError, require_package
from ..evaluation.results import Result
from .annotation import REFERENCE, krippendorff_alpha
from .sheets import PROTOCOLS, clean, codes, csv_text, read_key_file, read_lines, select_documents

CRITERIA = {
    "FactAcc": "Factual accuracy: its statements agree with the reference, and none contradicts it.",
    "Inform": "Informativeness: it has more of the important information in the reference.",
    "Gramm": "Grammaticality: its sentences are complete and well formed.",
    "NonRed": "Non-redundancy: it repeats itself less.",
}
CHOICES = ("A", "B")


@dataclass(frozen=True)
class Item:
    """Two summaries of a document to be compared.

    Attributes:
        code: What annotators know it by.
        document: Id of the document.
        reference: Its reference, with single spaces.
        systems: The names of the systems of A and B.
        texts: Their summaries, with single spaces.
    """

    code: str
    document: str
    reference: str
    systems: tuple[str, str]
    texts: tuple[str, str]


@dataclass(frozen=True)
class PairSheet:
    """What all annotators read, in its order; the key says whose summaries they are.

    Attributes:
        items: The pairs of summaries.
        seed: Of the selection of documents, of the order, and of which summary is A.
        available: Number of documents of which some were selected.
    """

    items: tuple[Item, ...]
    seed: int
    available: int

    @property
    def systems(self) -> list[str]:
        """The systems, by name."""
        return sorted({system for item in self.items for system in item.systems})

    @property
    def documents(self) -> list[str]:
        """The ids of the documents."""
        return sorted({item.document for item in self.items})


def make_pairs(systems: Mapping[str, Sequence[Result]], documents: int, seed: int) -> PairSheet:
    """Select documents at random, and put each two systems' summaries of them in random order under neutral codes.

    Args:
        systems: The results of each system, by its name.
        documents: Number of documents; all of them if there are fewer.
        seed: Seed.

    Raises:
        PagesumError: There are fewer than two systems, or no document of which all have a summary.
    """
    if len(systems) < 2:
        raise PagesumError("best-worst scaling needs two systems, found one", "give --results twice")
    texts = {name: {one.id: clean(one.prediction) for one in results} for name, results in systems.items()}
    references = {one.id: clean(one.reference) for results in systems.values() for one in results}
    rng = random.Random(seed)
    chosen, available = select_documents({**texts, REFERENCE: references}, documents, rng)
    pairs = [(identity, rng.sample(pair, 2)) for identity in chosen for pair in combinations(texts, 2)]
    rng.shuffle(pairs)
    items = [
        Item(code, identity, references[identity], (a, b), (texts[a][identity], texts[b][identity]))
        for code, (identity, (a, b)) in zip(codes(len(pairs)), pairs, strict=True)
    ]
    return PairSheet(tuple(items), seed, available)


def pairs_csv(sheet: PairSheet) -> str:
    """The sheet for a spreadsheet: one line per pair, in which A or B is to be filled in for each criterion."""
    rows = [(item.code, item.reference, *item.texts, *[""] * len(CRITERIA)) for item in sheet.items]
    return csv_text(("code", "reference", *CHOICES, *CRITERIA), rows)


def pairs_key_json(sheet: PairSheet) -> str:
    """The key: which summary is whose."""
    return json.dumps({"schema": 1, "protocol": PROTOCOLS[1], **asdict(sheet)}, ensure_ascii=False, indent=1) + "\n"


def read_pairs_key(path: Path) -> PairSheet:
    """Read a key.

    Raises:
        PagesumError: It cannot be read, or is none.
    """
    return read_key_file(path, _sheet_of)


def _sheet_of(value: Any) -> PairSheet:
    items = []
    for one in value["items"]:
        (first, second), (a, b) = one["systems"], one["texts"]
        items.append(
            Item(
                str(one["code"]),
                str(one["document"]),
                str(one["reference"]),
                (str(first), str(second)),
                (str(a), str(b)),
            )
        )
    if not items:
        raise ValueError("no summaries")
    return PairSheet(tuple(items), int(value["seed"]), int(value["available"]))


@dataclass(frozen=True)
class Judgements:
    """The work of one annotator: by code and criterion, 0 if A is the better summary and 1 if B is."""

    annotator: str
    choices: dict[tuple[str, str], int]


def read_judgements(path: Path, sheet: PairSheet) -> Judgements:
    """Read a filled-in sheet: the CSV file, from a spreadsheet or from the HTML page. Empty cells are no judgements.

    Raises:
        PagesumError: It cannot be read, or a line has an unknown code, one of an earlier line, another text than the
            key, or something else than A or B.
    """
    items = {item.code: item for item in sheet.items}
    choices: dict[tuple[str, str], int] = {}
    seen: set[str] = set()

    def parse(line: Mapping[str, str]) -> None:
        code = line["code"]
        if not any(line.values()):
            return
        if code not in items:
            raise ValueError(f"unknown code {code!r}, expected {sheet.items[0].code} …")
        if code in seen:
            raise ValueError(f"{code} a second time")
        seen.add(code)
        for name, text in zip(CHOICES, items[code].texts, strict=True):
            if line.get(name) and line[name] != text:
                raise ValueError(f"summary {name} is not that of {code} in the key")
        for criterion in CRITERIA:
            if choice := line[criterion].upper():
                if choice not in CHOICES:
                    raise ValueError(f"{criterion} is {line[criterion]!r}, expected A or B")
                choices[code, criterion] = CHOICES.index(choice)

    read_lines(path, ("code", *CRITERIA), parse)
    if not choices:
        raise PagesumError(f"{path}: no pair was judged", "fill in A or B for each criterion")
    return Judgements(str(path), choices)


@dataclass(frozen=True)
class PairTest:
    """The p-value of two systems' difference by a criterion; None where it is not defined."""

    a: str
    b: str
    criterion: str
    p: float | None


@dataclass(frozen=True)
class BestWorstReport:
    """What the annotators preferred.

    Attributes:
        annotators: Their files.
        documents: Number of documents.
        judgements: By criterion, number of judgements.
        unjudged: Number of pairs that some annotator did not judge by all criteria.
        scores: By system and criterion: share of its judgements in which it is the best less the share in which it is
            the worst, in -1 to 1.
        test: ``paired t-test`` of two systems, ``Tukey HSD`` of more; over documents, of a system's mean on each.
        significance: Of each two systems, by criterion.
        anova: By criterion, the p-value of the one-way analysis of variance of more than two systems.
        alphas: By criterion, Krippendorff's α of the annotators' choices. None where it is not defined.
    """

    annotators: tuple[str, ...]
    documents: int
    judgements: dict[str, int]
    unjudged: int
    scores: dict[str, dict[str, float]]
    test: str
    significance: tuple[PairTest, ...]
    anova: dict[str, float | None]
    alphas: dict[str, float | None]

    def to_json(self) -> dict[str, Any]:
        """What ``--format json`` prints."""
        return {"schema": 1, "protocol": PROTOCOLS[1], **asdict(self)}


def best_worst_report(sheet: PairSheet, annotators: Sequence[Judgements]) -> BestWorstReport:
    """Score and compare systems, and measure agreement.

    Raises:
        PagesumError: Nobody judged a system by some criterion, or SciPy is not installed.
    """
    require_package("scipy", "SciPy", "metrics")
    scores: dict[str, dict[str, float]] = {system: {} for system in sheet.systems}
    significance: list[PairTest] = []
    judgements, anova, alphas = {}, {}, {}
    for criterion in CRITERIA:
        units = [[one.choices.get((item.code, criterion)) for one in annotators] for item in sheet.items]
        judgements[criterion] = sum(choice is not None for unit in units for choice in unit)
        alphas[criterion] = krippendorff_alpha(units)  # of two choices, the interval metric is the nominal one
        values = _values(sheet, units)
        for system in sheet.systems:
            own = [value for document in values[system].values() for value in document]
            if not own:
                raise PagesumError(f"{system} was not judged by {criterion}", "give the annotators' complete files")
            scores[system][criterion] = sum(own) / len(own)
        common = [one for one in sheet.documents if all(values[system].get(one) for system in values)]
        means = [[float(np.mean(values[system][one])) for one in common] for system in sheet.systems]
        p_values = _p_values(means)
        if len(means) > 2:
            anova[criterion] = _anova(means)
        places = combinations(range(len(means)), 2)
        significance += [PairTest(sheet.systems[a], sheet.systems[b], criterion, p_values[a, b]) for a, b in places]
    return BestWorstReport(
        tuple(one.annotator for one in annotators),
        len(sheet.documents),
        judgements,
        sum(
            any((item.code, criterion) not in one.choices for one in annotators for criterion in CRITERIA)
            for item in sheet.items
        ),
        scores,
        "Tukey HSD" if len(sheet.systems) > 2 else "paired t-test",
        tuple(significance),
        anova,
        alphas,
    )


def _values(sheet: PairSheet, units: Sequence[Sequence[int | None]]) -> dict[str, dict[str, list[int]]]:
    """By system and document: 1 for each judgement in which it is the best, -1 for the worst."""
    values: dict[str, dict[str, list[int]]] = {system: {} for system in sheet.systems}
    for item, unit in zip(sheet.items, units, strict=True):
        for choice in unit:
            if choice is not None:
                for place, system in enumerate(item.systems):
                    values[system].setdefault(item.document, []).append(1 if place == choice else -1)
    return values


def _p_values(means: Sequence[Sequence[float]]) -> dict[tuple[int, int], float | None]:
    """P-values of each two systems, of their values by document."""
    from scipy import stats

    pairs = list(combinations(range(len(means)), 2))
    if len(means[0]) < 2:
        return dict.fromkeys(pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of values that do not differ: their p-value is NaN or 0
        if len(means) == 2:
            return {pairs[0]: _defined(stats.ttest_rel(*means).pvalue)}
        tested = stats.tukey_hsd(*means).pvalue
    return {(a, b): _defined(tested[a, b]) for a, b in pairs}


def _anova(means: Sequence[Sequence[float]]) -> float | None:
    from scipy import stats

    if len(means[0]) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return _defined(stats.f_oneway(*means).pvalue)


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
