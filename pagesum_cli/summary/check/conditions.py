"""What restricts a statement, and whether a claim leaves it out: "except in May", "if it rains",
"in most cases", "roughly".
"""

import re
from collections.abc import Sequence
from itertools import accumulate

from ...text.tables import table
from .alignment import Block
from .notation import any_of
from .tokens import LISTS, Token
from .wordings import is_weak

RESTRICTION = "restriction"
"""The kind of difference of an exception, a condition or a hedge that is left out."""

_DATA = table(__file__, "conditions.toml")
_PHRASES = [one.replace("_", " ") for one in (_DATA["exceptions"] + _DATA["hedges"]).split()]
_FORM = re.compile(
    rf"(?<![\w'’-])(?<!\beven )(?<!\bas )(?:{any_of(_PHRASES)})(?![\w-])", re.IGNORECASE
)
_ROUGH = frozenset(_DATA["rough"].split())
_BREAKS = LISTS["relatives"] | LISTS["auxiliaries"] | {"and", "or", "but", ";", ":"}
"""Behind one of these, a restriction is one of another statement, which is left out with it."""


def leaves_out_restriction(theirs: Sequence[Token], block: Block, ours: Sequence[Token]) -> bool:
    """Whether a claim has no restriction where the document has one for the words beside it: one
    within a statement that is left out as a whole counts for nothing.
    """
    words, said = theirs[block.c : block.d], ours[block.a : block.b]
    if _FORM.search(_text(said)):
        return False
    if _is_rough(words, theirs[block.d : block.d + 1]) or _is_changing(words, said):
        return True
    return any(_is_beside(words[:place], is_first=block.c == 0) for place in _places(words))


def _places(words: Sequence[Token]) -> list[int]:
    """The places of the words at which restrictions begin."""
    found = {match.start() for match in _FORM.finditer(_text(words))}
    starts = accumulate((len(one.text) + 1 for one in words), initial=0)
    return [place for place, start in enumerate(starts) if start in found]


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(one.text.lower() for one in tokens)


def _is_beside(before: Sequence[Token], *, is_first: bool) -> bool:
    """Whether a restriction behind some words that are left out is one of what a claim has: at the
    beginning of a sentence only "with few" and the like may be in front of it.
    """
    if is_first:
        return all(map(_is_light, before))
    return _BREAKS.isdisjoint(one.text.lower() for one in before)


def _is_light(token: Token) -> bool:
    """Whether a word may be in front of "exceptions": with few, with the sole."""
    return is_weak(token) or token.fact in ("comparison", "number")


def _is_rough(words: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether words say only that the number behind them is not exact."""
    norms = [one.text.lower() for one in words if one.is_word]
    return bool(norms) and _ROUGH.issuperset(norms) and any(one.is_number for one in after)


def _is_changing(words: Sequence[Token], said: Sequence[Token]) -> bool:
    """Whether words are only such as make of a noun something else: former, other."""
    meant = [one for one in words if one.is_word and one.norm not in LISTS["determiners"]]
    is_alone = bool(meant) and not any(one.is_word for one in said)
    return is_alone and all(one.norm in LISTS["changing"] and not one.fact for one in meant)
