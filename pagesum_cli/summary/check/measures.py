"""Amounts of a claim for which the passage with its words has the same number in another unit: 250
mg/mL, 250 µg/mL; five days, five hours; 4 million, 4 billion.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ...text.tables import table
from ...text.words import stem
from .alignment import Side
from .differences import Difference
from .notation import Reading, amounts_in, any_of, unit_named
from .tokens import Token
from .typography import with_plain_signs
from .wordings import is_weak

_DATA = table(__file__, "measures.toml")
_SIZES: dict[str, tuple[str, Fraction]] = {
    unit: (kind, Fraction(size)) for kind, units in _DATA.items() for unit, size in units.items()
}
"""What each unit measures, and its size."""
_UNIT = re.compile(r"(?:\s?\(\d{1,6}\)){0,1}[\s-]?([^\W\d_]{1,12})(?!\w)")
"""The unit behind a number: 5 mg, five (5) days."""
_PER = re.compile(r"\s?/\s?([^\W\d_]{1,12})(?!\w)|\s([^\W\d_]{1,5})(?:[-−]1|⁻¹)(?!\w)")
_SCALED = re.compile(
    rf"(?<![\w.,])(\d+(?:[.,]\d+)*)[\s-]?({any_of([*_DATA['scale'], *_DATA['solution']])})(?!\w)"
)
_LISTED = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)\s?(?:,|,?\s?(?:and|or|to|&)|[-–])\s?$")
"""A number in front of another one with which it has a unit: 25, 50 and 75 mg."""
_MICRO = str.maketrans(dict.fromkeys("µ𝛍𝜇𝝁𝝻𝞵", "μ"))
_LONGEST = 30  # characters of it
_MOST = 12  # numbers of a list
_MIN_SHARE = 0.5  # of the words of a claim that a passage with another unit has
_MIN_WORDS = 2


class Measure(NamedTuple):
    """A number with a unit, and maybe what it is measured per, with its place in a text."""

    value: Fraction
    unit: str
    per: str  # empty if none
    start: int
    end: int

    @property
    def size(self) -> Fraction:
        """The amount in the same unit for all amounts of a kind."""
        per = _SIZES[self.per][1] if self.per else 1
        return self.value * _SIZES[self.unit][1] / per

    def is_like(self, other: "Measure") -> bool:
        """Whether both measure the same kind of thing; a claim may leave out what it is per."""
        kinds = [_SIZES[one.unit][0] for one in (self, other)]
        pers = [_SIZES[one.per][0] for one in (self, other) if one.per]
        return len({*kinds}) == 1 and len({*pers}) < 2 and (bool(other.per) or not self.per)

    def is_same(self, other: "Measure") -> bool:
        """Whether both are the same amount."""
        per = other.per if self.per else ""
        return self.is_like(other) and self.size == other._replace(per=per).size

    def is_in_other_unit(self, other: "Measure") -> bool:
        """Whether both are the same number of other units."""
        is_like = self.is_like(other) and self.value == other.value
        return is_like and not self.is_same(other)


@lru_cache(maxsize=4096)
def measures_in(text: str) -> tuple[Measure, ...]:
    """The amounts in a text with a unit that has a size."""
    plain = with_plain_signs(text).translate(_MICRO)
    found = [one for reading in amounts_in(plain) for one in _of_reading(plain, reading)]
    found += [
        Measure(Fraction(match[1].replace(",", "")), match[2], "", *match.span())
        for match in _SCALED.finditer(plain)
        if match[1].count(".") < 2
    ]
    listed = [other for one in found for other in _listed(plain, one)]
    return tuple(dict.fromkeys([*found, *listed]))


def _of_reading(text: str, amount: Reading) -> Iterator[Measure]:
    match = _UNIT.match(text, amount.end)
    unit = unit_named(match[1]) if match else ""
    if match and unit in _SIZES and " " not in amount.norm:
        per, end = _per_at(text, match.end())
        yield Measure(Fraction(amount.norm), unit, per, amount.start, end)


def _per_at(text: str, end: int) -> tuple[str, int]:
    """What an amount is per, and where it ends then."""
    match = _PER.match(text, end)
    unit = unit_named(match[1] or match[2]) if match else ""
    return (unit, match.end()) if match and unit in _SIZES else ("", end)


def _listed(text: str, last: Measure) -> Iterator[Measure]:
    """The numbers in front of an amount that have its unit."""
    end = last.start
    for _ in range(_MOST):
        match = _LISTED.search(text[max(0, end - _LONGEST) : end])
        if match is None:
            return
        end -= len(match[0])
        yield last._replace(value=Fraction(match[1]), start=end)


class _Found(NamedTuple):
    """An amount of a passage, and how many words of a claim the passage has."""

    shared: int
    measure: Measure
    text: str  # the amount as it is written


def with_units(
    found: Iterable[Difference], claim: Side, passages: Sequence[Side]
) -> list[Difference]:
    """Differences of a claim from passages, with those of amounts for which the passage that has
    most of its words has another unit; without those of parts of amounts that are compared.
    """
    own = measures_in(claim.text)
    words = _content(claim.tokens, own)
    amounts = [it for one in passages for it in _found_in(one, words)] if own else []
    wrong = [*_in_other_units(claim.text, amounts, max(_MIN_WORDS, _MIN_SHARE * len(words)))]
    known = [(one.start, one.end) for one in own if _most(one.is_same, amounts)]
    spans = [*(one.span for one in wrong), *known]
    return [*wrong, *(one for one in found if not _is_part(one, spans))]


def _in_other_units(text: str, amounts: Sequence[_Found], least: float) -> Iterator[Difference]:
    """The amounts of a claim that passages with at least so many of its words have in another
    unit.
    """
    for one in measures_in(text):
        if rival := _rival(one, amounts, least):
            yield _difference(text, one, rival)


def _difference(text: str, measure: Measure, rival: _Found) -> Difference:
    span = measure.start, measure.end
    return Difference("unit", text[slice(*span)], rival.text, span)


def _rival(measure: Measure, amounts: Sequence[_Found], least: float) -> _Found | None:
    """The amount in another unit in the passage that has most words of a claim, at least so many;
    None if the amount of the claim is there.
    """
    rival = _most(measure.is_in_other_unit, amounts)
    same = _most(measure.is_same, amounts)
    is_closest = rival and rival.shared >= least and (not same or rival.shared > same.shared)
    return rival if is_closest else None


def _most(test: Callable[[Measure], bool], amounts: Iterable[_Found]) -> _Found | None:
    """The amount that passes a test and whose passage has most words of a claim."""
    return max((it for it in amounts if test(it.measure)), key=lambda it: it.shared, default=None)


def _is_part(difference: Difference, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a unit or a number that is new is a part of an amount at one of some places."""
    is_new = difference.kind in ("unit", "number") and not difference.document
    return is_new and any(start <= difference.span[0] < end for start, end in spans)


def is_other_unit(difference: Difference) -> bool:
    """Whether a difference is an amount in another unit."""
    return difference.kind == "unit" and bool(difference.document)


def _found_in(passage: Side, words: set[str]) -> Iterator[_Found]:
    """The amounts of a passage."""
    shared = _shared(words, passage)
    for one in measures_in(passage.text):
        yield _Found(shared, one, passage.text[one.start : one.end])


def _content(tokens: Iterable[Token], measures: Sequence[Measure]) -> set[str]:
    """The stems of the words of a claim that carry meaning, without its amounts."""
    return {
        stem(one.norm)
        for one in tokens
        if not is_weak(one) and not any(it.start <= one.start < it.end for it in measures)
    }


def _shared(words: set[str], passage: Side) -> int:
    """How many words of a claim a passage has."""
    return len(words & {stem(one.norm) for one in passage.tokens})
