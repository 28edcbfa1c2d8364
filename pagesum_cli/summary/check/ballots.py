"""What a text says of a vote: whether the motion passed, how many were for and against it, and
who.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from ...text.tables import table
from .tokens import DATA

_DATA = table(__file__, "votes.toml")
_OUTCOMES, _SIDES = _DATA["outcomes"], _DATA["sides"]
_VERBS = "|".join(_DATA["results"].split())
_COUNT = rf"\d{{1,3}}|{'|'.join(_DATA['counts'].split())}"
_END = r"(?!\w|[.,]\d)"
_LIST = r"(?:\s?\([^()]{1,300}\))?"  # the names behind a number
_VOTE = re.compile(
    rf"\b(?:{_VERBS})\s(?:(?:{'|'.join(_DATA['between'].split())})\s){{0,4}}"
    rf"(?P<vote>(?P<for>{_COUNT})(?:\s?[-–]\s?|\s(?:votes\s){{0,1}}to\s)(?P<against>{_COUNT})"
    rf"|(?P<all>unanimously)){_END}"
    rf"|(?P<first>\bunanimously)\s(?:{_VERBS})\b"
    rf"|(?P<full>\b(?P<ayes>{_COUNT})\s(?:votes?\s)?(?:in\sfavou?r|for){_LIST},?\s(?:and\s)?"
    rf"(?P<noes>{_COUNT})\s(?:votes?\s)?(?:against|opposed)\b)",
    re.IGNORECASE,
)
_LATER = re.compile(
    rf"\b(?:{_VERBS})\b[^.;:]{{1,150}}?(?<!\bno)(?<!\bitem)(?<!\bsection)(?<!\bresolution)[\s,]\s?"
    rf"(?P<vote>(?P<for>\d{{1,2}})[-–](?P<against>\d{{1,2}}))(?=[.,;]|$|\s(?:with|over|against)\b)",
    re.IGNORECASE,
)
"""A vote that a claim gives behind what was voted on."""
_NONE = frozenset(_DATA["none"].split())
_PASSED, _FAILED = ("|".join(_OUTCOMES[key].split()) for key in ("passed", "failed"))
_BODIES = "|".join(_OUTCOMES["bodies"].split())
_STATED = re.compile(
    rf"\bmotion\b[^.;]{{0,200}}?\s(?P<motion>{_PASSED}|{_FAILED})\b(?!\sand\s)"
    rf"|\b(?:was|were)\s(?:unanimously\s)?(?P<object>{_PASSED}|{_FAILED})\b"
    rf"|\b(?P<counted>passed|carried|failed|defeated|rejected)\s(?:with\s|by\s)?(?:\d|unanimously)"
    rf"|\b(?:{_BODIES})\s(?:unanimously\s)?(?P<body>{_PASSED}|{_FAILED})\s(?!by\b)",
    re.IGNORECASE,
)
"""What a claim says of a motion, or of what it was about."""
_ENDED = re.compile(
    rf"\bmotion\s(?:was\s|has\s)?(?:unanimously\s)?(?P<verb>{_PASSED}|{_FAILED})\b", re.IGNORECASE
)
_IS_PASSED = re.compile(_PASSED, re.IGNORECASE)

_NAME = r"[A-Z][\w'’-]+"
_NAMES = rf"(?P<names>{_NAME}(?:(?:,\s(?:and\s)?|\sand\s|\s){_NAME})*)"
_VOTERS = {
    "against": (
        rf"\bwith\s{_NAMES}\s(?:opposed|opposing|against|dissenting|in\sopposition)\b",
        rf"\bover\sthe\sobjections?\sof\s{_NAMES}",
        rf"{_NAMES}\s(?:voted|voting)\s(?:no|nay|against)\b",
        rf"{_NAMES}\scast\s(?:the\s)?(?P<only>only|sole|lone)\s(?:vote\sagainst|no\svote)\b",
        rf"\bopposed\sby\s{_NAMES}",
    ),
    "for": (
        rf"{_NAMES}\s(?:voted|voting)\s(?:yes|aye|in\sfavou?r(?:\sof)?|for)\b",
        rf"{_NAMES}\scast\s(?:the\s)?(?P<only>only|sole|lone)\svote\s(?:for|in\sfavou?r\sof)\b",
    ),
    "abstaining": (rf"{_NAMES}\sabstain(?:ed|ing)\b",),
}
_WHO = {side: [re.compile(one) for one in ways] for side, ways in _VOTERS.items()}
_WORD = re.compile(_NAME)
_TITLES = frozenset(_SIDES["titles"].split())
_LABELS = {
    one: side for side in ("for", "against", "abstaining", "absent") for one in _SIDES[side].split()
}
_LABEL = "|".join(sorted(_LABELS, key=len, reverse=True))
_LISTED = re.compile(
    rf"(?<![\w-])(?i:voting\s)?(?P<label>(?i:{_LABEL}))\s?:\s?(?P<names>[^:;\]]*?)"
    rf"(?=[;\]]|\.?$|\.\s|\s(?i:voting\s)?(?i:{_LABEL})\s?:)"
)
"""The names behind a label: "Ayes: Lee, Moss; Noes: None"."""
_COUNTED = re.compile(
    r"\b(?P<label>in\sfavou?r|for|against|opposed|abstentions?|abstaining)\s\((?P<names>[^()]{1,300})\)",
    re.IGNORECASE,
)
"""The names behind a number: "3 against (Lee, Moss, Hall)"."""
_CALLED = re.compile(
    rf"(?P<names>{_NAME})\s?(?:[-–—:]\s?|\s)(?P<label>(?i:aye|yes|yea|nay|no|abstained|abstain))"
    r"(?=[,;.]|$|\sand\b)"
)
"""A name and a vote: "Lee – aye, Moss – nay"."""


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

    @property
    def turned(self) -> "Vote":
        """With those against it first: "rejected 4-2"."""
        return self if self.ayes is None else self._replace(ayes=self.noes, noes=self.ayes)


class Outcome(NamedTuple):
    """Whether a motion passed, and the word that says so."""

    is_passed: bool
    text: str
    start: int
    end: int


class Voters(NamedTuple):
    """Names in a claim and the side that they are said to be on."""

    side: str
    names: tuple[str, ...]
    is_only: bool  # whether nobody else is
    start: int
    end: int


Sides = Mapping[str, frozenset[str]]
"""The words of the names on each side of a vote."""


def vote_in(text: str) -> Vote | None:
    """The first vote that a text gives; None without one."""
    match = _VOTE.search(text)
    if match is None:
        return None
    if match["full"]:
        return Vote(_number(match["ayes"]), _number(match["noes"]), *match.span("full"))
    if match["for"] is None:
        return Vote(None, 0, *match.span("all" if match["all"] else "first"))
    return Vote(_number(match["for"]), _number(match["against"]), *match.span("vote"))


def claimed_vote(claim: str) -> Vote | None:
    """The vote that a claim gives, which may be behind what was voted on."""
    if found := vote_in(claim):
        return found
    match = _LATER.search(claim)
    return match and Vote(int(match["for"]), int(match["against"]), *match.span("vote"))


def _number(word: str) -> int:
    word = word.lower()
    return 0 if word in _NONE else int(DATA["same"].get(word, word))


def claimed_outcome(claim: str) -> Outcome | None:
    """Whether a motion passed, according to a claim."""
    match = _STATED.search(claim)
    group = match and match.lastgroup
    return _outcome(match, group) if match and group else None


def outcome_in(text: str) -> Outcome | None:
    """Whether a motion passed, according to minutes."""
    match = _ENDED.search(text)
    return match and _outcome(match, "verb")


def _outcome(match: re.Match[str], group: str) -> Outcome:
    word = match[group]
    return Outcome(bool(_IS_PASSED.fullmatch(word)), word, *match.span(group))


def voters_in(claim: str) -> Iterator[Voters]:
    """The names in a claim with the side that they voted on."""
    for side, ways in _WHO.items():
        for way in ways:
            if (match := way.search(claim)) and (names := names_in(match["names"])):
                is_only = "only" in match.groupdict() and bool(match["only"])
                is_only |= match["names"].startswith("Only ")
                yield Voters(side, names, is_only, *match.span())
                break


def names_in(text: str) -> tuple[str, ...]:
    """The words of names, in lower case, without titles."""
    words = (match[0].lower().removesuffix("'s") for match in _WORD.finditer(text))
    return tuple(one for one in words if one not in _TITLES)


def sides_in(text: str) -> Sides:
    """Who voted how, according to minutes."""
    found: dict[str, set[str]] = {}
    for pattern in (_LISTED, _COUNTED, _CALLED):
        for match in pattern.finditer(text):
            found.setdefault(_side(match["label"]), set()).update(names_in(match["names"]))
    return {side: frozenset(names) for side, names in found.items()}


@cache
def _side(label: str) -> str:
    label = label.lower()
    if label in _LABELS:
        return _LABELS[label]
    is_for = label.startswith("in") or label == "for"
    return "for" if is_for else "against"


def counted(text: str) -> tuple[int, int] | None:
    """How many names minutes list for and against a motion; None without such a list."""
    found: dict[str, int] = {}
    for pattern in (_LISTED, _CALLED):
        for match in pattern.finditer(text):
            parts = re.split(r",|;|\sand\s", match["names"])
            side = _side(match["label"])
            found[side] = found.get(side, 0) + sum(bool(names_in(part)) for part in parts)
    return (found.get("for", 0), found.get("against", 0)) if "for" in found else None


def is_list(text: str) -> bool:
    """Whether a sentence is nothing but names behind labels."""
    return bool(_LISTED.match(text) or _CALLED.fullmatch(text.strip()))
