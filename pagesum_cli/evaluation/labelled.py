"""Models compared by an editor's labels: which words of their quotes the labels accept."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from ..batch.talk import Talk
from ..datasets.readers import read_path
from ..datasets.record import EditorLabels, Record
from ..errors import PagesumError
from ..summarizer import PageSummarizer
from .metrics.labels import shares_by_label, words_by_label

ALL = "all"  # the documents of all kinds
EXAMPLE = (
    '{"id": "1", "sentences": [["Heading", "A sentence."]], "quoted": [0]} on one line; '
    "pagesum label writes such a file"
)


@dataclass(frozen=True)
class Shares:
    """The shares of the words of a model's quotes, in 0–100, averaged over documents."""

    n: int  # documents
    accepted: float  # quoted by the editor, or an alternate
    rejected: float


@dataclass(frozen=True)
class LabelReport:
    """The shares of some models on the same labelled documents."""

    labels: str  # the file of labels
    models: Mapping[str, Mapping[str, Shares]]  # by name and kind of document; ``ALL`` comes first

    def to_json(self) -> dict[str, Any]:
        """The report as the format ``json`` has it."""
        models = {
            name: {kind: vars(shares) for kind, shares in own.items()}
            for name, own in self.models.items()
        }
        return {"schema": 1, "labels": self.labels, "models": models}


def label_report(
    path: Path, models: Sequence[str], talk: Talk, *, device: str = "auto", dtype: str = "auto"
) -> LabelReport:
    """Summarize labelled documents with each of some models, at the length of their budgets.

    Raises:
        PagesumError: The file has no labelled document, or a model cannot be loaded or quotes
            nothing.
    """
    records = labelled_records(path, talk)
    found = {}
    for name in dict.fromkeys(models):
        with talk.loading(f"loading {name}"):
            summarizer = PageSummarizer.from_pretrained(name, device=device, dtype=dtype)
        if summarizer.model.generates:
            message = f"{name} generates text, and labels are those of sentences"
            raise PagesumError(message, "give an extractive model")
        with talk.progress(name) as bar:
            scored = []
            for number, record in enumerate(records):
                bar.update(name, number, len(records))
                scored.append((kind_of(record), shares_of(summarizer, record)))
        found[name] = by_kind(scored)
    return LabelReport(str(path), found)


def labelled_records(path: Path, talk: Talk) -> list[Record]:
    """The labelled documents of a file; others are reported and left out."""
    records = [one for one in read_path(path, on_problem=talk.warn) if one.editor_labels]
    if not records:
        raise PagesumError(f"{path}: expected labelled documents, found none", EXAMPLE)
    return records


def shares_of(summarizer: PageSummarizer, record: Record) -> tuple[float, float]:
    """The shares, in 0–1, of the words of a summary that the labels accept and reject."""
    document, labels = record.documents[0], record.editor_labels
    assert labels is not None
    summary = summarizer.summarize(document, words=budget_of(record, labels))
    quotes = [(one.text, one.source.start) for one in summary.sentences if one.source]
    return shares_by_label(words_by_label(labels, document.paragraph_starts, quotes))


def budget_of(record: Record, labels: EditorLabels) -> int:
    """The length in words for which a document was labelled: its ``budget``, or that of what is
    quoted.
    """
    budget = record.extra.get("budget")
    if isinstance(budget, int) and budget > 0:
        return budget
    sections = record.documents[0].sections
    texts = [one.text for section in sections for one in section.paragraphs]
    return max(sum(len(texts[number].split()) for number in labels.quoted), 1)


def kind_of(record: Record) -> str:
    """The kind of document that a record names; empty if it names none."""
    kind = record.extra.get("kind")
    return kind if isinstance(kind, str) else ""


def by_kind(scored: Iterable[tuple[str, tuple[float, float]]]) -> dict[str, Shares]:
    """The mean shares of all documents and, if there are several kinds, of each."""
    groups = defaultdict(list)
    for kind, pair in scored:
        groups[kind].append(pair)
    whole = [pair for own in groups.values() for pair in own]
    kinds = sorted(groups.items()) if len(groups) > 1 else []
    return dict(_means([(ALL, whole), *kinds]))


def _means(
    groups: Iterable[tuple[str, Sequence[tuple[float, float]]]],
) -> Iterator[tuple[str, Shares]]:
    for kind, pairs in groups:
        accepted, rejected = (mean(column) for column in zip(*pairs, strict=True))
        yield kind, Shares(len(pairs), round(100 * accepted, 2), round(100 * rejected, 2))
