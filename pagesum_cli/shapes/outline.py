"""The summary of a book: an overview, then a line for each chapter."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt

from ..documents.article.names import bare, is_abstract
from ..documents.model import Document
from ..locality.flow import short_label
from ..options import GenerationOptions
from ..text.tfidf import centrality
from .points import LENGTHS, Point, content_of, terms_of
from .rules import announces, is_detail, is_empty, is_minor, opens

LARGE = 0.03  # share of a book's words above which a chapter always has a line
SMALL = 0.004  # below which it has none
MINOR = 0.3  # a minor chapter counts as this share of its words
LINE_WORDS = 26  # words of an average line
WORDS_A_LINE, LINES = 2_500, 20
"""A book has a line for so many of its words, up to this number of lines, and at least one for an
average chapter.
"""
OVERVIEW = {"short": 3, "medium": 4, "long": 5}  # sentences
SCALES = {"short": 0.7, "medium": 1.0, "long": 2.0}
ABSTRACT_WORDS = 320  # words of an abstract that is the overview
OVERVIEW_SHARE = 0.3  # of a number of words or sentences that was asked for
OPENING_BONUS = 4.0  # in the overview, for the chapter that introduces the book
# for a sentence that says what the book is about, or what the subject in its title is
DEFINITION_BONUS = 12.0
OTHER_PENALTY = 20.0  # for one that does not introduce the book
CENTRALITY = 6.0  # weight of the cosine with all lines in the overview
FIRST_CHAPTERS = 3  # in which what "this book" is about is the whole one
# distance of the sentences of the passage that introduces a book, among those that may be quoted
NEAR = 3
FURTHER = 4.0  # by how much the further lines of a chapter may score less than its best sentence
CLEAR, POOR = 4.0, 0.0
"""Score above which a chapter has a line beside the titles of its sections, and one without
sections has one.
"""
STANDING = 0.05  # share of sentences that stand alone, at least, in a book in English
# maximum number of titles of sections that are named, and characters of each
TITLES, TITLE_LENGTH = 6, 60
NUMERAL = re.compile(r"[IVXLC]+\.?")
TOLERANCE = 1.1  # share of a number of words that is not exceeded


@dataclass(frozen=True)
class Division:
    """A chapter, as far as the outline is concerned: its title and number of words."""

    title: str
    words: int
    sections: tuple[str, ...] = ()  # titles of its sections


@dataclass(frozen=True)
class Outline:
    """The overview, and the lines of each chapter or the titles of its sections."""

    overview: list[Point]
    lines: list[list[Point]]
    sections: list[tuple[str, ...]]

    @property
    def points(self) -> list[Point]:
        """All of its sentences, in order."""
        return [*self.overview, *(point for lines in self.lines for point in lines)]


def outlined(
    points: Sequence[Point],
    divisions: Sequence[Division],
    options: GenerationOptions,
    title: str = "",
) -> Outline:
    """Choose the sentences of a book's summary; each chapter's budget grows with the square root of
    its words.
    """
    length = options.length or "medium"
    if sum(one.stands for one in points) < STANDING * len(points):  # the rules are for English
        points = [replace(one, stands=not one.needs_context) for one in points]
    ranked = [
        sorted((one for one in points if one.group == n), key=lambda one: -one.score)
        for n in range(len(divisions))
    ]
    weights, overview = _weights(divisions), list[Point]()
    # titles of sections have no part in a number that was asked for
    if options.words or options.sentences:
        divisions = [replace(one, sections=()) for one in divisions]
    if options.sentences is not None:
        most = min(OVERVIEW["long"], max(1, round(OVERVIEW_SHARE * options.sentences)))
    else:
        most = OVERVIEW[length]
    words = options.words or inf
    abstracts = [
        n
        for n, one in enumerate(divisions)
        if is_abstract(one.title) and one.words <= ABSTRACT_WORDS
    ]
    is_asked_for = options.words or options.sentences or options.length
    for abstract in abstracts[:1] if not is_asked_for else ():
        told = [
            one
            for one in ranked[abstract]
            if one.is_whole or (one.words > LENGTHS[1] and not announces(one.text))
        ]
        overview = (
            sorted(told, key=lambda one: one.place)
            if len(told) > 1 or any(one.stands for one in told)
            else []
        )
        weights[abstract] = 0.0
    overview = overview or _overview(
        ranked, divisions, terms_of(title), most, OVERVIEW_SHARE * words
    )
    left = words * TOLERANCE - sum(one.words for one in overview)
    count = (options.sentences or inf) - len(overview)
    number = max(
        sum(weight > 0 for weight in weights),
        min(LINES, sum(one.words for one in divisions) / WORDS_A_LINE),
    )
    usual = SCALES[length] * LINE_WORDS * number
    share = (left / TOLERANCE if options.words else usual) / (sum(weights) or 1)
    lines = _lines(ranked, divisions, [weight * share for weight in weights], overview, left, count)
    named = [one.sections if weight else () for one, weight in zip(divisions, weights, strict=True)]
    return Outline(overview, lines, named)


def _weights(divisions: Sequence[Division]) -> list[float]:
    """The square root of each chapter's words; 0 for one that has no line."""
    total = sum(one.words for one in divisions) or 1
    weights = []
    for one in divisions:
        words = one.words * (MINOR if is_minor(one.title) else 1.0)
        is_kept = not is_empty(one.title) and (_is_large(one, divisions) or words >= SMALL * total)
        weights.append(sqrt(words) if is_kept else 0.0)
    return weights


