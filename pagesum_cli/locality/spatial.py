"""Spatial locality: neighboring sentences share a page (paper, §3)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from ..documents.document import Document
from ..documents.sentences import all_sentences
from .flow import PageSize, Unit, items_of
from .page import Page


def spatial_units(documents: Sequence[Document], size: PageSize) -> list[Unit]:
    """One unit a document, without a label: its pages are called by their place in the document."""
    return [Unit("", document.name, items_of(all_sentences(document), size)) for document in documents]


def spread_units(units: Sequence[Unit], runs: int) -> list[Unit]:
    """Split each unit into ``runs`` units of about equally many tokens, as the paper does."""
    spread: list[Unit] = []
    for unit in units:
        total = list(accumulate(item.tokens for item in unit.items))
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
        first, before, source = before + 1, before + len(page.sentences), page.source
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
