"""The paper's own pages: a fixed number of them, as the official checkpoints were trained with.

The original's ``data_utils.py`` forms them; see also the paper's §3.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..documents.model import Document, Sentence
from ..documents.sentences import all_sentences, given_sentences, heading_of, sentences_of, whole_text
from .discourse import OPENING
from .flow import PageSize, short_label, words_in
from .page import Page, Pages
from .spatial import place

FILLER_LABEL = "(no page)"
FILLER = "."
"""The text of a missing page. It is a page like any other: it is read and has its page confidence."""


def paper_runs(units: int, num_pages: int, one_unit_a_page: bool = False) -> list[range]:
    """The units of each page.

    Args:
        units: how many sentences there are (or sections, or documents).
        num_pages: ``P``.
        one_unit_a_page: unit ``i`` is page ``i``, and units beyond ``P`` are dropped (discourse and document
            locality). Otherwise ``units // P`` a page, the remainder on the last page (spatial locality).

    Returns:
        ``P`` ranges; an empty one is a missing page.
    """
    if one_unit_a_page:
        return [range(page, min(page + 1, units)) for page in range(num_pages)]
    size = units // num_pages
    starts = [page * size for page in range(num_pages)]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], units], strict=True)]


@dataclass(frozen=True)
class _Unit:
    """A sentence, section or document: what the original program counts.

    Attributes:
        source: The document's name.
        label: Of a page that begins with it; empty for one by its place.
        text: As the data set gives it; may have no words.
        sentences: Its headings and sentences.
    """

    source: str
    label: str
    text: str
    sentences: Sequence[Sentence]


def cut_as_in_paper(documents: Sequence[Document], locality: str, num_pages: int, size: PageSize) -> Pages:
    """The documents on exactly ``num_pages`` pages; what is longer than a page is truncated.

    The text of a page is its units as they are given, a space between two, also of units without words. A truncated
    page keeps a few words more than the model reads, so that the last tokens are those that the original reads, which
    truncates within words.
    """
    units = _units(documents, locality)
    runs = paper_runs(len(units), num_pages, one_unit_a_page=locality != "spatial")
    pages = []
    for run in runs:
        if not run:
            filler = Sentence(FILLER)
            pages.append(Page(FILLER_LABEL, "", "", (filler,), size.count([FILLER])[0] + size.special))
            continue
        page = _page_of(units[run.start : run.stop], size)
        pages.append(page if page.label else replace(page, label=place(page, run.start + 1, run.stop)))
    dropped = [sentence for unit in units[runs[-1].stop :] for sentence in unit.sentences]
    return Pages(locality, tuple(pages), dropped_words=words_in(dropped))


def _units(documents: Sequence[Document], locality: str) -> list[_Unit]:
    """The units of a locality. Headings belong to the text of a section or document, and are no sentences."""
    if locality == "spatial":
        return [
            _Unit(document.name, "", text, [sentence] if sentence else [])
            for document in documents
            for text, sentence in given_sentences(document)
        ]
    if locality == "discourse":
        return [
            _Unit(
                document.name,
                short_label(section.heading or OPENING),
                whole_text(section),
                [*heading_of(section, start), *sentences_of(section, start)],
            )
            for document in documents
            for section, start in document.read_sections
        ]
    return [_Unit(document.name, document.name, _text_of(document), all_sentences(document)) for document in documents]


def _text_of(document: Document) -> str:
    if document.given is not None and not document.skipped:
        return document.given
    return " ".join(whole_text(section) for section, _ in document.read_sections)


def _page_of(units: Sequence[_Unit], size: PageSize) -> Page:
    sentences = [sentence for unit in units for sentence in unit.sentences]
    page = _truncated(units[0].label, units[0].source, sentences, size)
    text = " ".join(unit.text for unit in units)
    if text == " ".join(sentence.text for sentence in sentences):
        return page
    (tokens,) = size.count([text])
    given = text if tokens <= size.room else _beginning(text, size)
    return replace(page, given=given, tokens=min(tokens, size.room) + size.special)


def _beginning(text: str, size: PageSize) -> str:
    """The words of a text that the model reads, and a few more."""
    words = list(re.finditer(r"\S+", text))
    # A word has these tokens after a single space. Elsewhere it may have fewer: such words are not counted.
    counted = zip(words, size.count([word.group() for word in words]), strict=True)
    reached = accumulate(tokens * bool(re.search(r"\S $", text[: word.start()][-2:])) for word, tokens in counted)
    end = next((word.end() for word, total in zip(words, reached, strict=True) if total >= size.room), len(text))
    return text[:end]


def _truncated(label: str, source: str, sentences: Sequence[Sentence], size: PageSize) -> Page:
    # The model reads the page without a space before it, where its first word may have fewer tokens than counted.
    words = [word for sentence in sentences[:1] for word in sentence.text.split()[:1]]
    limit = size.room + sum(size.count(words))
    kept: list[Sentence] = []
    tokens = 0
    for sentence, number in zip(sentences, size.count([sentence.text for sentence in sentences]), strict=True):
        if tokens + number > limit:
            words = sentence.text.split()
            reached = list(accumulate(size.count(words), initial=tokens))
            text = " ".join(words[: bisect_left(reached, limit)])
            kept += [replace(sentence, text=text, end=sentence.start + len(text))] if text else []
            tokens = limit
            break
        kept.append(sentence)
        tokens += number
    page = Page(label, source, "", tuple(kept), min(tokens, size.room) + size.special)
    return replace(page, truncated_words=words_in(sentences) - words_in(kept))
