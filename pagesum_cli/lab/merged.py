"""What the commands of an item made, as one table: the paper's rows, ours, means, and what is
missing.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import mean
from typing import Any

from ..datasets.named import DATA_SETS
from ..evaluation.evaluate import COMPARISON, EVALUATION
from ..evaluation.metrics.base import main_value
from .published import PAPERS, data_set_of, published_rows
from .reproduce import Item, Step

SCHEMA = 1
PUBLISHED, OURS, MEAN = "published", "ours", "mean"
ORACLE = "oracle"  # the mark of rows that use the reference
# data sets that the paper has no rows of, but means over them
_PARTS = [name for name in DATA_SETS if data_set_of(name) == "wikicatsum"]
_PERCENT = ("high_spans", "diversity")  # of an analysis of attention, in 0–1


@dataclass(frozen=True)
class MergedRow:
    """A system's scores on a data set."""

    data: str  # the paper's data set; empty for rows that are of none
    kind: str  # published, ours or mean
    system: str
    scores: dict[str, float]
    documents: int | None = None
    marks: tuple[str, ...] = ()  # those of a published row


@dataclass(frozen=True)
class Missing:
    """A row or command that is missing, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class MergedTable:
    """All results of a table or figure."""

    item: str
    title: str
    note: str
    is_miniature: bool
    rows: tuple[MergedRow, ...]
    differences: tuple[dict[str, Any], ...] = ()  # of two systems, by score
    files: tuple[str, ...] = ()  # figures, sheets and other results
    missing: tuple[Missing, ...] = ()

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row.scores))

    def to_json(self) -> dict[str, Any]:
        return {"schema": SCHEMA, **asdict(self)}


def merged(
    item: Item, steps: Sequence[Step], codes: Mapping[Step, int], *, is_miniature: bool = False
) -> MergedTable:
    """Merge what the commands of an item have made.

    Args:
        item: The table or figure.
        steps: Its commands.
        codes: The exit codes of those that were run.
        is_miniature: Whether data and models are a miniature's.
    """
    done = [step for step in steps if not step.missing and not codes.get(step, 0)]
    ours = _joined([row for step in done for row in _rows_of(step)])
    means, incomplete = _means(item.means, ours)
    published = _published(item)
    rows = _by_data([*published, *ours, *means])
    missing = [*_not_run(steps, codes), *_of_each(_missing_systems, done), *incomplete]
    return MergedTable(
        item.name,
        item.title,
        item.note,
        is_miniature,
        rows=tuple(rows),
        differences=tuple(_of_each(_differences, done)),
        files=tuple(_of_each(_files, done)),
        missing=tuple(dict.fromkeys(missing)),
    )


def _by_data(rows: Sequence[MergedRow]) -> list[MergedRow]:
    """The rows, those of a data set together."""
    data_sets = list(dict.fromkeys(row.data for row in rows))
    return sorted(rows, key=lambda row: data_sets.index(row.data))


def _of_each(part: Callable[[Step], Sequence[Any]], steps: Sequence[Step]) -> Iterator[Any]:
    return chain.from_iterable(map(part, steps))


def _not_run(steps: Sequence[Step], codes: Mapping[Step, int]) -> Iterator[Missing]:
    """The commands that lack something, and those that failed."""
    for step in steps:
        yield from (Missing(str(step), need) for need in step.missing)
        if code := codes.get(step, 0):
            yield Missing(str(step), f"the command failed (exit code {code})")


def _published(item: Item) -> list[MergedRow]:
    """The paper's rows of the tables that the commands name."""
    lines = [line for line in item.commands if " --table " in line]
    tables = dict.fromkeys(
        (_value(line, "--table"), data_set_of(_value(line, "--data"))) for line in lines
    )
    named = {data_set_of(_value(line, "--data")): _value(line, "--data") for line in lines}
    found = [MergedRow("", PUBLISHED, row["system"], _numbers(row)) for row in item.rows]
    for table, data in tables:
        paper, _, number = table.partition(":")
        for row in published_rows(named[data], number, PAPERS[paper]):
            size = row.page_tokens or row.max_input
            system = f"{row.system} ({size:,})" if size else row.system
            found.append(MergedRow(data, PUBLISHED, system, row.scores, marks=row.marks))
    return found


def _rows_of(step: Step) -> list[MergedRow]:
    """The rows of what a command has made."""
    if step.words[0] == "analyze":
        return [row for file in _files(step) if file.endswith(".json") for row in _analysis(file)]
    evaluation = _result(step, EVALUATION)
    if not evaluation:
        return []
    name = _label(step) or evaluation["model"]
    if evaluation["data"] in _PARTS:
        name += f", {evaluation['data']}"
    systems = {Path(one).name: row for one, row in evaluation["systems"].items()}
    scored = {name: evaluation["metrics"], **systems, **evaluation["baselines"]}
    data = data_set_of(evaluation["data"])
    bounds = evaluation.get("uses_reference", ())
    return [
        MergedRow(
            data, OURS, system, _main(columns), evaluation["n"], (ORACLE,) * (system in bounds)
        )
        for system, columns in scored.items()
    ]


