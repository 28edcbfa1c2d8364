"""Labels: the number or letter of a paragraph or an item, and whether what looks like one is one."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ...text.tables import patterns

FORMS = patterns(__file__, "units.toml")

INITIALS = 3  # consecutive capital letters, from A on, from which on they are no initials of names

_ROMAN = dict(zip("ivxlc", (1, 5, 10, 50, 100), strict=True))
_KINDS = ("section", "pilcrow", "bracket", "star", "decimal", "number", "roman", "letter")


class Place(NamedTuple):
    """A place that a label can have: the style of its list, and its number there."""

    style: str
    number: int


class Label(NamedTuple):
    """What looks like a label at the head of a text."""

    text: str  # as printed
    end: int  # offset of the text after it
    kind: str  # the name of its pattern
    parts: tuple[tuple[Place, ...], ...]  # of "(c) (1)" two, each with the places it can have

    @property
    def is_first(self) -> bool:
        """Whether a list can begin with it."""
        return any(place.number == 1 for place in self.parts[0])


def label_at(text: str) -> Label | None:
    """What looks like a label at the head of a text."""
    match = FORMS["label"].match(text)
    if match is None or FORMS["rights"].match(text):
        return None
    end = len(text) - len(text[match.end() :].lstrip())
    own = next((kind for kind in _KINDS if match[kind]), None)
    inner = FORMS["part"].findall((match["paren"] or "") + (match["more"] or ""))
    parts = [*([_places(own, match[own])] if own else []), *(_in_brackets(part) for part in inner)]
    return Label(match[0].strip(), end, own or "paren", tuple(parts))


def _places(kind: str, text: str) -> tuple[Place, ...]:
    numbers = re.findall(r"\d+", text)
    if not numbers:
        return _of_letters(text[:-1], text[-1])
    prefix = text.rstrip(".").removesuffix(numbers[-1]) if kind == "decimal" else ""
    return (Place(f"{kind} {prefix}", int(numbers[-1])),)


def _in_brackets(part: str) -> tuple[Place, ...]:
    return (Place("(1)", int(part)),) if part.isdecimal() else _of_letters(part, "()")


def _of_letters(text: str, marks: str) -> tuple[Place, ...]:
    """The places of a letter, and of a Roman numeral."""
    case = "small" if text.islower() else "capital"
    places = []
    if len(set(text)) == 1 and text.lower() not in ("ii", "iii", "xx", "xxx"):
        number = ord(text[0].lower()) - ord("a") + 1 + 26 * (len(text) - 1)
        places.append(Place(f"{case} letter {marks}", number))
    if number := _roman(text.lower()):
        places.append(Place(f"{case} roman {marks}", number))
    return tuple(places)


def _roman(text: str) -> int:
    """The value of a Roman numeral; 0 for what is none."""
    if not set(text) <= set(_ROMAN):
        return 0
    values = [_ROMAN[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-one if one < after else one for one, after in zip(values, following, strict=True))


class _Series:
    """The places of all that looks like a label in a document, to see which of them follow each other."""

    def __init__(self, sections: Sequence[Sequence[Label | None]]) -> None:
        self._numbers: dict[tuple[int | None, str], set[int]] = defaultdict(set)
        for section, labels in enumerate(sections):
            for place in (place for label in labels if label for place in label.parts[0]):
                self._numbers[section, place.style].add(place.number)
                self._numbers[None, place.style].add(place.number)

    def has_neighbour(self, label: Label, section: int | None) -> bool:
        """Whether the number before or after it is in the section; of the document if that is None."""
        return any(
            not {place.number - 1, place.number + 1}.isdisjoint(self._numbers[section, place.style])
            for place in label.parts[0]
        )

    def is_of_many(self, label: Label, section: int) -> bool:
        """Whether it is one of several consecutive numbers from the first on: two Roman ones, or some letters."""
        for place in label.parts[0]:
            first = range(1, 3 if "roman" in place.style else INITIALS + 1)
            if self._numbers[section, place.style].issuperset(first):
                return True
        return False


def labels_of(sections: Sequence[Sequence[str]]) -> list[list[Label | None]]:
    """The label of each of the texts of each section; None where it has none."""
    candidates = [[label_at(text) for text in texts] for texts in sections]
    series = _Series(candidates)
    return [
        _of_section(texts, labels, series, section)
        for section, (texts, labels) in enumerate(zip(sections, candidates, strict=True))
    ]


def _of_section(
    texts: Sequence[str], labels: Sequence[Label | None], series: _Series, section: int
) -> list[Label | None]:
    found: list[Label | None] = []
    taken: set[Place] = set()
    same = [a is not None and b is not None and a.text == b.text for a, b in pairwise(labels)]
    repeated = [one or other for one, other in zip([*same, False], [False, *same], strict=True)]
    for text, label, before, repeats in zip(texts, labels, ["", *texts], repeated, strict=False):
        if label and _Evidence(label, text, before, repeats, section, taken).is_label(series):
            taken.update(place for places in label.parts for place in places)
            found.append(label)
        else:
            found.append(None)
    return found


class _Evidence(NamedTuple):
    """What looks like a label, in its surroundings."""

    label: Label
    text: str
    before: str  # the text before it
    repeats: bool  # whether the text before it or after it has the same label: "1." for all items
    section: int
    taken: set[Place]  # the places of the labels before it in the section

    @property
    def _starts(self) -> bool:
        """Whether a sentence can begin after it."""
        return self.label.end == len(self.text) or FORMS["capital"].match(self.text, self.label.end) is not None

    @property
    def _is_introduced(self) -> bool:
        """Whether the text before it goes on, with a colon or as an item does."""
        return FORMS["open"].search(self.before) is not None or FORMS["goes_on"].search(self.before) is not None

    @property
    def _follows(self) -> bool:
        """Whether it comes after the label before it."""
        return any(place._replace(number=place.number - 1) in self.taken for place in self.label.parts[0])

    def is_label(self, series: _Series) -> bool:
        """Whether it is one: strong forms where a sentence begins after them, others where they follow each other."""
        kind = self.label.kind
        begins_list = self.label.is_first and self._is_introduced
        if kind == "paren":
            return self._starts or self._is_introduced or self._follows
        if kind in ("section", "pilcrow", "star"):
            return self._starts
        if kind in ("bracket", "decimal"):
            is_clear = kind == "decimal" and self.label.text.endswith(".")
            return self._starts and (is_clear or series.has_neighbour(self.label, None))
        if kind != "number" and self.label.text[0].isupper():
            return self._starts and (begins_list or series.is_of_many(self.label, self.section))
        return begins_list or self.repeats or series.has_neighbour(self.label, self.section)
