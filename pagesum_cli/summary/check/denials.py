"""Denials in different words: "is prohibited" and "is not permitted" state the same, and so do "No
dog may enter" and "Dogs may not enter", "is limited to" and "may not exceed".
"""

from collections.abc import Iterable, Sequence
from itertools import dropwhile, islice, pairwise

from ...text.words import stem
from .tokens import LISTS, Token
from .wordings import is_weak

_BEGINNINGS = tuple(LISTS["prohibiting"])
_BOUNDS = tuple(LISTS["limiting"])
_AUXILIARIES = LISTS["auxiliaries"] | LISTS["modality"]
_REACH = 14  # words between "No" and the verb that it denies
_EXCEPTED = 12  # words behind "except" that say what is excepted
_VERBS = 3  # words of meaning behind an auxiliary: "own or keep"


def is_same_denial(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether both of two texts deny, or neither, where one does it by another word: "not
    permitted", "prohibited".
    """
    left, right = _count(ours), _count(theirs)
    is_by_word = any(map(_prohibits, ours)) != any(map(_prohibits, theirs))
    return is_by_word and left % 2 == right % 2


def is_same_bound(ours: Iterable[Token], theirs: Sequence[Token]) -> bool:
    """Whether a text limits what another one only says is not exceeded."""
    limits = any(one.norm.startswith(_BOUNDS) for one in ours)
    pairs = pairwise(theirs)
    return limits and any(
        _is_negation(one) and behind.norm.startswith("exceed") for one, behind in pairs
    )


def are_denied_alike(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether each of two texts denies the same verb, once: "Dogs may not enter", "No dog may
    enter".
    """
    if _negations(ours) != 1 or _negations(theirs) != 1:
        return False
    left, right = _denied_verbs(ours), _denied_verbs(theirs)
    is_let = bool(right) and right[0] in LISTS["letting"]
    return bool(left) and (left[0] in right or is_let)


def are_excepted(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether a claim denies of something what a text states of all but this: "not for A", "for all
    but one (A)".
    """
    if _negations(ours) != 1 or _negations(theirs):
        return False
    words = {one.norm for one in ours if not is_weak(one)}
    return any(
        not words.isdisjoint(one.norm for one in theirs[place : place + _EXCEPTED])
        for place, one in enumerate(theirs)
        if one.norm in LISTS["excepting"] or _is_all_but(theirs, place)
    )


def _is_all_but(tokens: Sequence[Token], place: int) -> bool:
    return [one.text.lower() for one in tokens[place : place + 2]] == ["all", "but"]


def _denied_verbs(tokens: Sequence[Token]) -> list[str]:
    """The stems of the words that a negation denies: behind it, or behind the auxiliary of a
    subject with "no".
    """
    place = [*map(_is_negation, tokens)].index(True)
    behind = tokens[place + 1 : place + 1 + _REACH]
    if tokens[place].norm == "no":
        behind = [*dropwhile(lambda one: not _is_auxiliary(one), behind)]
    elif not any(map(_is_auxiliary, tokens[max(0, place - 1) : place + 1])):
        return []
    return [*islice((stem(one.norm) for one in behind if not is_weak(one)), _VERBS)]


def _is_negation(token: Token) -> bool:
    return token.norm in LISTS["negation"]


def _is_auxiliary(token: Token) -> bool:
    return token.text.lower() in _AUXILIARIES


def _negations(tokens: Iterable[Token]) -> int:
    return sum(map(_is_negation, tokens))


def _count(tokens: Sequence[Token]) -> int:
    return _negations(tokens) + sum(map(_prohibits, tokens))


def _prohibits(token: Token) -> bool:
    return token.norm.startswith(_BEGINNINGS)
