"""Sentences weighed as lines that stand alone."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from ..documents.article.names import is_abstract
from ..locality.flow import Pages
from ..quoting.eligibility import eligibility_of
from .lines import Line, Subject, content_of, defines, terms_of
from .rules import defined, is_about_book, opens
from .weights import weighed

Place = tuple[int, int]  # a sentence as (page, index in ``page.sentences``)

FIRST, FIRST_OF_ALL, OPENINGS = 3, 16, 10
"""Sentences after a heading, also of a chapter that introduces the book, and the number of those in
a chapter, that may be lines besides the sentences of its summary."""
MIN_SCORE = -15.0  # of a sentence in a slot: a worse one is a list, a fragment or very long
MAX_SAME = 0.6  # a line repeats another one where this share of its words is in it


@dataclass(frozen=True)
class Point:
    """A sentence that may be a line."""

    place: Place  # its place on the pages
    group: int  # the number of its chapter or file
    text: str  # the sentence
    score: float  # the model's score, and what its words say
    needs_context: bool = False  # whether it points at a sentence before it
    # what it does in a paper (see ``quoting.roles``); empty in another document
    role: str = ""
    is_about_book: bool = False  # whether it says what its book is about
    stands: bool = True  # whether it is a whole statement that needs no other
    is_whole: bool = True  # whether it is one after the sentence before it
    number: int = 0  # its number in its chapter or file
    section: str = ""  # the heading above it
    # whether the one before it there is the sentence before it in its paragraph
    follows: bool = False

    @property
    def words(self) -> int:
        """Number of words."""
        return len(self.text.split())

    @cached_property
    def content(self) -> frozenset[str]:
        """The beginnings of its content words."""
        return content_of(self.text)

    def defines(self, terms: Collection[str]) -> bool:
        """Whether it says what something is that only these words name."""
        return defines(self.text, terms)

    def introduces(self, terms: Collection[str], is_early: bool) -> bool:
        """Whether it says what these words mean, or at the beginning of a book, what that or
        anything is.
        """
        return self.defines(terms) or (
            is_early and (self.is_about_book or bool(defined(self.text)))
        )

    def repeats(self, others: Collection["Point"]) -> bool:
        """Whether it says little besides one of the others."""
        return any(
            len(self.content & one.content) > MAX_SAME * min(len(self.content), len(one.content))
            for one in others
        )

    def is_within(self, others: Collection["Point"]) -> bool:
        """Whether one of the others has all of its content words but one."""
        return any(len(self.content - one.content) <= 1 for one in others)


def points_of(
    pages: Pages,
    scores: Mapping[Place, float],
    group_of: Mapping[str, int],
    titles: Sequence[str],
    subject: str = "",
) -> list[Point]:
    """The sentences of pages as points; ``group_of`` gives the group of each page by its
    ``source``.

    ``titles`` are those of the groups, and ``subject`` is the book's.
    """
    subjects = [Subject.of(title, subject) for title in titles]
    points: list[Point] = []
    for place, group, line in _lines(pages, scores, group_of, subjects):
        points.append(
            Point(
                place,
                group,
                line.text,
                weighed(line, scores[place], is_chapter=bool(group_of)),
                line.needs_context,
                line.role,
                is_about_book(line.text),
                line.stands,
                line.is_statement,
                line.number,
            )
        )
    return points


def _lines(
    pages: Pages,
    places: Collection[Place],
    group_of: Mapping[str, int],
    subjects: Sequence[Subject],
) -> Iterator[tuple[Place, int, Line]]:
    """The sentences at some places, each with its place and the number of its chapter or file."""
    examined = eligibility_of(pages.pages)
    count: Counter[int] = Counter()
    last = ""
    for number, page in enumerate(pages.pages):
        group = group_of.get(page.source, 0)
        for place, item in enumerate(page.sentences):
            if (number, place) in places:
                rules, is_first = examined[number][place], item.heading != last
                yield (
                    (number, place),
                    group,
                    Line(item, rules, subjects[group], count[group], is_first),
                )
                count[group] += 1
                last = item.heading


def beginning(points: Sequence[Point], most: int, words: float) -> Sequence[Point]:
    """The first ones of some sentences in their order, as many as a summary has room for; without
    the beginning of a paragraph whose end has none.
    """
    lengths = accumulate(one.words for one in points)
    count = min(sum(length <= words for length in lengths), most)
    while 0 < count < len(points) and points[count].follows:
        count -= 1
    return points[:count]


def openings(
    pages: Pages,
    title: str,
    subject: str,
    others: Callable[[Sequence[Point]], Sequence[Point]] | None = None,
) -> list[Place]:
    """The first sentences of a chapter's sections that stand alone as lines, in reading order; all
    of an abstract. ``others`` selects more of all sentences.
    """
    places = _quotable(pages)
    every = [place for under in places for place in under]
    if is_abstract(title):
        return every
    first = FIRST_OF_ALL if opens(title) else FIRST
    found = [place for under in places for place in under[:first]]
    chosen = _opening_places(pages, _unscored(pages, found, title, subject), title, subject)
    if others is not None:
        chosen |= {one.place for one in others(_unscored(pages, every, title, subject))}
    return sorted(chosen)


def _opening_places(pages: Pages, points: Sequence[Point], title: str, subject: str) -> set[Place]:
    """The places of the best of some sentences that stand alone, and of what goes on with those
    that introduce the subject.
    """
    standing = sorted((one for one in points if one.stands), key=lambda one: -one.score)
    best = standing[:OPENINGS]
    terms, is_early = terms_of(subject), opens(title)
    begun = {one.place for one in best if one.introduces(terms, is_early)}
    return {one.place for one in best} | _continued(pages, points, begun)


def _unscored(pages: Pages, places: Sequence[Place], title: str, subject: str) -> list[Point]:
    """Sentences of a chapter as points, without a model's scores."""
    groups = {page.source: 0 for page in pages.pages}
    return points_of(pages, dict.fromkeys(places, 0.0), groups, [title], subject)


def _quotable(pages: Pages) -> list[list[Place]]:
    """The sentences that may be quoted, those under each heading together."""
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for number, page in enumerate(pages.pages):
        for place, sentence in enumerate(page.sentences):
            if sentence.is_quotable:
                places[sentence.heading].append((number, place))
    return list(places.values())


def _continued(pages: Pages, points: Sequence[Point], begun: set[Place]) -> set[Place]:
    """Some places, and those of the whole sentences that go on in the paragraphs there."""
    if not begun:
        return begun
    examined, found = eligibility_of(pages.pages), set(begun)
    for point in points:
        number, place = point.place
        follows = examined[number][place].follows and (number, place - 1) in found
        if point.is_whole and follows:
            found.add(point.place)
    return found
