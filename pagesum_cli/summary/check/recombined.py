"""Values of a claim with the time, the place or the group of another value.

"The board got 412 letters in May and 388 in June" gives each number a phrase with the same
preposition. A claim with one of the numbers and the phrase of the other one, and not with its own,
"in June, the board got 412 letters", states what the text does not.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from .assignments import Labels, is_value, labels_of, plain_values, stems_of
from .tokens import LISTS, Token
from .wordings import is_weak

_CLAUSES = frozenset(["and", "but", "while", "whereas", ";", ".", "or", "(", ")"])
"""Where a part of a claim begins that may be about something else; not behind a comma: "in June, 9
letters came".
"""
_PREPOSITIONS = LISTS["prepositions"]
_NEAR = 2  # values of a sentence that may have phrases of the same kind: the next ones
_MOST = 30  # values of a sentence that are looked at
_Tokens = Sequence[Token]


class _Value(NamedTuple):
    """A value with the phrases beside it."""

    token: Token
    unit: str
    phrases: dict[str, Labels]  # the words behind each preposition


def recombined_values(ours: _Tokens, passages: Sequence[_Tokens]) -> Iterator[tuple[Token, Token]]:
    """Values of a claim that a passage has beside another time, place or group than the claim, each
    with the value that it has there.

    Args:
        ours: The tokens of the claim, where values that the passages have are one token.
        passages: Those of the passages, each a sentence.
    """
    said = {one.norm for one in ours if is_value(one)}
    texts = [_values(tokens) for tokens in passages] if said else []
    for part in _split(ours, _CLAUSES):
        words = stems_of(labels_of(part))
        for token in filter(is_value, part):
            if rival := _rival(token, words, texts, said):
                yield token, rival


def _rival(
    token: Token, words: Labels, texts: Sequence[Sequence[_Value]], said: set[str]
) -> Token | None:
    """The value that texts have beside what a claim has beside one of its own; None if one of them
    has its own there.
    """
    found = [rivals for text in texts if (rivals := _rivals(token, words, text, said)) is not None]
    return found[0][0] if found and all(found) else None


def _rivals(
    token: Token, words: Labels, text: Sequence[_Value], said: set[str]
) -> list[Token] | None:
    """The values of a text that it has beside what a claim with some words has beside one of its
    own values; None if the text does not have this value.
    """
    places = [place for place, one in enumerate(text) if one.token.norm == token.norm]
    if not places:
        return None
    return [
        text[other].token
        for place, other in permutations(range(len(text)), 2)
        if place in places
        and abs(place - other) <= _NEAR
        and text[other].token.norm not in said
        and _is_of_other(words, text[place], text[other])
    ]


def _is_of_other(words: Labels, one: _Value, other: _Value) -> bool:
    """Whether words have the phrase of the other one of two values of a unit, and nothing of the
    phrase with the same preposition that belongs to the first one.
    """
    if one.unit != other.unit:
        return False
    pairs = [
        (one.phrases[name], other.phrases[name]) for name in one.phrases.keys() & other.phrases
    ]
    distinct = [(mine - theirs, theirs - mine) for mine, theirs in pairs]
    return any(
        mine and theirs and theirs <= words and words.isdisjoint(mine) for mine, theirs in distinct
    )


def _values(tokens: _Tokens) -> list[_Value]:
    """The values of a sentence, each with the phrases of the part in which it is: those behind it,
    up to the next value, and those in front of the first value of a part.
    """
    found = list[_Value]()
    units = {one.start: behind for one, behind in zip(tokens, _units(tokens), strict=True)}
    for part in _split(plain_values(tokens), _CLAUSES | {","}):
        places = [place for place, one in enumerate(part) if is_value(one)][:_MOST]
        for first, end in pairwise([0, *places[1:], len(part)] if places else []):
            value = next(one for one in part[first:end] if is_value(one))
            found.append(_Value(value, units[value.start], _phrases(part[first:end])))
    return found


def _units(tokens: _Tokens) -> Iterator[str]:
    """The unit behind each token, if it is one; empty otherwise."""
    for one, other in zip(tokens, [*tokens[1:], None], strict=True):
        behind = other.norm if other and other.norm in LISTS["units"] else ""
        yield one.norm.partition(" ")[2] or behind


def _split(tokens: _Tokens, ends: frozenset[str]) -> Iterator[list[Token]]:
    """The parts of a sentence between conjunctions and marks."""
    found = list[Token]()
    for token in tokens:
        if token.norm in ends:
            yield found
            found = []
        else:
            found.append(token)
    yield found


def _phrases(tokens: _Tokens) -> dict[str, Labels]:
    """The stems of the words behind each preposition; not of one that is there twice."""
    found, twice, name = dict[str, list[Token]](), set[str](), ""
    for token in tokens:
        if token.norm in _PREPOSITIONS:
            name = token.norm
            twice |= {name} & found.keys()
            found[name] = []
        elif name and not is_weak(token):
            found[name].append(token)
    kept = {one: stems_of(labels_of(words)) for one, words in found.items() if one not in twice}
    return {one: labels for one, labels in kept.items() if labels}
