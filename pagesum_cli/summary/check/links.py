"""Prepositions that only one of two texts has, or that stand for each other: "rose to 5 %", "rose
by 5 %"; "was paid by the owner", "paid the owner".
"""

from collections.abc import Sequence

from .moves import norms_of
from .tokens import LISTS, Token

_OF_PARTS = frozenset(["by", "from", "against"])
"""Without one of these, another noun is the one that acts, or that something is done to."""
_OF_VALUES = frozenset(["to", "from"])
"""Without one of these in front of a number, it is that of a change; "by" says so, too."""
_Words = Sequence[Token]


def kind_of_link(ours: _Words, theirs: _Words, before: _Words, after: _Words) -> str:
    """The kind of the difference of prepositions: a number for another value, wording if a noun may
    have another part; empty if the words at the same place are no prepositions, or the same.

    Args:
        ours: The words of a claim.
        theirs: Those of a text at the same place.
        before: The token in front of them.
        after: The one behind them.
    """
    said, has = {*norms_of(ours)}, {*norms_of(theirs)}
    if max(len(ours), len(theirs)) > 1 or not said | has <= LISTS["roles"]:
        return ""
    if any(map(_is_amount, after)):
        is_same = said & _OF_VALUES == has & _OF_VALUES
        return "" if is_same or any(map(_is_amount, before)) else "number"
    is_other = (said and has) or (said | has) & _OF_PARTS
    return "wording" if is_other else ""


def _is_amount(token: Token) -> bool:
    return token.is_number and token.fact != "date"
