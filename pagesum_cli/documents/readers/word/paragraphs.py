"""Word documents with numbered paragraphs: which of these are no headings, and what is one between
them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ....text.cleaning import one_line
from ...article.wording import ends_sentence, is_prose, may_be_heading
from .paragraph import Block

SENTENCES_SHARE = 1 / 3  # of the paragraphs of a style of headings, from which on it is one of text
MIN_NUMBERED = 20  # paragraphs with a number of their own in a document that counts them
MAX_WORDS = 15  # of a heading between numbered paragraphs
_NUMBER = re.compile(r"\[?[1-9]\d{0,3}[.)\]]?")
_SIGNS = tuple('*“”‘"[…')  # at the beginning or the end of what is quoted
_BY_HAND = re.compile(r"\s*\[?[1-9]\d{0,3}[.\]]\s")


def sentences_to_text(blocks: Sequence[Block]) -> None:
    """Take the level from what is a sentence, and from all paragraphs of a style with many of
    them; of these, those without a number that are worded like a heading stay one. Where there is
    such a style, numbered questions are text too.
    """
    styles = _by_style(blocks)
    are_text = {name: _is_of_text(alike) for name, alike in styles.items()}
    for name, alike in styles.items():
        _lower(one for one in alike if _is_sentence(one))
        _lower(one for one in alike if are_text[name] and not _stays_heading(one))
    if any(are_text.values()):
        _lower(filter(_is_numbered_sentence, blocks))


def _by_style(blocks: Sequence[Block]) -> dict[tuple[str, int], list[Block]]:
    """The paragraphs of each style of headings, by its name and level."""
    styles: dict[tuple[str, int], list[Block]] = defaultdict(list)
    for block in blocks:
        if block.style.level:
            styles[block.style.name, block.style.level].append(block)
    return styles


def _lower(blocks: Iterable[Block]) -> None:
    """Make text of some paragraphs."""
    for block in blocks:
        block.style = replace(block.style, level=0)


def _is_of_text(alike: Sequence[Block]) -> bool:
    """Whether the paragraphs of a style of headings are mostly text."""
    return sum(map(_is_sentence, alike)) >= max(2, SENTENCES_SHARE * len(alike))


def _is_numbered_sentence(block: Block) -> bool:
    """Whether a paragraph is a sentence or a question with a number, and not bold."""
    is_plain = bool(block.marks.label) and not block.style.bold
    return is_plain and ends_sentence(one_line(block.text))


def _stays_heading(block: Block) -> bool:
    """Whether a paragraph of a style that is mostly text is worded like a heading."""
    text = one_line(block.text)
    is_named = text[:1].isupper() and not ends_sentence(text) and may_be_heading(text)
    return not block.marks.label and is_named


def _is_sentence(block: Block) -> bool:
    """Whether a paragraph is prose up to a stop or a colon; a question may be a heading."""
    text = one_line(block.text).rstrip(" -–—")
    return is_prose(text) and ends_sentence(text) and not text.endswith(("?", "!"))


def mark_between_numbers(blocks: Sequence[Block]) -> None:
    """Make headings of the short lines without a number that stand above a numbered paragraph, in
    a document that counts its paragraphs.
    """
    if sum(map(_is_numbered, blocks)) < MIN_NUMBERED:
        return
    level = 1 + max((block.style.level for block in blocks), default=0)
    is_above = False  # whether what follows is a numbered paragraph or a heading
    for place in reversed(range(len(blocks))):
        block = blocks[place]
        if is_above and _may_stand_above(block) and all(map(_is_end, blocks[:place][-1:])):
            block.style, block.is_guess = replace(block.style, level=level), True
        is_above = _is_numbered(block) or (is_above and block.style.level > 0)


def _is_numbered(block: Block) -> bool:
    """Whether a paragraph has a plain number, by Word or by hand."""
    label = block.marks.label
    is_by_hand = not label and _BY_HAND.match(block.text) is not None
    return not block.style.level and (is_by_hand or _NUMBER.fullmatch(label) is not None)


def _may_stand_above(block: Block) -> bool:
    """Whether a paragraph of text is short, without a number, and worded like a heading."""
    text = one_line(block.text)
    is_text = not (block.style.level or block.marks.label or block.marks.block)
    is_short = len(text.split()) <= MAX_WORDS and not ends_sentence(text)
    is_other = text.startswith(_SIGNS) or text.endswith(_SIGNS) or _BY_HAND.match(text)
    return is_text and is_short and not is_other and may_be_heading(text)


def _is_end(block: Block) -> bool:
    """Whether a block ends what comes before: a heading, the end of a sentence, or a line that may
    be a heading itself.
    """
    text = one_line(block.text)
    is_closed = ends_sentence(text) and not text.endswith((":", ";"))
    return block.style.level > 0 or is_closed or _may_stand_above(block)
