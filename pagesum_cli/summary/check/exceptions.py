"""Claims about all of some things, of which passages except one, and claims with the opposite of
what passages have behind the same words: "is in surplus", "is in deficit".
"""

import re
from collections.abc import Iterator, Sequence

from ...text.words import stem
from .alignment import Side
from .differences import Difference
from .moves import norms_of
from .tokens import LISTS, Token
from .wordings import are_opposite, is_weak

_ALL = r"\b(?:all|every|each)\s(?:of\s)?(?:the\s)?"
_OF_ALL = re.compile(rf"{_ALL}(?P<noun>[^\W\d_]+(?:\s[^\W\d_]+)?)", re.IGNORECASE)
_EXCEPTION = re.compile(
    rf"{_ALL}(?:[^\W\d_]+\s){{0,2}}?(?P<noun>[^\W\d_]+),?\s\(?"
    r"(?:with\sthe\s(?:\w+\s)?exceptions?\sof|except(?:ing)?(?:\sfor)?|other\sthan|apart\sfrom"
    r"|excluding|but\sfor)\s[^.;,()]{1,60}",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:except|excluding|exception|other\sthan|apart\sfrom|but)\b", re.IGNORECASE
)
_MIN_SHARE = 0.6  # of the words of a claim that a passage has
_MIN_SAME = 0.5  # of the words of a claim that a passage with an opposite has
_BEHIND = 3  # words in front of two opposites that are the same
_LONGEST = 300  # tokens of a claim that are looked at
_CONDITIONAL = 8  # words in front of these in which a condition may stand


def without_exception(claim: Side, passages: Sequence[Side]) -> Iterator[Difference]:
    """What a claim says of all, where the passage with most of its words excepts some of them."""
    if _EXCEPTED.search(claim.text):
        return
    words = _stems(claim.tokens)
    shares = [len(words & _stems(one.tokens)) for one in passages]
    most = max([*shares, _MIN_SHARE * len(words)])
    near = [one for one, share in zip(passages, shares, strict=True) if share >= most]
    for match in _OF_ALL.finditer(claim.text):
        nouns = {*map(stem, match["noun"].lower().split())}
        found = [_exception(one.text, nouns) for one in near]
        if found and found[0] and all(found):
            yield Difference("comparison", match[0], found[0], match.span(), is_sure=True)


def _exception(text: str, nouns: set[str]) -> str:
    """What a text says of all of some things but one; empty if it says nothing."""
    found = (one for one in _EXCEPTION.finditer(text) if stem(one["noun"].lower()) in nouns)
    match = next(found, None)
    return match[0].strip() if match else ""


def opposite_states(
    ours: Sequence[Token], passages: Sequence[Sequence[Token]]
) -> Iterator[Difference]:
    """Words of a claim behind the same words as their opposites in a passage, where no passage has
    the word of the claim behind them.
    """
    words = _stems(ours)
    near = [one for one in passages if len(words & _stems(one)) >= _MIN_SAME * len(words)]
    for place in range(_BEHIND, min(len(ours), _LONGEST)):
        first, own = ours[place - _BEHIND], ours[place]
        if is_weak(first) or is_weak(own) or not own.norm.isalpha():
            continue
        if other := _opposite(own, norms_of(ours[place - _BEHIND : place]), near):
            span = own.start, own.end
            yield Difference("opposite", own.text, other.text, span, is_sure=True)


def _opposite(
    own: Token, front: Sequence[str], passages: Sequence[Sequence[Token]]
) -> Token | None:
    """The opposite of a word that passages have behind some others; None if they have the word
    itself there.
    """
    behind = [one for tokens in passages for one in _behind(front, tokens)]
    if own.norm in norms_of(behind):
        return None
    return next((one for one in behind if are_opposite(own.norm, one.norm)), None)


def _behind(front: Sequence[str], tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens behind some words, but in a condition or after a denial."""
    norms = norms_of(tokens)
    for place in range(_BEHIND, len(tokens)):
        before = norms[max(0, place - _CONDITIONAL) : place]
        is_open = LISTS["conditions"].isdisjoint(before) and LISTS["unproven"].isdisjoint(before)
        if norms[place - _BEHIND : place] == front and is_open:
            yield tokens[place]


def _stems(tokens: Sequence[Token]) -> set[str]:
    return {stem(one.norm) for one in tokens if not is_weak(one)}
