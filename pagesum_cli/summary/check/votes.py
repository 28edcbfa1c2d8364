"""Votes of a claim beside the results of the motions that it names: a claim may give the numbers,
whether it passed, or who was against it. The result often stands in a sentence behind the motion:
"It passed 5-0."
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import takewhile
from typing import NamedTuple

from ...text.tables import table
from ...text.words import stem
from .ballots import (
    Outcome,
    Sides,
    Vote,
    Voters,
    claimed_outcome,
    claimed_vote,
    counted,
    is_list,
    outcome_in,
    sides_in,
    vote_in,
    voters_in,
)
from .differences import Difference
from .results import Place
from .tokens import LISTS, pieces_of
from .wordings import is_weak

_DATA = table(__file__, "votes.toml")
_OUTCOMES = _DATA["outcomes"]
_BEFORE = 3  # sentences in front of a result in which its motion stands
_DEBATE = 15  # sentences between a motion and its result
_LONGEST_SECTION = 40  # sentences of a section with one motion
_LISTS = 10  # sentences with names behind a result or in front of it
_MIN_WORDS = 2  # of a claim that the motion has, if it has more
_MIN_SHARE, _SURE_SHARE = 0.5, 0.75
_NEAR_SHARE = 0.75  # of the most words that a motion has, with which another one may be meant
_MOVES = frozenset(_DATA["moves"].split())
_MOTION = re.compile(
    r"\bmotion\s(?:was\smade\s)?(?:to|by|that)\b|\b(?:made|presented|brought)\s(?:a|the)\smotion\b",
    re.IGNORECASE,
)

_NUMBERED = re.compile(r"\bNos?\.(?=\s?[\d_])")
_DOES = re.compile(r"\bmotion\sto\s([a-z]+)")
"""What a motion does, according to a claim."""


class Result(NamedTuple):
    """A vote in the documents."""

    vote: Vote | None
    outcome: Outcome | None
    sides: Sides
    text: str  # the result as it is written
    motion: str  # the sentence of the motion
    words: frozenset[str]  # the stems of the sentences of its motion
    places: tuple[int, ...]  # of the motion and of the result


class Claimed(NamedTuple):
    """What a claim says of a vote."""

    text: str
    vote: Vote | None
    outcome: Outcome | None
    voters: tuple[Voters, ...]

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where it says it."""
        parts: list[Vote | Outcome | Voters] = [*self.voters]
        parts += [one for one in (self.vote, self.outcome) if one is not None]
        return [(one.start, one.end) for one in parts]

    @property
    def rest(self) -> str:
        """The claim without it."""
        text = self.text
        for start, end in self.spans:
            text = text[:start] + " " * (end - start) + text[end:]
        return _NUMBERED.sub("", text)

    @property
    def is_supposed(self) -> bool:
        """Whether it denies something, or says that it may be."""
        norms = {one.norm for one in pieces_of(self.rest)}
        return not norms.isdisjoint(LISTS["negation"] | LISTS["modality"])

    def wrong(self, result: Result) -> Difference | None:
        """The first thing that a result has otherwise; None if there is nothing."""
        return self._other_vote(result) or self._other_outcome(result) or self._other_side(result)

    def _other_vote(self, result: Result) -> Difference | None:
        if self.vote is None or result.vote is None or self._is_vote(result.vote):
            return None
        span = self.vote.start, self.vote.end
        return Difference("number", self.text[slice(*span)], result.text, span)

    def _is_vote(self, vote: Vote) -> bool:
        is_rejected = self.outcome is not None and not self.outcome.is_passed
        own = self.vote
        return own is None or own.is_same(vote) or (is_rejected and own.turned.is_same(vote))

    def _other_outcome(self, result: Result) -> Difference | None:
        own, other = self.outcome, result.outcome
        if own is None or other is None or own.is_passed == other.is_passed:
            return None
        return Difference("opposite", own.text, other.text, (own.start, own.end))

    def _other_side(self, result: Result) -> Difference | None:
        """Names that are on another side, or not alone on theirs."""
        for one in self.voters:
            own = result.sides.get(one.side, frozenset())
            others = [names for side, names in result.sides.items() if side != one.side]
            elsewhere = any(not names.isdisjoint(one.names) for names in others)
            is_alone = own.issubset(one.names)
            if (elsewhere and not own.issuperset(one.names)) or (one.is_only and not is_alone):
                has = ", ".join(sorted(map(str.title, own)))
                span = one.start, one.end
                return Difference("name", self.text[slice(*span)], has, span)
        return None

    def is_right(self, result: Result) -> bool:
        """Whether a result has all that the claim says of it."""
        is_counted = self.vote is None or result.vote is not None
        has_outcome = self.outcome is None or result.outcome is not None
        has_names = all(
            result.sides.get(one.side, frozenset()).issuperset(one.names) for one in self.voters
        )
        is_unanimous = self.vote is not None and self.vote.ayes is None
        is_counted &= not (is_unanimous and result.sides.get("abstaining"))
        return is_counted and has_outcome and has_names and self.wrong(result) is None


