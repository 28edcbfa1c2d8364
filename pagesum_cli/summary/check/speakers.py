"""Speakers: the name in front of a claim, and whether it is the one of the documents."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...documents.model import Paragraph, Sentence
from .tokens import LISTS

_TITLES = LISTS["titles"]
_NAME = r"""(?P<name>(?P<title>(?:(?i:Mrs?|Ms|Dr|Prof|Sen|Rep|Hon|Gov|Cllr)\.\s){0,2})
    [^\W\d_](?:[^:.!?"“”\n]|(?<=\b[A-Z])\.){0,60})"""
_NAMED = re.compile(rf"{_NAME}:\s+(?=\S)", re.VERBOSE)
_STOPPED = re.compile(rf"{_NAME}\.\s+(?=\S)", re.VERBOSE)
_ONE_LETTER = re.compile(r"(?P<name>Q|A)\.\s+(?=\S)")
_TURN = re.compile(r"(?:Q|A|Question|Answer)[.:]?")
# "Mr. JOHNSON of Georgia", "Anna Lee, chair", "Chair (Cllr Jones)"
_BEHIND = re.compile(r",| of |[(\[]")


def is_turn(label: str) -> bool:
    """Whether a label is that of a question or an answer."""
    return _TURN.fullmatch(label) is not None


def names_of(text: Paragraph | Sentence) -> list[str]:
    """Who says a text: a name, and the letter of its question or answer."""
    letter = text.label.rstrip(".:") if is_turn(text.label) else ""
    return [one for one in (text.speaker, letter) if one]


def are_same(one: str, other: str) -> bool:
    """Whether two names may be of the same speaker: one has all words of the other, or the last is
    the same.
    """
    left, right = set(_words(one)), set(_words(other))
    return left <= right or right <= left or _last_name(one) == _last_name(other) != ""


def are_same_person(one: str, other: str) -> bool:
    """Whether two names may be of one person: the same last name, and no other first names."""
    if not are_same(one, other):
        return False
    first, second = (_given_names(name) for name in (one, other))
    initials = {name[0] for name in first} & {name[0] for name in second}
    return not (first and second) or bool(initials)


def is_person(name: str) -> bool:
    """Whether a speaker is named: no "The Chairman", no "Speaker 1"."""
    return _last_name(name).isalpha()


def _given_names(name: str) -> list[str]:
    """The words before the last name of a person, without titles."""
    words = [one for one in _words(_BEHIND.split(name, 1)[0]) if one not in _TITLES]
    return words[:-1]


@dataclass(frozen=True)
class Speakers:
    """The names of those who speak in documents, as they are written there."""

    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[Paragraph | Sentence]) -> "Speakers":
        """The speakers of some texts."""
        return cls(frozenset(name for one in texts for name in names_of(one)))

    def turn_at(self, text: str, start: int = 0) -> re.Match[str] | None:
        """What may be a name in front of a text: any before a colon, one of the documents also
        before a stop.
        """
        if not self.names:
            return None
        stopped = _ONE_LETTER.match(text, start) or _STOPPED.match(text, start)
        if stopped and stopped["name"] in self.names:
            return stopped
        named = _NAMED.match(text, start)
        return named if named and (self._is_known(named) or _is_name(named["name"])) else None

    def end_at(self, text: str, start: int) -> int:
        """Where a text begins after what surely is the name of a speaker; its own start without
        one.
        """
        turn = self.turn_at(text, start)
        return (
            turn.end() if turn and (turn["name"] in self.names or self._is_known(turn)) else start
        )

    def _is_known(self, turn: re.Match[str]) -> bool:
        """Whether a name has a title, or the last name of a speaker of the documents."""
        return bool(turn["title"]) or not self._last_names.isdisjoint(_words(turn["name"]))

    @cached_property
    def _last_names(self) -> set[str]:
        return set(map(_last_name, self.names)) - {"", "q", "a"}


def _is_name(text: str) -> bool:
    """Whether no word of a text is written small, but such as "of" and "van"."""
    return not any(word[0].islower() and word not in LISTS["in_names"] for word in text.split())


def _words(name: str) -> list[str]:
    return re.findall(r"\w+", name.casefold())


def _last_name(name: str) -> str:
    """The last name, without case; empty for a mere title: "The Chairman"."""
    words = re.findall(r"\w+", _BEHIND.split(name, 1)[0])
    large = [one for one in words if not one.islower()] or words  # "Bates says"
    return next((one for one in map(str.casefold, reversed(large)) if one not in _TITLES), "")
