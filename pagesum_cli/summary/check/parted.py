"""Claims whose words come from two sentences, which may say them of different things: "Lee was
convicted", of "An agent was convicted" and "Lee is charged".
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from ...text.words import stem
from .alignment import Side
from .known import Known
from .paraphrases import aligned
from .tokens import LISTS, Token
from .wordings import is_weak

_BOTH = -1


class Parted(NamedTuple):
    """The words of a claim that only one of two passages has."""

    words: tuple[tuple[str, ...], ...] = ()  # of each passage; empty if one has none
    # whether its subject is only in one of them and its verb only in the other one
    is_subject_apart: bool = False


TOGETHER = Parted()
"""Of a claim of one passage."""


def parted(claim: Side, passages: Sequence[Side], known: Known) -> Parted:
    """The words of a claim that come from one of two passages only, if both have some."""
    if len(passages) != 2:
        return TOGETHER
    ours, theirs = aligned(claim, passages, known)
    has = [{stem(one.norm) for one in tokens} for tokens in theirs]
    origins = [(one, _origin(one, has)) for one in ours if not is_weak(one)]
    words = tuple(tuple(_runs(claim.text, origins, number)) for number in (0, 1))
    return Parted(words, _is_subject_apart(ours, origins)) if all(words) else TOGETHER


def _origin(token: Token, has: Sequence[set[str]]) -> int | None:
    """The only passage that has a word; ``_BOTH`` if both have it, None if none has."""
    found = [number for number, stems in enumerate(has) if stem(token.norm) in stems]
    return _BOTH if len(found) > 1 else next(iter(found), None)


def _runs(text: str, origins: Sequence[tuple[Token, int | None]], number: int) -> Iterator[str]:
    """The words of a claim that only one passage has, those in a row with what is between them."""
    for origin, group in groupby(origins, key=lambda pair: pair[1]):
        tokens = [token for token, _ in group]
        if origin == number:
            yield text[tokens[0].start : tokens[-1].end]


def _is_subject_apart(ours: Sequence[Token], origins: Sequence[tuple[Token, int | None]]) -> bool:
    """Whether the words in front of the first auxiliary are only in one passage, and the first one
    behind it only in the other one.
    """
    starts = [one.start for one in ours if one.text.lower() in LISTS["auxiliaries"]]
    verb = min(starts, default=0)
    before = {origin for token, origin in origins if token.start < verb}
    behind = [origin for token, origin in origins if token.start > verb]
    return (before, behind[:1]) in (({0}, [1]), ({1}, [0]))
