"""Human evaluation of coherence (the paper's Tables 7 and 8): sheets for annotators, and what they marked.

Annotators mark spans of anonymous summaries with one of four types of error (after Goyal et al., 2022).
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import PagesumError
from ..evaluation.results import Result
from ..evaluation.significance import compare
from ..text.sentences import sentence_spans
from .sheets import clean, codes, csv_text, read_key_file, read_lines, select_documents

ERRORS = {
    "RefE": "Reference: it speaks of something as if it were known, although it has not been introduced: a name, "
    "“the program”, or an abbreviation before its full form.",
    "TopicE": "Topic: the topic changes suddenly, without a transition.",
    "InconE": "Inconsistency: it contradicts what the summary said before.",
    "RepE": "Repetition: it says again what the summary has already said.",
}
REFERENCE = "reference"
"""Name of the references, where they are a system."""
COLUMNS = ("code", "sentence", "text", "error", "span", "start", "end")

Counts = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Entry:
    """A summary to be annotated.

    Attributes:
        code: What annotators know it by.
        document: Id of its document.
        system: Name of its system.
        text: The summary, with single spaces.
    """

    code: str
    document: str
    system: str
    text: str

    @property
    def sentences(self) -> list[tuple[int, int]]:
        """Start and end of each sentence in the text."""
        return sentence_spans(self.text)


@dataclass(frozen=True)
class Sheet:
    """What all annotators read, in its order; the key says whose summaries they are.

    Attributes:
        entries: The summaries.
        seed: Of the selection of documents and of the order.
        available: Number of documents of which some were selected.
    """

    entries: tuple[Entry, ...]
    seed: int
    available: int

    @property
    def systems(self) -> list[str]:
        """The systems, by name."""
        return sorted({entry.system for entry in self.entries})

    @property
    def documents(self) -> list[str]:
        """The ids of the documents."""
        return sorted({entry.document for entry in self.entries})


def make_sheet(systems: Mapping[str, Sequence[Result]], documents: int, seed: int, *, references: bool) -> Sheet:
    """Select documents at random, and put the systems' summaries of them in random order under neutral codes.

    Args:
        systems: The results of each system, by its name.
        documents: Number of documents; all of them if there are fewer.
        seed: Seed.
        references: Whether the references are annotated too, as a system of their own.

    Raises:
        PagesumError: There are fewer than two systems, or no document of which all have a summary.
    """
    texts = {name: {one.id: clean(one.prediction) for one in results} for name, results in systems.items()}
    if references:
        texts[REFERENCE] = {one.id: clean(one.reference) for rows in systems.values() for one in rows}
    if len(texts) < 2:
        raise PagesumError("a sheet needs two systems, found one", "give --results twice, or --references-as-system")
    rng = random.Random(seed)
    chosen, available = select_documents(texts, documents, rng)
    pairs = [(identity, system) for identity in chosen for system in texts]
    rng.shuffle(pairs)
    entries = [
        Entry(code, identity, system, texts[system][identity])
        for code, (identity, system) in zip(codes(len(pairs)), pairs, strict=True)
    ]
    return Sheet(tuple(entries), seed, available)


def sheet_csv(sheet: Sheet) -> str:
    """The sheet for a spreadsheet: one line per sentence, in which ``error`` and ``span`` are to be filled in.

    A sentence with several errors gets a copy of its line for each; without a span, the whole sentence is marked.
    """
    rows = [
        (entry.code, number, entry.text[start:end], "", "")
        for entry in sheet.entries
        for number, (start, end) in enumerate(entry.sentences, start=1)
    ]
    return csv_text(COLUMNS[:5], rows)


def key_json(sheet: Sheet) -> str:
    """The key: which summary is whose."""
    return json.dumps({"schema": 1, **asdict(sheet)}, ensure_ascii=False, indent=1) + "\n"


def read_key(path: Path) -> Sheet:
    """Read a key.

    Raises:
        PagesumError: It cannot be read, or is none.
    """
    return read_key_file(path, _sheet_of)


def _sheet_of(value: Any) -> Sheet:
    entries = tuple(Entry(**{name: str(text) for name, text in one.items()}) for one in value["entries"])
    sheet = Sheet(entries, int(value["seed"]), int(value["available"]))
    if not entries or any(entry.text != " ".join(entry.text.split()) for entry in entries):
        raise ValueError("no summaries")
    return sheet


@dataclass(frozen=True)
class Mark:
    """An error that an annotator marked: its type, and the span of the summary from ``start`` to ``end``."""

    error: str
    start: int
    end: int


@dataclass(frozen=True)
class Annotation:
    """The work of one annotator: the marks in each summary that was read, by its code."""

    annotator: str
    marks: dict[str, frozenset[Mark]]

    def count(self, entry: Entry, error: str) -> int | None:
        """Number of errors of a type; None if the summary was not read."""
        marks = self.marks.get(entry.code)
        return None if marks is None else sum(mark.error == error for mark in marks)


def read_annotations(path: Path, sheet: Sheet) -> Annotation:
    """Read a filled-in sheet: the CSV file, from a spreadsheet or from the HTML page. The same mark twice counts once.

    Raises:
        PagesumError: It cannot be read, or a line has an unknown code, a type that does not exist, or a span that is
            not in the text.
    """
    entries = {entry.code: entry for entry in sheet.entries}
    marks: dict[str, set[Mark]] = {}

    def parse(line: Mapping[str, str]) -> None:
        row = {name: line.get(name, "") for name in COLUMNS}
        if not row["code"] and not row["error"]:
            return
        if row["code"] not in entries:
            raise ValueError(f"unknown code {row['code']!r}, expected {sheet.entries[0].code} …")
        found = marks.setdefault(row["code"], set())
        if mark := _mark_of(row, entries[row["code"]]):
            found.add(mark)

    read_lines(path, ("code", "error"), parse)
    if not marks:
        raise PagesumError(f"{path}: no summary was annotated", "tick the summaries that were read, and export again")
    return Annotation(str(path), {code: frozenset(found) for code, found in marks.items()})


def _mark_of(row: Mapping[str, str], entry: Entry) -> Mark | None:
    """What a line marks; None for a line without an error.

    Raises:
        ValueError: The type does not exist, or the span or sentence is not in the summary.
    """
    spans = entry.sentences
    start, end = 0, len(entry.text)
    if row["sentence"]:
        number = int(row["sentence"]) if row["sentence"].isdecimal() else 0
        if not 1 <= number <= len(spans):
            raise ValueError(f"sentence {row['sentence']!r}, but {entry.code} has {len(spans)}")
        start, end = spans[number - 1]
    if row["text"] and row["text"] != entry.text[start:end].strip():
        raise ValueError(f"the text is not that of {entry.code} in the key")
    if not row["error"]:
        if row["span"]:
            raise ValueError(f"a span without an error, expected one of {', '.join(ERRORS)}")
        return None
    error = next((one for one in ERRORS if one.lower() == row["error"].lower()), None)
    if error is None:
        raise ValueError(f"no error {row['error']!r}, expected one of {', '.join(ERRORS)}")
    if row["start"] or row["end"]:
        places = [int(row[name]) if row[name].isdecimal() else -1 for name in ("start", "end")]
        if not 0 <= places[0] < places[1] <= len(entry.text):
            raise ValueError(f"span {row['start']}–{row['end']}, but the text of {entry.code} is 0–{len(entry.text)}")
        start, end = places
        if row["span"] and row["span"] != entry.text[start:end].strip():
            raise ValueError(f"the text of {entry.code} from {start} to {end} is not {row['span'][:40]!r}")
    elif span := " ".join(row["span"].split()):
        place = entry.text.find(span, start, end)
        if place < 0:
            raise ValueError(f"the span {span[:40]!r} is not in the text of {entry.code}")
        start, end = place, place + len(span)
    return Mark(error, start, end)


@dataclass(frozen=True)
class Difference:
    """Two systems' numbers of one type of error, and the p-value of paired approximate randomization over documents."""

    a: str
    b: str
    error: str
    p: float


