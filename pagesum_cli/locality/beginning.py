"""The first tokens of a document, so that pages of any size hold the same text (paper, Table 5)."""

from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate

from ..documents.document import Document, Paragraph, Section, words
from .page import Tokens


def first_tokens(document: Document, limit: int, tokens: Tokens) -> tuple[Document, int]:
    """Cut a document after a number of tokens, between two words; offsets in its text stay the same.

    Args:
        document: Its title does not count.
        limit: Tokens of headings and paragraphs that are kept, special tokens not included; at least one word is.
        tokens: Counts tokens.

    Returns:
        The document, whose later sections are skipped, and the number of words that were cut off.
    """
    sections, skipped = list(document.sections), set(document.skipped)
    left, is_full = limit, False
    for number, section in enumerate(document.sections):
        if number in document.skipped:
            continue
        if is_full:
            skipped.add(number)
            continue
        used = sum(tokens.count(section.parts))
        if used > left:
            is_full = True
            is_first = left == limit
            sections[number] = _cut(section, left, tokens, is_first)
            if not sections[number].paragraphs:
                sections[number] = section
                skipped.add(number)
        left -= used
    cut = replace(document, sections=tuple(sections), skipped=frozenset(skipped))
    return cut, _words_read(document) - _words_read(cut)


def _cut(section: Section, limit: int, tokens: Tokens, needs_a_word: bool) -> Section:
    """The section's first tokens, its heading included."""
    left = limit - sum(tokens.count([section.heading] if section.heading else []))
    kept: list[Paragraph] = []
    for paragraph, used in zip(section.paragraphs, tokens.count([one.text for one in section.paragraphs]), strict=True):
        if used > left:
            text = paragraph.text.split()
            fitting = bisect_right(list(accumulate(tokens.count(text))), left)
            if needs_a_word and not kept:
                fitting = max(fitting, 1)
            beginning = _first_words(paragraph.text, fitting)
            starts = tuple(start for start in paragraph.page_starts if start[0] < len(beginning))
            kept += [replace(paragraph, text=beginning, page_starts=starts)] if beginning else []
            break
        kept.append(paragraph)
        left -= used
    return replace(section, paragraphs=tuple(kept))


def _first_words(text: str, number: int) -> str:
    rest = text.split(maxsplit=number)[number:]
    return text[: len(text) - len(rest[0])].rstrip() if rest else text


def _words_read(document: Document) -> int:
    sections = tuple(section for section, _ in document.read_sections)
    return sum(1 for _ in words(replace(document, sections=sections)))
