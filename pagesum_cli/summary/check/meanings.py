"""The same in other words: bounds, lengths of time, shares, multiples, and words of one meaning."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ...text.tables import table
from .majorities import majorities_in
from .notation import Reading, amounts_in, any_of, readings_of

ALIKE, ROUNDED = " ~", " ≈"
"""What ends the norm of a reading that may say more or less, or that is rounded."""

_DATA = table(__file__, "meanings.toml")
_DAYS_OF_MONTH = 365 / 12
_SHARE_TOLERANCE = 2.5  # percentage points by which a share in words may be off
_MORE = 1.25  # times: more than 200 may be 212, and not 900


def _words(phrases: str) -> list[str]:
    return [one.replace("_", " ") for one in phrases.split()]


def _phrase(phrases: str, end: str = r"(?!\w)") -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of(_words(phrases))}){end}", re.IGNORECASE)


_BEFORE = {
    sign: _phrase(words, r"\s?(?:(?<=\s)(?:the|an?)\s)?$")
    for sign, words in _DATA["before"].items()
}
_BEHIND = {
    sign: re.compile(rf"\s?(?:{any_of(_words(words))})(?!\w)", re.IGNORECASE)
    for sign, words in _DATA["behind"].items()
}
_SINGLE = {name: unit for unit, name in _DATA["single"].items()}
_ONE_OF_TIME = re.compile(
    rf"\b(?:(?P<half>half)\s)?an?\s(?:(?P<of>half)[\s-])?(?P<unit>{any_of(_SINGLE)})\b",
    re.IGNORECASE,
)
_RATE = re.compile(
    rf"(?<=[\w%$€£¥]\s)(?:an?\s(?P<unit>{any_of(_DATA['rates'])})|(?P<annum>per\sannum))\b"
    rf"|(?<=\w)/\s?(?P<of>{any_of(_DATA['rates'])})\b",
    re.IGNORECASE,
)
_SHARE = re.compile(rf"(?<!\w)(?:{any_of(_DATA['shares'])})(?!\w)", re.IGNORECASE)
_SAME = {name: _phrase(words) for name, words in _DATA["same"].items()}
_ALIKE = {f"{name}{ALIKE}": _phrase(words) for name, words in _DATA["alike"].items()}
_TERMS = _phrase(
    _DATA["terms"]["forms"],
    rf"(?=\s(?:[\w()]{{1,12}}\s){{0,3}}(?:{any_of(_words(_DATA['terms']['of']))})(?!\w))",
)
_NOBODY_MAY = re.compile(
    r"\b(?:No|Nobody)\s[^.;:,]{1,60}?(?<=\s)(?P<modal>may|shall|must|can)(?=\s(?!not\b))",
    re.IGNORECASE,
)
"""What nobody may do, nobody shall do."""
_AMOUNT = re.compile(r"(?P<value>\d+(?:\.\d+)?)(?P<unit> [^ <>≤≥≈]+)?(?: (?P<sign>[<>≤≥≈]))?")
_BELOW_ONE = re.compile(r"0\.\d{1,6}")
_WIDE = re.compile(r"\s{2,}")
_NEARBY = 30  # characters before a number in which a bound is looked for


@lru_cache(maxsize=4096)
def meanings_of(text: str) -> tuple[Reading, ...]:
    """The values in a text, and the words and phrases that others may stand for.

    White space is as wide as one space, as in what is copied with line ends of two characters.
    """
    if not _WIDE.search(text):
        return _meanings(text)
    dropped = {place for gap in _WIDE.finditer(text) for place in range(gap.start() + 1, gap.end())}
    kept = [place for place in range(len(text)) if place not in dropped]
    readings = _meanings("".join(text[place] for place in kept))
    return tuple(one._replace(start=kept[one.start], end=kept[one.end - 1] + 1) for one in readings)


def _meanings(text: str) -> tuple[Reading, ...]:
    amounts = [*amounts_in(text), *_times(text), *_shares(text)]
    amounts += [other for one in amounts for other in _durations(one)]
    ends = dict[int, int]()  # of the longest value that begins at a place
    for one in (*readings_of(text), *amounts):
        ends[one.start] = max(one.end, ends.get(one.start, 0))
    whole = [one for one in amounts if one.end == ends[one.start]]
    bounds = [bound for one in whole for bound in _bounds(text, one)]
    return (
        *readings_of(text),
        *amounts,
        *bounds,
        *_phrases(text),
        *majorities_in(text),
        *_rates(text, amounts),
    )


def _phrases(text: str) -> Iterator[Reading]:
    for norm, form in (_SAME | _ALIKE | {f"having{ALIKE}": _TERMS}).items():
        for match in form.finditer(text):
            yield Reading(*match.span(), norm)
    for match in _NOBODY_MAY.finditer(text):
        yield Reading(*match.span("modal"), "allowed ")


def _rates(text: str, amounts: Sequence[Reading]) -> Iterator[Reading]:
    """How often the amounts of a text count: "a month" behind one."""
    ends = {one.end for one in amounts}
    for match in _RATE.finditer(text):
        if len(text[: match.start()].rstrip()) in ends:
            unit = match["unit"] or match["of"] or "year"
            yield Reading(*match.span(), _DATA["rates"][unit.lower()])


def _times(text: str) -> Iterator[Reading]:
    for match in _ONE_OF_TIME.finditer(text):
        value = "0.5" if match["half"] or match["of"] else "1"
        yield Reading(*match.span(), f"{value} {_SINGLE[match['unit'].lower()]}")


def _shares(text: str) -> Iterator[Reading]:
    for match in _SHARE.finditer(text):
        name = re.sub(r"[\s-]", " ", match[0].lower())
        yield Reading(*match.span(), f"{_DATA['shares'][name]} percent{ROUNDED}")


def _durations(amount: Reading) -> Iterator[Reading]:
    """A length of time in seconds or in months, and in months if it is about so many."""
    value, _, unit = amount.norm.partition(" ")
    if unit not in _DATA["durations"] or "/" in value:
        return
    factor, base = _DATA["durations"][unit].split()
    total = float(value) * int(factor)
    yield amount._replace(norm=f"{total:.10g} {base}")
    months = total / 86400 / _DAYS_OF_MONTH if base == "s" else total
    is_about = abs(months - round(months)) <= max(1.5 / _DAYS_OF_MONTH, months / 50)
    if round(months) and is_about:
        yield amount._replace(norm=f"{round(months)} months{ALIKE}")


def _bounds(text: str, amount: Reading) -> Iterator[Reading]:
    """An amount with the bound or the hedge around it."""
    before = text[max(0, amount.start - _NEARBY) : amount.start]
    norm = amount.norm.removesuffix(ROUNDED)
    for sign, form in _BEFORE.items():
        if match := form.search(before):
            start = amount.start - len(before) + match.start()
            yield Reading(start, amount.end, f"{norm} {sign}")
    for sign, form in _BEHIND.items():
        if match := form.match(text, amount.end):
            yield Reading(amount.start, match.end(), f"{norm} {sign}")


def kind_of(norm: str) -> str:
    """The kind of difference between two wordings of a reading; empty if its norm is a value."""
    if norm.endswith(ALIKE):
        return "wording"
    return "notation" if norm[-1] in " <>≤≥≈" and norm[:-1] else ""


def rounded(ours: Sequence[Reading], theirs: Sequence[Reading]) -> list[Reading]:
    """The amounts of a document that those of a claim are rounded from: "about 300", "more than
    200", "a third"; and those that are the same as a share: 0.76 is 76 percent. A bound of the
    document is as it says.
    """
    exact = _exact_amounts(theirs)
    found = [*_as_percents(ours, theirs)]
    for claimed in ours:
        amount = _AMOUNT.fullmatch(claimed.norm)
        if amount and amount["sign"]:
            of_same_unit = [one for one in exact if one[1]["unit"] == amount["unit"]]
            found += [
                one._replace(norm=claimed.norm)
                for one, value in of_same_unit
                if _is_rounded(amount, float(value["value"]))
            ]
    return found


def _exact_amounts(readings: Sequence[Reading]) -> list[tuple[Reading, re.Match[str]]]:
    """The amounts that have no bound, each with its parts."""
    bound = {one.end for one in readings if one.norm[-1] in "<>≤≥"}
    amounts = [(one, _AMOUNT.fullmatch(one.norm)) for one in readings if one.end not in bound]
    return [(one, parts) for one, parts in amounts if parts and not parts["sign"]]


def _as_percents(ours: Sequence[Reading], theirs: Sequence[Reading]) -> Iterator[Reading]:
    """The shares of a document below one that a claim has in percent, as it has them."""
    for other in theirs:
        if _BELOW_ONE.fullmatch(other.norm):
            share = f"{float(other.norm) * 100:.10g} percent"
            yield from (other._replace(norm=share) for one in ours if one.norm == share)


def _is_rounded(amount: re.Match[str], value: float) -> bool:
    """Whether an amount with a bound or hedge says a value with fewer digits."""
    said, sign = float(amount["value"]), amount["sign"]
    if sign in ">≥":
        return said <= value <= said * _MORE and _digits(said) < _digits(value)
    if sign in "<≤":
        return value <= said <= value * _MORE and _digits(said) < _digits(value)
    if said == value:
        return True
    if amount["unit"] == " percent" and abs(said - value) <= _SHARE_TOLERANCE:
        return _digits(said) != _digits(value) or said % 1 > 0
    return _digits(said) < _digits(value) and float(f"{value:.{_digits(said) - 1}e}") == said


def _digits(value: float) -> int:
    """The number of significant digits."""
    return max(1, len(f"{value:.10g}".replace(".", "").strip("0")))
