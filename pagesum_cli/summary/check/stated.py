"""Numbers of a claim that a passage has in front of the same noun, so that they are no others:
"on four occasions", "on four different occasions".
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from ...text.words import stem
from .differences import Difference
from .tokens import Token
from .wordings import is_weak

_NEAR = 2  # words behind a number among which its noun is

Counted = tuple[str, str]
"""A number and the stem of a noun behind it."""


def without_stated(
    found: Iterable[Difference], ours: Sequence[Token], passages: Iterable[Sequence[Token]]
) -> list[Difference]:
    """Differences without those of numbers that passages have in front of the same noun."""
    has = {pair for tokens in passages for _, pair in _counted(tokens, _NEAR)}
    stated = {start for start, pair in _counted(ours, 1) if pair in has}
    return [one for one in found if one.kind != "number" or one.span[0] not in stated]


def _counted(tokens: Sequence[Token], near: int) -> Iterator[tuple[int, Counted]]:
    """The places of numbers, each with the words of meaning right behind it, at most so many."""
    for place, token in enumerate(tokens):
        if token.is_number:
            for noun in takewhile(_is_noun, tokens[place + 1 : place + 1 + near]):
                yield token.start, (token.norm, stem(noun.norm))


def _is_noun(token: Token) -> bool:
    return token.norm.isalpha() and not is_weak(token) and token.fact != "unit"