class Found(NamedTuple):
    """What the documents have of a vote in a claim."""

    places: tuple[int, ...]
    wrong: Difference | None  # what they have otherwise
    is_proven: bool  # whether they have nothing else, and all that the claim says
    text: str  # the result as it is written
    spans: Sequence[tuple[int, int]]  # where the claim says it


def claimed_in(claim: str) -> Claimed | None:
    """What a claim says of a vote; None if it says nothing, or denies or only supposes it."""
    vote, outcome = claimed_vote(claim), claimed_outcome(claim)
    voters = tuple(voters_in(claim))
    if vote is None and outcome is None and not voters:
        return None
    return Claimed(claim, vote, outcome, voters)


class Votes:
    """The votes of documents.

    Args:
        places: Their sentences.
    """

    def __init__(self, places: Sequence[Place]) -> None:
        self._places = places

    def of(self, claim: str) -> Found | None:
        """The vote on the motion that a claim names; None if it is not clear which motion that
        is.
        """
        own = claimed_in(claim)
        if own is None:
            return None
        closest = self._meant(own)
        wrong = [one for one in map(own.wrong, closest) if one]
        if not closest or (len(wrong) < len(closest) and not all(map(own.is_right, closest))):
            return None
        first = closest[0]
        if wrong:
            return Found(first.places, wrong[0], False, first.text, own.spans)
        is_proven = not own.is_supposed and any(_states(own, one) for one in closest)
        return Found(first.places, None, is_proven, first.text, own.spans)

    def _meant(self, claim: Claimed) -> list[Result]:
        """The results of the motions that a claim may name."""
        words, vote = _words(claim.rest) - _topical(), claim.vote
        closest = self._closest(words, is_sure=vote is None)
        if vote and vote.ayes is not None:
            return closest
        return [one for one in closest if not _decides_otherwise(claim, one)]

    def _closest(self, words: frozenset[str], *, is_sure: bool) -> list[Result]:
        """The results whose motions have most of some words, if they have enough of them, and
        those that may be meant as well; the first one has most.
        """
        shares = [(len(words & one.words), one) for one in self._results]
        most = max((share for share, _ in shares), default=0)
        least = (_SURE_SHARE if is_sure else _MIN_SHARE) * len(words)
        if most < max(1, min(_MIN_WORDS, len(words)), least):
            return []
        shares.sort(key=lambda pair: -pair[0])
        found = [one for share, one in shares if share >= _NEAR_SHARE * most]
        return [one for one in found if words <= _words(one.motion)] or found

    @cached_property
    def _results(self) -> list[Result]:
        found = [*self._found()]
        motions = Counter(self._section(one.places[0]) for one in found)
        return [
            one._replace(words=one.words | self._words_of(section))
            if motions[section := self._section(one.places[0])] == 1
            else one
            for one in found
        ]

    def _section(self, place: int) -> tuple[int, str]:
        sentence, document = self._places[place]
        return document, sentence.heading

    def _words_of(self, section: tuple[int, str]) -> frozenset[str]:
        """The stems of a section with one motion, which are about it."""
        places = self._sections[section]
        if not section[1] or len(places) > _LONGEST_SECTION:
            return frozenset()
        return _words(" ".join([section[1], *map(self._text, places)]))

    @cached_property
    def _sections(self) -> dict[tuple[int, str], list[int]]:
        found = defaultdict[tuple[int, str], list[int]](list)
        for place in range(len(self._places)):
            found[self._section(place)].append(place)
        return found

    def _found(self) -> Iterator[Result]:
        last = -1  # the sentence of the vote before
        for place, (sentence, document) in enumerate(self._places):
            vote, outcome = vote_in(sentence.text), outcome_in(sentence.text)
            if vote is None and outcome is None:
                continue
            first = max(last + 1, place - _DEBATE)
            near = [it for it in range(first, place + 1) if self._places[it].document == document]
            is_again = last >= 0 and place - last <= _BEFORE and not self._moved(near)
            if not is_again:  # "The chair declared the motion passed"
                yield self._result(vote, outcome, near)
            last = place

    def _moved(self, near: Iterable[int]) -> list[int]:
        """The sentences in which somebody moves something."""
        return [it for it in near if _is_motion(self._text(it))]

    def _result(self, vote: Vote | None, outcome: Outcome | None, near: Sequence[int]) -> Result:
        """The result in the last of some sentences, of the motion in one of those before."""
        place = near[-1]
        motion = [place, *self._moved(near)][-1]
        about = {motion, *near[-1 - _BEFORE :]}
        names = " ; ".join([*map(self._text, near[near.index(motion) + 1 :]), *self._lists(place)])
        if vote is None and (count := counted(names)):
            vote = Vote(*count, 0, 0)
        text = self._text(place)
        shown = _shown(text, vote) if vote else outcome.text if outcome else ""
        places = (place,) if motion == place else (motion, place)
        words = _words(" ".join(map(self._text, sorted(about))))
        sides = sides_in(names)
        return Result(vote, outcome, sides, shown, self._text(motion), words, places)

    def _text(self, place: int) -> str:
        return self._places[place].sentence.text

    def _lists(self, place: int) -> Iterator[str]:
        """The sentences behind a result that are lists of names."""
        behind = range(place + 1, min(place + 1 + _LISTS, len(self._places)))
        texts = takewhile(_is_aside, map(self._text, behind))
        yield from filter(is_list, texts)


