"""What rises and what falls: "A and B rose, whereas C fell".

A text is cut where a clause begins; a clause in which something only rises, or only falls, gives
this to its words. A claim that names what falls in a text where it says "rose", and the other way
round, states the opposite; one that gives each to the same words states the same, also where the
words that rise and those that fall are others: "increased", "showed increases".
"""

from collections.abc import Iterator, Sequence

from .assignments import Labels, labels_of, stems_of
from .tokens import LISTS, Token
from .wordings import direction_of

_PARTING = frozenset([";", ".", ":", "but"]) | (LISTS["joining"] - {"and", "because"})
_CUTS = frozenset([",", "and"])
_NOTHING = frozenset[str]()
_Tokens = Sequence[Token]


def exchanged_directions(
    ours: _Tokens, passages: Sequence[_Tokens]
) -> Iterator[tuple[Token, Token]]:
    """The words of a claim by which something rises and something falls, where passages say the
    opposite of both.
    """
    rising, falling = _first(ours, "rising"), _first(ours, "falling")
    if rising and falling and any(_crossed(ours, one) for one in passages):
        yield rising, falling


def are_alike(ours: _Tokens, theirs: _Tokens) -> bool:
    """Whether the same rises, and the same falls, in two texts that have both."""
    own, other = _distinct(ours), _distinct(theirs)
    return _share(own[0], other[0]) and _share(own[1], other[1]) and not _crossed(ours, theirs)


def _crossed(ours: _Tokens, theirs: _Tokens) -> bool:
    """Whether in one text rises what falls in the other one, and the other way round; a subject of
    both may be beside one of them.
    """
    own, other = _distinct(ours), _distinct(theirs)
    is_crossed = _share(own[0], other[1]) and _share(own[1], other[0])
    return is_crossed and not (_share(own[0], other[0]) and _share(own[1], other[1]))


def _share(one: Labels, other: Labels) -> bool:
    return not one.isdisjoint(other)


def _first(tokens: _Tokens, direction: str) -> Token | None:
    return next((one for one in tokens if direction_of(one.norm) == direction), None)


def _distinct(tokens: _Tokens) -> tuple[Labels, Labels]:
    """The stems of the words of clauses in which something only rises, and of those in which it
    only falls; words of both are left out.
    """
    found = {"rising": _NOTHING, "falling": _NOTHING}
    for part in _parts(tokens):
        directions = {direction_of(one.norm) for one in part} - {""}
        if len(directions) == 1:
            words = [one for one in part if not direction_of(one.norm)]
            found[directions.pop()] |= stems_of(labels_of(words))
    rising, falling = found["rising"], found["falling"]
    return rising - falling, falling - rising


def _parts(tokens: _Tokens) -> Iterator[list[Token]]:
    """The clauses of a text; one with several directions is cut at the first comma or "and" behind
    each of them.
    """
    found, is_open = list[Token](), True
    for token in tokens:
        if token.norm in _PARTING or (token.norm in _CUTS and not is_open):
            yield found
            found, is_open = [], True
        else:
            found.append(token)
            is_open &= not direction_of(token.norm)
    yield found
