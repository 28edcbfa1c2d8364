"""Judgments and the like, whose paragraphs are counted from the first to the last (English)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..text.tables import table
from .model import Document, Paragraph, Section

MIN_COUNTED = 10  # paragraphs in a row of numbers
MIN_SHARE = 0.5  # of the paragraphs with a number, without those in inner lists
MAX_FIRST, MAX_STEP = 3, 3  # the first number, and from one to the next
FRONT = 3000  # characters in which a judgment names the court and the parties
MIN_SIGNS = 3  # different ones of these
_SIGNS = re.compile(table(__file__, "counted.toml")["court"])
_LABEL = re.compile(r"\[?([1-9]\d{0,3})[.)\]]?")
_BY_HAND = re.compile(r"\[?([1-9]\d{0,3})(?:[.)\]]|(?= {1,3}[A-Z]))\s{1,9}(?=[A-Z“‘(\"'])")


@dataclass(frozen=True)
class _Row:
    """A row of numbered paragraphs, from its last one."""

    place: int
    length: int
    before: "_Row | None"


def with_counted(document: Document) -> Document:
    """A document of a court with the number that each of its paragraphs is under, if it counts
    them.
    """
    if document.given is not None or not _is_of_court(document.text[:FRONT]):
        return document
    paragraphs = [one for section in document.sections for one in section.paragraphs]
    numbers = _row(paragraphs)
    if len(numbers) < MIN_COUNTED:
        return document
    sections, first = [], 0
    for section in document.sections:
        sections.append(_counted(section, first, numbers))
        first += len(section.paragraphs)
    return replace(document, sections=tuple(sections))


def _is_of_court(front: str) -> bool:
    return len({sign.lower() for sign in _SIGNS.findall(front)}) >= MIN_SIGNS


def _row(paragraphs: Sequence[Paragraph]) -> Mapping[int, int]:
    """The places of the paragraphs with numbers of the longest row that goes on by one or a few,
    each with its number; none where most numbers are not in it.
    """
    found = {place: number for place, one in enumerate(paragraphs) if (number := number_of(one))}
    depths = Counter(paragraphs[place].depth for place in found)
    # lists of plain text may have the depth 1 up to their hundredth item only
    depth = max(1, max(depths, key=lambda one: depths[one], default=0))
    upper = {place: number for place, number in found.items() if paragraphs[place].depth <= depth}
    longest = _longest(upper)
    is_most = _length(longest) >= MIN_SHARE * len(upper)
    return {place: found[place] for place in _places(longest)} if is_most else {}


def _longest(numbers: Mapping[int, int]) -> _Row | None:
    """The longest row of some numbers by their places; the first of several."""
    ends: dict[int, _Row] = {}  # by a number, the longest row that it ends
    for place, number in numbers.items():
        before = [ends[number - step] for step in range(1, MAX_STEP + 1) if number - step in ends]
        row = max(before, key=_length, default=None)
        length = 1 + _length(row)
        if length > _length(ends.get(number)) and (row or number <= MAX_FIRST):
            ends[number] = _Row(place, length, row)
    return max(ends.values(), key=_length, default=None)


def _length(row: _Row | None) -> int:
    return row.length if row else 0


def _places(row: _Row | None) -> Iterator[int]:
    while row:
        yield row.place
        row = row.before


def number_of(paragraph: Paragraph) -> int:
    """The number of a paragraph, by its label or by hand; 0 if it has none."""
    label = _LABEL.fullmatch(paragraph.label)
    if label is None and (paragraph.label or paragraph.block):
        return 0
    found = label or _BY_HAND.match(paragraph.text)
    return int(found[1]) if found else 0


def _counted(section: Section, first: int, numbers: Mapping[int, int]) -> Section:
    """A section whose paragraphs have the numbers that they are under: their own, or that of the
    one before them in the section.
    """
    number, counted = "", []
    for place, one in enumerate(section.paragraphs, start=first):
        if place in numbers:
            number, one = str(numbers[place]), _with_label(one)
        counted.append(replace(one, number=number))
    return replace(section, paragraphs=tuple(counted))


def _with_label(paragraph: Paragraph) -> Paragraph:
    """A paragraph whose number is its label, also where it was written by hand."""
    found = None if paragraph.label else _BY_HAND.match(paragraph.text)
    if found is None:
        return paragraph
    return replace(paragraph, label=found[0].strip(), body=max(paragraph.body, found.end()))
