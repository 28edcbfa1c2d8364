"""The persons of a press release: whom the news is about, and who others of the case are
(English).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..text.tables import patterns
from ..text.words import STOP_WORDS
from .points import Point

BACK = 4  # sentences before a pronoun, in which the person is named
FRONT = 40  # characters with the subject of a sentence
NEAR = 80  # characters with what happened, after a name with an age

_FORMS = patterns(__file__, "persons.toml")


def full_names(text: str) -> list[str]:
    """The names of two or more words in a text, without words that begin the sentence."""
    return [" ".join(one) for one in _runs(text) if len(one) > 1]


def families_of(texts: Iterable[str]) -> frozenset[str]:
    """The last words of the full names in texts."""
    return frozenset(one.rsplit(" ", 1)[-1] for text in texts for one in full_names(text))


def surnames(text: str, families: Collection[str]) -> set[str]:
    """The family names in a text that have no other name before them."""
    return {one[0] for one in _runs(text) if len(one) == 1 and one[0] in families}


def continues(text: str, families: Collection[str]) -> bool:
    """Whether the subject of a sentence is the person of the sentence before it."""
    subject = _FORMS["goes_on"].match(text)
    return subject is not None and (not subject["family"] or subject["family"] in families)


def _runs(text: str) -> Iterator[list[str]]:
    """The capitalized words in a row of a text, without function words and forms of address."""
    for match in _FORMS["run"].finditer(text):
        words = [_FORMS["genitive"].sub("", one) for one in match[0].split()]
        while words and (words[0].lower() in STOP_WORDS or _FORMS["address"].fullmatch(words[0])):
            words = words[1:]
        if words:
            yield words


def names_others(text: str) -> bool:
    """Whether others of the same case are the subject of a sentence."""
    return _FORMS["others"].search(text[:FRONT]) is not None


def aged(text: str) -> Iterator[re.Match[str]]:
    """The full names with an age after them."""
    return _FORMS["aged"].finditer(text)


def aged_names(text: str) -> list[str]:
    """The family names of the persons whose age a sentence has."""
    return [one["family"] for one in aged(text)]


def _without_age(text: str) -> str:
    """What comes after a name, without the age and the place there."""
    return _FORMS["age"].sub("", text)


def identifies(text: str) -> bool:
    """Whether a sentence names the person accused."""
    return _FORMS["identified"].search(text) is not None


@dataclass(frozen=True)
class Persons:
    """The persons of a press release.

    Attributes:
        body: The sentences of its text, in order.
        lines: The same, and all other lines.
        news: Those that say what happened, and to whom.
        deeds: What happens to persons accused.
    """

    body: Sequence[Point]
    lines: Sequence[str]
    news: Sequence[Point]
    deeds: Sequence[re.Pattern[str]]

    def are_own(self, point: Point) -> bool:
        """Whether the persons in a sentence are those of the news, or are named in full and not
        accused.
        """
        if names_others(point.text) or self._accuses(point.text):
            return False
        alone = surnames(point.text, self._families)
        if alone:
            return alone <= self._own
        is_open = _FORMS["pronoun"].search(point.text) and not full_names(point.text)
        return not is_open or (self._is_clear() and self._refers_to_own(point))

    @cached_property
    def _families(self) -> frozenset[str]:
        text = " ".join(self.lines)
        return frozenset(one for one in families_of(self.lines) if f" the {one}" not in text)

    @cached_property
    def _own(self) -> frozenset[str]:
        return families_of(one.text for one in self.news)

    def _accuses(self, text: str) -> bool:
        """Whether a sentence accuses a person who is not in the news."""
        others = [one for one in full_names(text) if one.rsplit(" ", 1)[-1] not in self._own]
        after = [text[text.find(one) + len(one) :] for one in others]
        suffered = [one[:NEAR] for one in after if _FORMS["suffers"].search(_without_age(one))]
        return any(deed.search(one) for deed in self.deeds for one in suffered)

    def _is_clear(self) -> bool:
        """Whether a pronoun after the news can only be the person of the news."""
        first = self.news[0].text if self.news else ""
        names = full_names(first)
        is_office = bool(names) and _FORMS["office"].search(names[0]) is not None
        return len(self.news) > 1 or not names or (names[0] in first[:FRONT] and not is_office)

    def _refers_to_own(self, point: Point) -> bool:
        """Whether the person to whom a pronoun refers is one of the news."""
        before = [one for one in self.body if one.place < point.place]
        for one in reversed(before[-BACK:]):
            if names_others(one.text):
                return False
            mentioned = surnames(one.text, self._families) | families_of([one.text])
            if one in self.news or _FORMS["accused"].search(one.text):
                return True
            if mentioned:
                return not mentioned.isdisjoint(self._own)
        return False
