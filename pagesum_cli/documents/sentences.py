"""The sentences of a document, each with its place."""

from ..text.sentences import SECTION_LIMIT, sentence_spans
from .document import GAP, Document, Section, Sentence


def sentences_of(section: Section, start: int = 0) -> list[Sentence]:
    """Split a section into sentences, in order; its heading is not among them.

    Args:
        section: Its paragraphs are split, unless they came as sentences.
        start: The section's offset in the document's text.
    """
    use_pysbd = sum(len(paragraph.text) for paragraph in section.paragraphs) <= SECTION_LIMIT
    offset = start + (len(section.heading) + len(GAP) if section.heading else 0)
    sentences = []
    for paragraph in section.paragraphs:
        text = paragraph.text
        spans = [(0, len(text))] if paragraph.is_sentence else sentence_spans(text, use_pysbd)
        sentences += [
            Sentence(text[a:b], paragraph.pdf_pages(a, b), section.heading, offset + a, offset + b) for a, b in spans
        ]
        offset += len(text) + len(GAP)
    return sentences


def heading_of(section: Section, start: int = 0) -> list[Sentence]:
    """The section's heading as a sentence; empty if it has none."""
    if not section.heading:
        return []
    end = start + len(section.heading)
    return [Sentence(section.heading, section.pdf_pages[:1], section.heading, start, end, is_heading=True)]


def all_sentences(document: Document) -> list[Sentence]:
    """Headings and sentences of the sections that are read, in order."""
    return [
        sentence
        for section, start in document.read_sections
        for sentence in (*heading_of(section, start), *sentences_of(section, start))
    ]
