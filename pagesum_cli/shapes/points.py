"""Sentences weighed as lines that stand alone."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp

from ..documents.article.names import is_abstract
from ..locality.flow import Page, Pages
from ..quoting.eligibility import Eligibility, completed, eligibility_of
from ..text.tfidf import PREFIX
from ..text.words import STOP_WORDS, words_of
from .rules import (
    announces,
    defined,
    has_verb,
    instructs,
    is_about_book,
    is_detail,
    needs_context,
    opens,
    specific,
)

Place = tuple[int, int]  # a sentence as (page, index in ``page.sentences``)
MODEL = 0.4  # weight of the model's score among the sentences of a chapter
TITLE_BONUS = 1.5  # for a sentence with all words of the title
BEGINS_BONUS = 2.0  # for one that begins with a word of it, or says what that is
# for the first one of a chapter; a third of it for one after so many others
EARLY_BONUS, EARLY = 3.0, 6
FIRST_BONUS = 1.5  # for the first one under its heading
HEADING_BONUS = 2.0  # for one with a word of its heading
STANDING_BONUS = 1.0  # for a whole statement that needs no other
LONG_BONUS, LONG = 0.1, 30  # for each word, up to so many
NUMBER_PENALTY = 1.0  # for one with a number
# for one that begins with something that no heading above it names: "The flag …"
BRIDGING_PENALTY = 2.0
DETAIL_PENALTY = 1.0  # for one that begins with a condition
CONTEXT_PENALTY = 6.0  # for one that needs the sentence before it
NEEDED = 0.5  # probability above which it does
ANNOUNCEMENT_PENALTY = 6.0
FRAGMENT_PENALTY = 5.0
VERB_PENALTY = 5.0  # for one without a verb
INSTRUCTION_PENALTY = 1.5  # for one that tells what to do
AWAY_PENALTY = 1.5  # for one that refers to a figure, or tells what others found
LENGTHS = (9, 40)  # words of a line, at least 7 of a definition; others score less by the word
LENGTH_PENALTY = 0.1
CLEAR = 0.5  # probability above which a sentence has a role
BEGINNING = 4  # words of a sentence in which its subject stands
FIRST, FIRST_OF_ALL, OPENINGS = 3, 16, 10
"""Sentences after a heading, also of a chapter that introduces the book, and the number of those in
a chapter, that may be lines besides the sentences of its summary."""
MAX_SAME = 0.6  # a line repeats another one where this share of its words is in it

_DEFINITE = re.compile(r"The ([a-z]+(?: [a-z]+)?)\b(?![-_])")
_CONDITION = re.compile(r"(?:If|When|Once|After|Unless|While|Whenever|Until)\b")


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
        names = (terms_of(name) for name in defined(self.text))
        return any(name and name <= frozenset(terms) for name in names)

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


def content_of(text: str) -> frozenset[str]:
    """The beginnings of a text's content words, plurals as singulars."""
    return frozenset(word[:PREFIX].rstrip("s") for word in words_of(text) if word not in STOP_WORDS)


