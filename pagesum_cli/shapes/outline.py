"""The summary of a book: an overview, then a line for each chapter."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf, sqrt

from ..documents.article.names import bare, is_abstract
from ..documents.model import Document
from ..locality.flow import short_label
from ..options import GenerationOptions
from .lines import LENGTHS, terms_of
from .overview import MIN_SENTENCES, Overview, OverviewLength
from .points import Point
from .provisions import Provisions, provisions_of
from .rules import announces, is_detail, is_empty, is_minor, opens

LARGE = 0.03  # share of a book's words above which a chapter always has a line
SMALL = 0.004  # below which it has none
MINOR = 0.3  # a minor chapter counts as this share of its words
LINE_WORDS = 26  # words of an average line
WORDS_A_LINE, LINES = 2_500, 20
"""A book has a line for so many of its words, up to this number of lines, and at least one for an
average chapter.
"""
OVERVIEW = {"short": MIN_SENTENCES, "medium": 4, "long": 5}  # sentences
SCALES = {"short": 0.7, "medium": 1.0, "long": 2.0}
ABSTRACT_WORDS = 320  # words of an abstract that is the overview
OVERVIEW_SHARE = 0.3  # of a number of words or sentences that was asked for
FURTHER = 4.0  # by how much the further lines of a chapter may score less than its best sentence
CLEAR, POOR = 4.0, 0.0
"""Score above which a chapter has a line beside the titles of its sections, and one without
sections has one.
"""
STANDING = 0.05  # share of sentences that stand alone, at least, in a book in English
# maximum number of titles of sections that are named, and characters of each
TITLES, TITLE_LENGTH = 6, 60
NUMERAL = re.compile(r"[IVXLC]+\.?")
TOLERANCE = 0.1  # share of a number of words by which it may be exceeded
ENOUGH = 0.95  # share of a number of words that is enough
ROUNDS, MORE_ROUNDS = 4, 8  # further lines of a chapter at most: in its budget; to fill a length


@dataclass(frozen=True)
class Division:
    """A chapter, as far as the outline is concerned: its title and number of words."""

    title: str
    words: int
    sections: tuple[str, ...] = ()  # titles of its sections


@dataclass(frozen=True)
class Outline:
    """The overview, the provisions that are named apart, and the lines of each chapter or the
    titles of its sections.
    """

    overview: list[Point]
    lines: list[list[Point]]
    sections: list[tuple[str, ...]]
    provisions: list[Provisions] = field(default_factory=list)  # of a book of clauses

    @property
    def points(self) -> list[Point]:
        """All of its sentences, in order."""
        provisions = (point for one in self.provisions for point in one.points)
        lines = (point for lines in self.lines for point in lines)
        return [*self.overview, *provisions, *lines]


@dataclass(frozen=True)
class Length:
    """How long an outline is to be."""

    options: GenerationOptions

    @property
    def is_counted(self) -> bool:
        """Whether a number of words or sentences was asked for."""
        return bool(self.options.words or self.options.sentences)

    @property
    def is_usual(self) -> bool:
        """Whether nothing was asked for."""
        return not (self.is_counted or self.options.length)

    @property
    def name(self) -> str:
        return self.options.length or "medium"

    @property
    def words(self) -> float:
        return self.options.words or inf

    @property
    def sentences(self) -> float:
        return self.options.sentences or inf

    @property
    def overview(self) -> OverviewLength:
        """That of the overview."""
        count = OVERVIEW[self.name]
        if self.options.sentences is not None:
            share = round(OVERVIEW_SHARE * self.options.sentences)
            count = min(OVERVIEW["long"], max(1, share))
        return OverviewLength(count, OVERVIEW_SHARE * self.words)


def outlined(
    points: Sequence[Point],
    divisions: Sequence[Division],
    options: GenerationOptions,
    title: str = "",
    *,
    has_provisions: bool = False,
) -> Outline:
    """Choose the sentences of a book's summary; each chapter's budget grows with the square root of
    its words. Provisions are named apart if the book is one of clauses.
    """
    length = Length(options)
    ranked = _ranked(_standing(points), len(divisions))
    # titles of sections have no part in a number that was asked for
    if length.is_counted:
        divisions = [replace(one, sections=()) for one in divisions]
    weights = _weights(divisions)
    overview: list[Point] = []
    abstract = _abstract_of(divisions) if length.is_usual else None
    if abstract is not None:
        overview = _whole_abstract(ranked[abstract])
        weights[abstract] = 0.0
    if not overview:
        chapters = _chapters_of_overview(ranked, divisions)
        titles = [one.title for one in divisions]
        overview = Overview(chapters, ranked, titles, terms_of(title), length.overview).choose()
    provisions = _provisions(points, overview, length) if has_provisions else []
    used = [*overview, *(point for one in provisions for point in one.points)]
    lines = _Lines(ranked, divisions, used, length)
    lines.choose(_budgets(weights, divisions, length, lines.words_left))
    return Outline(overview, lines.in_order(), _named(divisions, weights), provisions)


def _named(divisions: Sequence[Division], weights: Sequence[float]) -> list[tuple[str, ...]]:
    """The sections that are named of each division."""
    pairs = zip(divisions, weights, strict=True)
    return [one.sections if weight else () for one, weight in pairs]


def _provisions(
    points: Sequence[Point], overview: Sequence[Point], length: Length
) -> list[Provisions]:
    """The provisions that are named apart, as many as the length allows."""
    sentences = round(OVERVIEW_SHARE * length.sentences) if length.options.sentences else inf
    return provisions_of(points, overview, sentences, OVERVIEW_SHARE * length.words)


def _standing(points: Sequence[Point]) -> Sequence[Point]:
    """The points, of which some stand alone; the rules that say which are for English."""
    if sum(one.stands for one in points) >= STANDING * len(points):
        return points
    return [replace(one, stands=not one.needs_context) for one in points]


def _ranked(points: Sequence[Point], count: int) -> list[list[Point]]:
    """The sentences of each of ``count`` chapters, the best first."""
    ranked: list[list[Point]] = [[] for _ in range(count)]
    for point in sorted(points, key=lambda one: -one.score):
        ranked[point.group].append(point)
    return ranked


def _weights(divisions: Sequence[Division]) -> list[float]:
    """The square root of each chapter's words; 0 for one that has no line."""
    total = sum(one.words for one in divisions) or 1
    weights = []
    for one in divisions:
        words = one.words * (MINOR if is_minor(one.title) else 1.0)
        is_kept = not is_empty(one.title) and (_is_large(one, divisions) or words >= SMALL * total)
        weights.append(sqrt(words) if is_kept else 0.0)
    return weights


