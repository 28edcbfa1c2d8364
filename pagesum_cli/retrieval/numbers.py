"""The numbers of a sentence, each with its noun."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..text.tables import table
from ..text.words import STOP_WORDS


def _any_of(words: str) -> str:
    """A pattern of some words, the longest first."""
    return "|".join(map(re.escape, sorted(words.split(), key=len, reverse=True)))


_DATA = table(__file__, "numbers.toml")
_WORDS, _SCALES = _any_of(_DATA["words"]), _any_of(_DATA["scales"])
SPELLED = rf"(?:{_WORDS})(?:[- ](?:{_WORDS}|{_SCALES}))*"
"""A number in words."""
_CURRENCY = rf"(?:(?:{_any_of(_DATA['currencies'])})\s?)?[$€£¥]?"
_POWER = r"10(?:[⁻⁺]?[⁰¹²³⁴-⁹]{1,4}|\^[-−]?\d{1,3})"
_PLAIN = (
    rf"{_POWER}|\d++(?:[,. \u202f]\d{{3}}(?!\d))*(?:[.,]\d+)?(?:/\d+)?(?:\s?[×·]\s?{_POWER})?"
    r"|(?<!\w)\.\d+"
)
_DIGITS = rf"[~≈±<>≤≥]?\s?(?:{_CURRENCY})(?:{_PLAIN})"
_RANGE = rf"(?:\s?[-–]\s?(?:{_CURRENCY})(?:{_PLAIN}))?"
_UNIT = (
    rf"(?:\s?(?:percent(?:age\spoints?)?|per cent)\b|[\s-](?:{_SCALES})\b"
    rf"|(?<=\d)(?:[kKMBm]|[mb]n)\b|[\s-]fold\b|\s?(?:{_any_of(_DATA['units'])})(?![\w/]))?"
)
_DIGIT = re.compile(r"\d|[-–]to[-–]")
_MAY_HAVE_NUMBERS = re.compile(rf"\d|\b(?:{_WORDS})\b", re.IGNORECASE)
NUMBER = re.compile(
    rf"(?<![\w.,/-])(?:{_DIGITS}(?![\w/]*\d){_RANGE}{_UNIT}"
    rf"|(?i:half\sa\s(?:{_SCALES})|a\sdozen)\b"
    rf"|(?i:{SPELLED})\b(?:\s\(\d[\d,./]*\s?%?\))?{_UNIT})"
)
"""A number in digits or in words, with its currency, scale and unit; also a range."""
_NOUN = re.compile(
    r"\+?[\s-](?:(?:of|to)\s(?:(?:the|all|our|its|their)\s)?)?"
    r"([^\W\d_][\w'’/⁻-]{0,60}+(?:\s[^\W\d_][\w'’/⁻-]{0,60}+){0,2})"
)
_MONTHS = _any_of(_DATA["months"])
_MONTH = re.compile(rf"\b(?:{_MONTHS})\.?\s(?:\d\d?(?:st|nd|rd|th)?,?\s|of\s)?$")
_DAY = re.compile(rf"\s?(?:of\s)?(?:{_MONTHS})\b")
_NONE = [re.compile(row["pattern"]) for row in _DATA["none"]]
_NAMED = re.compile(
    rf"(?<!\w)(?:{'|'.join(_DATA['before_names'].split())})\)?\s?(?:\d[\w.]*(?:,|\sand|\sor|\sto|\s?[-–])\s)*$",
    re.IGNORECASE,
)
_PROPER = re.compile(r"[^.!?:;\s]\s(?:[A-Z][a-z]+|[A-Z]{2,}\)?)\s$")
"""In front of an integer that may be a part of a name: Executive Order 13800."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_BEFORE_YEAR = re.compile(rf"\b(?:{_any_of(_DATA['before_years'])})\s$", re.IGNORECASE)
_PAIR = re.compile(r"(?<!\d)(\d++)\s?[-–]\s?(\d++)")
_INTEGER = re.compile(r"\d+")
_DURATION = re.compile(rf"(?:{'|'.join(_DATA['durations'].split())})\b", re.IGNORECASE)
_MONEY = re.compile(
    rf"[$€£¥]|\b(?:{_any_of(_DATA['currencies'])})|\b(?:dollar|euro|pound|cent)s?\b"
)
_SHARE = re.compile(
    r"%|‰|\bper ?cent\b|\bpercentage|\b(?:half|third|fourth|quarter|fifth)s?\b", re.I
)
DIMENSIONS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"(?:[\s\d.,–-]|^)(?:{units})(?![\w/%])")
    for name, units in _DATA["dimensions"].items()
}
"""The units of what a number may measure."""
_DENOMINATOR = re.compile(r"/\d*$")  # of a unit, cut at its point: "mg/0.5 ml"
_BEFORE = 32  # characters before a number in which a name or a month may stand


