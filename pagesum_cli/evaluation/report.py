"""Scores of documents → the evaluation that is shown and published."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..version import __version__
from .pair import Score
from .significance import RESAMPLES, SEED, Comparison, compare, interval

SCHEMA = 1


@dataclass(frozen=True)
class Column:
    """The mean of a score over documents, in 0–100.

    Attributes:
        means: ``f``, ``p``, ``r``; or ``value``.
        low: lower end of the 95 % bootstrap interval of the first of them.
        high: its upper end.
        n: documents for which the score has a meaning.
    """

    means: dict[str, float]
    low: float
    high: float
    n: int

    @property
    def main(self) -> float:
        """What a table shows: F1, or the value."""
        return self.means["f"] if "f" in self.means else self.means["value"]


@dataclass(frozen=True)
class Row:
    """One system.

    Attributes:
        columns: by the score's name, in the order of the metrics.
        words: the mean length of its predictions.
        empty: how many of them are empty.
    """

    columns: dict[str, Column]
    words: float
    empty: int


@dataclass(frozen=True)
class Evaluation:
    """What ``eval`` found.

    Attributes:
        data: what was scored on.
        model: what wrote the predictions.
        n: documents.
        signature: everything that moves the scores.
        system: the model's row.
        baselines: further rows by name.
        reference_words: the mean length of the references.
        command: the line that gives these figures again.
    """

    data: str
    model: str
    n: int
    signature: str
    system: Row
    baselines: dict[str, Row] = field(default_factory=dict)
    reference_words: float = 0.0
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
    """The means over documents.

    Args:
        scores: by column, of each document.
        predictions: their texts.
    """
    lengths = [len(prediction.split()) for prediction in predictions]
    names = dict.fromkeys(name for one in scores for name in one)
    columns = {}
    for name in names:
        told = [one[name] for one in scores if name in one]
        means = {key: sum(one[key] for one in told) / len(told) for key in told[0]}
        low, high = interval([one["f" if "f" in one else "value"] for one in told])
        columns[name] = Column(means, low, high, len(told))
    return Row(columns, sum(lengths) / len(lengths), lengths.count(0))


def comparison_of(first: Sequence[dict[str, Score]], second: Sequence[dict[str, Score]]) -> dict[str, Comparison]:
    """The differences of two systems, of every score that both have on every document."""
    names = [name for name in first[0] if all(name in one for one in (*first, *second))]
    return {name: compare([_main(one[name]) for one in first], [_main(one[name]) for one in second]) for name in names}


def full_signature(signatures: Iterable[str]) -> str:
    """The metrics' signatures, and how documents are put together."""
    return f"{' + '.join(signatures)} | agg:mean|bs:{RESAMPLES}|seed:{SEED}|pagesum:{__version__}"


def _main(score: Score) -> float:
    return score["f"] if "f" in score else score["value"]


def _columns_json(row: Row, n: int) -> dict[str, Any]:
    return {
        name: {**column.means, "low": column.low, "high": column.high, **({"n": column.n} if column.n < n else {})}
        for name, column in row.columns.items()
    }
