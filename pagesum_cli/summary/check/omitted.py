"""What a claim leaves out of a sentence, by what stands around it."""

from collections.abc import Sequence

from .alignment import Block
from .moves import norms_of
from .tokens import LISTS, Token
from .wordings import is_weak

BOUNDS = frozenset(",;:()[]–.!?'")
_PARTS = frozenset(",;:()–")
"""Marks behind which a part of a sentence begins."""
_BEGINNINGS = frozenset(["whether", "if", "unless", "that", "which", "who", "because"])


def restricts(theirs: Sequence[Token], block: Block) -> bool:
    """Whether what is left out belongs to a noun right before a verb, the subject: "in the yard" of
    "Noise in the yard is permitted".
    """
    before, after = theirs[block.c - 1 : block.c], theirs[block.d : block.d + 1]
    if not before or not after or is_weak(before[0]) or not theirs[block.c].is_word:
        return False
    return _is_auxiliary(after)


def is_clause_behind(theirs: Sequence[Token], block: Block, length: int) -> bool:
    """Whether what is left out at the end of a claim of so many tokens is a clause with a subject
    of its own: "and I would not rely on it".
    """
    first = [one.norm for one in theirs[block.c : block.c + 2]]
    is_last = block.d == len(theirs) and block.a == length
    joins, subjects = LISTS["joining"], LISTS["subjects"]
    return is_last and len(first) == 2 and first[0] in joins and first[1] in subjects


def is_between_marks(theirs: Sequence[Token], block: Block) -> bool:
    """Whether what is left out begins and ends at a mark or at an end of the text."""
    start, end = theirs[max(0, block.c - 1) :][:2], theirs[block.d - 1 :][:2]
    is_start = block.c == 0 or not BOUNDS.isdisjoint(norms_of(start))
    is_end = block.d == len(theirs) or not BOUNDS.isdisjoint(norms_of(end))
    return is_start and is_end


def governs(theirs: Sequence[Token], block: Block) -> bool:
    """Whether what is left out says that the words behind it may not be so, "whether the law
    applies" or "she believed it was sold", or is the subject of the verb behind it: "the owner" of
    "on the advice of the officer, the owner shall leave".
    """
    after = theirs[block.d : block.d + 1]
    words = theirs[block.c : block.d]
    if not after or after[0].norm in _PARTS:
        return False
    norms = norms_of(words)
    start = max((place + 1 for place, norm in enumerate(norms) if norm in _PARTS), default=0)
    part = norms[start:]
    if not LISTS["unproven"].isdisjoint(part):
        return True
    is_parted = start > 0 or not _BEGINNINGS.isdisjoint(part)
    return block.c > 0 and is_parted and bool(part) and _is_auxiliary(after)


def _is_auxiliary(after: Sequence[Token]) -> bool:
    return after[0].text.lower().partition(" ")[0] in LISTS["auxiliaries"]
