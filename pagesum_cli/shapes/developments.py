"""How an event developed, as several articles tell it: the sentence that says what happened and
when, the day of each sentence, and which sentences say the same.
"""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from ..documents.model import Document
from ..documents.written import date_in, day_lines
from ..locality.flow import Pages
from ..text.tables import patterns
from ..text.words import STOP_WORDS, ranks, words_of
from .lines import content_of
from .points import Point

RARE = 3000  # rank from which on a word is in few texts
SHARED, SHARED_LEAD = 0.3, 0.5
"""Share of the words, without names, of two sentences with a rare pair in common that say the same,
and of one with which an article begins, which may repeat the event beside what is new.
"""
AGREEING = 0.75  # share of the words of a sentence that one that says the same has, and more
PARTS = 2  # lines with a day from which on an article is continued day by day

_FORMS = patterns(__file__, "developments.toml")


class Days:
    """The days of the sentences of several articles."""

    def __init__(self, documents: Sequence[Document], pages: Pages) -> None:
        written = [date_in(one.origin) or date_in(one.name) for one in documents]
        self.written = [day for day in written if day]
        self.years = frozenset(day.year for day in self.written)  # also if some are not known
        self._pages, self._parts = pages, list[list[tuple[int, date]]]()
        if len(self.written) < len(documents):  # their days say nothing
            self.written = []
            return
        for document, day in zip(documents, self.written, strict=True):
            parts = list(day_lines(document, day))
            self._parts.append(parts if len(parts) >= PARTS else [])

    def of(self, point: Point) -> date:
        """The day of the part in which a sentence is, or else of its article; the same for all if
        some are not known.
        """
        if not self.written:
            return date.min
        page, number = point.place
        start = self._pages.pages[page].sentences[number].start
        days = [day for offset, day in self._parts[point.group] if offset <= start]
        return days[-1] if days else self.written[point.group]

    def named_by(self, point: Point) -> date | None:
        """The day on which something happened, as a sentence says, not after its article."""
        match = _FORMS["on_day"].search(point.text) if self.written else None
        if match is None or _FORMS["not_yet"].search(point.text):
            return None
        last = self.written[point.group]
        day = date_in(f"{match['month']} {match['day']}, {last.year}")
        return day if day and day <= last else None


def news_of(leads: Sequence[Point], days: Days) -> Point | None:
    """Of the first sentences of articles, the one that says what happened on the first day that
    they name; of several, that of the last article. None if no sentence names a day.
    """
    dated = [(day, -number) for number, one in enumerate(leads) if (day := days.named_by(one))]
    return leads[-min(dated)[1]] if dated else None


def says_same(one: Point, other: Point, share: float = SHARED) -> bool:
    """Whether a sentence says little besides another one: it has most of its words; or, without
    names, a rare pair of words, a share of the rest, and no other number.
    """
    if one.repeats([other]):
        return True
    if not _numbers(one) <= _numbers(other):
        return False
    own, its = (content_of(" ".join(_plain_words(point))) for point in (one, other))
    is_near = len(own & its) >= share * max(min(len(own), len(its)), 1)
    return is_near and not _pairs(one).isdisjoint(_pairs(other))


def agreeing(chosen: Point, points: Sequence[Point]) -> set[int]:
    """The numbers of the other articles with a sentence that has nearly all words of another one,
    its numbers, and as much doubt.
    """
    others = (one for one in points if one.group != chosen.group)
    return {one.group for one in others if _agrees(chosen, one)}


def _agrees(chosen: Point, other: Point) -> bool:
    has_words = len(other.content & chosen.content) > AGREEING * len(chosen.content)
    doubts = (set(_FORMS["doubt"].findall(one.text.lower())) for one in (chosen, other))
    return has_words and _numbers(chosen) <= _numbers(other) and next(doubts) == next(doubts)


def _numbers(point: Point) -> set[str]:
    return set(_FORMS["number"].findall(point.text))


def _plain_words(point: Point) -> list[str]:
    """The content words of a sentence without names and numbers, in order."""
    small = " ".join(word for word in point.text.split() if not any(map(str.isupper, word)))
    words = (word for word in words_of(small) if word not in STOP_WORDS)
    return [word for word in words if word.isalpha()]


def _pairs(point: Point) -> set[frozenset[str]]:
    """The pairs of neighboring content words of which one is rare."""
    rank = ranks()
    pairs = pairwise(_plain_words(point))
    return {
        content_of(" ".join(pair))
        for pair in pairs
        if any(rank.get(word, 0) >= RARE for word in pair)
    }
