"""The sentences of a document, each with its place."""

import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from ..text.cleaning import one_line
from .amendments import is_amendment
from .model import Document, Paragraph, Section, Sentence
from .units import Unit, continues, introduces, units_in

_LEFT_OPEN = re.compile(
    r"\b(?:is|are|was|were|be|been|to|must|shall|may|can|will|should|by|for|of|with|not):$"
)
"""The end of a lead-in that is no sentence without its items."""
_OWN_SUBJECT = re.compile(
    r"(?:a|an|any|despite|each|every|if|no|notwithstanding|subject to|the|this|where|when)\b"
    r"[^:;]*\b(?:shall|must|may|will|is|are)\b[^:;]*\.$",
    re.IGNORECASE,
)
"""A sentence of a law with a subject and a verb of its own, which completes no lead-in."""
_ENDS_IN_VERB = re.compile(r"\b(?:to|must|shall|may|can|will|should)(?: not)?:$")
"""The end of a lead-in that an infinitive completes."""
_PART_OF_LABEL = re.compile(r"\([^()\s]+\)|[^()\s]+")


def sentences_of(section: Section, start: int = 0) -> list[Sentence]:
    """Split a section into sentences, in order; its heading is not among them."""
    sentences: list[Sentence] = []
    lists, labels = _LeadIns(), _Labels()
    placed = list(section.placed(start))
    texts = [paragraph for paragraph, _ in placed if not is_amendment(paragraph.text)]
    following = dict(zip_longest(map(id, texts), texts[1:]))
    for paragraph, offset in placed:
        if id(paragraph) not in following:  # a note on an amendment, between a lead-in and items
            sentences += _of_paragraph(paragraph, section, offset, ())
            continue
        own = _of_paragraph(paragraph, section, offset, labels.above(paragraph))
        lists.read(paragraph, own, following[id(paragraph)])
        sentences += own
    return sentences


def labels_in(label: str) -> list[str]:
    """The labels that the label of a paragraph consists of: "(g)" and "(1)" of "(g)(1)"."""
    return _PART_OF_LABEL.findall(label)


class _Labels:
    """The labels of the paragraphs that are open while those of a section are read, by depth."""

    def __init__(self) -> None:
        self._open: list[str] = [""]

    def above(self, paragraph: Paragraph) -> tuple[str, ...]:
        """The labels of the paragraphs that one is below; its own is noted."""
        # of a page, or of a note
        is_place = paragraph.label.startswith(("*", "[")) and not paragraph.depth
        own = [] if is_place else labels_in(paragraph.label)
        first = max(paragraph.depth + 1 - max(len(own), 1), 0)
        above = (self._open + [""] * first)[:first]
        if own or not paragraph.depth:
            self._open = [*above, *(own or [""])]
        return tuple(filter(None, above))


class _LeadIns:
    """The lead-ins that are open while the paragraphs of a section are read."""

    def __init__(self) -> None:
        # with the depths of their paragraphs, which grow
        self._open: list[tuple[int, Sentence]] = []
        self._labelled: list[int] = []  # depths of the items with labels that are not ended

    def read(self, paragraph: Paragraph, own: list[Sentence], following: Paragraph | None) -> None:
        """Give the sentences of a paragraph the lead-in that they complete, or the role of one."""
        lead_in = self._of(paragraph)
        if not own:
            return
        if lead_in and own[0].role != "label" and not _is_below_completion(own[0], lead_in):
            own[0] = replace(own[0], lead_in=lead_in)
        last = _last_text(own)
        if own[last].role or paragraph.block:
            return
        is_first = introduces(own[last].text, paragraph, following)
        if is_first or own[last].text.endswith(":"):
            own[last] = replace(own[last], role="lead-in")
        if is_first:
            self._open.append((paragraph.depth, own[last]))

    def _of(self, paragraph: Paragraph) -> Sentence | None:
        """The lead-in that a paragraph completes; those that it ends are closed.

        A paragraph without a label after an item with one belongs to that item: it completes
        nothing.
        """
        goes_on = continues(paragraph)
        is_inside = self._is_inside(paragraph)
        if paragraph.depth:
            # a block in an item, as deep as the item, completes it
            lowest = paragraph.depth + bool(paragraph.block)
            while self._open and self._open[-1][0] >= lowest:
                self._open.pop()
        else:
            self._open = self._open[:1] if goes_on else []
        completes = bool(paragraph.label) or not is_inside or goes_on
        return self._open[-1][1] if self._open and completes else None

    def _is_inside(self, paragraph: Paragraph) -> bool:
        """Whether an item with a label goes on; a new one is noted."""
        while self._labelled and self._labelled[-1] > paragraph.depth:
            self._labelled.pop()
        is_inside = self._labelled[-1:] == [paragraph.depth]
        if paragraph.label and paragraph.depth and not is_inside:
            self._labelled.append(paragraph.depth)
        return is_inside


