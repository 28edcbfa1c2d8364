"""The kinds of answers that a question asks for, and how well a sentence has one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import methodcaller

from ..text.tables import table
from .limits import limit_grade
from .numbers import DIMENSIONS, Number, numbers_of

OTHER_NUMBER = 0.4
"""Grade of a sentence with a number, but not of the kind that the question needs."""
UNNAMED = 0.7  # grade of a count the noun of which is not in the question
WEAK = 0.4  # grade of a sentence that only mentions what is asked for: "voted", but not how
EXACT = 2.0  # grade of a sentence that has the very term or verb of the question in the form needed
UNSURE = -0.5  # grade of a sentence that says that the answer is not known
NAMED_WORDS = 3  # words of a noun that are looked at
TERM = "term"  # group of a question with the word or words that take the place of "{term}"

MONEY = "money"
LIMIT = "limit"  # a time by which something must be done

Fits = Callable[[Number], bool]

_FITS: Mapping[str, Fits] = {
    MONEY: lambda number: number.is_money,
    "share": lambda number: number.is_share,
    "duration": lambda number: number.is_duration,
    LIMIT: lambda number: number.is_duration,
    "count": lambda number: not (number.is_money or number.is_share or number.is_duration),
    "quantity": lambda number: True,
} | {name: methodcaller("measures", name) for name in DIMENSIONS}


@dataclass(frozen=True)
class Kind:
    """A kind of answer."""

    asked: re.Pattern[str]  # what questions look like that ask for it
    answer: re.Pattern[str] | None  # what sentences look like that have it
    number: str = ""  # which numbers answer it; empty if it needs none
    weak: re.Pattern[str] | None = None  # what sentences look like that may have it
    is_strict: bool = False  # whether hardly any other sentence answers
    is_alone: bool = False  # whether other kinds that the question seems to ask for do not count
    words: frozenset[str] = frozenset()  # of a question, which name the kind: "vote"
    weight: float = 1.0  # of these words, beside the others of the question
    stands: tuple[str, ...] = ()  # words of an answer that stand for these: "carried", "favour"
    is_toll: bool = False  # whether it is a number of the dead or injured, which reports change
    unsure: re.Pattern[str] | None = None  # what sentences look like that say that they do not know
    exact: str = ""  # pattern of sentences that have its "{term}" in the form needed; may be empty

    @property
    def is_measure(self) -> bool:
        """Whether it is a number with a unit of a dimension: a temperature, a distance …"""
        return self.number in DIMENSIONS

    def about(self, question: str) -> "Kind | None":
        """The kind as a question asks for it; nothing if it does not."""
        match = self.asked.search(question)
        if not match:
            return None
        term = match.groupdict().get(TERM)
        words = r"[\s-]+".join(rf"{re.escape(one)}s?" for one in term.split()) if term else ""
        return replace(self, exact=self.exact.replace("{term}", f"(?i:{words})") if words else "")

    def grade(self, text: str, stems: tuple[str, ...]) -> float:
        """How well a sentence has such an answer, 0–1, or more if it has the very term; less than
        0 if it says that the answer is not known.

        Args:
            text: The sentence.
            stems: Of the words of the question, and of those that stand for them.
        """
        if self.number == LIMIT:
            return limit_grade(text)
        form = self._form_grade(text)
        if form or self.is_strict or not self.number:
            return form
        numbers = numbers_of(text)
        if self.is_measure and not self.fitting(numbers) and any(map(_has_other_unit, numbers)):
            return 0.0
        return max((self._grade_of(number, stems) for number in numbers), default=0.0)

    def _form_grade(self, text: str) -> float:
        if self.unsure and self.unsure.search(text):
            return UNSURE
        if self.exact and re.search(self.exact, text):
            return EXACT
        if self.answer and self.answer.search(text):
            return 1.0
        return WEAK if self.weak and self.weak.search(text) else 0.0

    def _grade_of(self, number: Number, stems: tuple[str, ...]) -> float:
        if not _FITS[self.number](number):
            return OTHER_NUMBER
        return 1.0 if self.number != "count" or _is_named(number, stems) else UNNAMED

    def parts(self, text: str) -> tuple[str, ...]:
        """The parts of a sentence that have the form of an answer."""
        return tuple(match[0] for match in self.answer.finditer(text)) if self.answer else ()

    def fitting(self, numbers: Sequence[Number]) -> tuple[Number, ...]:
        """The numbers that may be the answer; none if it is no number."""
        return tuple(one for one in numbers if self.number and _FITS[self.number](one))


def kinds_asked(question: str) -> tuple[Kind, ...]:
    """The kinds of answers that a question asks for; of numbers, the first kind that it names.

    Other dates and numbers than a time by which something must be done do not answer when it is.
    """
    asked = [about for kind in _kinds() if (about := kind.about(question))]
    alone = [kind for kind in asked if kind.is_alone]
    return tuple(alone[:1] or _with_one_of_numbers(asked))


def _with_one_of_numbers(kinds: Sequence[Kind]) -> list[Kind]:
    """The kinds without those of numbers after the first of these."""
    numeric = [kind for kind in kinds if kind.number]
    return [kind for kind in kinds if kind not in numeric[1:]]


def _has_other_unit(number: Number) -> bool:
    """Whether a number is no measure."""
    return number.is_money or number.is_share or number.is_duration


def _is_named(number: Number, stems: tuple[str, ...]) -> bool:
    words = number.noun.lower().split()[:NAMED_WORDS]
    return any(word.startswith(stems) for word in words)


@cache
def _kinds() -> tuple[Kind, ...]:
    return tuple(
        Kind(
            re.compile(each["asked"], re.IGNORECASE),
            _compiled(each.get("answer")),
            each.get("number", ""),
            _compiled(each.get("weak")),
            each.get("strict", False),
            each.get("alone", False),
            frozenset(each.get("words", "").split()),
            each.get("weight", 1.0),
            tuple(each.get("stands", "").split()),
            each.get("toll", False),
            _compiled(each.get("unsure")),
            each.get("exact", ""),
        )
        for each in table(__file__, "questions.toml")["kinds"]
    )


def _compiled(pattern: str | None) -> re.Pattern[str] | None:
    return None if pattern is None else re.compile(pattern)
