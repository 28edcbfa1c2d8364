"""Documents → pages."""

from collections.abc import Sequence
from dataclasses import replace

from ..documents.article.article import skipped_text, without_abstract
from ..documents.model import Document
from ..errors import UsageError
from ..options import MIN_PAGE_TOKENS, PagingOptions
from .base import locality_of
from .beginning import beginnings
from .flow import PageSize, labelled, pages_of
from .page import Page, Pages, Tokens
from .paper import cut_as_in_paper


def paginate(documents: Sequence[Document], options: PagingOptions, tokens: Tokens) -> Pages:
    """Cut a document, or a cluster of them, into pages by a principle of locality. Takes linear time.

    Every word is on some page, unless ``overflow="truncate"``, ``max_pages``, ``num_pages``, ``document_tokens`` or
    ``source_tokens`` leave words out. These are counted as ``truncated_words`` of their page, or ``dropped_words``
    where it is missing. Headings are not read where a data set or ``num_pages`` keeps them apart from the sentences of
    spatial locality.

    Spatial pages overflow only if there are more than ``max_pages``: with ``truncate`` the document is then spread over
    these, and the end of each is left out.

    Args:
        documents: At least one.
        options: With ``page_tokens`` filled in.
        tokens: Counts tokens as the model's tokenizer does.

    Raises:
        UsageError: Pages are too short for text.
    """
    page_tokens = options.page_tokens or 0
    if page_tokens - tokens.special_tokens < MIN_PAGE_TOKENS - 2:
        raise UsageError(
            f"parts of {page_tokens} tokens, expected at least {MIN_PAGE_TOKENS - 2 + tokens.special_tokens}"
        )
    if options.beyond_abstract:
        documents = [without_abstract(document) for document in documents]
    documents = documents_to_read(documents, options)
    known = " ".join(map(skipped_text, documents)) if options.beyond_abstract else ""
    locality = choose_locality(documents) if options.locality == "auto" else options.locality
    documents, words_after = beginnings(documents, options, tokens, locality)
    titles = _short_titles(documents, min(tokens.title_tokens, page_tokens // 8), tokens)
    room_for_title = max(count for _, count in titles.values())
    size = PageSize(page_tokens, tokens.special_tokens + room_for_title, tokens.count)
    if options.num_pages is not None:
        fixed = cut_as_in_paper(documents, locality, options.num_pages, size)
        return replace(
            fixed,
            pages=tuple(_titled(page, titles, room_for_title) for page in fixed.pages),
            dropped_words=fixed.dropped_words + words_after,
            known=known,
        )
    principle = locality_of(locality)
    units = principle.units(documents, size)
    if options.overflow == "truncate":
        pages = principle.truncated(units, size, options.max_pages)
    else:
        pages = [page for unit in units for page in pages_of(unit, size)]
    pages = labelled(pages, with_source=len(documents) > 1)
    most = options.max_pages
    kept, dropped = pages[:most], pages[most:] if most else []
    return Pages(
        locality,
        tuple(_titled(page, titles, room_for_title) for page, _ in kept),
        dropped_words=sum(words + page.truncated_words for page, words in dropped) + words_after,
        known=known,
    )


def documents_to_read(documents: Sequence[Document], options: PagingOptions) -> list[Document]:
    """The documents that have words; all of them where a fixed number of pages is formed, as the original does."""
    return [one for one in documents if one.has_words or options.num_pages is not None]


def choose_locality(documents: Sequence[Document]) -> str:
    """Resolve ``auto``: document for several documents, else discourse if there are headings, else spatial."""
    if len(documents) > 1:
        return "document"
    return "discourse" if documents[0].has_headings else "spatial"


def _short_titles(documents: Sequence[Document], limit: int, tokens: Tokens) -> dict[str, tuple[str, int]]:
    titles: dict[str, tuple[str, int]] = {}
    for document in documents:
        words = document.title[: 20 * limit].split()[:limit]
        starts = [" ".join(words[:number]) for number in range(len(words) + 1)]
        counted = zip(starts, tokens.count(starts), strict=True)
        fitting = [(start, count) for start, count in counted if count <= limit]
        titles[document.name] = fitting[-1]
    return titles


def _titled(page: Page, titles: dict[str, tuple[str, int]], reserved: int) -> Page:
    title, tokens = titles.get(page.source, ("", 0))
    return replace(page, title=title, tokens=page.tokens - reserved + tokens)
