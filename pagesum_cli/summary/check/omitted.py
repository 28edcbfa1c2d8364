"""What a claim leaves out of a sentence, by what stands around it."""

from collections.abc import Sequence
from itertools import pairwise

from .alignment import Block
from .moves import norms_of
from .tokens import LISTS, Token
from .wordings import is_weak

BOUNDS = frozenset(",;:()[]–.!?'")
_PARTS = frozenset(",;:()–")
"""Marks behind which a part of a sentence begins."""
_BEGINNINGS = frozenset(["whether", "if", "unless", "that", "which", "who", "because"])
_JOINTS = LISTS["joining"] | {"or", "nor", ";"}
"""Behind which another part of a sentence begins."""
_LONGEST_NOUN = 3  # words of "and the owner"
_EVERY = (["all"], ["each"], ["every"])
"""Words such as "each", which may be left out before a noun in a general statement."""


def restricts(theirs: Sequence[Token], block: Block) -> bool:
    """Whether what is left out belongs to a noun right before a verb, the subject: "in the yard" of
    "Noise in the yard is permitted".
    """
    before, after = theirs[block.c - 1 : block.c], theirs[block.d : block.d + 1]
    if not before or not after or is_weak(before[0]) or not theirs[block.c].is_word:
        return False
    return _is_auxiliary(after)


def kind_of_gap(theirs: Sequence[Token], block: Block, ours: Sequence[Token]) -> str:
    """The kind of an omission by the parts of the sentence that it goes over: wording if the rest
    may state something else; empty if that depends on what is left out.
    """
    if governs(theirs, block, ours):
        return "wording"
    if is_apart(theirs, block, len(ours)):
        return "wording" if takes_item(theirs, block) else "omission"
    return "wording" if is_spliced(theirs, block, ours) else ""


def _is_clause(theirs: Sequence[Token], block: Block, length: int) -> bool:
    """Whether what a claim of so many tokens leaves out begins and ends at a mark or at an end of
    the text; or, at its end, is a clause with a subject of its own: "and I would not rely on it".
    """
    start, end = theirs[max(0, block.c - 1) :][:2], theirs[block.d - 1 :][:2]
    is_start = block.c == 0 or not BOUNDS.isdisjoint(norms_of(start))
    is_last = block.d == len(theirs)
    is_end = is_last or not BOUNDS.isdisjoint(norms_of(end))
    is_behind = is_last and block.a == length and _has_subject(theirs[block.c : block.c + 2])
    return (is_start and is_end) or is_behind


def _has_subject(first: Sequence[Token]) -> bool:
    """Whether two words begin a clause with a subject of its own: "and I"."""
    norms = norms_of(first)
    begins = len(norms) == 2 and norms[0] in LISTS["joining"]
    return begins and norms[1] in LISTS["subjects"]


def governs(theirs: Sequence[Token], block: Block, ours: Sequence[Token]) -> bool:
    """Whether what is left out says that the words behind it may not be so, "whether the law
    applies" or "she believed it was sold", or is the subject of the verb behind it: "the owner" of
    "on the advice of the officer, the owner shall leave", or "a spokesman for" of "a spokesman for
    the mayor denied it".
    """
    after = theirs[block.d : block.d + 1]
    words = theirs[block.c : block.d]
    if not after or after[0].norm in _PARTS:
        return False
    if _is_head(theirs[: block.c], words, ours):
        return True
    norms = norms_of(words)
    start = max((place + 1 for place, norm in enumerate(norms) if norm in _PARTS), default=0)
    part = norms[start:]
    is_unproven = not LISTS["unproven"].isdisjoint(part)
    return is_unproven or (block.c > 0 and _is_subject(part, start) and _is_auxiliary(after))


def _is_subject(part: Sequence[str], start: int) -> bool:
    """Whether the last words that are left out may be the subject of the verb behind them: those
    behind a mark, which begin at ``start``, or with a word that begins a clause.
    """
    return bool(part) and (start > 0 or not _BEGINNINGS.isdisjoint(part))


