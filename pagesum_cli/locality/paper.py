"""The paper's own pages: a fixed number of them, as the official checkpoints were trained with.

The original's ``data_utils.py`` forms them; see also the paper's §3.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from ..documents.model import Document, Sentence
from .base import FixedUnit, locality_of
from .flow import PageSize, place_label, words_in
from .page import Page, Pages

FILLER_LABEL = "(no page)"
FILLER = "."
"""The text of a missing page. It is a page like any other: it is read and has its page confidence."""


def cut_as_in_paper(documents: Sequence[Document], name: str, num_pages: int, size: PageSize) -> Pages:
    """The documents on exactly ``num_pages`` pages; what is longer than a page is truncated.

    The text of a page is its units as they are given, a space between two, also of units without words. A truncated
    page keeps a few words more than the model reads, so that the last tokens are those that the original reads, which
    truncates within words.
    """
    locality = locality_of(name)
    units = locality.fixed_units(documents, size)
    runs = locality.fixed_runs(len(units), num_pages)
    pages = []
    for run in runs:
        if not run:
            filler = Sentence(FILLER)
            pages.append(Page(FILLER_LABEL, "", "", (filler,), size.count([FILLER])[0] + size.special))
            continue
        page = _page_of(units[run.start : run.stop], size)
        pages.append(page if page.label else replace(page, label=place_label(page, run.start + 1, run.stop)))
    dropped = [sentence for unit in units[runs[-1].stop :] for sentence in unit.sentences]
    return Pages(name, tuple(pages), dropped_words=words_in(dropped))


def _page_of(units: Sequence[FixedUnit], size: PageSize) -> Page:
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
