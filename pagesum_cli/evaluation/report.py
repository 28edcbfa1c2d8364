"""Scores of documents → the evaluation that is shown and published."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..version import __version__
from .metrics.base import Score, main_value
from .significance import RESAMPLES, SEED, Comparison, compare, interval

SCHEMA = 1

Published = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Column:
    """The mean of a score over documents, in 0–100.

    Attributes:
        means: ``f``, ``p``, ``r``; or ``value``.
        low: Lower end of the 95 % bootstrap interval of the first of them.
        high: Its upper end.
        n: Number of documents for which the score is defined.
    """

    means: dict[str, float]
    low: float
    high: float
    n: int

    @property
    def main(self) -> float:
        """The value that tables show: F1, or the single number."""
        return main_value(self.means)


@dataclass(frozen=True)
class Row:
    """One system.

    Attributes:
        columns: By the score's name, in the order of the metrics.
        words: The mean length of its predictions.
        empty: Number of empty predictions.
    """

    columns: dict[str, Column]
    words: float
    empty: int


@dataclass(frozen=True)
class Evaluation:
    """The result of ``eval``.

    Attributes:
        data: The data set.
        model: The system that wrote the predictions.
        n: Number of documents.
        signature: Everything that affects the scores.
        system: The system's row.
        baselines: Further rows by name.
        reference_words: The mean length of the references.
        published: Rows of a paper: F1 by system and column.
        command: The command line that gives the same scores.
    """

    data: str
    model: str
    n: int
    signature: str
    system: Row
    baselines: dict[str, Row] = field(default_factory=dict)
    reference_words: float = 0.0
    published: Published = field(default_factory=dict)
    command: str = ""

    def to_json(self) -> dict[str, Any]:
        """One JSON object (``schema`` 1, see docs/eval.md)."""
        return {
            "schema": SCHEMA,
            "data": self.data,
            "model": self.model,
            "n": self.n,
            "signature": self.signature,
            "metrics": _columns_json(self.system, self.n),
            "baselines": {name: _columns_json(row, self.n) for name, row in self.baselines.items()},
            "lengths": {
                "prediction": self.system.words,
                "reference": self.reference_words,
                **{name: row.words for name, row in self.baselines.items()},
            },
            "empty": self.system.empty,
            "command": self.command,
            **({"published": self.published} if self.published else {}),
        }


@dataclass(frozen=True)
class ComparisonReport:
    """Two systems on the same documents."""

    first: str
    second: str
    n: int
    signature: str
    columns: dict[str, Comparison]

    def to_json(self) -> dict[str, Any]:
        """One JSON object."""
        return {
            "schema": SCHEMA,
            "first": self.first,
            "second": self.second,
            "n": self.n,
            "signature": self.signature,
            "metrics": {name: vars(column) for name, column in self.columns.items()},
        }


def row_of(scores: Sequence[dict[str, Score]], predictions: Iterable[str]) -> Row:
    """Compute the means over documents.

    Args:
        scores: By column, of each document.
        predictions: The texts.
    """
    lengths = [len(prediction.split()) for prediction in predictions]
    names = dict.fromkeys(name for one in scores for name in one)
    columns = {}
    for name in names:
        defined = [one[name] for one in scores if name in one]
        means = {key: sum(one[key] for one in defined) / len(defined) for key in defined[0]}
        low, high = interval(list(map(main_value, defined)))
        columns[name] = Column(means, low, high, len(defined))
    return Row(columns, sum(lengths) / len(lengths), lengths.count(0))


def comparison_of(first: Sequence[dict[str, Score]], second: Sequence[dict[str, Score]]) -> dict[str, Comparison]:
    """The differences of two systems, for every score that both have on every document."""
    names = [name for name in first[0] if all(name in one for one in (*first, *second))]
    return {
        name: compare([main_value(one[name]) for one in first], [main_value(one[name]) for one in second])
        for name in names
    }


def full_signature(signatures: Iterable[str], baseline_length: str = "", dtype: str = "") -> str:
    """The metrics' signatures, how scores of documents are aggregated, how long baselines are, the number format."""
    baselines = f"|baseline-words:{baseline_length}" if baseline_length else ""
    computed = f"|dtype:{dtype}" if dtype else ""
    return f"{' + '.join(signatures)} | agg:mean|bs:{RESAMPLES}|seed:{SEED}{baselines}{computed}|pagesum:{__version__}"


def _columns_json(row: Row, n: int) -> dict[str, Any]:
    return {
        name: {**column.means, "low": column.low, "high": column.high, **({"n": column.n} if column.n < n else {})}
        for name, column in row.columns.items()
    }
