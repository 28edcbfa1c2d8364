"""Scores of documents → the evaluation that is shown and published."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from statistics import stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..version import __version__
from .efficiency import Bucket
from .metrics.base import COUNTS, Score, main_value

SEED = 12345
RESAMPLES = 1000
LEVEL = 0.95

Floats = NDArray[np.float64]


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean, over documents: two percentiles of the means of
    resamples.
    """
    _, low, high = _bootstrap(np.asarray(scores, float), SEED, RESAMPLES)
    return low, high


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same documents; differences are second minus first, in points.

    ``low`` and ``high`` are the ends of the difference's 95 % interval. The p-values are two-sided:
    of the paired bootstrap, the differences shifted to a mean of 0; and of approximate
    randomization, which exchanges the systems of each document with probability ½.
    """

    first: float
    second: float
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomization: float
    wins: int
    ties: int
    losses: int

    @property
    def p(self) -> float:
        return max(self.p_bootstrap, self.p_randomization)


def compare(
    first: Sequence[float], second: Sequence[float], seed: int = SEED, resamples: int = RESAMPLES
) -> Comparison:
    """Paired tests (Koehn 2004; Riezler and Maxwell 2005) of two systems' scores, document by
    document.

    P-values are ``(c + 1) / (n + 1)`` for c of n resamples at least as extreme, so that none is 0.
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    differences = b - a
    observed = differences.mean()
    means, low, high = _bootstrap(differences, seed, resamples)
    # The last digit of a sum depends on its order: equally extreme must count as such.
    extreme = abs(observed) - 1e-12
    rng = np.random.default_rng(seed)
    flipped = np.array(
        [(differences * rng.choice((-1.0, 1.0), len(differences))).mean() for _ in range(resamples)]
    )
    return Comparison(
        first=float(a.mean()),
        second=float(b.mean()),
        difference=float(observed),
        low=low,
        high=high,
        p_bootstrap=_p_value(np.abs(means - observed) >= extreme),
        p_randomization=_p_value(np.abs(flipped) >= extreme),
        wins=int((differences > 1e-9).sum()),
        ties=int((np.abs(differences) <= 1e-9).sum()),
        losses=int((differences < -1e-9).sum()),
    )


def _bootstrap(
    scores: Floats, seed: int, resamples: int, at_a_time: int = 50
) -> tuple[Floats, float, float]:
    """The means of resamples, and their percentiles."""
    rng = np.random.default_rng(seed)
    sizes = [min(at_a_time, resamples - done) for done in range(0, resamples, at_a_time)]
    means = np.concatenate(
        [scores[rng.integers(0, len(scores), (size, len(scores)))].mean(axis=1) for size in sizes]
    )
    low, high = np.percentile(means, [50 * (1 - LEVEL), 100 - 50 * (1 - LEVEL)])
    return means, float(low), float(high)


def _p_value(extreme: NDArray[np.bool_]) -> float:
    return float((extreme.sum() + 1) / (len(extreme) + 1))


SCHEMA = 1
TEST = ("p", "p_bootstrap", "p_randomization", "difference", "low", "high")


@dataclass(frozen=True)
class Column:
    """The mean of a score over documents, in 0–100."""

    means: dict[str, float]
    low: float
    high: float
    n: int

    @property
    def main(self) -> float:
        return main_value(self.means)


@dataclass(frozen=True)
class Row:
    """One system."""

    columns: dict[str, Column]
    words: float
    empty: int
    cut_documents: int = 0
    cut_tokens: int = 0
    uses_reference: bool = False

    def to_json(self, n: int) -> dict[str, Any]:
        """The columns by name, with the number of documents where it is not ``n``."""
        return {
            name: {
                **column.means,
                "low": column.low,
                "high": column.high,
                **({"n": column.n} if column.n < n else {}),
            }
            for name, column in self.columns.items()
        }


@dataclass(frozen=True)
class Significance:
    """Two systems' difference in one score, on the documents for which both have it."""

    a: str
    b: str
    metric: str
    comparison: Comparison
    n: int
    # the p-value corrected by Holm (1979) for all pairs of systems compared in this score
    p_holm: float

    def to_json(self, n: int) -> dict[str, Any]:
        """The test, with the number of documents where it is not ``n``."""
        test = {name: getattr(self.comparison, name) for name in TEST}
        named = {"a": self.a, "b": self.b, "metric": self.metric}
        return {**named, **test, "p_holm": self.p_holm, **({"n": self.n} if self.n < n else {})}


@dataclass(frozen=True)
class PublishedRow:
    """A system's scores (F1 or value by column, 0–100) in a table of a paper; see
    ``published.toml``.
    """

    table: str
    system: str
    scores: dict[str, float]
    # max_input, page_tokens: tokens of its input and per page, if printed
    max_input: int | None = None
    page_tokens: int | None = None
    marks: tuple[str, ...] = ()  # ``reported``, ``ddagger``, ``dagger``, ``star`` or ``oracle``
    # better_than, p: the system that a dagger compares with, and the limit of its p-value
    better_than: str = ""
    p: float | None = None
    paper: str = "pagesum"
    note: str = ""  # what is odd about it


