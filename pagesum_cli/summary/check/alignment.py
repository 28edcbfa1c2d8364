"""A claim and a text as tokens, where the same values are one token, and their pairs."""

from collections.abc import Sequence
from typing import NamedTuple

from ...text.words import lcs_pairs, positions_of
from .known import Known
from .layout import as_copied
from .meanings import meanings_of, rounded
from .moves import norms_of
from .orders import in_order_of
from .tokens import PUNCTUATION, Token, mended

AT_ENDS = PUNCTUATION - frozenset("()[]!?") | {"*"}


class Side(NamedTuple):
    """A text that is compared, and its tokens."""

    text: str
    tokens: list[Token]

    @property
    def words(self) -> int:
        """How many words and numbers it has."""
        return sum(one.is_word for one in self.tokens)


class Block(NamedTuple):
    """Tokens of a claim, from ``a`` up to ``b``, that stand where the document has its tokens ``c``
    up to ``d``.
    """

    a: int
    b: int
    c: int
    d: int


def aligned_sides(
    claim: Side, source: Side, known: Known, *, is_drawn: bool
) -> tuple[list[Token], list[Token]]:
    """The tokens of a claim, in the order of a text, and of the text, where values and phrases that
    are the same are one token of the same norm.
    """
    texts = [as_copied(one.text) if is_drawn else one.text for one in (claim, source)]
    said, has = {*norms_of(claim.tokens)}, {*norms_of(source.tokens)}
    left = (*meanings_of(texts[0]), *known.short_forms_in(texts[0], has))
    right = (*meanings_of(texts[1]), *known.short_forms_in(texts[1], said))
    right += tuple(rounded(left, right))
    theirs = mended(source.tokens, right, said.union(one.norm for one in left))
    has.update(norms_of(theirs), (one.norm for one in right))
    theirs = _stripped(theirs)
    return in_order_of(_stripped(mended(claim.tokens, left, has)), theirs), theirs


def pairs_of(ours: Sequence[Token], theirs: Sequence[Token]) -> list[tuple[int, int]]:
    """The places of the words that both have in the same order.

    A word that a text has several times is paired where its neighbor is paired, too: of "3 mg or
    5 mg", a claim with "3 mg" has the first "mg".
    """
    said, has = norms_of(ours), norms_of(theirs)
    pairs = lcs_pairs(said, positions_of(has), len(has))
    for place in range(1, len(pairs)):
        if (found := _beside_before(pairs, place, said, has)) is not None:
            pairs[place] = found
    for place in range(len(pairs) - 1, 0, -1):
        if (found := _beside_behind(pairs, place, said, has)) is not None:
            pairs[place - 1] = found
    return pairs


Pairs = list[tuple[int, int]]


def _beside_before(
    pairs: Pairs, place: int, said: Sequence[str], has: Sequence[str]
) -> tuple[int, int] | None:
    """A pair right behind the one before it; None if it is there or cannot be."""
    (h, k), (i, j) = pairs[place - 1 : place + 1]
    is_apart = i == h + 1 and j > k + 1
    return (i, k + 1) if is_apart and has[k + 1] == said[i] else None


def _beside_behind(
    pairs: Pairs, place: int, said: Sequence[str], has: Sequence[str]
) -> tuple[int, int] | None:
    """The pair before this one right in front of it; None if it is there, cannot be, or is right
    behind another one.
    """
    (h, k), (i, j) = pairs[place - 1 : place + 1]
    is_free = place < 2 or pairs[place - 2] != (h - 1, k - 1)
    is_apart = i == h + 1 and j > k + 1
    return (h, j - 1) if is_apart and is_free and has[j - 1] == said[h] else None


def _stripped(tokens: list[Token]) -> list[Token]:
    """Tokens without punctuation at both ends, except brackets."""
    places = [place for place, token in enumerate(tokens) if token.norm not in AT_ENDS]
    return tokens[places[0] : places[-1] + 1] if places else []
