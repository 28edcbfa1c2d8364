"""Numbers of a claim that a passage has for another item of an enumeration: "61 % had fever", where
the passage has "a rash in 61 %, fever in 60 %".
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...text.words import stem
from .assignments import RESPECTIVELY, is_reference
from .differences import Difference
from .moves import norms_of
from .tokens import Token
from .wordings import is_weak, noun_of

_BETWEEN = frozenset([",", ";", ":", ".", "and", "while", "whereas", "but"])  # items
_BEFORE_RANGE = frozenset(["between", "from"])
_CELL = "|"
_YEAR = 4  # its digits
_LABEL = 3  # words before the number of the first item, behind any introduction, that name it
_UNIT = "percent"


class _Item(NamedTuple):
    """A number of an enumeration, and the stems of the words that name it."""

    number: Token
    norm: str  # with its unit
    stems: frozenset[str]
    is_share: bool  # whether it is a percentage
    noun: str  # what it counts, right behind it; empty if that is not there


def wrong_items(ours: Sequence[Token], passages: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """Numbers that passages have for something else, while they have others for what the claim
    names.
    """
    for number, norm, is_share, noun in _only_numbers(ours):
        near = [tokens for tokens in passages if _has_among_others(tokens, number)]
        if not near:
            continue  # before any word is stemmed, which takes an import
        own = _Item(number, norm, frozenset(_naming(ours)), is_share, noun)
        if rival := _rival(own, [_items(tokens) for tokens in near]):
            yield Difference("order", number.text, rival.number.text, (number.start, number.end))


def _only_numbers(tokens: Sequence[Token]) -> Iterator[tuple[Token, str, bool, str]]:
    """The numbers of a claim that has no other one of their kind, with their unit, whether they are
    shares, and what they count.
    """
    places = [place for place, token in enumerate(tokens) if token.is_number]
    places = [place for place in places if not is_reference(tokens, place)]
    kinds = Counter(_is_share(tokens, place) for place in places)
    for place in places:
        is_share = _is_share(tokens, place)
        if kinds[is_share] == 1 and _counts(tokens[place]):
            norm = _with_unit(tokens[place], is_share)
            yield tokens[place], norm, is_share, noun_of(tokens, place)


def _has_among_others(tokens: Sequence[Token], number: Token) -> bool:
    """Whether a passage has a number, and others."""
    norms = {one.norm.removesuffix(f" {_UNIT}") for one in tokens if one.is_number}
    return len(norms) > 1 and number.norm.removesuffix(f" {_UNIT}") in norms


def _rival(own: _Item, passages: Sequence[Sequence[_Item]]) -> _Item | None:
    """The item of a passage that has another number for what a claim names."""
    rivals = []
    for items in passages:
        alike = _alike(own, items)
        named = [one for one in alike if _named(own, one, alike)]
        if own.norm in {one.norm for one in named}:
            return None
        rivals.append(_other(alike, named))
    return next(filter(None, rivals), None)


def _alike(own: _Item, items: Sequence[_Item]) -> list[_Item]:
    """The items with numbers of the same kind; none if the number of a claim is not among them."""
    alike = [one for one in items if one.is_share == own.is_share and _may_count(own, one)]
    return alike if own.norm in {one.norm for one in alike} else []


def _may_count(own: _Item, item: _Item) -> bool:
    """Whether an item may count what a claim does: not voters instead of days."""
    return not own.noun or item.noun in ("", own.noun)


def _other(items: Sequence[_Item], named: Sequence[_Item]) -> _Item | None:
    """The one item that a claim names; the first one of all may have words that hold for all."""
    later = [one for one in named if one is not items[0]] or named
    return later[0] if len(later) == 1 else None


def _named(own: _Item, item: _Item, items: Sequence[_Item]) -> frozenset[str]:
    """The words of a claim that name an item, and no other one of its enumeration."""
    others = frozenset[str]().union(*(one.stems for one in items if one is not item))
    return own.stems & (item.stems - others)


def _items(tokens: Sequence[Token]) -> list[_Item]:
    """The last number of each kind in each item of an enumeration; the row of a table is none, and
    neither is a list with "respectively", in which the words of all items are in front of all.
    """
    if not {_CELL, RESPECTIVELY}.isdisjoint(norms_of(tokens)):
        return []
    found: list[_Item] = []
    item: list[Token] = []
    for token in tokens:
        if token.norm in _BETWEEN and _is_whole(item):
            found += _of_item(item, is_first=not found)
            item = []
        else:
            item.append(token)
    return [*found, *_of_item(item, is_first=not found)]


def _is_whole(tokens: Sequence[Token]) -> bool:
    """Whether tokens may be an item: with a number, which begins no range."""
    is_range = any(one.norm in _BEFORE_RANGE for one in tokens)
    return not is_range and any(map(_counts, tokens))


def _counts(token: Token) -> bool:
    """Whether a token is a number, and no year."""
    is_year = token.norm.isdecimal() and len(token.norm) == _YEAR
    is_date = token.fact == "date" or not {"/", "-"}.isdisjoint(token.norm)
    return token.is_number and not (is_year or is_date)


def _of_item(tokens: Sequence[Token], *, is_first: bool) -> Iterator[_Item]:
    """The last number of each kind in an item, with the words in front of its first number, or else
    behind it.
    """
    counted = [place for place, token in enumerate(tokens) if _counts(token)]
    places = [place for place in counted if not is_reference(tokens, place)]
    if not places:
        return
    words = _naming(tokens[: places[0]])[-_LABEL if is_first else 0 :]
    stems = frozenset(words or _naming(tokens[places[0] :]))
    lasts = {_is_share(tokens, place): place for place in places}
    for is_share, place in lasts.items():
        norm = _with_unit(tokens[place], is_share)
        yield _Item(tokens[place], norm, stems, is_share, noun_of(tokens, place))


def _is_share(tokens: Sequence[Token], place: int) -> bool:
    """Whether a number is a percentage."""
    after = tokens[place + 1].norm if place + 1 < len(tokens) else ""
    return _UNIT in (after, tokens[place].norm.rpartition(" ")[2])


def _with_unit(number: Token, is_share: bool) -> str:
    return f"{number.norm.removesuffix(f' {_UNIT}')} {_UNIT}" if is_share else number.norm


def _naming(tokens: Sequence[Token]) -> list[str]:
    """The stems of the words that mean something by themselves."""
    words = [one for one in tokens if one.is_word and not one.is_number]
    return [stem(one.norm) for one in words if not is_weak(one)]