def _label(step: Step) -> str:
    """The name of the run or checkpoint whose summaries a command scores; empty for summaries that
    are given.
    """
    for flag in ("--model", "--from"):
        if f" {flag} " in step.line:
            named = re.match(r"\{(?:run|model):([^}]+)\}", _value(step.line, flag))
            return named[1] if named else ""
    return ""


def _main(columns: Mapping[str, Any]) -> dict[str, float]:
    return {name: round(main_value(column), 3) for name, column in columns.items()}


def _joined(rows: Sequence[MergedRow]) -> list[MergedRow]:
    """The rows, of which those of one system on one data set are one."""
    found: dict[tuple[str, str], MergedRow] = {}
    for row in rows:
        key = (row.data, row.system)
        before = found.get(key, row)
        scores = {**before.scores, **row.scores}
        found[key] = replace(before, scores=scores)
    return list(found.values())


def _means(
    names: Sequence[str], rows: Sequence[MergedRow]
) -> tuple[list[MergedRow], list[Missing]]:
    """The means over runs whose names begin with each of some names, and which of them cannot be
    computed.
    """
    groups: dict[tuple[str, str], dict[str, MergedRow]] = {}
    for row in rows:
        first, _, rest = row.system.partition(",")[0].partition("-")
        if first in names:
            groups.setdefault((row.data, rest), {})[first] = row
    means, missing = [], []
    for (data, system), group in groups.items():
        lacking = [name for name in names if name not in group]
        if lacking:
            missing.append(Missing(f"the mean of {system}", f"no row of {', '.join(lacking)}"))
        else:
            title = f"{system}, mean of {len(group)}"
            means.append(MergedRow(data, MEAN, title, _mean_scores(list(group.values()))))
    return means, missing


def _mean_scores(rows: Sequence[MergedRow]) -> dict[str, float]:
    """The means of the scores that all rows have."""
    first, *others = rows
    shared = [name for name in first.scores if all(name in row.scores for row in others)]
    means = {name: mean(row.scores[name] for row in rows) for name in shared}
    return {name: round(value, 3) for name, value in means.items()}


def _missing_systems(step: Step) -> list[Missing]:
    evaluation = _result(step, EVALUATION)
    return [Missing(*one) for one in evaluation.get("missing", {}).items()]


def _differences(step: Step) -> list[dict[str, Any]]:
    """The differences that a comparison has found."""
    report = _result(step, COMPARISON)
    if not report:
        return []
    first, second = (Path(report[name]).name for name in ("first", "second"))
    kept = ("difference", "low", "high", "p_bootstrap", "p_randomization")
    return [
        {"first": first, "second": second, "score": name, **{key: one[key] for key in kept}}
        for name, one in report["metrics"].items()
    ]


def _analysis(file: str) -> list[MergedRow]:
    """The rows of an analysis, in the form in which it was exported."""
    result = json.loads(Path(file).read_text(encoding="utf-8"))
    if "readings" in result:
        return [_reading(one) for one in result["readings"]]
    if "splits" in result:
        return _sizes(result)
    if "similarities" in result:
        scores = {"similarity": result["average"], "pairs": result["all_pairs"]}
        return [MergedRow("", OURS, "similarity", scores, result["documents"])]
    return [
        MergedRow(one["name"], OURS, "fused pairs", _distances(one, result), one["documents"])
        for one in result["data_sets"]
    ]


def _reading(reading: Mapping[str, Any]) -> MergedRow:
    names = ("high_spans", "diversity", "entropy", "steps")
    known = {name: reading[name] for name in names if reading[name] is not None}
    scores = {name: value * (100 if name in _PERCENT else 1) for name, value in known.items()}
    model = Path(reading["model"]).name
    return MergedRow("", OURS, model, scores, reading["documents"])


def _sizes(result: Mapping[str, Any]) -> list[MergedRow]:
    """The sizes of the splits of a data set, after the published ones."""
    data = result["data"]
    published = [result[key] for key in ("published", "published_words", "published_inputs")]
    rows = [MergedRow(data, PUBLISHED, "published", _numbers(one)) for one in published if one]
    splits = result["splits"]
    return rows + [
        MergedRow(data, OURS, one["split"], _numbers(one), one["documents"]) for one in splits
    ]


def _distances(one: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, float]:
    counts = {"summary_sentences": one["summary_sentences"], "pairs": len(one["pairs"])}
    return counts | {f"covered: {key}": value for key, value in result.get("coverage", {}).items()}


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _result(step: Step, name: str) -> dict[str, Any]:
    """A result in the folder that a command writes into; empty if there is none."""
    if "--output" not in step.words or step.words[0] != "eval":
        return {}
    path = Path(_value(shlex.join(step.words), "--output")) / name
    found: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    return found


def _files(step: Step) -> list[str]:
    """The exports and sheets of a command."""
    pairs = list(zip(step.words, step.words[1:], strict=False))
    exports = [value for flag, value in pairs if flag == "--export"]
    sheets = [f"{value}/sheet.html" for flag, value in pairs if flag == "--annotate"]
    return [file for file in (*exports, *sheets) if Path(file).is_file()]


def _value(line: str, flag: str) -> str:
    """The value of a flag in a command line."""
    words = shlex.split(line)
    return words[words.index(flag) + 1]
