"""Paragraphs in the order in which they cover the summary: the oracle ranking of WikiCatSum."""

from collections import Counter
from dataclasses import replace

from ..documents.model import Paragraph, Section
from ..text.ngrams import ngrams, plain_words
from .record import Record


def ranked(record: Record) -> Record:
    """The record as one document, whose paragraphs are ordered by ROUGE-2 recall of the summary, best first.

    Paragraphs of several documents and sections are ranked together, equal ones in document order. The title, or the
    first heading, stays before them. This looks at the reference summary: it is an oracle, as in Perez-Beltrachini and
    Lapata (2021), who read the first 500 tokens of it (``source_tokens``).
    """
    lead = Counter(ngrams(plain_words(record.summary), 2))

    def hits(paragraph: Paragraph) -> int:
        """Bigrams of the summary in a paragraph; recall is this by a constant."""
        return (Counter(ngrams(plain_words(paragraph.text), 2)) & lead).total()

    sections = [section for document in record.documents for section, _ in document.read_sections]
    paragraphs = sorted((one for section in sections for one in section.paragraphs), key=hits, reverse=True)
    first = record.documents[0]
    section = Section(sections[0].heading, tuple(paragraphs), found_by=sections[0].found_by)
    kept = replace(first, name=record.id, sections=(section,), skipped=frozenset(), given=None, given_sentences=())
    return replace(record, documents=(kept,))
