"""A question → the words to search for, and the kinds of answer that it asks for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..text.tables import table
from ..text.words import STOP_WORDS, words_of
from .kinds import LIMIT, MONEY, Kind, kinds_asked
from .meanings import similar_words
from .numbers import Number
from .store import stems_of
from .values import Value, values_asked

STRICT = (LIMIT, MONEY)
Numbers = tuple[Number, ...]
STANDS_WEIGHT = 0.8  # of a word that is an answer, beside the word of the question: "abstained"
_ACTIVITY = re.compile(
    r"\b(?:does|do|did|has|have|can|could|may|might|will|would|of|from)(?: the)? (\w{2,20}ing)"
    r"(?=\W*$| (?:affect|influence|impact|change|alter|on|in|of|by|at|for|from|upon|and|or)\b)",
    re.IGNORECASE,
)
"""The place of a question in which a word in -ing is a noun: "How does fishing affect …"."""
_HOW_MANY = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
SHORTEST = 4  # letters of a stem by which a noun is recognized
RELATED_WEIGHT = 0.7  # of a similar word of the same root, beside the word: "decision", "decides"


@dataclass(frozen=True)
class Concept:
    """A word of a question with the words that stand for it, by their stems, and their weights."""

    stem: str
    variants: Mapping[str, float]
    weight: float = 1.0
    activity: str = ""  # itself, if it is a noun in -ing: "fishing"; "fish" hardly stands for it
    family: frozenset[str] = frozenset()  # similar words that stand for an activity: "fisheries"

    def is_meant_by(self, stem: str) -> bool:
        """Whether a stem is its own, or one that stands for it."""
        return stem == self.stem or stem in self.family


@dataclass(frozen=True)
class Question:
    """What is searched for."""

    text: str
    concepts: tuple[Concept, ...]
    kinds: tuple[Kind, ...]

    @property
    def asks_for_numbers(self) -> bool:
        """Whether a quantity is asked for."""
        return any(kind.number for kind in self.kinds)

    @property
    def is_strict(self) -> bool:
        """Whether only a certain kind of sentence answers: with an amount of money, with a time by
        which something must be done, with the result of a vote …
        """
        return any(kind.is_strict or kind.number in STRICT for kind in self.kinds)

    @property
    def excludes_others(self) -> bool:
        """Whether a sentence without the kind of answer that is needed hardly answers: the question
        asks how much or how many, for a measure, or for another certain kind of sentence.
        """
        is_count = self.asks_for_numbers and _HOW_MANY.search(self.text) is not None
        kinds = (kind.is_strict or kind.is_measure or kind.number == LIMIT for kind in self.kinds)
        return is_count or any(kinds)

    @property
    def has_subject_beside(self) -> bool:
        """Whether the subject may be in the sentences beside the answer: "Motion carried."."""
        return any(kind.is_alone and not kind.number for kind in self.kinds)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Those of its words, and of the words that stand for them, by which nouns are
        recognized.
        """
        variants = {stem for concept in self.concepts for stem in concept.variants}
        return tuple(stem for stem in variants if len(stem) >= SHORTEST)

    def is_general(self, kind: Kind) -> bool:
        """Whether it has no other words than those that name a kind of answer."""
        return kind.words.issuperset(content_words(self.text))

    def grade(self, text: str) -> float:
        """How well a sentence answers the kind of question, 0–1, or more if it has the very term in
        the form needed and no quantity is asked for: "the GC content is important".
        """
        grade = max((kind.grade(text, self.stems) for kind in self.kinds), default=0.0)
        return min(grade, 1.0) if self.asks_for_numbers else grade

    def fitting(self, numbers: Sequence[Number], above: Sequence[Number] = ()) -> Numbers:
        """The numbers of a sentence that may be the answer, after those of what stands before it
        if it is asked by when; all of the sentence if none is of the kind needed.
        """
        found = (
            kind.fitting((*above, *numbers) if kind.number == LIMIT else numbers)
            for kind in self.kinds
        )
        return next(filter(None, found), tuple(numbers))

    @classmethod
    def of(cls, text: str) -> "Question":
        """Read a question or topic; a question of nothing but function words keeps them."""
        values = [one for one in values_asked(text) if not _is_article(text[one.start : one.end])]
        kinds = kinds_asked(text)
        words = content_words(_without(text, values), has_values=bool(values))
        similar = {word: similar_words(word) | _standing_for(word, kinds) for word in words}
        flat = list(dict.fromkeys([*words, *(one for many in similar.values() for one in many)]))
        stems = dict(zip(flat, stems_of(flat), strict=True))
        concepts = {
            stems[word]: _concept(word, similar[word], stems, _weight(word, kinds))
            for word in words
        }
        concepts |= _activities(concepts, text)
        concepts |= {one.stem: one for one in (_value_concept(value, text) for value in values)}
        return cls(text, tuple(concepts.values()), kinds)


