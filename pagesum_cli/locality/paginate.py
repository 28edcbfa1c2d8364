"""Documents → pages."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from time import perf_counter

from ..documents.article.abstract import skipped_text, without_abstract
from ..documents.model import Document, Paragraph, Section, Sentence, words
from ..documents.sentences import given_sentences, sentences_of
from ..errors import UsageError
from ..options import EXACT, MIN_PAGE_TOKENS, UNITS, PagingOptions
from .flow import Page, Pages, PageSize, Tokens, labelled, pages_of, place_label, words_in
from .localities import FixedUnit, locality_of


def beginnings(
    documents: Sequence[Document], options: PagingOptions, tokens: Tokens, locality: str
) -> tuple[list[Document], int]:
    """Cut documents after ``document_tokens`` each, or ``source_tokens`` in all, as
    :func:`first_tokens` does.
    """
    # Where headings are not read, they do not count either.
    fixed = options.num_pages is not None
    headings = [locality_of(locality).reads_headings(one, fixed=fixed) for one in documents]
    if options.document_tokens and options.num_pages != EXACT:
        limits = [options.document_tokens] * len(documents)
    elif options.source_tokens:
        lengths = [
            sum(sum(tokens.count(_texts(section, read))) for section, _ in one.read_sections)
            for one, read in zip(documents, headings, strict=True)
        ]
        limits = [max(1, share) for share in shares(lengths, options.source_tokens)]
    else:
        return list(documents), 0
    cut = [
        first_tokens(one, limit, tokens, headings=read)
        for one, limit, read in zip(documents, limits, headings, strict=True)
    ]
    return [document for document, _ in cut], sum(words for _, words in cut)


def shares(lengths: Sequence[int], total: int) -> list[int]:
    """Tokens that are read of each document, ``total`` together or all, as Fabbri et al. (2019) cut
    Multi-News.

    Each of ``m`` documents has ``total / m``; what the shorter ones do not use is divided among the
    others in the same way, until ``total`` is reached. What does not divide evenly goes to the
    longest.
    """
    left, read = total, [0] * len(lengths)
    for place, number in enumerate(sorted(range(len(lengths)), key=lambda number: lengths[number])):
        read[number] = min(lengths[number], left // (len(lengths) - place))
        left -= read[number]
    return read


def first_tokens(
    document: Document, limit: int, tokens: Tokens, *, headings: bool
) -> tuple[Document, int]:
    """Cut a document after a number of tokens, between two words; offsets in its text stay the
    same.

    Later sections are skipped. The number of words that were cut off is returned too.
    """
    sections, skipped = list(document.sections), set(document.skipped)
    left, is_cut = limit, False
    for number, section in enumerate(document.sections):
        if number in document.skipped:
            continue
        used = sum(tokens.count(_texts(section, headings)))
        if is_cut:
            skipped.add(number)
        elif used > left:
            is_cut = True
            heading = sum(tokens.count([section.heading])) if headings and section.heading else 0
            beginning = _beginning(section, left - heading, tokens, needs_a_word=left == limit)
            if beginning.paragraphs:
                sections[number] = beginning
            else:
                skipped.add(number)
        left -= used
    if not is_cut:
        return document, 0
    cut = replace(document, sections=tuple(sections), skipped=frozenset(skipped), given=None)
    if document.given_sentences:
        read = tuple(one.text for section, _ in cut.read_sections for one in sentences_of(section))
        cut = replace(cut, given_sentences=read)
    return cut, _words_read(document) - _words_read(cut)


def _texts(section: Section, headings: bool) -> list[str]:
    return list(section.parts) if headings else [one.text for one in section.paragraphs]


def _beginning(section: Section, limit: int, tokens: Tokens, *, needs_a_word: bool) -> Section:
    left, kept = limit, list[Paragraph]()
    for paragraph, used in zip(
        section.paragraphs, tokens.count([one.text for one in section.paragraphs]), strict=True
    ):
        if used > left:
            fitting = bisect_right(list(accumulate(tokens.count(paragraph.text.split()))), left)
            text = _first_words(paragraph.text, max(fitting, needs_a_word and not kept))
            starts = tuple(start for start in paragraph.page_starts if start[0] < len(text))
            kept += [replace(paragraph, text=text, page_starts=starts)] if text else []
            break
        kept.append(paragraph)
        left -= used
    return replace(section, paragraphs=tuple(kept), given=None, given_sentences=())


def _first_words(text: str, number: int) -> str:
    rest = text.split(maxsplit=number)[number:]
    return text[: len(text) - len(rest[0])].rstrip() if rest else text


def _words_read(document: Document) -> int:
    sections = tuple(section for section, _ in document.read_sections)
    return sum(1 for _ in words(replace(document, sections=sections)))


FILLER_LABEL = "(no page)"
# the text of a missing page. It is a page like any other: it is read and has its page confidence
FILLER = "."


def cut_as_in_paper(
    documents: Sequence[Document],
    name: str,
    num_pages: int | str,
    size: PageSize,
    max_pages: int | None = None,
) -> Pages:
    """The documents on exactly ``num_pages`` pages, or a unit with words a page; what is longer is
    truncated.

    The text of a page is its units as they are given, a space between two, also of units without
    words. A truncated page keeps a few words more than the model reads, so that the last tokens are
    those that the original reads, which truncates within words.
    """
    locality = locality_of(name)
    units = locality.fixed_units(documents, size)
    if isinstance(num_pages, str):
        units = [unit for unit in units if unit.sentences]
        num_pages = max(min(len(units), max_pages or len(units)), 1)
    runs = locality.fixed_runs(len(units), num_pages)
    pages = []
    for run in runs:
        if not run:
            filler = Sentence(FILLER)
            pages.append(
                Page(FILLER_LABEL, "", "", (filler,), size.count([FILLER])[0] + size.special)
            )
            continue
        page = _page_of(units[run.start : run.stop], size)
        pages.append(
            page if page.label else replace(page, label=place_label(page, run.start + 1, run.stop))
        )
    dropped = [sentence for unit in units[runs[-1].stop :] for sentence in unit.sentences]
    return Pages(name, tuple(pages), dropped_words=words_in(dropped))


def cut_between_tokens(
    documents: Sequence[Document], options: PagingOptions, tokens: Tokens
) -> Pages:
    """The sentences of documents on pages of exactly ``page_tokens`` tokens, the last of each
    document being shorter.

    So pages of any size hold the same text, the first ``document_tokens`` tokens (the paper's
    Tables 5 and 6). They have no special tokens, for which a page of 1,024 has no position left,
    and may end within a word.
    """
    size = options.page_tokens or 0
    pages: list[tuple[Page, int]] = []
    words_after = 0
    for document in documents:
        sentences = [sentence for _, sentence in given_sentences(document) if sentence]
        starts = list(accumulate((len(sentence.text) + 1 for sentence in sentences), initial=0))
        text = " ".join(sentence.text for sentence in sentences)
        pieces, ids = tokens.pieces(text)
        places = list(accumulate(map(len, pieces), initial=0))
        read = min(options.document_tokens or len(ids), len(ids))
        for first in range(0, read, size):
            last = min(first + size, read)
            own = tuple(_sentences_between(sentences, starts, places[first], places[last]))
            given, numbers = text[places[first] : places[last]], tuple(ids[first:last])
            pages.append(
                (Page("", document.name, "", own, last - first, given=given, ids=numbers), 0)
            )
        words_after += len(text[places[read] :].split())
    named = labelled(pages, with_source=len(documents) > 1)
    return Pages("spatial", tuple(page for page, _ in named), dropped_words=words_after)


def _sentences_between(
    sentences: Sequence[Sentence], starts: Sequence[int], start: int, end: int
) -> Iterator[Sentence]:
    """The sentences, or parts of them, between two characters of the text where they have these
    starts.
    """
    for number in range(
        bisect_right(starts, start) - 1, bisect_left(starts, end, hi=len(sentences))
    ):
        sentence = sentences[number]
        first, last = max(start - starts[number], 0), min(end - starts[number], len(sentence.text))
        if text := sentence.text[first:last]:
            yield replace(
                sentence, text=text, start=sentence.start + first, end=sentence.start + last
            )


def _page_of(units: Sequence[FixedUnit], size: PageSize) -> Page:
    sentences = [sentence for unit in units for sentence in unit.sentences]
    page = _truncated(units[0].label, units[0].source, sentences, size)
    text = " ".join(unit.text for unit in units)
    if text == " ".join(sentence.text for sentence in sentences):
        return page
    (tokens,) = size.count([text])
    given = text if tokens <= size.room else _text_read(text, size)
    return replace(page, given=given, tokens=min(tokens, size.room) + size.special)


def _text_read(text: str, size: PageSize) -> str:
    """The words of a text that the model reads, and a few more."""
    words = list(re.finditer(r"\S+", text))
    # A word has these tokens after a single space. Elsewhere it may have fewer: such words are not
    # counted.
    counted = zip(words, size.count([word.group() for word in words]), strict=True)
    reached = accumulate(
        tokens * bool(re.search(r"\S $", text[: word.start()][-2:])) for word, tokens in counted
    )
    end = next(
        (word.end() for word, total in zip(words, reached, strict=True) if total >= size.room),
        len(text),
    )
    return text[:end]


def _truncated(label: str, source: str, sentences: Sequence[Sentence], size: PageSize) -> Page:
    # The model reads the page without a space before it, where its first word may have fewer tokens
    # than counted.
    words = [word for sentence in sentences[:1] for word in sentence.text.split()[:1]]
    limit = size.room + sum(size.count(words))
    kept: list[Sentence] = []
    tokens = 0
    for sentence, number in zip(
        sentences, size.count([sentence.text for sentence in sentences]), strict=True
    ):
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


def paginate(documents: Sequence[Document], options: PagingOptions, tokens: Tokens) -> Pages:
    """Cut a document, or a cluster of them, into pages by a principle of locality. Takes linear
    time.

    Every word is on some page, unless ``overflow="truncate"``, ``max_pages``, ``num_pages``,
    ``document_tokens`` or ``source_tokens`` leave words out. These are counted as
    ``truncated_words`` of their page, or ``dropped_words`` where it is missing. Headings are not
    read where a data set or ``num_pages`` keeps them apart from the sentences of spatial locality.

    Spatial pages overflow only if there are more than ``max_pages``: with ``truncate`` the document
    is then spread over these, and the end of each is left out.

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
            f"parts of {page_tokens} tokens, expected at "
            f"least {MIN_PAGE_TOKENS - 2 + tokens.special_tokens}"
        )
    if options.beyond_abstract:
        documents = [without_abstract(document) for document in documents]
    documents = documents_to_read(documents, options)
    known = " ".join(map(skipped_text, documents)) if options.beyond_abstract else ""
    locality = _locality_for(documents, options)
    if options.num_pages == EXACT and tokens.title_tokens:
        raise UsageError(
            "num-pages tokens with a model whose parts have control tokens", "leave it out"
        )
    documents, words_after = beginnings(documents, options, tokens, locality)
    if options.num_pages == EXACT:
        exact = cut_between_tokens(documents, options, tokens)
        return replace(exact, dropped_words=exact.dropped_words + words_after, known=known)
    titles = _short_titles(documents, min(tokens.title_tokens, page_tokens // 8), tokens)
    room_for_title = max(count for _, count in titles.values())
    size = PageSize(page_tokens, tokens.special_tokens + room_for_title, tokens.count)
    if options.num_pages is not None:
        found = cut_as_in_paper(documents, locality, options.num_pages, size, options.max_pages)
    else:
        found = _cut_by_units(documents, locality, options, size)
    pages = tuple(_titled(page, titles, room_for_title) for page in found.pages)
    return replace(found, pages=pages, dropped_words=found.dropped_words + words_after, known=known)


def _cut_by_units(
    documents: Sequence[Document], locality: str, options: PagingOptions, size: PageSize
) -> Pages:
    principle = locality_of(locality)
    units = principle.units(documents, size)
    if options.overflow == "truncate":
        pages = principle.truncated(units, size, options.max_pages)
    else:
        pages = [page for unit in units for page in pages_of(unit, size)]
    pages = labelled(pages, with_source=len(documents) > 1)
    most = options.max_pages
    kept, dropped = pages[:most], pages[most:] if most else []
    unread = sum(words + page.truncated_words for page, words in dropped)
    is_chosen = options.locality not in ("auto", automatic_locality(documents))
    return Pages(
        locality, tuple(page for page, _ in kept), dropped_words=unread, is_chosen=is_chosen
    )


def documents_to_read(documents: Sequence[Document], options: PagingOptions) -> list[Document]:
    """The documents that have words; all of them where a fixed number of pages is formed, as the
    original does.
    """
    return [one for one in documents if one.has_words or options.num_pages is not None]


@dataclass(frozen=True)
class Cut:
    """A document (or cluster) that is cut into pages."""

    documents: list[Document]
    pages: Pages
    seconds: float  # that this took
    reference: str = ""


def cut(documents: Sequence[Document], options: PagingOptions, tokens: Tokens) -> Cut:
    """Cut the documents that have words; see :func:`paginate`."""
    began = perf_counter()
    documents = documents_to_read(documents, options)
    return Cut(documents, paginate(documents, options, tokens), perf_counter() - began)


def automatic_locality(documents: Sequence[Document]) -> str:
    """The locality that ``auto`` stands for, of documents that have words."""
    if len(documents) > 1:
        return "document"
    return "discourse" if documents[0].has_headings else "spatial"


def as_automatic(
    documents: Sequence[Document], options: PagingOptions, trained: str = "auto"
) -> PagingOptions:
    """The options with ``auto`` in place of the same locality by its name, so that a summary does
    not depend on who named it.

    Args:
        documents: What will be cut.
        options: As the user gave them.
        trained: The locality that the model was trained with.
    """
    read = documents_to_read(documents, options) or list(documents)
    automatic = automatic_locality(read) if trained == "auto" and read else trained
    return replace(options, locality="auto") if options.locality == automatic else options


def _locality_for(documents: Sequence[Document], options: PagingOptions) -> str:
    locality = options.locality
    if locality == "auto" and options.num_pages == EXACT:
        locality = "spatial"
    elif locality == "auto":
        locality = automatic_locality(documents)
    if options.num_pages in (UNITS, EXACT) and (locality == "spatial") != (
        options.num_pages == EXACT
    ):
        other = "discourse or document" if options.num_pages == UNITS else "spatial"
        raise UsageError(
            f"num-pages {options.num_pages} with {locality} locality", f"--locality {other}"
        )
    return locality


def _short_titles(
    documents: Sequence[Document], limit: int, tokens: Tokens
) -> dict[str, tuple[str, int]]:
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