def _is_aside(text: str) -> bool:
    """Whether a sentence has no motion and no result."""
    return not (_is_motion(text) or has_vote(text))


def has_vote(text: str) -> bool:
    """Whether a text has the result of a vote."""
    return bool(vote_in(text) or outcome_in(text))


def _shown(text: str, vote: Vote) -> str:
    """A vote as a sentence has it, or by the names in lists."""
    return text[vote.start : vote.end] if vote.end else f"{vote.ayes}-{vote.noes}"


def _is_motion(text: str) -> bool:
    """Whether somebody moves something in a sentence."""
    return bool(_MOTION.search(text)) or not _MOVES.isdisjoint(one.norm for one in pieces_of(text))


@cache
def _stems_of(name: str) -> frozenset[str]:
    """The stems of a list of words; what stems words takes long to load."""
    return frozenset(map(stem, _OUTCOMES[name].split()))


def _decides_otherwise(claim: Claimed, result: Result) -> bool:
    """Whether a motion does something else than to approve what it names, such as to deny or to
    amend it, and a claim does not say so.
    """
    words, own = frozenset(_stems(result.motion)), frozenset(_stems(claim.text))
    is_plain = claim.outcome is not None and claim.vote is None
    other = _unlike() if is_plain else _stems_of("turning")
    return bool(words & other - own)


@cache
def _unlike() -> frozenset[str]:
    return _stems_of("turning") | _stems_of("altering")


def _states(claim: Claimed, result: Result) -> bool:
    """Whether a motion has all words of a claim in their order, and does what the claim says."""
    own = [one for one in _stems(claim.rest) if one not in _topical()]
    theirs = iter(_stems(result.motion))
    is_there = len(own) >= _MIN_WORDS and all(one in theirs for one in own)
    words = frozenset(_stems(result.motion))
    stems = frozenset(_stems(claim.text))
    does = {stem(match[1].lower()) for match in _DOES.finditer(claim.text)}
    is_approved = bool(words & (_stems_of("approving") | stems & _unlike() | does))
    return is_there and is_approved and not words & _unlike() - stems


@cache
def _topical() -> frozenset[str]:
    """The stems of words that every vote has."""
    words = f"{_DATA['results']} {_DATA['topics']} {_OUTCOMES['passed']} {_OUTCOMES['failed']}"
    return frozenset(map(stem, words.split())) | _stems_of("approving")


def _words(text: str) -> frozenset[str]:
    """The stems of the words of a text that carry meaning."""
    return frozenset(_stems(text))


def _stems(text: str) -> Iterable[str]:
    return [stem(one.norm) for one in pieces_of(text) if not is_weak(one)]