@dataclass(frozen=True)
class Evaluation:
    """The result of ``eval``."""

    data: str
    model: str
    n: int
    signature: str  # everything that affects the scores
    # the row of ``model``, which wrote the predictions; of others by name, ``baselines`` and
    # ``systems``
    system: Row
    baselines: dict[str, Row] = field(default_factory=dict)
    systems: dict[str, Row] = field(default_factory=dict)
    significance: Sequence[Significance] = ()  # of the difference of each two systems in each score
    reference_words: float = 0.0
    published: Sequence[PublishedRow] = ()
    command: str = ""  # the command line that gives the same scores
    left_out: int = 0  # records that cannot be used or have no reference
    # by system, where asked for
    efficiency: dict[str, Sequence[Bucket]] = field(default_factory=dict)
    # the systems that could not be reached, with the reason
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> dict[str, Row]:
        return {self.model: self.system, **self.systems, **self.baselines}

    def to_json(self) -> dict[str, Any]:
        """One JSON object (``schema`` 1, see docs/eval.md)."""
        others = {**self.systems, **self.baselines}
        efficiency = {name: list(map(asdict, own)) for name, own in self.efficiency.items()}
        words = {"prediction": self.system.words, "reference": self.reference_words}
        return {
            "schema": SCHEMA,
            "data": self.data,
            "model": self.model,
            "n": self.n,
            "left_out": self.left_out,
            "signature": self.signature,
            "metrics": self.system.to_json(self.n),
            "baselines": {name: row.to_json(self.n) for name, row in self.baselines.items()},
            "systems": {name: row.to_json(self.n) for name, row in self.systems.items()},
            "significance": [test.to_json(self.n) for test in self.significance],
            "lengths": words | {name: row.words for name, row in others.items()},
            "cut": {
                name: {"documents": row.cut_documents, "tokens": row.cut_tokens}
                for name, row in self.systems.items()
            },
            "uses_reference": [name for name, row in self.rows.items() if row.uses_reference],
            "empty": self.system.empty,
            "command": self.command,
            **({"missing": dict(self.missing)} if self.missing else {}),
            **({"efficiency": efficiency} if efficiency else {}),
            **({"published": [asdict(row) for row in self.published]} if self.published else {}),
        }


@dataclass(frozen=True)
class ComparisonReport:
    first: str
    second: str
    n: int
    signature: str
    columns: dict[str, Comparison]
    # The standard deviation of each score over the runs of the first and the second system; empty
    # for a single run
    spread: tuple[Mapping[str, float], Mapping[str, float]] = ({}, {})

    def to_json(self) -> dict[str, Any]:
        own = {
            name: value for name, value in vars(self).items() if name not in ("columns", "spread")
        }
        spread = {"spread": self.spread} if any(self.spread) else {}
        metrics = {name: vars(column) for name, column in self.columns.items()}
        return {"schema": SCHEMA, **own, **spread, "metrics": metrics}


def row_of(scores: Sequence[dict[str, Score]], predictions: Iterable[str]) -> Row:
    """Compute the means over documents."""
    lengths = [len(prediction.split()) for prediction in predictions]
    names = dict.fromkeys(name for one in scores for name in one)
    columns = {}
    for name in names:
        defined = [one[name] for one in scores if name in one]
        sums = {key: sum(one[key] for one in defined) for key in defined[0]}
        means = {
            key: number if key in COUNTS else number / len(defined) for key, number in sums.items()
        }
        low, high = interval(list(map(main_value, defined)))
        columns[name] = Column(means, low, high, len(defined))
    return Row(columns, sum(lengths) / len(lengths), lengths.count(0))


def mean_scores(runs: Sequence[dict[str, Score]]) -> dict[str, Score]:
    """The means of the scores that a document has in all runs."""
    names = [name for name in runs[0] if all(name in run for run in runs)]
    return {
        name: {key: sum(run[name][key] for run in runs) / len(runs) for key in runs[0][name]}
        for name in names
    }


def spread_of(runs: Sequence[Sequence[dict[str, Score]]]) -> dict[str, float]:
    """The standard deviation of the mean of each score over runs; empty for a single one."""
    if len(runs) < 2:
        return {}
    rows = [row_of(scores, [""]).columns for scores in runs]
    names = [name for name in rows[0] if all(name in row for row in rows)]
    return {name: stdev(row[name].main for row in rows) for name in names}


def significance_of(
    scores: Mapping[str, Sequence[dict[str, Score]]], resamples: int = RESAMPLES
) -> list[Significance]:
    """Test the difference of each two systems in each score, on the documents for which both have
    it.
    """
    tests = []
    for a, b in combinations(scores, 2):
        pairs = list(zip(scores[a], scores[b], strict=True))
        for metric in dict.fromkeys(name for one, _ in pairs for name in one):
            both = [
                (main_value(x[metric]), main_value(y[metric]))
                for x, y in pairs
                if metric in x and metric in y
            ]
            if both:
                first, second = zip(*both, strict=True)
                found = compare(first, second, resamples=resamples)
                tests.append(Significance(a, b, metric, found, len(both), found.p))
    return [
        replace(one, p_holm=_holm(one, [other for other in tests if other.metric == one.metric]))
        for one in tests
    ]


def _holm(test: Significance, family: Sequence[Significance]) -> float:
    """The largest of the p-values up to a test's own, each times the number of those that are not
    smaller.
    """
    p_values = [one.comparison.p for one in family]
    up_to = (p * sum(other >= p for other in p_values) for p in p_values if p <= test.comparison.p)
    return min(1.0, max(up_to))


def full_signature(
    signatures: Iterable[str],
    baseline_length: str = "",
    dtype: str = "",
    resamples: int = RESAMPLES,
) -> str:
    """The metrics' signatures, how scores of documents are aggregated, how long baselines are, the
    number format.
    """
    baselines = f"|baseline-words:{baseline_length}" if baseline_length else ""
    computed = f"|dtype:{dtype}" if dtype else ""
    tests = f"|tests:{resamples}" if resamples != RESAMPLES else ""
    run = f"agg:mean|bs:{RESAMPLES}{tests}|seed:{SEED}{baselines}{computed}"
    return f"{' + '.join(signatures)} | {run}|pagesum:{__version__}"
