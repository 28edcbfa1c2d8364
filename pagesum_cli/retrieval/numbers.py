"""The numbers of a sentence, each with its noun."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..text.tables import table
from ..text.words import STOP_WORDS

_DATA = table(__file__, "numbers.toml")
_WORDS = "|".join(sorted(_DATA["words"].split(), key=len, reverse=True))
_SCALES = "|".join(_DATA["scales"].split())
_SPELLED = rf"(?:{_WORDS})(?:[- ](?:{_WORDS}|{_SCALES}))*"
_DIGITS = r"[$€£¥~≈±]{0,2}\d+(?:[,. \u202f]\d{3})*(?:[.,]\d+)?(?:/\d+)?"
_UNIT = rf"(?:\s?(?:%|percent\b|per cent\b|‰)|\s(?:{_SCALES})\b)?"
NUMBER = re.compile(
    rf"(?<![\w.,/-])(?:{_DIGITS}(?![\w/]*\d){_UNIT}|{_SPELLED}\b(?:\s\(\d[\d,./]*\s?%?\))?{_UNIT})",
    re.IGNORECASE,
)
"""A number in digits or in words, with its currency, scale and percent sign."""
_NOUN = re.compile(
    r"[\s-](?:(?:of|to)\s(?:(?:the|all|our|its|their)\s)?)?"
    r"([^\W\d_][\w'’/-]{0,60}+(?:\s[^\W\d_][\w'’/-]{0,60}+){0,2})"
)
_MONTH = re.compile(rf"(?:{'|'.join(_DATA['months'].split())})\.?\s(?:\d\d?(?:st|nd|rd|th)?,?\s)?$")
_REFERENCES = re.compile(r"\[[\d,; –-]{1,80}\]")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_BEFORE = 24  # characters before a number in which a month may stand


@dataclass(frozen=True)
class Number:
    """A number as it is written, and what it counts or measures."""

    text: str
    noun: str = ""  # empty if no noun follows


def numbers_of(text: str) -> tuple[Number, ...]:
    """The numbers of a text in order, without dates and the numbers of references (``[9, 12]``)."""
    return tuple(number for _, number in places_of_numbers(text))


def places_of_numbers(text: str) -> Iterator[tuple[re.Match[str], Number]]:
    """Where each of the :func:`numbers_of` a text stands, and the number."""
    text = _REFERENCES.sub(lambda match: " " * len(match[0]), text)
    for match in NUMBER.finditer(text):
        if not _is_date(text, match):
            yield match, Number(match[0].strip(), _noun_after(text, match.end()))


def _is_date(text: str, match: re.Match[str]) -> bool:
    before = text[max(match.start() - _BEFORE, 0) : match.start()]
    after = text[match.end() : match.end() + _BEFORE].split()
    is_day = bool(after) and after[0].strip(".,") in _DATA["months"].split()
    return bool(_YEAR.fullmatch(match[0]) or _MONTH.search(before)) or is_day


def _noun_after(text: str, place: int) -> str:
    following = _NOUN.match(text, place)
    words: list[str] = []
    for word in following[1].split() if following else []:
        if word.lower() in STOP_WORDS:
            break
        words.append(word)
    return " ".join(words)
