"""Spatial locality: neighboring sentences share a page (paper, §3)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from ..documents.model import Document
from ..documents.sentences import given_sentences
from .base import FixedUnit, Locality
from .flow import Item, PageSize, Unit, first_page_of, items_of, items_of_section, pages_of
from .page import Page


class SpatialLocality(Locality):
    """One unit a document, without a label: its pages are called by their place in the document.

    Sentences are counted, headings are not: a heading is read before the first sentence of its section, except for the
    names of sections that a data set keeps apart from the text.
    """

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """One unit a document."""
        return [Unit("", document.name, _items(document, size)) for document in documents]

    def truncated(self, units: Sequence[Unit], size: PageSize, max_pages: int | None) -> list[tuple[Page, int]]:
        """All pages; if there are more than ``max_pages``, the documents are spread over these, as the paper does."""
        pages = [page for unit in units for page in pages_of(unit, size)]
        if max_pages is not None and len(pages) > max_pages:
            return [first_page_of(unit, size) for unit in _spread(units, max_pages)]
        return pages

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """The sentences, without headings."""
        return [
            FixedUnit(document.name, "", text, [sentence] if sentence else [])
            for document in documents
            for text, sentence in given_sentences(document)
        ]

    def fixed_runs(self, units: int, num_pages: int) -> list[range]:
        """``units // P`` a page, the remainder on the last page."""
        size = units // num_pages
        starts = [page * size for page in range(num_pages)]
        return [range(start, end) for start, end in zip(starts, [*starts[1:], units], strict=True)]

    def reads_headings(self, document: Document, *, fixed: bool) -> bool:
        """Headings are not read among a fixed number of sentences, nor where a data set gives these apart."""
        return not (fixed or document.given_sentences)


def _items(document: Document, size: PageSize) -> list[Item]:
    if document.given_sentences:
        return items_of([sentence for _, sentence in given_sentences(document) if sentence], size)
    items = (item for section, start in document.read_sections for item in items_of_section(section, start, size))
    return [item if item.opens else replace(item, heading="", heading_tokens=0) for item in items]


def _spread(units: Sequence[Unit], runs: int) -> list[Unit]:
    spread: list[Unit] = []
    for unit in units:
        total = list(accumulate(item.cost for item in unit.items))
        ends = [bisect_right(total, total[-1] * run / runs) for run in range(1, runs + 1)]
        parts = [unit.items[start:end] for start, end in zip([0, *ends], ends, strict=False) if end > start]
        spread += [Unit(unit.label, unit.source, part) for part in parts]
    return spread