def _is_large(division: Division, divisions: Sequence[Division]) -> bool:
    """Whether a chapter is so large that it always has a line."""
    return division.words >= LARGE * sum(one.words for one in divisions)


def _abstract_of(divisions: Sequence[Division]) -> int | None:
    """The number of the chapter that is the book's abstract, if there is a short one."""
    for number, one in enumerate(divisions):
        if is_abstract(one.title) and one.words <= ABSTRACT_WORDS:
            return number
    return None


def _whole_abstract(points: Sequence[Point]) -> list[Point]:
    """The sentences of an abstract that can be quoted together; none for one alone that needs
    another.
    """
    told = [one for one in points if one.is_whole or _is_long_statement(one)]
    is_understood = len(told) > 1 or any(one.stands for one in told)
    return sorted(told, key=lambda one: one.place) if is_understood else []


def _is_long_statement(point: Point) -> bool:
    return point.words > LENGTHS[1] and not announces(point.text)


def _chapters_of_overview(
    ranked: Sequence[Sequence[Point]], divisions: Sequence[Division]
) -> list[Sequence[Point]]:
    """The sentences of the chapters from which the overview may take one: those that are about the
    book's subject, and keep a line.
    """
    return [
        points
        for points, division in zip(ranked, divisions, strict=True)
        if (len(points) > 1 or not _is_large(division, divisions))
        and (opens(division.title) or not is_minor(division.title))
    ]


def _budgets(
    weights: Sequence[float], divisions: Sequence[Division], length: Length, left: float
) -> list[float]:
    """The words of each chapter's lines."""
    chapters = sum(weight > 0 for weight in weights)
    number = max(chapters, min(LINES, sum(one.words for one in divisions) / WORDS_A_LINE))
    usual = SCALES[length.name] * LINE_WORDS * number
    words = left / (1 + TOLERANCE) if length.options.words else usual
    return [weight * words / (sum(weights) or 1) for weight in weights]


