"""The sentences of a document, each with its place."""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace

from ..text.cleaning import one_line
from ..text.sentences import sentence_spans
from .model import GAP, Document, Section, Sentence


def sentences_of(section: Section, start: int = 0) -> list[Sentence]:
    """Split a section into sentences, in order; its heading is not among them."""
    offset = start + (len(section.heading) + len(GAP) if section.heading else 0)
    sentences = []
    for paragraph in section.paragraphs:
        text = paragraph.text
        spans = [(0, len(text))] if paragraph.is_sentence else sentence_spans(text)
        for a, b in spans:
            place = (section.heading, offset + a, offset + b, False, paragraph.time(a), paragraph.speaker)
            sentences.append(Sentence(text[a:b], paragraph.pdf_pages(a, b), *place))
        offset += len(text) + len(GAP)
    return sentences


def heading_of(section: Section, start: int = 0) -> list[Sentence]:
    """The section's heading as a sentence; empty if it has none."""
    if not section.heading:
        return []
    end = start + len(section.heading)
    return [Sentence(section.heading, section.pdf_pages[:1], section.heading, start, end, is_heading=True)]


def all_sentences(document: Document) -> list[Sentence]:
    """Headings and sentences that are read, in order; a heading above another has the PDF page of what follows."""
    sentences = [
        sentence
        for section, start in document.read_sections
        for sentence in (*heading_of(section, start), *sentences_of(section, start))
    ]
    for place in range(len(sentences) - 2, -1, -1):
        one, after = sentences[place : place + 2]
        if one.is_heading and not one.pdf_pages:
            sentences[place] = replace(one, pdf_pages=after.pdf_pages[:1])
    return sentences


def given_sentences(document: Document) -> list[tuple[str, Sentence | None]]:
    """The sentences of the sections that are read, without headings: what spatial locality counts.

    The text of each exactly as a data set gives it, and the sentence with its place; None for a text without words.
    """
    if document.given_sentences and not document.skipped:
        own = [one for section, start in document.read_sections for one in sentences_of(section, start)]
        return _placed(document.given_sentences, own)
    return [
        one
        for section, start in document.read_sections
        for one in _placed(section.given_sentences, sentences_of(section, start))
    ]


def _placed(given: Sequence[str], sentences: Sequence[Sentence]) -> list[tuple[str, Sentence | None]]:
    if not given:
        return [(sentence.text, sentence) for sentence in sentences]
    places: dict[str, deque[Sentence]] = defaultdict(deque)
    for sentence in sentences:
        places[sentence.text].append(sentence)
    pairs: list[tuple[str, Sentence | None]] = []
    for text in given:
        line = one_line(text)
        same = places[line]
        pairs.append((text, (same.popleft() if same else Sentence(line)) if line else None))
    return pairs


def whole_text(section: Section) -> str:
    """A section as a data set gives it; otherwise its heading and its sentences, a space between two."""
    if section.given is not None:
        return section.given
    sentences = section.given_sentences or [sentence.text for sentence in sentences_of(section)]
    return " ".join([*([section.heading] if section.heading else []), *sentences])
