"""Documents as numbered sentences with an editor's labels: what ``pagesum label`` writes, people
correct, and models learn from.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .record import EditorLabels, Record

BUDGET = 150  # words of the quotes of a document, unless another number is given

REASONS = {
    "pointer": "needs something that is not shown: this, such, another, Figure 3",
    "announcement": "only announces what follows",
    "example": "a case, or a step in a walk-through",
    "background": "earlier knowledge, history, motivation",
    "detail": "true, but not a main point",
    "repeat": "repeats a quoted sentence",
    "debris": "a caption, a heading, an exercise, a fragment",
}
"""Why a sentence must never be quoted, with what each reason means."""


@dataclass(frozen=True)
class LabelledDocument:
    """A document's sentences, and their labels by number."""

    id: str
    sentences: tuple[tuple[str, str], ...]  # heading and text of each, in reading order
    title: str = ""
    budget: int = BUDGET  # words of the quotes
    labels: EditorLabels = field(default_factory=lambda: EditorLabels(()))
    # what else is known (kind, source …), kept as it is
    extra: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The document as a record, see :mod:`.formats`."""
        labels = self.labels
        reasons = labels.reasons or ("",) * len(labels.rejected)
        rejected = {str(one): reason for one, reason in zip(labels.rejected, reasons, strict=True)}
        return {
            "id": self.id,
            "title": self.title,
            **self.extra,
            "budget": self.budget,
            "sentences": [list(pair) for pair in self.sentences],
            "quoted": list(labels.quoted),
            "alternates": list(labels.alternates),
            "rejected": rejected,
        }


def labelled_document(record: Record) -> LabelledDocument:
    """A labelled record as such a document."""
    assert record.editor_labels is not None
    document = record.documents[0]
    extra = dict(record.extra)
    budget = extra.pop("budget", None)
    sentences = tuple(
        (section.heading, paragraph.text)
        for section in document.sections
        for paragraph in section.paragraphs
    )
    return LabelledDocument(
        record.id,
        sentences,
        document.title,
        budget if isinstance(budget, int) and budget > 0 else BUDGET,
        record.editor_labels,
        extra,
    )


def json_lines(documents: Iterable[LabelledDocument]) -> str:
    """Labelled documents as JSON Lines."""
    lines = (json.dumps(one.to_json(), ensure_ascii=False) for one in documents)
    return "".join(f"{line}\n" for line in lines)