class _Lines:
    """The lines of the chapters, chosen one after another: a first line for each, large ones first,
    then others where a budget allows, or a length asks for them.
    """

    def __init__(
        self,
        ranked: Sequence[Sequence[Point]],
        divisions: Sequence[Division],
        overview: Sequence[Point],
        length: Length,
    ) -> None:
        self._ranked, self._divisions = ranked, divisions
        self._used = list(overview)
        self._chosen: list[list[Point]] = [[] for _ in divisions]
        words = sum(one.words for one in overview)
        self.words_left = (1 + TOLERANCE) * length.words - words
        self._sentences_left = length.sentences - len(overview)
        self._is_counted = length.is_counted

    def choose(self, budgets: Sequence[float]) -> None:
        """Choose the lines, for budgets in words."""
        enough = self.words_left * (1 - ENOUGH / (1 + TOLERANCE))
        numbers = range(len(self._divisions))
        by_size = sorted(numbers, key=lambda number: -self._divisions[number].words)
        for number in by_size:
            if budgets[number]:
                self._add(number, self._first(number))
        by_need = [n for n in sorted(by_size, key=lambda n: -budgets[n]) if self._chosen[n]]
        for number in by_need * ROUNDS:
            room = budgets[number] - self._words(number)
            if room > LINE_WORDS / 2:
                self._add(number, self._further(number), 2 * room)
        for number in by_need * MORE_ROUNDS if self._is_counted else ():
            if self.words_left >= enough:
                self._add(number, self._further(number))

    def in_order(self) -> list[list[Point]]:
        """The lines of each chapter."""
        return [sorted(one, key=lambda point: point.place) for one in self._chosen]

    def _add(self, number: int, points: Iterable[Point], limit: float = inf) -> None:
        """Add the best sentence that fits and is new."""
        if self._sentences_left <= 0:
            return
        for one in points:
            fits = one.words <= min(self.words_left, limit)
            if fits and one not in self._used and not one.repeats(self._used):
                self._chosen[number].append(one)
                self._used.append(one)
                self.words_left -= one.words
                self._sentences_left -= 1
                return

    def _words(self, number: int) -> int:
        """The words of a chapter's lines; the titles of its sections count as one."""
        titles = LINE_WORDS * bool(self._divisions[number].sections)
        return sum(one.words for one in self._chosen[number]) + titles

    def _first(self, number: int) -> list[Point]:
        """What may be a chapter's first line: a clear one, or any of a large chapter without
        sections to name.
        """
        points, division = self._ranked[number], self._divisions[number]
        is_large = _is_large(division, self._divisions)
        has_other = division.sections or (is_minor(division.title) and not is_large)
        min_score = CLEAR if has_other else POOR
        clear = [one for one in points if one.stands and one.score > min_score]
        if has_other:
            return clear
        fitting = points if is_large else clear
        return sorted(fitting, key=lambda one: (not one.stands, is_detail(one.text)))

    def _further(self, number: int) -> list[Point]:
        """What may be another line of a chapter: almost as good as its best sentence."""
        points = self._ranked[number]
        near = [one for one in points if one.score > points[0].score - FURTHER]
        if self._is_counted:
            return [one for one in near if not one.needs_context]
        return [one for one in near if one.stands]


def titles_in(chapter: Document) -> tuple[str, ...]:
    """The titles of a chapter's sections, without numbers; empty if there are fewer than two."""
    sections = [section for section, _ in chapter.read_sections][1:]
    level = min((one.level for one in sections if one.heading), default=0)
    titles = [bare(one.heading) for one in sections if one.level == level]
    titles = [one.strip(" :-") for one in dict.fromkeys(titles) if _names_subject(one)]
    shown = [short_label(one, TITLE_LENGTH) for one in titles[:TITLES]]
    more = ["…"] * (len(titles) > TITLES)
    return (*shown, *more) if len(titles) > 1 else ()


def _names_subject(title: str) -> bool:
    """Whether a section's title says what is in it: not a number, the beginning of a letter, or
    back matter.
    """
    is_letter = title.rstrip().endswith((",", "--"))
    is_back_matter = is_minor(title) or is_empty(title)
    return bool(terms_of(title)) and not (is_back_matter or is_letter or NUMERAL.fullmatch(title))