def _overview(
    ranked: Sequence[Sequence[Point]],
    divisions: Sequence[Division],
    terms: frozenset[str],
    most: int,
    limit: float,
) -> list[Point]:
    """The passage that introduces the book, and the best sentences of different chapters.

    None of them leaves its chapter without a line.
    """
    spare = [
        one
        for one, division in zip(ranked, divisions, strict=True)
        if (len(one) > 1 or not _is_large(division, divisions))
        and (opens(division.title) or not is_minor(division.title))
    ]
    terms = terms & {word for points in spare for one in points for word in one.content}

    def is_early(point: Point) -> bool:
        titles = (
            divisions[point.group].title,
            point.section if point.group < FIRST_CHAPTERS else "",
        )
        return point.group == 0 or any(map(opens, titles))

    def defines(point: Point) -> bool:
        return not point.needs_context and point.defines(terms)

    def is_about(point: Point) -> bool:
        return point.is_about_book and (is_early(point) or point.group < FIRST_CHAPTERS)

    def introduces(point: Point) -> bool:
        first = point.text.split()[:3]
        begins = first[-1:] != ["of"] and not terms.isdisjoint(content_of(" ".join(first[:2])))
        return is_about(point) or (point.stands and (is_early(point) or defines(point) or begins))

    def value(pair: tuple[Point, float]) -> float:
        point, share = pair
        bonus = OPENING_BONUS * is_early(point) + DEFINITION_BONUS * (
            is_about(point) or defines(point)
        )
        return point.score + bonus + CENTRALITY * share - OTHER_PENALTY * (not introduces(point))

    best = [
        one
        for points in spare
        for one in points
        if introduces(one) or (one.stands and one in points[:3])
    ]
    central = centrality([one.text for one in best]).tolist()
    chosen: list[Point] = []
    passage: list[Point] = []
    for point, _ in sorted(zip(best, central, strict=True), key=value, reverse=True):
        same = sum(one.group == point.group for one in chosen)
        is_new = same < 1 + is_early(point) and not point.repeats(chosen)
        fits = sum(one.words for one in chosen) + point.words <= limit
        is_second = is_about(point) and any(map(is_about, chosen))
        is_clear = introduces(point) or (
            not point.needs_context and len(chosen) < min(OVERVIEW.values())
        )
        if is_new and len(chosen) < most and (fits or not chosen) and is_clear and not is_second:
            chosen.append(point)
            if len(chosen) == 1 and point.introduces(terms, is_early(point)):
                chapter = ranked[point.group]
                passage = _passage(point, chapter, min(most, max(len(chapter) - 1, 1)), limit)
                chosen, most = list(passage), most if len(passage) == 1 else min(OVERVIEW.values())
    begun = passage if len(passage) > 1 else []
    rest = [one for one in chosen if one not in begun]
    return begun + sorted(rest, key=lambda one: (not defines(one), not is_about(one), one.place))


