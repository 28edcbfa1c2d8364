"""A record of a data set: a document, or a cluster of documents, and its summary."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from ..documents.model import Document, Paragraph, Section
from ..text.words import ngrams, plain_words


@dataclass(frozen=True)
class EditorLabels:
    """Which sentences of a document an editor quotes, by their numbers in the record."""

    quoted: tuple[int, ...]
    alternates: tuple[int, ...] = ()  # that could have been quoted as well
    rejected: tuple[int, ...] = ()  # that should not be quoted
    pointers: tuple[int, ...] = ()  # of these, the ones that point at something that is not shown
    reasons: tuple[str, ...] = ()  # of each rejected one


@dataclass(frozen=True)
class Record:
    """One document (or cluster of documents) and the author's summary of it."""

    id: str  # the record's own id, otherwise the number of its line, file or row
    documents: tuple[Document, ...]  # at least one that has words
    summary: str = ""  # the author's summary; empty if the record has none
    # Its sentences, if the record has a list of them: they are never split again
    summary_sentences: tuple[str, ...] = ()
    # The author's summaries of the chapters of a book, each under the chapter's title
    chapter_summaries: tuple[Section, ...] = ()
    # the record's other fields (source, license …)
    extra: dict[str, Any] = field(default_factory=dict)
    # of a single document; None if nobody has labelled it
    editor_labels: EditorLabels | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each document, headings included."""
        return tuple(document.text for document in self.documents)


def ranked(record: Record) -> Record:
    """The record as one document, whose paragraphs are ordered by ROUGE-2 recall of the summary,
    best first.

    Paragraphs of several documents and sections are ranked together, equal ones in document order.
    The title, or the first heading, stays before them. This looks at the reference summary: it is
    an oracle, as in Perez-Beltrachini and Lapata (2021), who read the first 500 tokens of it
    (``source_tokens``).
    """
    lead = Counter(ngrams(plain_words(record.summary), 2))

    def hits(paragraph: Paragraph) -> int:
        """Bigrams of the summary in a paragraph; recall is this by a constant."""
        return (Counter(ngrams(plain_words(paragraph.text), 2)) & lead).total()

    sections = [section for document in record.documents for section, _ in document.read_sections]
    paragraphs = sorted(
        (one for section in sections for one in section.paragraphs), key=hits, reverse=True
    )
    first = record.documents[0]
    section = Section(sections[0].heading, tuple(paragraphs), found_by=sections[0].found_by)
    kept = replace(
        first,
        name=record.id,
        sections=(section,),
        skipped=frozenset(),
        given=None,
        given_sentences=(),
    )
    return replace(record, documents=(kept,))
