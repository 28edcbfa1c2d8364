"""The values in a text, in one notation: ``$1.2 million`` and ``1,200,000`` are the same."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..summary.check.notation import Reading, values_in
from ..text.tables import table

_SPELLED: dict[str, int] = table(__file__, "numbers.toml")["spelled"]
_WORD = re.compile(r"[^\W\d_]+")
_VALUE = re.compile(r"[\d./]+|\d{4}/\d\d-\d\d|\d\d-\d\d|time [\d:]+")
"""A number, a date, a day of any year, or a time of day; without the unit, which may be another."""
_DAY = re.compile(r"\d\d-\d\d")
_LETTERS = {".": "p", "/": "s", "-": "d", ":": "c", " ": "u"}
DAY_WEIGHT = 0.6  # of the day in any year, beside a date with its year


@dataclass(frozen=True)
class Value:
    """A value of a question with its place, and the words of the index that stand for it."""

    start: int
    end: int
    variants: dict[str, float]


def values_of(text: str) -> str:
    """The words that stand for the values of a text in the index."""
    return " ".join(dict.fromkeys(_word(one.norm) for one in _readings(text)))


def values_asked(question: str) -> list[Value]:
    """The values of a question, the longest reading of each: 1,200,000 for 1.2 million."""
    values: list[Value] = []
    for one in sorted(_readings(question), key=lambda one: (one.start - one.end, one.start)):
        around = [value for value in values if value.start < one.end and one.start < value.end]
        if not around:
            values.append(Value(one.start, one.end, {_word(one.norm): 1.0}))
        elif _DAY.fullmatch(one.norm):
            around[0].variants.setdefault(_word(one.norm), DAY_WEIGHT)
    return values


def _readings(text: str) -> Iterator[Reading]:
    """The values of a text; the words of a number in words also alone: forty-nine, forty."""
    for one in values_in(text):
        if _VALUE.fullmatch(one.norm):
            yield one
            yield from _spelled(text, one.start, one.end)
    if "hundred" in text.lower():  # which begins no value
        yield from _spelled(text, 0, len(text))


def _spelled(text: str, start: int, end: int) -> Iterator[Reading]:
    """The single words for numbers in a part of a text."""
    for match in _WORD.finditer(text, start, end):
        if (number := _SPELLED.get(match[0].lower())) is not None:
            yield Reading(*match.span(), str(number))


def _word(value: str) -> str:
    """A value as one word that no text has."""
    return "value" + "".join(_LETTERS.get(sign, sign) for sign in value)
