"""The JSON schema of what each verb prints as JSON, made from the types of its records.

What a field means, where its name does not say so, is in ``schemas.toml``.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, is_typeddict

import msgspec

from ..documents.boxes import LineBox
from ..evaluation.efficiency import Bucket
from ..evaluation.report import Comparison, PublishedRow
from ..lab.annotation import AnnotationReport
from ..retrieval.numbers import Number
from ..summary.page_confidences import LocalityFigures, PageFigures
from ..summary.summary import OPTIONAL, Summary

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MEANINGS = Path(__file__).with_name("schemas.toml")

Verdict = Literal["verbatim", "edited", "differs", "paraphrase", "not found"]
Scores = dict[str, dict[str, float]]


class Figures(TypedDict):
    """Figures of the page confidences of a summary."""

    locality: LocalityFigures
    pages: list[PageFigures]


class Searched(TypedDict):
    """How much of a file claims were compared with."""

    file: str
    title: str
    pdf_pages: list[int]
    words: list[int]


class CheckedFile(TypedDict):
    """A file that a summary was checked against."""

    file: str
    sha256: str | None
    text_sha256: str
    reader: str


class Place(TypedDict):
    """A sentence of a file."""

    file: str
    section: str
    pdf_pages: list[int]
    start: int
    end: int
    text: str


class ClaimDifference(TypedDict):
    """What a claim and the document have at the same place."""

    kind: str
    claim: str
    document: str


class CitationCheck(TypedDict):
    """A citation in a summary."""

    text: str
    holds: bool | None


class Claim(TypedDict):
    """A sentence or quotation of a summary, and what the documents say."""

    text: str
    verdict: Verdict
    score: float
    source: Place | None
    passages: NotRequired[list[Place]]
    lead_ins: NotRequired[list[Place]]
    differences: list[ClaimDifference]
    missing_words: NotRequired[list[str]]
    citation: NotRequired[CitationCheck]


class NotChecked(TypedDict):
    """A part of a summary that is no claim."""

    text: str
    reason: str


class Change(TypedDict):
    """A file or a claim that is different from an earlier check."""

    file: NotRequired[str]
    claim: NotRequired[str]
    before: str | None
    now: str | None


class Check(TypedDict):
    """The result of a check."""

    schema: Literal[1]
    files: list[CheckedFile]
    searched: NotRequired[list[Searched]]
    claims: list[Claim]
    not_checked: list[NotChecked]
    changes: NotRequired[list[Change]]


class Answer(TypedDict):
    """A sentence or table row that answers the question."""

    text: str
    kind: Literal["sentence", "table row"]
    score: float
    file: str
    document: str
    section: str
    headings: str
    pdf_pages: list[int]
    page_labels: list[str]
    start: int | None
    end: int | None
    boxes: list[LineBox]
    numbers: list[Number]
    opening: NotRequired[str]
    time: NotRequired[float]
    lines: NotRequired[tuple[int, int]]
    source_file: NotRequired[str]
    paragraph: NotRequired[str]
    heads: NotRequired[list[str]]
    table: NotRequired[str]
    sentence_number: NotRequired[int]


class SearchedFile(TypedDict):
    """A file that was searched."""

    file: str
    sha256: NotRequired[str]


class UnreadFile(TypedDict):
    """A file that could not be read."""

    file: str
    error: str


class Answers(TypedDict):
    """The answers to a question, best first."""

    schema: Literal[1]
    question: str
    answers: list[Answer]
    found: int
    doubtful: bool
    files: list[SearchedFile]
    not_read: list[UnreadFile]


class DocumentText(TypedDict):
    """A document as it was read."""

    name: str
    title: str
    text: str
    hidden_words: int


class DocumentSection(TypedDict):
    """A section of a document."""

    heading: str
    level: int
    pdf_pages: list[int]
    page_labels: NotRequired[list[str]]
    found_by: str
    words: int
    source: str
    start: int


class Chapter(TypedDict):
    """A chapter of a book."""

    title: str
    words: int
    pdf_pages: list[int]
    page_labels: NotRequired[list[str]]
    found_by: str
    source: str
    start: int
    end: int
    pages: list[int]


class LeftOut(TypedDict):
    """Text of a file that is not part of the document."""

    reason: str
    text: str
    words: int
    pdf_pages: list[int]
    source: str


class Part(TypedDict):
    """A page: a part of a document as a model reads it."""

    page: int
    label: str
    source: str
    pdf_pages: list[int]
    page_labels: NotRequired[list[str]]
    tokens: int
    text: str
    truncated: bool


class Parts(TypedDict):
    """How files are divided into parts."""

    schema: Literal[1]
    title: str
    locality: str
    documents: list[DocumentText]
    sections: list[DocumentSection]
    chapters: list[Chapter]
    outside_chapters: list[LeftOut]
    left_out: list[LeftOut]
    pages: list[Part]


class Significance(TypedDict):
    """Two systems' difference in one score."""

    a: str
    b: str
    metric: str
    p: float
    p_bootstrap: float
    p_randomization: float
    difference: float
    low: float
    high: float
    p_holm: float
    n: NotRequired[int]


class Cut(TypedDict):
    """How much of the documents was beyond the maximum length of a system's input."""

    documents: int
    tokens: int