def is_apart(theirs: Sequence[Token], block: Block, length: int) -> bool:
    """Whether what a claim of so many tokens leaves out changes nothing in what is left."""
    return _is_clause(theirs, block, length) or _names_all(theirs, block)


def is_spliced(theirs: Sequence[Token], block: Block, ours: Sequence[Token]) -> bool:
    """Whether what is left out goes from within a part of a sentence into the next one, so that the
    rest of both would be one: "the north and fell by 8 % in" of "rose by 12 % in the north and fell
    by 8 % in the south".
    """
    words = theirs[block.c : block.d]
    joints = [place for place, one in enumerate(words) if one.norm in _JOINTS]
    if joints and block.d < len(theirs) and _joins_clause(theirs, block, joints[-1], ours):
        return True
    sides = [ours[: block.a], ours[block.b :]]
    sides += [words[: joints[0]], words[joints[-1] + 1 :]] if joints else [[]]
    is_inside = all(any(not is_weak(one) for one in side) for side in sides)
    return is_inside and not _is_phrase(words, theirs[block.d])


def _joins_clause(theirs: Sequence[Token], block: Block, joint: int, ours: Sequence[Token]) -> bool:
    """Whether what is left out ends with the beginning of another clause, such as "and the board",
    so that only the rest of that clause is quoted; or is only the "and" between two clauses.
    """
    behind = theirs[block.c + joint : block.d]
    if len(behind) == block.d - block.c == 1:
        return norms_of(theirs[:1]) != norms_of(ours[:1])
    return block.a > 0 and len(behind) > _LONGEST_NOUN and _has_subject(behind[:2])


def takes_item(theirs: Sequence[Token], block: Block) -> bool:
    """Whether what is left out between commas ends with another item of a list, about which the
    words behind it are: ", and two mills," of "five farms, and two mills, one of them new".
    """
    norms = norms_of(theirs[block.c : block.d])
    joints = [place for place, pair in enumerate(pairwise(norms)) if pair == (",", "and")]
    last = theirs[block.c + joints[-1] : block.d] if joints and joints[-1] else []
    return block.d < len(theirs) and any(one.is_number for one in last)


def _is_phrase(words: Sequence[Token], after: Token) -> bool:
    """Whether words are a preposition and nouns that are left out in front of something else than
    another phrase: "of owners and farmers".
    """
    norms = norms_of(words)
    is_whole = after.norm not in LISTS["prepositions"] and norms[-1] not in LISTS["prepositions"]
    has_verb = any(one.text.lower() in LISTS["auxiliaries"] for one in words)
    return norms[0] in LISTS["prepositions"] and is_whole and not has_verb


def _names_all(theirs: Sequence[Token], block: Block) -> bool:
    """Whether what is left out is "each" or "the city of" in front of what it is about, at the
    beginning.
    """
    words = [one.norm for one in theirs[block.c : block.d] if one.norm not in LISTS["determiners"]]
    if block.c > 0:
        return False
    return words in _EVERY or (words[1:] == ["of"] and words[0] in LISTS["named_by"])


def _is_head(before: Sequence[Token], words: Sequence[Token], ours: Sequence[Token]) -> bool:
    """Whether words begin a part of a sentence with a noun that a claim has nowhere, and end with
    the preposition that joins it to what is behind them; the town of Ely is Ely.
    """
    if (before and before[-1].norm not in _PARTS) or not words:
        return False
    link = words[-1].norm
    nouns = norms_of(one for one in words[:-1] if not is_weak(one))
    is_name = link == "of" and not LISTS["named_by"].isdisjoint(nouns[-1:])
    is_new = bool(nouns) and {*nouns}.isdisjoint(norms_of(ours))
    return link in LISTS["prepositions"] and is_new and not is_name


def _is_auxiliary(after: Sequence[Token]) -> bool:
    return after[0].text.lower().partition(" ")[0] in LISTS["auxiliaries"]
