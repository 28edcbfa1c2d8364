"""Human evaluation: sheets of anonymous summaries for annotators, and what these found, whatever
the protocol.
"""

import csv
import io
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ..errors import PagesumError, UsageError
from ..evaluation.report import SEED
from ..evaluation.results import Result
from ..options import MAX_SEED, Options, option
from ..text.cleaning import one_line
from .protocols import PROTOCOLS, Item, Mark, Protocol

REFERENCE = "reference"

FORMULA = ("=", "+", "-", "@")  # how a cell begins that a spreadsheet would compute

TOTAL = "Total"


@dataclass(frozen=True)
class Sheet:
    """What all annotators read, in its order; the key says whose summaries they are."""

    protocol: str
    items: tuple[Item, ...]
    seed: int
    available: int

    @property
    def rules(self) -> Protocol:
        return PROTOCOLS[self.protocol]

    @property
    def systems(self) -> list[str]:
        return sorted({system for item in self.items for system in item.systems})

    @property
    def documents(self) -> list[str]:
        return sorted({item.document for item in self.items})

    def to_csv(self) -> str:
        """The sheet for a spreadsheet, with empty cells to be filled in. No text is a formula."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(self.rules.columns)
        for row in (row for item in self.items for row in self.rules.rows(item)):
            writer.writerow([f" {cell}" if cell.startswith(FORMULA) else cell for cell in row])
        return buffer.getvalue()

    def to_key(self) -> str:
        """The key: which summary is whose."""
        return json.dumps({"schema": 1, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"


def make_sheet(
    protocol: str,
    systems: Mapping[str, Sequence[Result]],
    documents: int,
    seed: int,
    *,
    references: bool = False,
) -> Sheet:
    """Select documents at random, and put the systems' summaries of them in random order under
    neutral codes.
    """
    texts = {
        name: {result.id: one_line(result.prediction) for result in results}
        for name, results in systems.items()
    }
    authors = {
        result.id: one_line(result.reference) for results in systems.values() for result in results
    }
    if references:
        texts[REFERENCE] = authors
    rules = PROTOCOLS[protocol]
    if len(texts) < 2:
        raise PagesumError(
            "a sheet needs two systems, found one",
            "use --results twice, or --references-as-system",
        )
    required = {**texts, REFERENCE: authors} if rules.summaries > 1 else texts
    common = [
        key for key in next(iter(texts.values())) if all(own.get(key) for own in required.values())
    ]
    if not common:
        names = ", ".join(required)
        raise PagesumError(
            f"no document has a summary of each of {names}", "use results on the same data"
        )
    rng = random.Random(seed)
    selected = rng.sample(sorted(common), min(documents, len(common)))
    if rules.summaries == 1:
        groups = [(document, [system]) for document in selected for system in texts]
    else:
        groups = [
            (document, rng.sample(pair, 2))
            for document in selected
            for pair in combinations(texts, 2)
        ]
    rng.shuffle(groups)
    width = len(str(len(groups)))
    items = []
    for number, (document, group) in enumerate(groups, start=1):
        summaries = tuple(texts[system][document] for system in group)
        reference = authors[document] if rules.summaries > 1 else ""
        items.append(Item(f"S{number:0{width}}", document, tuple(group), summaries, reference))
    return Sheet(protocol, tuple(items), seed, len(common))


def read_key(path: Path) -> Sheet:
    try:
        sheet = msgspec.json.decode(path.read_bytes(), type=Sheet)
        whole = [
            len(item.systems) == len(item.texts) == sheet.rules.summaries for item in sheet.items
        ]
        if not whole or not all(whole):
            raise ValueError("no summaries")
    except (OSError, ValueError, KeyError, RecursionError, msgspec.MsgspecError) as error:
        message = f"{path}: expected the key of a sheet ({error})"
        raise PagesumError(
            message, "pagesum eval --annotate writes it beside its folder"
        ) from error
    return sheet


@dataclass(frozen=True)
class Annotation:
    """The work of one annotator: the marks of each item, by its code; an item that is missing was
    not read.
    """

    annotator: str
    marks: dict[str, frozenset[Mark]]


def read_annotations(path: Path, sheet: Sheet) -> Annotation:
    """Read a filled-in sheet: the CSV file, from a spreadsheet (commas, semicolons or tabs) or from
    the HTML page.
    """
    rules = sheet.rules
    items = {item.code: item for item in sheet.items}
    marks: dict[str, frozenset[Mark]] = {}
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PagesumError(
            f"{path}: cannot be read ({error})", "save it as CSV in UTF-8"
        ) from error
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    if not set(rules.needed) <= set(reader.fieldnames or ()):
        columns = " and ".join(", ".join(rules.needed).rsplit(", ", 1))
        raise PagesumError(
            f"{path}: expected a filled-in sheet with the columns {columns}", "see --annotate"
        )
    try:
        for line in reader:
            row = defaultdict(
                str, {name: (line.get(name) or "").strip() for name in reader.fieldnames or ()}
            )
            code = row["code"]
            if not any(row[name] for name in rules.needed):
                continue
            if code not in items:
                raise ValueError(f"unknown code {code!r}, expected {sheet.items[0].code} …")
            marks[code] = marks.get(code, frozenset()) | rules.read(row, items[code], code in marks)
    except (ValueError, csv.Error) as error:
        raise PagesumError(
            f"{path}, line {reader.line_num}: {error}", "correct the line, or check the key"
        ) from error
    if all(rules.value(own, label) is None for own in marks.values() for label in rules.labels):
        raise PagesumError(
            f"{path}: no summary was annotated", "fill in the sheet, and tick what was read"
        )
    return Annotation(str(path), marks)


@dataclass(frozen=True)
class Difference:
    """The p-value of two systems' difference by a label; None where it is not defined."""

    a: str
    b: str
    label: str
    p: float | None


