"""The overview of a book: the passage that introduces it, and the best sentences of different
chapters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..text.tfidf import centrality
from .lines import content_of
from .points import Point
from .rules import opens

MIN_SENTENCES = 3  # of a short overview, and of one that begins with a passage
OPENING_BONUS = 4.0  # for the chapter that introduces the book
# for a sentence that says what the book is about, or what the subject in its title is
DEFINITION_BONUS = 12.0
OTHER_PENALTY = 20.0  # for one that does not introduce the book
CENTRALITY = 6.0  # weight of the cosine with all others
FIRST_CHAPTERS = 3  # in which what "this book" is about is the whole one
BEST = 3  # sentences of a chapter that may be chosen if they do not introduce the book
# distance of the sentences of the passage that introduces a book, among those that may be quoted
NEAR = 3


@dataclass(frozen=True)
class OverviewLength:
    """The maximum length of an overview."""

    sentences: int
    words: float


class Overview:
    """Chooses the overview of a book.

    Args:
        chapters: The sentences of the chapters that it may quote, the best first.
        ranked: Those of all chapters, by number.
        titles: Their titles.
        terms: The words that name the book's subject.
        length: How long it may be.
    """

    def __init__(
        self,
        chapters: Sequence[Sequence[Point]],
        ranked: Sequence[Sequence[Point]],
        titles: Sequence[str],
        terms: frozenset[str],
        length: OverviewLength,
    ) -> None:
        self._chapters, self._ranked, self._titles = chapters, ranked, titles
        self._length = length
        self._terms = terms & {word for one in chapters for point in one for word in point.content}

    def choose(self) -> list[Point]:
        """Choose the sentences, in the order of the summary."""
        points = [point for point in self._by_value() if self._is_next(point, ())]
        begun = self._passage(points[0]) if points else []
        chosen, most = list(begun), self._length.sentences
        if len(begun) > 1:
            most = max(MIN_SENTENCES, len(begun))
        for point in points:
            is_new = point not in begun and len(chosen) < most
            if is_new and self._is_next(point, chosen):
                chosen.append(point)
        if len(begun) == 1:
            begun = []
        rest = [one for one in chosen if one not in begun]
        return begun + sorted(rest, key=self._order)

    def _by_value(self) -> Iterator[Point]:
        """What may be chosen, the best first."""
        points = [point for one in self._chapters for point in self._candidates(one)]
        central = centrality([point.text for point in points]).tolist()
        values = [
            self._value(point) + CENTRALITY * share
            for point, share in zip(points, central, strict=True)
        ]
        for number in sorted(range(len(points)), key=lambda one: -values[one]):
            yield points[number]

    def _candidates(self, chapter: Sequence[Point]) -> list[Point]:
        return [
            point
            for number, point in enumerate(chapter)
            if self._introduces(point) or (point.stands and number < BEST)
        ]

    def _value(self, point: Point) -> float:
        defines = self._is_about(point) or self._defines(point)
        bonus = OPENING_BONUS * self._is_early(point) + DEFINITION_BONUS * defines
        return point.score + bonus - OTHER_PENALTY * (not self._introduces(point))

    def _is_early(self, point: Point) -> bool:
        """Whether it is in the chapter or section that introduces the book."""
        section = point.section if point.group < FIRST_CHAPTERS else ""
        return point.group == 0 or opens(self._titles[point.group]) or opens(section)

    def _defines(self, point: Point) -> bool:
        """Whether it says what the book's subject is."""
        return not point.needs_context and point.defines(self._terms)

    def _is_about(self, point: Point) -> bool:
        """Whether it says what the book is about."""
        return point.is_about_book and (self._is_early(point) or point.group < FIRST_CHAPTERS)

    def _introduces(self, point: Point) -> bool:
        """Whether it can introduce the book."""
        first = point.text.split()[:3]
        subject = content_of(" ".join(first[:2]))
        begins = first[-1:] != ["of"] and not self._terms.isdisjoint(subject)
        tells = self._is_early(point) or self._defines(point) or begins
        return self._is_about(point) or (point.stands and tells)

    def _is_next(self, point: Point, chosen: Sequence[Point]) -> bool:
        """Whether it may stand beside what is chosen."""
        same = sum(one.group == point.group for one in chosen)
        if same > self._is_early(point) or point.repeats(chosen):
            return False
        if chosen and _words((*chosen, point)) > self._length.words:
            return False
        if self._is_about(point) and any(map(self._is_about, chosen)):
            return False
        has_room = not point.needs_context and len(chosen) < MIN_SENTENCES
        return has_room or self._introduces(point)

    def _passage(self, first: Point) -> list[Point]:
        """The best sentence; if it introduces the book, with whole statements near after it in its
        section: those that stand alone, or follow one of them. They leave a line of their chapter.
        """
        chapter, passage = self._ranked[first.group], [first]
        if not first.introduces(self._terms, self._is_early(first)):
            return passage
        most = min(self._length.sentences, max(len(chapter) - 1, 1))
        for one in sorted(chapter, key=lambda one: one.number):
            if len(passage) < most and self._goes_on(passage, one):
                passage.append(one)
        return passage

    def _goes_on(self, passage: Sequence[Point], point: Point) -> bool:
        """Whether a passage goes on with a sentence."""
        distance = point.number - passage[-1].number
        if not 0 < distance <= NEAR or point.section != passage[0].section:
            return False
        is_understood = point.stands or (point.follows and distance == 1)
        fits = _words((*passage, point)) <= self._length.words
        return point.is_whole and is_understood and fits and not point.repeats(passage)

    def _order(self, point: Point) -> tuple[bool, bool, tuple[int, int]]:
        """Sort key: definitions first, then sentences about the whole book."""
        return not self._defines(point), not self._is_about(point), point.place


def _words(points: Sequence[Point]) -> int:
    return sum(one.words for one in points)
