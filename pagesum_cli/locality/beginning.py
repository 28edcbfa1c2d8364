"""The first tokens of documents: pages of any size hold the same text (paper, Table 5), or a cluster has a limit."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from ..documents.model import Document, Paragraph, Section, words
from ..documents.sentences import sentences_of
from ..options import PagingOptions
from .base import locality_of
from .page import Tokens


def beginnings(
    documents: Sequence[Document], options: PagingOptions, tokens: Tokens, locality: str
) -> tuple[list[Document], int]:
    """Cut documents after ``document_tokens`` each, or ``source_tokens`` in all; see :func:`first_tokens`.

    Returns:
        The documents, and the number of words that were cut off.
    """
    # Where headings are not read, they do not count either.
    fixed = options.num_pages is not None
    headings = [locality_of(locality).reads_headings(one, fixed=fixed) for one in documents]
    if options.document_tokens:
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
    """Tokens that are read of each document, ``total`` together or all, as Fabbri et al. (2019) cut Multi-News.

    Each of ``m`` documents has ``total / m``; what the shorter ones do not use is divided among the others in the same
    way, until ``total`` is reached. What does not divide evenly goes to the longest.
    """
    left, read = total, [0] * len(lengths)
    for place, number in enumerate(sorted(range(len(lengths)), key=lambda number: lengths[number])):
        read[number] = min(lengths[number], left // (len(lengths) - place))
        left -= read[number]
    return read


def first_tokens(document: Document, limit: int, tokens: Tokens, *, headings: bool) -> tuple[Document, int]:
    """Cut a document after a number of tokens, between two words; offsets in its text stay the same.

    Args:
        document: Its title does not count.
        limit: Tokens that are kept, special tokens not included; at least one word is.
        tokens: Counts tokens.
        headings: Whether headings are read, and count.

    Returns:
        The document, whose later sections are skipped, and the number of words that were cut off.
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
    for paragraph, used in zip(section.paragraphs, tokens.count([one.text for one in section.paragraphs]), strict=True):
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