@dataclass(frozen=True)
class AnnotationReport:
    """What the annotators found, by system and label."""

    protocol: str
    annotators: tuple[str, ...]
    documents: int
    judgements: dict[str, int]  # by label, number of values that annotators gave
    incomplete: int  # number of items for which some annotator gave not all values
    # by system and label, and ``Total`` where the protocol has it; see ``Protocol.score``
    scores: dict[str, dict[str, float]]
    test: str
    # of each two systems, by label, over the documents of which all systems have a value
    significance: tuple[Difference, ...]
    # by label, the p-value of the analysis of variance of more than two systems, if the protocol
    # has it
    anova: dict[str, float]
    # by label, Krippendorff's α, interval, a unit being an item; under ``Total``, of all labels
    # together.
    alphas: dict[str, float | None]

    def to_json(self) -> dict[str, Any]:
        return {"schema": 1, **asdict(self)}


# the values of an item, one of each annotator; None if there is none
Units = list[list[float | None]]
# by system and document, the values that annotators gave
Values = dict[str, dict[str, list[float]]]


def report_of(sheet: Sheet, annotations: Sequence[Annotation]) -> AnnotationReport:
    """Score and compare systems, and measure agreement. What an annotator left out is a missing
    value.
    """
    rules = sheet.rules
    units = {label: _units(sheet, annotations, label) for label in rules.labels}
    values = {label: _values(sheet, rows) for label, rows in units.items()}
    alphas = {label: krippendorff_alpha(rows) for label, rows in units.items()}
    if rules.has_total:
        values[TOTAL] = _total(list(values.values()))
        alphas[TOTAL] = krippendorff_alpha([row for rows in units.values() for row in rows])
    scores: dict[str, dict[str, float]] = {system: {} for system in sheet.systems}
    differences, anova, test = [], {}, ""
    for label, by_system in values.items():
        for system in sheet.systems:
            if not by_system[system]:
                raise PagesumError(
                    f"{system} was not judged by {label}", "use the annotators' complete files"
                )
            scores[system][label] = rules.score(list(by_system[system].values()))
        common = [
            one
            for one in sheet.documents
            if all(one in by_system[system] for system in sheet.systems)
        ]
        means = [
            [float(np.mean(by_system[system][one])) for one in common] for system in sheet.systems
        ]
        test, p_values, variance = rules.compare(means)
        pairs = combinations(sheet.systems, 2)
        differences += [
            Difference(*pair, label, p) for pair, p in zip(pairs, p_values, strict=True)
        ]
        if variance is not None:
            anova[label] = variance
    return AnnotationReport(
        sheet.protocol,
        tuple(annotation.annotator for annotation in annotations),
        len(sheet.documents),
        {
            label: sum(value is not None for row in rows for value in row)
            for label, rows in units.items()
        },
        sum(any(None in row for row in rows) for rows in zip(*units.values(), strict=True)),
        scores,
        test,
        tuple(differences),
        anova,
        alphas,
    )


