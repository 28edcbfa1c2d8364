"""Spatial locality: neighboring sentences share a page (paper, §3)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from ..documents.model import Document
from ..documents.sentences import given_sentences
from .flow import Item, PageSize, Unit, items_of, items_of_section
from .page import Page


def spatial_units(documents: Sequence[Document], size: PageSize) -> list[Unit]:
    """One unit a document, without a label: its pages are called by their place in the document.

    Sentences are counted, headings are not: a heading is read before the first sentence of its section, except for the
    names of sections that a data set keeps apart from the text.
    """
    return [Unit("", document.name, _items(document, size)) for document in documents]


def _items(document: Document, size: PageSize) -> list[Item]:
    if document.given_sentences:
        return items_of([sentence for _, sentence in given_sentences(document) if sentence], size)
    items = (item for section, start in document.read_sections for item in items_of_section(section, start, size))
    return [item if item.opens else replace(item, heading="", heading_tokens=0) for item in items]


def spread_units(units: Sequence[Unit], runs: int) -> list[Unit]:
    """Split each unit into ``runs`` units of about equally many tokens, as the paper does."""
    spread: list[Unit] = []
    for unit in units:
        total = list(accumulate(item.cost for item in unit.items))
        ends = [bisect_right(total, total[-1] * run / runs) for run in range(1, runs + 1)]
        parts = [unit.items[start:end] for start, end in zip([0, *ends], ends, strict=False) if end > start]
        spread += [Unit(unit.label, unit.source, part) for part in parts]
    return spread


def labelled(pages: Sequence[tuple[Page, int]], with_source: bool) -> list[tuple[Page, int]]:
    """Label pages that have no label by their place: ``p. 3–5`` in a PDF, ``sentences 1–40`` elsewhere.

    Args:
        pages: And the words on each.
        with_source: Whether the document's name comes first.
    """
    named: list[tuple[Page, int]] = []
    before, source = 0, ""
    for page, words in pages:
        before = before if page.source == source else 0
        sentences = sum(not sentence.is_heading for sentence in page.sentences)
        first, before, source = before + 1, before + sentences, page.source
        if not page.label:
            label = place(page, first, before)
            page = replace(page, label=f"{page.source}, {label}" if with_source else label)
        named.append((page, words))
    return named


def place(page: Page, first: int, last: int) -> str:
    """``p. 3–5``, or ``sentences 1–40`` where there are no PDF pages."""
    if page.pdf_pages:
        return f"p. {_range(page.pdf_pages[0], page.pdf_pages[-1])}"
    return f"sentence{'s' * (last > first)} {_range(first, last)}"


def _range(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else f"{first}"