def _passage(first: Point, chapter: Sequence[Point], most: int, limit: float) -> list[Point]:
    """A sentence, and whole statements near after it in its section: those that stand alone, or
    follow one of them.
    """
    passage = [first]
    for one in sorted(chapter, key=lambda one: one.number):
        distance = one.number - passage[-1].number
        is_understood = one.section == first.section and (
            one.stands or (one.follows and distance == 1)
        )
        fits = len(passage) < most and sum(each.words for each in (*passage, one)) <= limit
        if (
            0 < distance <= NEAR
            and one.is_whole
            and is_understood
            and fits
            and not one.repeats(passage)
        ):
            passage.append(one)
    return passage


def _is_large(division: Division, divisions: Sequence[Division]) -> bool:
    """Whether a chapter is so large that it always has a line."""
    return division.words >= LARGE * sum(one.words for one in divisions)


def _lines(
    ranked: Sequence[Sequence[Point]],
    divisions: Sequence[Division],
    budgets: Sequence[float],
    overview: Sequence[Point],
    left: float,
    count: float,
) -> list[list[Point]]:
    """A first line for each chapter, large ones first, then others where a budget allows, or a
    length asks for them.
    """
    lines: list[list[Point]] = [[] for _ in divisions]
    used = list(overview)
    enough = left * (1 - 0.95 / TOLERANCE)
    is_open = left == count == inf

    def add(number: int, points: Iterable[Point], limit: float = inf) -> None:
        """Add the best sentence that fits and is new."""
        nonlocal left, count
        fitting = (one for one in points if one.words <= min(left, limit) and one not in used)
        if count > 0 and (line := next((one for one in fitting if not one.repeats(used)), None)):
            lines[number].append(line)
            used.append(line)
            left, count = left - line.words, count - 1

    by_size = sorted(range(len(divisions)), key=lambda number: -divisions[number].words)
    for number in by_size:
        if budgets[number]:
            add(
                number,
                _first(
                    ranked[number],
                    divisions[number],
                    is_large=_is_large(divisions[number], divisions),
                ),
            )
    near = [[one for one in points if one.score > points[0].score - FURTHER] for points in ranked]
    further = [
        [one for one in points if (one.stands if is_open else not one.needs_context)]
        for points in near
    ]
    by_need = [number for number in sorted(by_size, key=lambda n: -budgets[n]) if lines[number]]
    for number in by_need * 4:
        room = (
            budgets[number]
            - sum(one.words for one in lines[number])
            - LINE_WORDS * bool(divisions[number].sections)
        )
        if room > LINE_WORDS / 2:
            add(number, further[number], 2 * room)
    for number in by_need * 8:
        if not is_open and left >= enough:
            add(number, further[number])
    return [sorted(one, key=lambda point: point.place) for one in lines]


def _first(points: Sequence[Point], division: Division, *, is_large: bool) -> list[Point]:
    """What may be a chapter's first line: a clear one, or any of a large chapter without sections
    to name.
    """
    if division.sections or (is_minor(division.title) and not is_large):
        return [one for one in points if one.stands and one.score > CLEAR]
    fitting = [one for one in points if is_large or (one.stands and one.score > POOR)]
    return sorted(fitting, key=lambda one: (not one.stands, is_detail(one.text)))


def titles_in(chapter: Document) -> tuple[str, ...]:
    """The titles of a chapter's sections, without numbers; empty if there are fewer than two."""
    sections = [section for section, _ in chapter.read_sections][1:]
    level = min((one.level for one in sections if one.heading), default=0)
    titles = [bare(one.heading) for one in sections if one.level == level]
    titles = [one.strip(" :-") for one in dict.fromkeys(titles) if _names_subject(one)]
    shown = [short_label(one, TITLE_LENGTH) for one in titles[:TITLES]] + ["…"] * (
        len(titles) > TITLES
    )
    return tuple(shown) if len(titles) > 1 else ()


def _names_subject(title: str) -> bool:
    """Whether a section's title says what is in it: not a number, the beginning of a letter, or
    back matter.
    """
    is_letter = title.rstrip().endswith((",", "--"))
    return bool(terms_of(title)) and not (
        is_minor(title) or is_empty(title) or is_letter or NUMERAL.fullmatch(title)
    )
