"""A record of a data set: a document, or a cluster of documents, and its summary."""

from dataclasses import dataclass, field
from typing import Any

from ..documents.model import Document, Section


@dataclass(frozen=True)
class Record:
    """One document (or cluster of documents) and the author's summary of it.

    Attributes:
        id: The record's own id, otherwise the number of its line, file or row.
        documents: At least one that has words.
        summary: The author's summary; empty if the record has none.
        summary_sentences: Its sentences, if the record has a list of them: they are never split again.
        chapter_summaries: The author's summaries of the chapters of a book, each under the chapter's title.
        extra: The record's other fields (source, license …).
    """

    id: str
    documents: tuple[Document, ...]
    summary: str = ""
    summary_sentences: tuple[str, ...] = ()
    chapter_summaries: tuple[Section, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each document, headings included."""
        return tuple(document.text for document in self.documents)