def _units(sheet: Sheet, annotations: Sequence[Annotation], label: str) -> Units:
    marks = (
        [annotation.marks.get(item.code) for annotation in annotations] for item in sheet.items
    )
    return [
        [None if own is None else sheet.rules.value(own, label) for own in unit] for unit in marks
    ]


def _values(sheet: Sheet, units: Units) -> Values:
    values: Values = {system: {} for system in sheet.systems}
    for item, unit in zip(sheet.items, units, strict=True):
        for value in unit:
            for system, share in zip(
                item.systems, () if value is None else sheet.rules.shares(value), strict=False
            ):
                values[system].setdefault(item.document, []).append(share)
    return values


def _total(values: Sequence[Values]) -> Values:
    """The sums over all labels, each of which has the values of the same annotators."""
    return {
        system: {
            document: [*map(sum, zip(*(own[system][document] for own in values), strict=True))]
            for document in by
        }
        for system, by in values[0].items()
    }


def krippendorff_alpha(units: Sequence[Sequence[float | None]]) -> float | None:
    """Krippendorff's α with the interval metric: ``1 - D_o / D_e`` (Krippendorff 2011, "Computing
    α-reliability").

    A unit has the values of annotators, None where one is missing; units with fewer than two are
    left out. 1 is perfect agreement, 0 that of chance; None if no unit has two values, or all
    values are equal.
    """
    rows = [np.array([value for value in unit if value is not None], float) for unit in units]
    rows = [row for row in rows if len(row) > 1]
    if not rows:
        return None
    # Σ over ordered pairs (v - w)² = 2 n Σ (v - mean)²
    observed = sum(2 * len(row) * ((row - row.mean()) ** 2).sum() / (len(row) - 1) for row in rows)
    pooled = np.concatenate(rows)
    expected = 2 * len(pooled) * ((pooled - pooled.mean()) ** 2).sum() / (len(pooled) - 1)
    return None if np.ptp(pooled) == 0 else float(1 - observed / expected)


@dataclass(frozen=True)
class AnnotationOptions(Options, panel="Human evaluation"):
    """Human evaluation: what is annotated, or what was annotated."""

    annotate: Path | None = option(
        None,
        "Write sheets for annotators to this folder, with the summaries given by --results.",
        metavar="DIR",
    )
    protocol: str = option(
        "errors",
        "errors: spans with coherence errors; best-worst: the better of two summaries, next to "
        "the reference.",
        choices=tuple(PROTOCOLS),
    )
    results: tuple[str, ...] = option(
        (),
        "A system's results.jsonl, named after its folder unless NAME is given. Repeat it.",
        metavar="[NAME=]FILE",
    )
    references_as_system: bool = option(False, "Annotate the references too, as a separate system.")
    documents: int = option(30, "Number of documents, selected at random.", min=1)
    seed: int = option(SEED, "Seed of the selection and of the order.", min=0, max=MAX_SEED)
    annotations: tuple[Path, ...] = option(
        (), "A sheet that an annotator filled in. Repeat it for each annotator.", metavar="FILE"
    )
    key: Path | None = option(
        None,
        "Key of the sheets: which system wrote each summary. Default with --annotate: "
        "DIR.key.json.",
        metavar="FILE",
    )
    force: bool = option(False, "Replace existing sheets and keys.")

    @property
    def systems(self) -> dict[str, Path]:
        """The files of results by the name of their system."""
        named: dict[str, Path] = {}
        for given in self.results:
            name, _, file = given.rpartition("=") if not Path(given).exists() else ("", "", given)
            name = name or Path(file).absolute().parent.name
            if name in (*named, REFERENCE):
                raise UsageError(
                    f"two systems are called {name!r}", "--results NAME=FILE names them"
                )
            named[name] = Path(file)
        return named

    def check(self) -> None:
        if self.references_as_system and self.protocol != "errors":
            raise UsageError(
                f"--references-as-system does nothing with --protocol {self.protocol}",
                "leave it out",
            )
        if self.annotate and not self.results:
            raise UsageError(
                "--annotate without --results",
                "name a results.jsonl of each system: --results FILE",
            )
        if self.annotations and not self.key:
            raise UsageError(
                "--annotations without --key", "--annotate wrote it: --key DIR.key.json"
            )
        for path in (
            *self.systems.values(),
            *self.annotations,
            *([self.key] if self.annotations and self.key else []),
        ):
            if not path.is_file():
                raise PagesumError(f"{path}: no such file", "check the path")
