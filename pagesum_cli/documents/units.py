"""The units of a text beside its sentences: labels, lists with their lead-ins, citations, speakers, quotations."""

import re
from collections.abc import Sequence

from ..text.sentences import sentence_spans
from .model import Paragraph, Role, Section

_OPEN_END = re.compile(r"[:—–]$")
_CITATION = re.compile(r"(?:Id|Ibid)\.[^a-z]{0,40}$")

Span = tuple[int, int, Role]
"""Offsets of a unit in its paragraph, and its role, see ``Sentence.role``."""


def with_units(sections: Sequence[Section]) -> list[Section]:
    """Sections whose paragraphs say what their text shows: labels, depths of lists, and speakers.

    What a reader knows from the structure of the file stays as it is.
    """
    return list(sections)


def units_in(paragraph: Paragraph) -> list[Span]:
    """The sentences and citations of a paragraph after its label; empty if there is nothing else."""
    text, body = paragraph.text, paragraph.body
    if paragraph.is_sentence:
        return [(body, len(text), "")] if text[body:].strip() else []
    spans: list[Span] = []
    lines = [*paragraph.line_ends, len(text)]
    for start, end in zip([body, *lines], lines, strict=False):
        for a, b in sentence_spans(text[start:end]):
            role: Role = "citation" if spans and is_citation(text[start + a : start + b]) else ""
            spans.append((start + a, start + b, role))
    return spans


def is_citation(text: str) -> bool:
    """Whether a sentence is only a citation of another work."""
    return _CITATION.match(text) is not None


def introduces(sentence: str, paragraph: Paragraph, following: Paragraph) -> bool:
    """Whether the last sentence of a paragraph is completed by the paragraph after it."""
    is_inside = following.depth > paragraph.depth or bool(following.block)
    return is_inside and _OPEN_END.search(sentence) is not None


def continues(paragraph: Paragraph) -> bool:
    """Whether a paragraph outside of lists goes on with the sentence before the list above it."""
    return bool(paragraph.block) or paragraph.text[:1].islower()
