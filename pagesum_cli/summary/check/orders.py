"""A claim in the order of the sentence that it restates: a phrase of time or place that stands in
front of it is moved to its place there, and an active verb and its passive are compared as one.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...text.words import lcs_pairs, positions_of
from .moves import norms_of
from .tokens import LISTS, PUNCTUATION, Token
from .wordings import is_weak

_LONGEST = 9  # words of a phrase in front of a claim
_BEGINNINGS = LISTS["adverbial"] | LISTS["dates"] | {"last", "this", "next", "recently"}
_PAST = frozenset(["was", "were"])
_BY = "by"
_BOUNDARIES = PUNCTUATION | LISTS["prepositions"] | LISTS["joining"] | LISTS["joints"]
_Tokens = Sequence[Token]


def in_order_of(ours: list[Token], theirs: _Tokens) -> list[Token]:
    """The tokens of a claim in the order of those of a text; as they are if only a part of the
    sentence tells where a phrase belongs.
    """
    norms = norms_of(ours[: _LONGEST + 1])
    length = norms.index(",") if "," in norms else 0
    if length == 0 or norms[0] not in _BEGINNINGS:
        return _with_voice(ours, theirs)
    rest = _with_voice(ours[length + 1 :], theirs)
    return _unfronted(ours[:length], rest, theirs) or ours


def is_in_order(tokens: _Tokens) -> bool:
    """Whether tokens are in the order of their text."""
    return all(one.start <= other.start for one, other in pairwise(tokens))


def _unfronted(phrase: _Tokens, rest: _Tokens, theirs: _Tokens) -> list[Token]:
    """A claim with the phrase in front of it where the text has it; empty if it is not there."""
    has = norms_of(theirs)
    places = [*_places_of(norms_of(phrase), has)]
    place = places[0] if len(places) == 1 else 0
    before = lcs_pairs(norms_of(rest), positions_of(has[:place]), place) if place else []
    is_behind = any(not is_weak(rest[i]) for i, _ in before)
    if not is_behind or not _ends(has, place + len(phrase)):
        return []
    start = before[-1][0] + 1
    first = phrase[0]._replace(written=phrase[0].written.lower())
    return [*rest[:start], first, *phrase[1:], *rest[start:]]


def _places_of(part: Sequence[str], norms: Sequence[str]) -> Iterator[int]:
    """The places at which norms have some of them in a row."""
    for place in range(len(norms) - len(part) + 1):
        if norms[place : place + len(part)] == part:
            yield place


def _ends(norms: Sequence[str], place: int) -> bool:
    """Whether a phrase may end in front of a place."""
    return place >= len(norms) or norms[place] in _BOUNDARIES


def _begins(norms: Sequence[str], place: int) -> bool:
    """Whether a subject may begin at a place."""
    return place == 0 or norms[place - 1] in LISTS["clauses"] | LISTS["joining"]


def _with_voice(ours: list[Token], theirs: _Tokens) -> list[Token]:
    """A claim with the verb of a text in its voice, if both have the same nouns beside it."""
    said, has = norms_of(ours), norms_of(theirs)
    for verb in _passives(said):
        if (order := _as_active(said, verb, has)) is not None:
            return [ours[place] for place in order]
    for verb in _passives(has):
        if (active := _as_passive(said, has, verb)) is not None:
            first, last = active
            link = [theirs[verb - 1], theirs[verb + 1]]
            # within the verb: between no two words that a space is compared of
            start = ours[first].start + 1
            was, by = (one._replace(start=start, end=start) for one in link)
            behind = ours[first + 1 : last]
            return [*behind, was, ours[first], by, *ours[:first], *ours[last:]]
    return ours


def _passives(norms: Sequence[str]) -> Iterator[int]:
    """The places of participles between "was" and "by"."""
    for place in range(2, len(norms) - 2):
        if norms[place - 1] in _PAST and norms[place + 1] == _BY:
            yield place


def _as_active(said: Sequence[str], verb: int, has: Sequence[str]) -> list[int] | None:
    """The places of the words of a passive claim in the order of a text in the active voice; None
    if the text has other nouns beside the verb.
    """
    patient = said[: verb - 1]
    for there in _places_of([said[verb], *patient], has):
        agent = _longest(said[verb + 2 :], has[:there])
        end = there + 1 + len(patient)
        if agent and _begins(has, there - agent) and _ends(has, end):
            last = verb + 2 + agent
            return [*range(verb + 2, last), verb, *range(verb - 1), *range(last, len(said))]
    return None


def _longest(words: Sequence[str], before: Sequence[str]) -> int:
    """How many of the first of some words are the last ones of others."""
    lengths = range(min(len(words), len(before)), 0, -1)
    return next((n for n in lengths if [*words[:n]] == [*before[-n:]]), 0)


def _as_passive(said: Sequence[str], has: Sequence[str], verb: int) -> tuple[int, int] | None:
    """The places of the verb of an active claim and of the end of what is behind it, which a text
    has as the subject of its passive; None if it has other nouns.
    """
    for first in (place for place, norm in enumerate(said) if place and norm == has[verb]):
        agent, before = said[:first], has[: verb - 1]
        patient = _longest(said[first + 1 :], before)
        is_agent = [*has[verb + 2 : verb + 2 + first]] == [*agent]
        is_whole = patient and _begins(has, verb - 1 - patient) and _ends(has, verb + 2 + first)
        if is_agent and is_whole:
            return first, first + 1 + patient
    return None
