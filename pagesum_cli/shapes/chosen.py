"""The sentences that are chosen for a summary of minutes, within its length."""

from collections.abc import Sequence
from math import inf

from .items import Surroundings
from .points import Place, Point

TOLERANCE = 1.1  # share of a number of words that is not exceeded
LISTED = 5  # sentences of a motion that has a list


class Chosen:
    """Sentences within a number of words and sentences, with what is quoted with them."""

    def __init__(self, words: int | None, sentences: int | None, around: Surroundings) -> None:
        self.groups: list[tuple[Point, list[Place]]] = []  # each point with its places
        self.places: set[Place] = set()
        self._words, self._sentences = (words or inf) * TOLERANCE, sentences or inf
        self.shortened: set[Place] = set()  # results after a list that is not quoted whole
        self.length = 0  # words
        self._around = around

    def add(self, point: Point, most: float, *, may_repeat: bool = False) -> None:
        """Add a sentence that fits, unless its topic has so many, or one that says the same."""
        whole = self._new(point.place)
        new = self._shortened(point, whole)
        words = self._words_of(point, new)
        same = [one for one, _ in self.groups if one.group == point.group]
        fits = 0 < len(new) <= self._sentences and words <= self._words
        if fits and len(same) < most and (may_repeat or not point.repeats(same)):
            self.groups.append((point, new))
            self.places.update(new)
            self.shortened.update(new[-1:] if len(new) < len(whole) else ())
            self._words -= words
            self.length += words
            self._sentences -= len(new)

    def _new(self, place: Place) -> list[Place]:
        """What is quoted with a sentence and is not chosen yet; nothing if it is chosen itself."""
        places = self._around.of(place) if place not in self.places else []
        return [one for one in places if one not in self.places]

    def _shortened(self, point: Point, places: list[Place]) -> list[Place]:
        """A motion with a long list, without the last items where it is too long: who moves it, and
        its result stay.
        """
        places = list(places)
        while len(places) >= LISTED and self._words_of(point, places) > self._words:
            del places[-2]
        return places

    def _words_of(self, point: Point, places: Sequence[Place]) -> int:
        others = (self._around.at(one).text for one in places if one != point.place)
        return point.words + sum(len(text.split()) for text in others)
