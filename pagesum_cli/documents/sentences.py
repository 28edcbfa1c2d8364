"""The sentences of a document, each with its place."""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from ..text.cleaning import one_line
from .model import GAP, Document, Paragraph, Section, Sentence
from .units import Span, continues, introduces, units_in


def sentences_of(section: Section, start: int = 0) -> list[Sentence]:
    """Split a section into sentences, in order; its heading is not among them."""
    offset = start + (len(section.heading) + len(GAP) if section.heading else 0)
    sentences: list[Sentence] = []
    lead_ins: list[tuple[int, Sentence]] = []  # that are open, with the depths of their paragraphs
    for paragraph, following in zip_longest(section.paragraphs, section.paragraphs[1:]):
        lead_ins = _still_open(lead_ins, paragraph)
        own = _of_paragraph(paragraph, section.heading, offset)
        if own and lead_ins:
            own[0] = replace(own[0], lead_in=lead_ins[-1][1])
        if own and following is not None and introduces(own[-1].text, paragraph, following):
            own[-1] = replace(own[-1], role="lead-in")
            lead_ins.append((paragraph.depth, own[-1]))
        sentences += own
        offset += len(paragraph.text) + len(GAP)
    return sentences


def _still_open(lead_ins: list[tuple[int, Sentence]], paragraph: Paragraph) -> list[tuple[int, Sentence]]:
    """The lead-ins that a paragraph completes: of less deep lists, and where it is none itself, of its block."""
    if paragraph.depth:
        return [one for one in lead_ins if one[0] < paragraph.depth]
    return lead_ins[:1] if lead_ins and continues(paragraph) else []


def _of_paragraph(paragraph: Paragraph, heading: str, offset: int) -> list[Sentence]:
    """The sentences of a paragraph without lead-ins; its label, if it has nothing else."""
    text, body = paragraph.text, paragraph.body
    label: list[Span] = [(0, len(text), "label")] if text.strip() else []
    spans = units_in(paragraph) or label
    sentences = []
    for a, b, role in spans:
        sentence = Sentence(
            text[a:b],
            paragraph.pdf_pages(a, b),
            heading,
            offset + a,
            offset + b,
            time=paragraph.time(a),
            speaker=paragraph.speaker,
            front=text[:body].rstrip() if a == spans[0][0] and role != "label" else "",
            label=paragraph.label,
            role=role,
            block=paragraph.block,
        )
        sentences.append(sentence)
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
        return [(sentence.printed, sentence) for sentence in sentences]
    places: dict[str, deque[Sentence]] = defaultdict(deque)
    for sentence in sentences:
        places[sentence.printed].append(sentence)
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
    sentences = section.given_sentences or [sentence.printed for sentence in sentences_of(section)]
    return " ".join([*([section.heading] if section.heading else []), *sentences])
