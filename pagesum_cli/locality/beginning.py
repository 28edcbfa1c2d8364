"""The first tokens of a document, so that pages of any size hold the same text (paper, Table 5)."""

from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate

from ..documents.document import Document, Paragraph, Section, words
from ..documents.sentences import sentences_of
from .page import Tokens


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
        used = sum(tokens.count(section.parts if headings else [one.text for one in section.paragraphs]))
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


def _beginning(section: Section, limit: int, tokens: Tokens, *, needs_a_word: bool) -> Section:
    """The section with its first paragraphs, the last one cut."""
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
