"""Amounts of a claim for which the only passage with all words of the claim has one other amount in
the same unit: "a second offense costs $35", "Noise, second offense $50.00".
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...text.words import stem
from .alignment import Side
from .differences import Difference
from .meanings import meanings_of
from .notation import Reading, amounts_in
from .tokens import LISTS
from .wordings import is_weak

_MIN_WORDS = 3  # of a claim besides its amount
_LONGEST = 60  # tokens of a passage
_SIGN = re.compile(r" [<>≤≥≈~]$")
_AMOUNT = re.compile(r"\d{1,20}(?:\.\d{1,20})? \S+")


def sole_rivals(claim: Side, passages: Sequence[Side]) -> Iterator[Difference]:
    """The amount of a claim that has only one, with that of the only kind of passage that has all
    of its other words; none if another passage with its amount has nearly as many.
    """
    own = _amounts(claim.text)
    if len({one.norm for one in own}) != 1 or _is_bound(claim.text, own[0]):
        return
    words = _words(claim, own)
    for passage in _whole(words, passages):
        rival = _rival(own[0], passage.text)
        sides = claim, passage
        if rival and not any(_may_have(sides, one, own[0], words) for one in passages):
            span = own[0].start, own[0].end
            text = passage.text[rival.start : rival.end]
            yield Difference("number", claim.text[slice(*span)], text, span, is_sure=True)
            return


def _whole(words: frozenset[str], passages: Sequence[Side]) -> list[Side]:
    """The passages of usual length that have all of some words, if these are enough."""
    if len(words) < _MIN_WORDS:
        return []
    return [one for one in passages if len(one.tokens) <= _LONGEST and words <= _words(one, ())]


def _amounts(text: str) -> list[Reading]:
    """The numbers with units in a text, the longest first."""
    found = [one for one in amounts_in(text) if _AMOUNT.fullmatch(one.norm)]
    return sorted(found, key=lambda one: one.start - one.end)


def _is_bound(text: str, amount: Reading) -> bool:
    """Whether an amount is only a bound, or about so much."""
    readings = (one for one in meanings_of(text) if one.start <= amount.start < one.end)
    return any(_SIGN.search(one.norm) for one in readings)


def _rival(own: Reading, text: str) -> Reading | None:
    """The only amount of a text in the unit of another one; None if it has several."""
    unit = own.norm.rpartition(" ")[2]
    alike = [one for one in _amounts(text) if one.norm.rpartition(" ")[2] == unit]
    return alike[0] if len({one.norm for one in alike}) == 1 else None


def _may_have(whole: Sequence[Side], passage: Side, own: Reading, words: frozenset[str]) -> bool:
    """Whether a passage has an amount in any form, and all but one of the words of a claim; not
    where it has another word in its place: "first offense", "second offense".

    Args:
        whole: The claim, and a passage with all of its words.
        passage: The other passage.
        own: The amount.
        words: The words of the claim.
    """
    values = {one.norm for one in meanings_of(passage.text)}
    same = [one.norm for one in meanings_of(whole[0].text) if one.start == own.start]
    absent = words - _words(passage, ())
    is_near = len(absent) < _MIN_WORDS - 1 and not values.isdisjoint([*same, own.norm])
    return is_near and not any(_has_other(whole, passage, words, one) for one in absent)


def _has_other(whole: Sequence[Side], passage: Side, words: frozenset[str], absent: str) -> bool:
    """Whether a passage has another word in front of a noun."""
    nouns = {noun for side in whole for word, noun in _beside(side) if word == absent}
    return any(noun in nouns and word not in words for word, noun in _beside(passage))


def _beside(side: Side) -> Iterator[tuple[str, str]]:
    """The stems of the words of a text that carry meaning, each with that of the next word."""
    for one, other in pairwise(side.tokens):
        if not is_weak(one) and not is_weak(other) and not one.is_number:
            yield stem(one.norm), stem(other.norm)


def _words(side: Side, amounts: Sequence[Reading]) -> frozenset[str]:
    """The stems of the words of a text that carry meaning, without its amounts."""
    return frozenset(
        stem(one.norm)
        for one in side.tokens
        if not is_weak(one)
        and one.norm not in LISTS["amounting"]
        and not any(it.start <= one.start < it.end for it in amounts)
    )