def _last_text(own: Sequence[Sentence]) -> int:
    """The index of the last sentence of a paragraph that is no note on an amendment; else 0."""
    texts = (number for number, one in enumerate(own) if not is_amendment(one.text))
    return max(texts, default=0)


def _is_below_completion(sentence: Sentence, lead_in: Sentence) -> bool:
    """Whether a sentence is whole by itself: the run-in heading of its item is what completes the
    lead-in ("Small farms are: **Cheaper.** They need no mill."), or it has a subject of its own
    ("The owner shall:", "No mill shall be lit.").
    """
    if _ENDS_IN_VERB.search(lead_in.text) and _OWN_SUBJECT.match(sentence.text):
        return True
    heading = sentence.front.removeprefix(sentence.label)
    is_left_open = _LEFT_OPEN.search(lead_in.text) is not None
    return is_left_open and sentence.text[:1].isupper() and any(map(str.isalpha, heading))


def _of_paragraph(
    paragraph: Paragraph, section: Section, offset: int, parents: tuple[str, ...]
) -> list[Sentence]:
    """The sentences of a paragraph without lead-ins; its label, if it has nothing else."""
    text = paragraph.text
    label = [Unit(0, len(text), "label", paragraph.label, 0)] if text.strip() else []
    return [
        Sentence(
            text[one.start : one.end],
            paragraph.pdf_pages(one.start, one.end),
            section.heading,
            offset + one.start,
            offset + one.end,
            time=paragraph.time(one.start),
            speaker=paragraph.speaker,
            front=text[one.front : one.start].rstrip(),
            label=one.label,
            parents=parents,
            role=one.role,
            block=paragraph.block,
            within=section.within,
            paragraph=paragraph.number,
        )
        for one in units_in(paragraph) or label
    ]


def heading_of(section: Section, start: int = 0) -> list[Sentence]:
    """The section's heading as a sentence; empty if it has none."""
    if not section.heading:
        return []
    end = start + len(section.heading)
    return [
        Sentence(
            section.heading,
            section.pdf_pages[:1],
            section.heading,
            start,
            end,
            is_heading=True,
            within=section.within,
        )
    ]


def all_sentences(document: Document) -> list[Sentence]:
    """Headings and sentences that are read, in order; a heading above another has the PDF page of
    what follows.
    """
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


def sentence_numbers(document: Document) -> dict[int, int]:
    """The number of each sentence of a document by its offset, as labels of parts count them; none
    where the lines are known.
    """
    if document.line_starts or document.source_lines:
        return {}
    sentences = (one for one in all_sentences(document) if not one.is_heading)
    return {one.start: number for number, one in enumerate(sentences, start=1)}


def given_sentences(document: Document) -> list[tuple[str, Sentence | None]]:
    """The sentences of the sections that are read, without headings: what spatial locality counts.

    The text of each exactly as a data set gives it, and the sentence with its place; None for a
    text without words.
    """
    if document.given_sentences and not document.skipped:
        own = [
            one for section, start in document.read_sections for one in sentences_of(section, start)
        ]
        return _placed(document.given_sentences, own)
    return [
        one
        for section, start in document.read_sections
        for one in _placed(section.given_sentences, sentences_of(section, start))
    ]


def _placed(
    given: Sequence[str], sentences: Sequence[Sentence]
) -> list[tuple[str, Sentence | None]]:
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
    """A section as a data set gives it; otherwise its heading and its sentences, a space between
    two.
    """
    if section.given is not None:
        return section.given
    sentences = section.given_sentences or [sentence.printed for sentence in sentences_of(section)]
    return " ".join([*([section.heading] if section.heading else []), *sentences])