@dataclass(frozen=True)
class Number:
    """A number as it is written, and what it counts or measures."""

    text: str
    noun: str = ""  # empty if no noun follows

    @property
    def is_money(self) -> bool:
        """Whether it is an amount of money."""
        return _MONEY.search(f"{self.text} {self.noun}") is not None

    @property
    def is_share(self) -> bool:
        """Whether it is a percentage or another part of a whole."""
        return _SHARE.search(self.text) is not None

    @property
    def is_duration(self) -> bool:
        """Whether it is a length of time."""
        unit = re.sub(r"[\d\W]+", "", self.text) if self.text[:1].isdigit() else ""
        nouns = self.noun.split()
        return any(map(_DURATION.fullmatch, [unit, *nouns[:2]]))

    def measures(self, dimension: str) -> bool:
        """Whether its unit is one of a dimension, such as a temperature."""
        first = " ".join(self.noun.split()[:3])
        return DIMENSIONS[dimension].search(f"{self.text} {first}") is not None


def numbers_of(text: str) -> tuple[Number, ...]:
    """The numbers of a text in order that count or measure something: without dates, times of day,
    results of votes, and numbers that are names ("section 8", "[9, 12]").
    """
    return tuple(number for _, number in places_of_numbers(text))


def places_of_numbers(text: str) -> Iterator[tuple[re.Match[str], Number]]:
    """Where each of the :func:`numbers_of` a text stands, and the number."""
    if not _MAY_HAVE_NUMBERS.search(text):
        return
    for pattern in _NONE if _DIGIT.search(text) else ():
        text = pattern.sub(_blank, text)
    for match in NUMBER.finditer(text):
        if not _is_name(text, match) and not _is_no_number(text, match):
            yield match, Number(match[0].strip(), _noun_after(text, match.end()))


def _blank(match: re.Match[str]) -> str:
    """A text of the same length that is no number, and no space around which numbers meet."""
    return "_" * len(match[0])


def _is_name(text: str, match: re.Match[str]) -> bool:
    """Whether a number is a date, or one by its digits only."""
    digits = match[0].strip()
    before = text[max(match.start() - _BEFORE, 0) : match.start()]
    if _NAMED.search(before):
        return True
    if not _INTEGER.fullmatch(digits):
        return False
    if _MONTH.search(before) or _DAY.match(text, match.end()):
        return True
    following = _NOUN.match(text, match.end())
    counts = following is not None and _is_plural(following[1].split())
    if _YEAR.fullmatch(digits):
        return not counts or _BEFORE_YEAR.search(before) is not None
    return not counts and _PROPER.search(before) is not None


def _is_no_number(text: str, match: re.Match[str]) -> bool:
    """Whether a word of a number is an ordinal or a pronoun: "the third party", "no one"; or
    the result of a vote or game: 5–2.
    """
    word = match[0].strip().lower()
    if pair := _PAIR.fullmatch(word):
        return int(pair[1]) > int(pair[2])
    if word == "one":
        return not _noun_after(text, match.end()) or text[match.end() :].startswith(" of ")
    return word in _DATA["parts"].split() and not text[: match.start()].lower().endswith(" a ")


def _is_plural(words: Iterable[str]) -> bool:
    """Whether one of some words may be a noun that is counted, before any function word."""
    for word in words:
        if word.lower() in STOP_WORDS:
            return False
        if word[0].islower() and (word[-1] == "s" or word in _DATA["plurals"].split()):
            return True
    return False


def _noun_after(text: str, place: int) -> str:
    following = _NOUN.match(text, place)
    words: list[str] = []
    for word in following[1].split() if following else []:
        if word.lower() in STOP_WORDS or word.startswith("_"):
            break
        words.append(_DENOMINATOR.sub("", word))
    return " ".join(words)