class Evaluation(TypedDict):
    """Scores of a system, in 0-100, with those of others on the same documents."""

    schema: Literal[1]
    data: str
    model: str
    n: int
    left_out: int
    signature: str
    metrics: Scores
    baselines: dict[str, Scores]
    systems: dict[str, Scores]
    significance: list[Significance]
    lengths: dict[str, float]
    cut: dict[str, Cut]
    uses_reference: list[str]
    empty: int
    command: str
    missing: NotRequired[dict[str, str]]
    efficiency: NotRequired[dict[str, list[Bucket]]]
    published: NotRequired[list[PublishedRow]]


class ComparedSystems(TypedDict):
    """With --compare: two systems on the same documents."""

    schema: Literal[1]
    first: str
    second: str
    n: int
    signature: str
    metrics: dict[str, Comparison]
    spread: NotRequired[tuple[dict[str, float], dict[str, float]]]


class LabelShares(TypedDict):
    """The shares of the words of a model's quotes, in 0-100, averaged over documents."""

    n: int
    accepted: float
    rejected: float


class ComparedByLabels(TypedDict):
    """With --labels: models on the same labelled documents."""

    schema: Literal[1]
    labels: str
    models: dict[str, dict[str, LabelShares]]


class Model(TypedDict):
    """A known model."""

    name: str
    what: str
    good: str
    bad: str
    locality: str
    num_pages: int | None
    on_disk: bool
    path: str | None
    bytes: int | None
    url: str | None
    file: str | None


class Models(TypedDict):
    """The known models."""

    schema: Literal[1]
    models: list[Model]


@dataclass(frozen=True)
class Output:
    """What a verb prints as JSON."""

    title: str
    records: tuple[type, ...]  # one of them is printed
    # names of fields of dataclasses that are missing where they say nothing
    optional: frozenset[str] = frozenset()


OUTPUTS = {
    "summarize": Output("--format json", (Summary,), OPTIONAL),
    "inspect": Output("--export FILE.json", (Summary, Figures), OPTIONAL),
    "check": Output("--format json", (Check,)),
    "find": Output("--format json", (Answers,)),
    "pages": Output("--format json", (Parts,)),
    "eval": Output(
        "--format json", (Evaluation, ComparedSystems, ComparedByLabels, AnnotationReport)
    ),
    "models": Output("--format json", (Models,)),
}
"""By verb."""


def schema_of(verb: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a verb prints as JSON.

    Further fields are allowed: they do not change ``schema`` 1.
    """
    output = OUTPUTS[verb]
    references, definitions = msgspec.json.schema_components(
        output.records, ref_template="#/$defs/{name}"
    )
    for name, definition in definitions.items():
        _order(name, definition)
        _require(definition, output.optional)
    if Summary in output.records:
        references = references[:1]
        _as_printed(definitions)
    if AnnotationReport in output.records:
        _add(definitions["AnnotationReport"], "schema", {"enum": [1]})
    for name, definition in definitions.items():
        _describe(name, definition)
    one = references[0] if len(references) == 1 else {"anyOf": list(references)}
    title = f"pagesum {verb} {output.title}"
    return {"$schema": DIALECT, "title": title, **one, "$defs": definitions}


@cache
def meanings() -> dict[str, dict[str, str]]:
    """What fields mean, by record and name."""
    return tomllib.loads(MEANINGS.read_text(encoding="utf-8"))


def _describe(name: str, definition: dict[str, Any]) -> None:
    """Add what the fields of a record mean."""
    definition["description"] = " ".join(definition.get("description", "").split())
    own = meanings().get(name, {})
    for field, known in definition["properties"].items():
        if field in own:
            known["description"] = own[field]


def _order(name: str, definition: dict[str, Any]) -> None:
    """Put the fields of a record of this module in the order in which they are printed."""
    kind = globals().get(name)
    if is_typeddict(kind):
        properties = definition["properties"]
        definition["properties"] = {field: properties[field] for field in kind.__annotations__}


def _require(definition: dict[str, Any], optional: frozenset[str]) -> None:
    """Require what is always printed: a dataclass's defaults too, and its optional fields never,
    which are missing instead of null.
    """
    properties = definition["properties"]
    required = set(definition["required"])
    for name, field in properties.items():
        if "default" in field:
            del field["default"]
            required.add(name)
        if name in optional:
            required.discard(name)
            _refuse_null(field)
    definition["required"] = [name for name in properties if name in required]


def _refuse_null(field: dict[str, Any]) -> None:
    """Leave null out of the values that a field may have."""
    values = [one for one in field.get("anyOf", ()) if one != {"type": "null"}]
    if len(values) == 1:
        del field["anyOf"]
        field.update(values[0])


def _as_printed(definitions: dict[str, Any]) -> None:
    """A summary's fields under the names that they have in JSON."""
    summary = definitions["Summary"]
    _add(summary, "schema", {"enum": [1]})
    names = {"text": "summary"}
    summary["properties"] = {names.get(key, key): one for key, one in summary["properties"].items()}
    summary["required"] = [names.get(name, name) for name in summary["required"]]
    if "Figures" in definitions:
        summary["properties"]["figures"] = {"$ref": "#/$defs/Figures"}


def _add(definition: dict[str, Any], name: str, field: dict[str, Any]) -> None:
    """Put a field before the others of a record."""
    definition["properties"] = {name: field, **definition["properties"]}
    definition["required"] = [name, *definition["required"]]
