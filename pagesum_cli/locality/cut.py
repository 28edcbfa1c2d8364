"""Documents → pages."""

from collections.abc import Sequence
from dataclasses import replace

from ..documents.document import Document
from ..errors import UsageError
from .discourse import discourse_units
from .document import document_units
from .flow import PageSize, first_page_of, pages_of
from .page import Page, Pages, TokenCounter
from .paper import cut_as_in_paper
from .spatial import spatial_pages, spread_pages

LOCALITIES = ("auto", "spatial", "discourse", "document")
OVERFLOWS = ("continue", "truncate")
LEAST_PAGE_TOKENS = 32


def cut(
    documents: Sequence[Document],
    locality: str = "auto",
    *,
    count_tokens: TokenCounter,
    page_tokens: int = 512,
    special_tokens: int = 2,
    title_tokens: int = 0,
    max_pages: int | None = None,
    overflow: str = "continue",
    num_pages: int | None = None,
) -> Pages:
    """Cut a document, or a cluster of them, into pages by a principle of locality. Takes linear time.

    Every word is on some page, unless ``overflow="truncate"``, ``max_pages`` or ``num_pages`` leave words out: these
    are counted as ``truncated_words`` of their page, or as ``dropped_words`` where their page is missing.

    Args:
        documents: at least one.
        locality: ``spatial`` (sentences in order), ``discourse`` (a page a section), ``document`` (a page a document),
            or ``auto``: document for several documents, else discourse where headings were found, else spatial.
        count_tokens: counts tokens as the model's tokenizer does.
        page_tokens: ``S``, tokens of a page at most, special tokens included.
        special_tokens: how many special tokens a page has.
        title_tokens: how much of its document's title each page begins with, at most.
        max_pages: keep only that many pages, the first ones.
        overflow: ``continue``: what is longer than a page continues on further pages; ``truncate``: one page each, and
            the rest is left out, as in the paper. Spatial pages overflow only if there are more than ``max_pages``:
            then the document is spread over these, and the end of each is left out.
        num_pages: ``P`` of an official checkpoint: exactly that many pages, formed as in the paper, each truncated.

    Raises:
        UsageError: a value that makes no sense, alone or with the others.
    """
    _check(locality, page_tokens, special_tokens, max_pages, overflow, num_pages)
    if locality == "auto":
        locality = _choose(documents)
    titles = _short_titles(documents, min(title_tokens, page_tokens // 8), count_tokens)
    most = max(tokens for _, tokens in titles.values())
    size = PageSize(page_tokens, special_tokens + most, count_tokens)
    if num_pages is not None:
        pages = cut_as_in_paper(documents, locality, num_pages, size)
        return replace(pages, pages=tuple(_titled(page, titles, most) for page in pages.pages))
    if locality == "spatial":
        pages = spatial_pages(documents, size)
        if max_pages is not None and overflow == "truncate" and len(pages) > max_pages:
            pages = spread_pages(documents, size, max_pages)
    else:
        units = (discourse_units if locality == "discourse" else document_units)(documents, size)
        if overflow == "truncate":
            pages = [first_page_of(unit, size) for unit in units]
        else:
            pages = [page for unit in units for page in pages_of(unit, size)]
    kept, dropped = pages[:max_pages], pages[max_pages:] if max_pages else []
    return Pages(
        locality,
        tuple(_titled(page, titles, most) for page, _ in kept),
        dropped_words=sum(words + page.truncated_words for page, words in dropped),
    )


def _short_titles(documents: Sequence[Document], most: int, count_tokens: TokenCounter) -> dict[str, tuple[str, int]]:
    """Of each document, by name, as many words of its title as have ``most`` tokens, and how many they have."""
    titles: dict[str, tuple[str, int]] = {}
    for document in documents:
        words = document.title[: 20 * most].split()[:most]
        starts = [" ".join(words[:number]) for number in range(len(words) + 1)]
        counted = zip(starts, count_tokens(starts), strict=True)
        fitting = [(start, tokens) for start, tokens in counted if tokens <= most]
        titles[document.name] = fitting[-1]
    return titles


def _titled(page: Page, titles: dict[str, tuple[str, int]], most: int) -> Page:
    title, tokens = titles.get(page.source, ("", 0))
    return replace(page, title=title, tokens=page.tokens - most + tokens)


def _choose(documents: Sequence[Document]) -> str:
    if len(documents) > 1:
        return "document"
    return "discourse" if documents[0].has_headings else "spatial"


def _check(
    locality: str, page_tokens: int, special_tokens: int, max_pages: int | None, overflow: str, num_pages: int | None
) -> None:
    if locality not in LOCALITIES:
        raise UsageError(f"locality {locality!r}, expected one of {', '.join(LOCALITIES)}")
    if overflow not in OVERFLOWS:
        raise UsageError(f"overflow {overflow!r}, expected one of {', '.join(OVERFLOWS)}")
    if page_tokens - special_tokens < LEAST_PAGE_TOKENS:
        least = LEAST_PAGE_TOKENS + special_tokens
        raise UsageError(f"pages of {page_tokens} tokens, expected at least {least}")
    for name, number in (("max-pages", max_pages), ("num-pages", num_pages)):
        if number is not None and number < 1:
            raise UsageError(f"{name} {number}, expected at least 1")
    if num_pages is not None and (max_pages is not None or overflow != "continue"):
        raise UsageError(
            f"a checkpoint with a fixed number of {num_pages} pages knows neither max-pages nor overflow",
            "Leave out --max-pages and --overflow: its pages are formed as in the paper.",
        )
