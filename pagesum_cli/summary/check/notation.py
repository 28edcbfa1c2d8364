"""Notations of the same value: numbers, amounts with their units, dates, abbreviations."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple
from unicodedata import numeric

from ...text.tables import table
from .spelled import Part, numbers_of
from .typography import typographic, with_plain_signs

_DATA = table(__file__, "notation.toml")
_SCALES: dict[str, int] = _DATA["scales"]
_LETTERS: dict[str, int] = _DATA["letters"]
_MONEY_LETTERS: dict[str, int] = _LETTERS | _DATA["money_letters"]
_NUMBERS_IN_WORDS: dict[str, int] = _DATA["tens"] | _DATA["teens"] | _DATA["ones"]
_MONTHS = _DATA["dates"]["months"].split()
_MAX_POWER = 30
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


class Reading(NamedTuple):
    """A part of a text as a value, with its place."""

    start: int
    end: int
    norm: str


def any_of(words: Iterable[str]) -> str:
    """A pattern of some words, the longest first."""
    return "|".join(re.escape(one).replace(r"\ ", r"[\s-]") for one in sorted(words, key=len)[::-1])


def _units() -> dict[str, str]:
    """The symbol of each unit by its symbol and its names."""
    units = dict[str, str]()
    for symbol, names in _DATA["units"].items():
        for name in [symbol, *names.split()]:
            first, *rest = name.split("_")
            units[" ".join([first, *rest])] = symbol
            units[" ".join([f"{first}s", *rest])] = symbol
    for symbol, names in _DATA["metric"].items():
        for prefix, start in _DATA["prefixes"].items():
            units[prefix + symbol] = prefix + symbol
            for name in names.split():
                units[start + name] = units[f"{start}{name}s"] = prefix + symbol
    return units


_UNITS = _units()
_LONG_UNITS = {name: symbol for name, symbol in _UNITS.items() if len(name) > 3 or name in "℃℉"}
_SIGNS = "°%℃℉$€£¥"
_NAME = re.compile(
    rf"[\s-]?(?<![^\W\d_])((?:[{_SIGNS}][^\W\d_]*+|[^\W\d_]++)(?:[\s/-][^\W\d_]++){{0,2}})(?!\w)"
)
"""What may be the name of a unit after a number, maybe with words after it."""
_CURRENCIES = {
    name: symbol
    for symbol, names in _DATA["currencies"].items()
    for name in (symbol, *names.split())
}
_AFTER_NUMBERS = _UNITS | _CURRENCIES
_DIGITS = r"\d{1,999}"  # Python reads at most 4,300
_NUMBER = (
    rf"(?:\d{{1,3}}(?:[,\s]\d{{3}}){{1,333}}(?![\d,])(?:\.{_DIGITS})?"
    rf"|{_DIGITS}(?:\.{_DIGITS})?|(?<![\d.])\.{_DIGITS})"
)
_VULGAR = "[¼½¾⅐-⅞]"
_AMOUNT = re.compile(
    rf"(?P<money>{any_of(_CURRENCIES)})?\s?"
    r"(?<![\w.,])(?<!\d/)(?<!\d/\s)(?<!\d/\s\s)"
    rf"(?P<number>{_NUMBER}(?:\s?(?P<more>{_VULGAR}))?|{_VULGAR})(?![\d])"
    r"(?:\s?[×x·*]\s?10(?:\^\{?(?P<power>[-−]?\d{1,2})\}?|(?P<raised>⁻?[⁰¹²³⁴-⁹]{1,2})))?"
    rf"(?:(?P<letter>[kKMBmb])\b|[\s-]?(?P<scale>(?i:{any_of(_SCALES)}))\b)?"
)
_POWER = re.compile(
    r"(?<![\w.,])(?P<base>\d+)(?:\^\{?(?P<power>[-−]?\d{1,2})\}?|(?P<raised>⁻?[⁰¹²³⁴-⁹]{1,2}))(?!\w)"
)
_LOST_POWER = re.compile(r"(?:(?<=[×·]\s)|(?<=[×·]))10(?P<power>[-−]?\d{1,2})(?![\d.,])")
"""A power of ten the exponent of which a copy does not raise: 4 × 109."""
_UNIT_POWER = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,3})\^?([-−]?[1-4]|⁻?[¹²³⁴])(?!\w)")
_PER = re.compile(
    r"(?:\bper\s|(?<=\w)\s?/\s?)(?P<unit>[^\W\d_]{1,12})(?:\s(?P<and>and\s)(?:per\s)?(?P<other>[^\W\d_]{1,12}))?"
    r"(?!\w)"
)
"""What an amount is per: per hectare and year, which is ha⁻¹ yr⁻¹."""
_FRACTION = re.compile(
    r"(?<![\w.,/])(?:(?P<whole>\d{1,4})\s)?(\d{1,2})\s?[/⁄]\s?(\d{1,2})(?![\w/])"
)
_WORD = re.compile(r"(?<!\w)(?=[^\W\d_]|[℃℉])")
_IN_WORDS = re.compile(
    rf"\b(?:(?P<ten>{any_of(_DATA['tens'])})[\s-](?P<one>{any_of(_DATA['ones'])}|ﬁve)"
    rf"|(?<!half\s)(?P<article>an?)(?=\s(?:{any_of(_SCALES)})\b)"
    rf"|(?P<alone>{any_of(_DATA['tens'] | _DATA['ones'] | _DATA['teens'])}|ﬁve))"
    r"(?P<half>\sand\sa\shalf)?"
    rf"(?:[\s-](?P<scale>{any_of(_SCALES)})(?:[\s-](?P<more>{any_of(_SCALES)}))?)?\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"\s?\((\d{1,3}(?:,\d{3}){0,5}|\d{1,9})\)")
"""The same number in digits behind words: five (5)."""
_TITLED = [one.title() for one in _MONTHS]
_MONTH = rf"(?P<month>{any_of(_MONTHS + _TITLED)})[a-z]?\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s(?P<year>\d{4}))?"
_DATES = (
    re.compile(rf"\b{_DAY}\s(?:of\s)?{_MONTH}{_YEAR}\b"),
    re.compile(rf"\b{_MONTH}\s{_DAY}{_YEAR}\b"),
    re.compile(r"(?<![\w-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])"),
    re.compile(
        r"(?<![\w.-])(?P<day>[0-3]?\d)\.(?P<month>1[0-2]|0?[1-9])\.(?P<year>[12]\d{3})(?!\w|\.\d)"
    ),
)
_MONTH_OF_YEAR = re.compile(rf"\b{_MONTH},?\s(?:of\s)?(?P<year>[12]\d{{3}})\b")
_NUMBERED_MONTH = re.compile(r"(?<![\w.-])(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])(?![\w-])")
_MONTH_ALONE = re.compile(
    rf"\b(?:(?P<full>{any_of(_TITLED[:12])})\b|(?P<short>{any_of(_TITLED[12:])})t?\.)"
)
"""A month without a day or a year: in full, or shortened with a point, as Jan is a name, too."""
_HOUR = r"(?P<hour>[01]?\d|2[0-4])"
_TIMES = (
    re.compile(
        rf"(?<![\w.,:]){_HOUR}(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap])(?:\.m\.|m\b)", re.I
    ),
    re.compile(rf"(?<![\w.,:]){_HOUR}:(?P<minute>[0-5]\d)(?P<half>)(?![\w:])"),
)
"""Times of day: 3 p.m., 3:30 pm, 15:30."""
_PAIR = re.compile(r"(?<![\d:.,])\d{1,4}:\d{1,4}(?![\d:])")
"""A ratio, a time, the name of an allele: 35:01 is one value."""
_INITIALS = re.compile(r"(?<![\w.])(?:[^\W\d_]{1,2}\.){2,6}")
_FORMULA = re.compile(r"(?<!\w)[A-Za-z]{1,3}(?:[\d₀-₉]{1,3}[A-Za-z]{0,3}){1,4}(?!\w)")
_NAMED = re.compile(rf"\b(?:{any_of(_DATA['names']['before'].split())})\.?\s?$", re.IGNORECASE)
_PROPER = re.compile(r"\w\s[A-Z]\w*\s?$")
"""In front of a number that may be a part of a name: Python 3.10."""


@lru_cache(maxsize=4096)
def readings_of(text: str) -> tuple[Reading, ...]:
    """The values in a text, also those that are parts of others."""
    plain = with_plain_signs(text)
    return tuple(reading for find in _FINDERS for reading in find(plain))


def _decimal(fraction: int | Fraction) -> str:
    """A value as one string: ``4000000``, ``0.5``, ``1/3``."""
    if fraction.denominator == 1:
        return str(fraction.numerator)
    rest = fraction.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return f"{fraction.numerator}/{fraction.denominator}"
    exact = Decimal(fraction.numerator) / Decimal(fraction.denominator)
    return f"{exact.normalize():f}"


def _amounts(text: str) -> Iterator[Reading]:
    for match in _AMOUNT.finditer(text):
        numbers, value, end = _numbers_at(text, match)
        yield from numbers
        if match["money"]:
            yield Reading(match.start(), end, f"{value} {_CURRENCIES[match['money']]}")
        elif unit := _unit_at(text, end, _AFTER_NUMBERS):
            yield Reading(match.start("number"), unit.end, f"{value} {unit.norm}")


def _numbers(text: str) -> Iterator[Reading]:
    """What the amounts have, without their units."""
    for match in _AMOUNT.finditer(text):
        yield from _numbers_at(text, match)[0]


def _numbers_at(text: str, match: re.Match[str]) -> tuple[list[Reading], str, int]:
    """The numbers of an amount: alone, with its power and with its scale; the last of them, also
    if it is the number of a name; and its end.
    """
    value = _number(match["number"], match["more"])
    start, end = match.span("number")
    norm = _decimal(value)
    is_name = _is_name(text[max(0, start - 40) : start], match["number"])
    numbers = [] if is_name else [Reading(start, end, norm)]
    if power := _power(match):
        value *= Fraction(10) ** power
        end, norm = max(match.end("power"), match.end("raised")), _decimal(value)
        numbers.append(Reading(start, end, norm))
    if scale := _scale(match):
        value *= 10**scale
        end, norm = max(match.end("letter"), match.end("scale")), _decimal(value)
        numbers.append(Reading(start, end, norm))
    return numbers, norm, end


def _is_name(before: str, number: str) -> bool:
    """Whether a number is one by its digits only, as that of a table or of a version."""
    has_more_digits = "." in number and number.endswith("0")
    return _NAMED.search(before) is not None or (
        has_more_digits and _PROPER.search(before) is not None
    )


def _scale(match: re.Match[str]) -> int:
    """The power of ten that the word or letter after a number stands for; 0 without one."""
    if match["scale"]:
        return _SCALES[match["scale"].lower()]
    return (_MONEY_LETTERS if match["money"] else _LETTERS).get(match["letter"] or "", 0)


def _unit_at(text: str, start: int, units: Mapping[str, str]) -> Reading | None:
    """The unit with the longest name at a place; None if there is none."""
    match = _NAME.match(text, start)
    end = match.end(1) if match else start
    while match and end > match.start(1):
        name = re.sub(r"[\s-]", " ", text[match.start(1) : end])
        if name in units:
            return Reading(match.start(1), end, units[name])
        end = match.start(1) + len(name.rpartition(" ")[0])
    return None


def unit_named(name: str) -> str:
    """The symbol of the unit with a name or symbol; empty if there is none."""
    return _UNITS.get(name, "")


def _number(text: str, more: str | None) -> int | Fraction:
    """``4,000,000``, ``½``, ``2 ½``."""
    digits = re.sub(r"[,\s]", "", text.removesuffix(more or ""))
    if not digits[-1].isdecimal():
        return Fraction(numeric(digits)).limit_denominator(100)
    # most numbers are whole, and fractions take time
    value = int(digits) if digits.isdecimal() else Fraction(digits)
    return value + Fraction(numeric(more)).limit_denominator(100) if more else value


def _power(match: re.Match[str]) -> int:
    """The exponent of a match; 0 without one, or if it is too large."""
    power = match["power"] or match["raised"]
    number = int(power.translate(_RAISED).replace("−", "-")) if power else 0
    return number if abs(number) <= _MAX_POWER else 0


def _powers(text: str) -> Iterator[Reading]:
    for match in _POWER.finditer(text):
        power = _power(match)
        yield Reading(*match.span(), f"{match['base']}^{power}")
        if match["base"] == "10" and power:
            yield Reading(*match.span(), _decimal(Fraction(10) ** power))
    for match in _LOST_POWER.finditer(text):
        yield Reading(*match.span(), f"10^{int(match['power'].replace('−', '-'))}")
    for match in _UNIT_POWER.finditer(text):
        if match[1] in _UNITS:
            exponent = match[2].translate(_RAISED).replace("−", "-")
            yield Reading(*match.span(), f"{_UNITS[match[1]]}^{exponent}")
    for match in _PER.finditer(text):
        if match["unit"] in _UNITS:
            yield Reading(match.start(), match.end("unit"), f"{_UNITS[match['unit']]}^-1")
            if match["other"] in _UNITS:
                yield Reading(match.start("and"), match.end(), f"{_UNITS[match['other']]}^-1")


def _fractions(text: str) -> Iterator[Reading]:
    for match in _FRACTION.finditer(text):
        if int(match[3]):
            value = Fraction(int(match[2]), int(match[3]))
            yield Reading(match.start(2), match.end(), _decimal(value))
            if match["whole"]:
                yield Reading(*match.span(), _decimal(value + int(match["whole"])))


def _units_alone(text: str) -> Iterator[Reading]:
    for match in _WORD.finditer(text):
        if unit := _unit_at(text, match.start(), _LONG_UNITS):
            yield unit._replace(norm=unit.norm.lower())


def _in_words(text: str) -> Iterator[Reading]:
    """Numbers in words, with a scale and with a unit: nineteen, forty-nine, two million years."""
    for start, end, value in numbers_of(map(_part_of, _IN_WORDS.finditer(text)), text):
        norm = _decimal(value)
        yield Reading(start, end, norm)
        behind = _end_of_digits(text, end, norm)
        if behind > end:
            yield Reading(start, behind, norm)
        if unit := _unit_at(text, behind, _AFTER_NUMBERS):
            yield Reading(start, unit.end, f"{norm} {unit.norm}")


def _part_of(match: re.Match[str]) -> Part:
    """A part of a number in words."""
    parts = [typographic(match[name] or "").lower() for name in ("ten", "one", "alone")]
    value = Fraction(sum(_NUMBERS_IN_WORDS[part] for part in parts if part))
    value += 1 if match["article"] else 0
    value += Fraction(1, 2) if match["half"] else 0
    scales = [_SCALES[one.lower()] for one in match.group("scale", "more") if one]
    return Part(*match.span(), value, tuple(scales), has_half=bool(match["half"]))


def _end_of_digits(text: str, start: int, norm: str) -> int:
    """Where a number in words ends that may stand in digits behind it: five (5)."""
    again = _AGAIN.match(text, start)
    is_same = again is not None and _decimal(_number(again[1], None)) == norm
    return again.end() if again and is_same else start


@lru_cache(maxsize=4096)
def amounts_in(text: str) -> tuple[Reading, ...]:
    """The numbers and amounts in a text, in digits and in words."""
    plain = with_plain_signs(text)
    return (*_amounts(plain), *_in_words(plain))


def _dates(text: str) -> Iterator[Reading]:
    for form in _DATES:
        for match in form.finditer(text):
            name = match["month"].lower()
            month = int(name) if name.isdecimal() else _MONTHS.index(name) % 12 + 1
            day = f"{month:02}-{int(match['day']):02}"
            yield Reading(match.start(), match.end(), f"{match['year'] or ''}/{day}".lstrip("/"))
            if match["year"] and not name.isdecimal():
                end = max(match.end("month"), match.end("day"))
                yield Reading(match.start(), end, day)


def _months(text: str) -> Iterator[Reading]:
    for match in _MONTH_OF_YEAR.finditer(text):
        month = _MONTHS.index(match["month"].lower()) % 12 + 1
        yield Reading(*match.span(), f"{match['year']}/{month:02}")
    for match in _NUMBERED_MONTH.finditer(text):
        yield Reading(*match.span(), f"{match['year']}/{match['month']}")
    for match in _MONTH_ALONE.finditer(text):
        month = _TITLED.index(match["full"] or match["short"]) % 12 + 1
        yield Reading(*match.span(), f"month {month:02}")


def _times(text: str) -> Iterator[Reading]:
    for match in (match for form in _TIMES for match in form.finditer(text)):
        hour = int(match["hour"])
        if half := match["half"].lower():
            hour = hour % 12 + 12 * (half == "p")
        yield Reading(*match.span(), f"time {hour}:{match['minute'] or '00'}")


def _pairs(text: str) -> Iterator[Reading]:
    for match in _PAIR.finditer(text):
        yield Reading(*match.span(), match[0])


def _initials(text: str) -> Iterator[Reading]:
    for match in _INITIALS.finditer(text):
        yield Reading(*match.span(), match[0].replace(".", "").lower())


def _formulas(text: str) -> Iterator[Reading]:
    for match in _FORMULA.finditer(text):
        yield Reading(*match.span(), match[0].translate(_LOWERED).lower())


_FINDERS = (
    _amounts,
    _powers,
    _fractions,
    _units_alone,
    _in_words,
    _dates,
    _months,
    _times,
    _pairs,
    _initials,
    _formulas,
)

_WITH_DIGITS = (_numbers, _fractions, _dates, _times)
_DIGIT = re.compile(rf"\d|{_VULGAR}")
_LETTERS_ALONE = re.compile(r"[^\W\d_]+")
_FIRST_WORDS = frozenset([*_NUMBERS_IN_WORDS, *_SCALES, "ﬁve"])
"""One of them is in each number in words."""


def values_in(text: str) -> Iterator[Reading]:
    """The numbers, dates and times of day in a text, also those that are parts of others: what
    :func:`readings_of` has, without units (but those of numbers in words) and abbreviations.
    """
    plain = with_plain_signs(text)
    if _DIGIT.search(plain):
        for find in _WITH_DIGITS:
            yield from find(plain)
    if not _FIRST_WORDS.isdisjoint(_LETTERS_ALONE.findall(plain.lower())):
        yield from _in_words(plain)
