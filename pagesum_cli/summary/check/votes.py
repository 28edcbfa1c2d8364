"""How many voted for and against a motion: a claim that gives the vote on a motion is compared with
the result of this motion, which often stands in a sentence behind it: "It passed 5-0."
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from ...text.tables import table
from ...text.words import stem
from .differences import Difference
from .tokens import DATA, pieces_of
from .wordings import is_weak

_DATA = table(__file__, "votes.toml")
_VERBS = "|".join(_DATA["results"].split())
_COUNT = rf"\d{{1,3}}|{'|'.join(_DATA['counts'].split())}"
_VOTE = re.compile(
    rf"\b(?:{_VERBS})\s(?:(?:{'|'.join(_DATA['between'].split())})\s){{0,4}}"
    rf"(?P<vote>(?P<for>{_COUNT})(?:\s?[-–]\s?|\s(?:votes\s){{0,1}}to\s)(?P<against>{_COUNT})"
    rf"|(?P<all>unanimously))(?!\w|[.,]\d)"
    rf"|(?P<first>\bunanimously)\s(?:{_VERBS})\b",
    re.IGNORECASE,
)
_NONE = frozenset(_DATA["none"].split())
_BEFORE = 3  # sentences in front of a result in which its motion stands
_MIN_WORDS = 2  # of a claim that the motion has, if it has more
_MIN_SHARE = 0.5


class Vote(NamedTuple):
    """A result, with its place in a text."""

    ayes: int | None  # None if it is only said to be unanimous
    noes: int
    start: int
    end: int

    def is_same(self, other: "Vote") -> bool:
        """Whether both are the same result, as far as they say it."""
        is_counted = None not in (self.ayes, other.ayes)
        return self.noes == other.noes and (not is_counted or self.ayes == other.ayes)


class Result(NamedTuple):
    """A vote in the documents."""

    vote: Vote
    text: str  # the vote as it is written
    words: frozenset[str]  # the stems of the sentences of its motion
    places: tuple[int, ...]  # of the motion and of the result


def vote_in(text: str) -> Vote | None:
    """The first vote that a text gives; None without one."""
    match = _VOTE.search(text)
    if match is None:
        return None
    if match["for"] is None:
        return Vote(None, 0, *match.span("all" if match["all"] else "first"))
    return Vote(_number(match["for"]), _number(match["against"]), *match.span("vote"))


def _number(word: str) -> int:
    word = word.lower()
    return 0 if word in _NONE else int(DATA["same"].get(word, word))


class Votes:
    """The votes of documents.

    Args:
        sentences: Their sentences, each with the number of its document.
    """

    def __init__(self, sentences: Sequence[tuple[str, int]]) -> None:
        self._sentences = sentences

    def other_result(self, claim: str) -> tuple[Difference, tuple[int, ...]] | None:
        """The result of the motion that a claim names, if it is another one, and the sentences of
        it; None if it is the same, or if it is not clear which motion that is.
        """
        own = vote_in(claim)
        if own is None:
            return None
        words = _words(claim[: own.start] + claim[own.end :]) - _topical()
        closest = self._closest(words)
        if not closest or any(own.is_same(one.vote) for one in closest):
            return None
        first = closest[0]
        if not all(first.vote.is_same(one.vote) for one in closest):
            return None
        span = own.start, own.end
        return Difference("number", claim[slice(*span)], first.text, span), first.places

    def _closest(self, words: frozenset[str]) -> list[Result]:
        """The results whose motions have most of some words, if they have enough of them."""
        shares = [(len(words & one.words), one) for one in self._results] if words else []
        most = max((share for share, _ in shares), default=0)
        least = max(min(_MIN_WORDS, len(words)), _MIN_SHARE * len(words))
        return [one for share, one in shares if share == most >= least]

    @cached_property
    def _results(self) -> list[Result]:
        return [*self._found()]

    def _found(self) -> Iterator[Result]:
        last = -1  # the sentence of the vote before
        for place, (text, document) in enumerate(self._sentences):
            vote = vote_in(text)
            if vote is None:
                continue
            first = max(last + 1, place - _BEFORE)
            near = [it for it in range(first, place + 1) if self._sentences[it][1] == document]
            words = _words(" ".join(self._sentences[it][0] for it in near))
            yield Result(vote, text[vote.start : vote.end], words, self._motion(near))
            last = place

    def _motion(self, near: Sequence[int]) -> tuple[int, ...]:
        """The sentence of a motion, and that of its result, which is the last one of some."""
        *before, result = near
        moved = [it for it in before if _is_motion(self._sentences[it][0])]
        is_whole = _is_motion(self._sentences[result][0])
        return (result,) if is_whole or not moved else (moved[-1], result)


def _is_motion(text: str) -> bool:
    """Whether somebody moves something in a sentence."""
    return not _MOVES.isdisjoint(word.norm for word in pieces_of(text))


_MOVES = frozenset(_DATA["moves"].split())


@cache
def _topical() -> frozenset[str]:
    """The stems of words that every vote has; what stems words takes long to load."""
    return frozenset(map(stem, f"{_DATA['results']} {_DATA['topics']}".split()))


def _words(text: str) -> frozenset[str]:
    """The stems of the words of a text that carry meaning."""
    return frozenset(_stems(text))


def _stems(text: str) -> Iterable[str]:
    return (stem(one.norm) for one in pieces_of(text) if not is_weak(one))
