"""Spatial locality: sentences that stand near each other share a page (paper, §3)."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from ..documents.document import Document
from .flow import PageSize, Unit, everything, first_page_of, items_of, pages_of
from .page import Page


def spatial_pages(documents: Sequence[Document], size: PageSize) -> list[tuple[Page, int]]:
    """Each document on as few pages as hold it, about equally long, and the words on each page.

    Labels say where a page stands: ``p. 3–5`` in a PDF, ``sentences 1–40`` elsewhere, after the document's name where
    there are several.
    """
    pages: list[tuple[Page, int]] = []
    for document in documents:
        own = pages_of(Unit("", document.name, items_of(everything(document), size)), size)
        pages += _labelled(own, document.name if len(documents) > 1 else "")
    return pages


def spread_pages(documents: Sequence[Document], size: PageSize, runs: int) -> list[tuple[Page, int]]:
    """Each document in ``runs`` runs of about equally many tokens, each truncated to a page, as in the paper."""
    pages: list[tuple[Page, int]] = []
    for document in documents:
        items = items_of(everything(document), size)
        total = list(accumulate(item.tokens for item in items))
        ends = [bisect_right(total, total[-1] * run / runs) for run in range(1, runs + 1)]
        parts = [items[start:end] for start, end in zip([0, *ends], ends, strict=False) if end > start]
        own = [first_page_of(Unit("", document.name, part), size) for part in parts]
        pages += _labelled(own, document.name if len(documents) > 1 else "")
    return pages


def _labelled(pages: list[tuple[Page, int]], name: str) -> Iterator[tuple[Page, int]]:
    before = 0
    for page, words in pages:
        first, before = before + 1, before + len(page.sentences)
        yield replace(page, label=", ".join(filter(None, (name, place(page, first, before))))), words


def place(page: Page, first: int, last: int) -> str:
    """``p. 3–5``, or ``sentences 1–40`` where there are no PDF pages."""
    if page.pdf_pages:
        return f"p. {_range(page.pdf_pages[0], page.pdf_pages[-1])}"
    return f"sentence{'s' * (last > first)} {_range(first, last)}"


def _range(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else f"{first}"