def _activities(concepts: Mapping[str, Concept], text: str) -> dict[str, Concept]:
    """The concepts of a question that are activities, with their families."""
    words = dict.fromkeys(match[1].lower() for match in _ACTIVITY.finditer(text))
    found = zip(words, stems_of(list(words)), strict=True)
    return {stem: _activity(concepts[stem], word) for word, stem in found if stem in concepts}


def _activity(concept: Concept, word: str) -> Concept:
    own = concept.stem
    like = (one for one in concept.variants if one.startswith(own) and one != own)
    family = frozenset(like if len(own) >= SHORTEST else ())
    variants = {**concept.variants, **dict.fromkeys(family, STANDS_WEIGHT)}
    return replace(concept, variants=variants, activity=word, family=family)


def _is_article(value: str) -> bool:
    """Whether a value of a question is hardly a number in it: "may one household keep"."""
    return value.lower() == "one"


def _standing_for(word: str, kinds: Sequence[Kind]) -> dict[str, float]:
    """The words of an answer that stand for one that names its kind."""
    return {one: STANDS_WEIGHT for kind in kinds if word in kind.words for one in kind.stands}


def _without(text: str, values: Sequence[Value]) -> str:
    """A text without its values."""
    for value in values:
        text = text[: value.start] + " " * (value.end - value.start) + text[value.end :]
    return text


def _value_concept(value: Value, text: str) -> Concept:
    """A value in any notation; one of a single word may also be a name: COVID-19, FIPS 199."""
    own = words_of(text[value.start : value.end])
    as_written = {own[0]: 1.0} if len(own) == 1 else {}
    return Concept(next(iter(value.variants)), value.variants | as_written)


def content_words(text: str, *, has_values: bool = False) -> list[str]:
    """The words that carry meaning, each once; all words if nothing does."""
    left_out = STOP_WORDS | set(table(__file__, "questions.toml")["asking"].split())
    words = list(dict.fromkeys(words_of(text)))
    return [word for word in words if word not in left_out] or ([] if has_values else words)


def _weight(word: str, kinds: Sequence[Kind]) -> float:
    """What a word of a question counts: less if it only names the kind of answer."""
    return min((kind.weight for kind in kinds if word in kind.words), default=1.0)


def _concept(
    word: str, similar: Mapping[str, float], stems: Mapping[str, str], weight: float
) -> Concept:
    own, variants = stems[word], dict[str, float]()
    for one, share in similar.items():
        least = RELATED_WEIGHT if _has_root(stems[one], own) else 0.0
        variants[stems[one]] = max(share, least, variants.get(stems[one], 0.0))
    return Concept(own, variants | {own: 1.0}, weight)


def _has_root(stem: str, other: str) -> bool:
    """Whether two stems differ in the last letter only: those of "decide" and "decision"."""
    return len(stem) == len(other) > SHORTEST and stem[:-1] == other[:-1]