@dataclass(frozen=True)
class AnnotationReport:
    """What the annotators found.

    Attributes:
        annotators: Their files.
        documents: Number of documents.
        errors: By system and type, and ``Total``: errors in all its summaries, mean over annotators.
        alpha: Krippendorff's α, interval, of the numbers of errors; a unit is a document, a system and a type. None
            where it is not defined.
        alphas: The same by type.
        significance: Of each two systems, by type and of the totals.
        unread: Number of summaries that some annotator did not read.
    """

    annotators: tuple[str, ...]
    documents: int
    errors: dict[str, dict[str, float]]
    alpha: float | None
    alphas: dict[str, float | None]
    significance: tuple[Difference, ...]
    unread: int

    def to_json(self) -> dict[str, Any]:
        """What ``--format json`` prints."""
        return {"schema": 1, **asdict(self)}


def report_of(sheet: Sheet, annotations: Sequence[Annotation]) -> AnnotationReport:
    """Count errors, measure agreement and compare systems.

    Summaries that an annotator did not read are missing values for α, and count by the others' mean.

    Raises:
        PagesumError: Nobody read any summary of a system.
    """
    units = {
        error: [[annotation.count(entry, error) for annotation in annotations] for entry in sheet.entries]
        for error in ERRORS
    }
    means: dict[str, dict[tuple[str, str], float]] = {error: {} for error in ERRORS}
    for error, rows in units.items():
        for entry, row in zip(sheet.entries, rows, strict=True):
            if read := [count for count in row if count is not None]:
                means[error][entry.system, entry.document] = sum(read) / len(read)
    totals = {unit: sum(means[error][unit] for error in ERRORS) for unit in means["RefE"]}
    by_type = {**means, "Total": totals}
    errors: dict[str, dict[str, float]] = {}
    for system in sheet.systems:
        own = [unit for unit in totals if unit[0] == system]
        if not own:
            raise PagesumError(f"no summary of {system} was annotated", "give the annotators' complete files")
        errors[system] = {error: sum(values[unit] for unit in own) for error, values in by_type.items()}
    differences = []
    for a, b in combinations(sheet.systems, 2):
        common = [one for one in sheet.documents if (a, one) in totals and (b, one) in totals]
        for error, values in by_type.items() if common else ():
            first, second = ([values[system, one] for one in common] for system in (a, b))
            differences.append(Difference(a, b, error, compare(first, second).p_randomization))
    return AnnotationReport(
        tuple(one.annotator for one in annotations),
        len(sheet.documents),
        errors,
        krippendorff_alpha([row for rows in units.values() for row in rows]),
        {error: krippendorff_alpha(rows) for error, rows in units.items()},
        tuple(differences),
        sum(any(one.marks.get(entry.code) is None for one in annotations) for entry in sheet.entries),
    )


def krippendorff_alpha(units: Sequence[Sequence[float | None]]) -> float | None:
    """Krippendorff's α with the interval metric: ``1 - D_o / D_e`` (Krippendorff 2011, "Computing α-reliability").

    Args:
        units: The annotators' values of each unit, None where one is missing; units with fewer than two are left out.

    Returns:
        1 for perfect agreement, 0 for that of chance; None where no unit has two values, or all values are equal.
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