def terms_of(title: str) -> frozenset[str]:
    """The beginnings of the words of a title that say what is under it."""
    return frozenset(word for word in content_of(specific(title)) if not word.isdigit())


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
    terms = [content_of(title) for title in titles]
    own = [
        terms_of(title) or (terms_of(subject) if opens(title) else frozenset()) for title in titles
    ]
    names = [words | terms_of(subject) for words in own]
    points: list[Point] = []
    count: Counter[int] = Counter()
    last = ""
    examined = eligibility_of(pages.pages)
    for number, page in enumerate(pages.pages):
        group = group_of.get(page.source, 0)
        for place in range(len(page.sentences)):
            if (number, place) in scores:
                score = scores[number, place]
                point = _point(
                    page, (number, place), group, score, examined[number][place], names[group]
                )
                share = (
                    len(point.content & terms[group]) / len(terms[group]) if terms[group] else 0.0
                )
                heading = page.sentences[place].heading
                bonus = TITLE_BONUS * share
                if group_of:
                    bonus -= (1 - MODEL) * score
                    begins = content_of(" ".join(point.text.split()[:BEGINNING])) & own[group]
                    bonus += BEGINS_BONUS * (bool(begins) + point.defines(own[group]))
                    bonus += EARLY_BONUS * exp(-count[group] / EARLY) + FIRST_BONUS * (
                        heading != last
                    )
                    named = _DEFINITE.match(point.text)
                    is_bridging = named and content_of(named[1]).isdisjoint(
                        terms[group] | content_of(heading)
                    )
                    bonus += HEADING_BONUS * (not point.content.isdisjoint(content_of(heading)))
                    bonus += STANDING_BONUS * point.stands + LONG_BONUS * min(point.words, LONG)
                    bonus -= NUMBER_PENALTY * any(map(str.isdigit, point.text))
                    bonus -= BRIDGING_PENALTY * bool(is_bridging) + DETAIL_PENALTY * bool(
                        _CONDITION.match(point.text)
                    )
                points.append(replace(point, score=point.score + bonus, number=count[group]))
                count[group] += 1
                last = heading
    return points


def openings(pages: Pages, title: str, subject: str) -> list[Place]:
    """The first sentences of a chapter's sections that stand alone as lines, in reading order; all
    of an abstract.
    """
    first = FIRST_OF_ALL if opens(title) else FIRST
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for number, page in enumerate(pages.pages):
        for place, sentence in enumerate(page.sentences):
            if sentence.is_quotable:
                places[sentence.heading].append((number, place))
    if is_abstract(title):
        return [place for under in places.values() for place in under]
    scores = {place: 0.0 for under in places.values() for place in under[:first]}
    points = points_of(pages, scores, {page.source: 0 for page in pages.pages}, [title], subject)
    best = {
        one.place
        for one in sorted((one for one in points if one.stands), key=lambda one: -one.score)[
            :OPENINGS
        ]
    }
    begun = {
        one.place
        for one in points
        if one.place in best and one.introduces(terms_of(subject), opens(title))
    }
    examined = eligibility_of(pages.pages) if begun else ()
    for point in points if begun else ():  # what introduces the book goes on in its paragraph
        number, place = point.place
        if point.is_whole and examined[number][place].follows and (number, place - 1) in begun:
            begun.add(point.place)
    return sorted(best | begun)


def _point(
    page: Page, place: Place, group: int, score: float, rules: Eligibility, names: frozenset[str]
) -> Point:
    text = completed(page.sentences[place[1]])
    is_whole = rules.is_whole
    if text[:1].islower() and content_of(text.split()[0]) & names:  # "git is a …"
        is_whole = Eligibility.of(text[0].upper() + text[1:]).is_whole
    is_about = is_about_book(text)
    is_dangling = not is_about and (rules.needs_context > NEEDED or needs_context(text))
    score -= CONTEXT_PENALTY * max(is_dangling, rules.needs_context)
    is_empty = announces(text) or not rules.is_content
    score -= ANNOUNCEMENT_PENALTY * is_empty
    score -= FRAGMENT_PENALTY * (not is_whole) + AWAY_PENALTY * (
        rules.refers_away + rules.is_others
    )
    score -= INSTRUCTION_PENALTY * instructs(text) + VERB_PENALTY * (not has_verb(text))
    low, high = LENGTHS
    low -= 2 * bool(defined(text))
    is_statement = (
        is_whole and has_verb(text) and not (is_empty or instructs(text) or is_detail(text))
    )
    is_statement = is_statement and not rules.refers_away and low <= rules.words <= high
    score -= LENGTH_PENALTY * (max(rules.words - high, 0) + 5 * max(low - rules.words, 0))
    role = max(rules.roles, key=lambda name: rules.roles[name], default="")
    role = role if rules.roles.get(role, 0.0) > CLEAR else ""
    stands = is_statement and not is_dangling
    return Point(place, group, text, score, is_dangling, role, is_about, stands, is_statement)
