"""Labels: the number or letter of a paragraph, and whether what looks like one is one."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from .lists import is_open
from .parts import FORMS, Label, Part, Place, Sections, after, ends_as

MIN_WORDS = 6  # of a paragraph that begins with one of two capital letters
INITIALS = 3  # consecutive capital letters, from A on, from which on they are no initials of names
MAX_PARTS = 5  # parts of a label: (a) (1) (A) (i) (I)

_ROMAN = dict(zip("ivxlc", (1, 5, 10, 50, 100), strict=True))
_NUMBERED = ("section", "pilcrow", "bracket", "star", "decimal", "number", "roman", "letter")


def label_at(text: str) -> Label | None:
    """What looks like a label at the head of a text."""
    match = FORMS["label"].match(text)
    if match is None or FORMS["no_label"].match(text):
        return None
    kind = next((name for name in _NUMBERED if match[name]), "paren")
    own = [] if kind == "paren" else [_places(kind, match[kind])]
    inner = FORMS["part"].findall((match["paren"] or "") + (match["more"] or ""))
    return Label(match[0].strip(), after(match), kind, (*own, *map(_in_brackets, inner)))


def _places(kind: str, text: str) -> tuple[Place, ...]:
    """The places of a label that is not in round brackets."""
    if kind == "letter":  # also "B.1", which is inserted after "B."
        return _of_letters(text[0], text[1])
    numbers = re.findall(r"\d+", text)
    if not numbers:
        return _of_letters(text[:-1], text[-1])
    prefix = text.rstrip(".").removesuffix(numbers[-1]) if kind == "decimal" else ""
    return (Place(f"{kind} {prefix}", int(numbers[-1])),)


def _in_brackets(text: str) -> tuple[Place, ...]:
    return (Place("(1)", int(text)),) if text.isdecimal() else _of_letters(text, "()")


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
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-one if one < following else one for one, following in pairs)


def find_labels(sections: Sections) -> None:
    """Find the labels and bullets of paragraphs; what is only a label gives it to the next one."""
    candidates = [list(map(_candidate, parts)) for parts in sections]
    series = _Series(candidates)
    for number, (parts, labels) in enumerate(zip(sections, candidates, strict=True)):
        _label(parts, labels, partial(_Context, series, number))
        _mark(parts)
        _hand_on(parts)


def _candidate(part: Part) -> Label | None:
    return label_at(part.text) if part.is_plain else None


class _Series:
    """The places of all that looks like a label in a document: which of them follow each other?"""

    def __init__(self, sections: Sequence[Sequence[Label | None]]) -> None:
        self._numbers: dict[tuple[int | None, str], set[int]] = defaultdict(set)
        for section, labels in enumerate(sections):
            for place in (place for label in labels if label for place in label.parts[0]):
                self._numbers[section, place.style].add(place.number)
                self._numbers[None, place.style].add(place.number)

    def of(self, place: Place, section: int | None) -> set[int]:
        """The numbers of a style in a section; in the document if that is None."""
        return self._numbers[section, place.style]


class _Context(NamedTuple):
    """What looks like a label among the others of its document."""

    series: _Series
    section: int
    label: Label

    def has_neighbour(self, *, anywhere: bool = False) -> bool:
        """Whether the number before or after it is in the section, or anywhere."""
        for place in self.label.parts[0]:
            numbers = self.series.of(place, None if anywhere else self.section)
            if place.number - 1 in numbers or place.number + 1 in numbers:
                return True
        return False

    def is_one_of_several(self) -> bool:
        """Whether it ends with a stop, and the document has others of its style."""
        numbers = self.series.of(self.label.parts[0][0], None)
        return self.label.text.endswith(".") and len(numbers) > 1

    def is_of_many(self, letters: int = INITIALS) -> bool:
        """Whether its section has the first of its style: two Roman numbers, or some letters."""
        for place in self.label.parts[0]:
            first = range(1, 3 if "roman" in place.style else letters + 1)
            if self.series.of(place, self.section).issuperset(first):
                return True
        return False


class _Evidence(NamedTuple):
    """What looks like a label, and where it stands."""

    context: _Context
    starts: bool  # whether a sentence can begin after it
    is_introduced: bool  # whether the text before it goes on, with a colon or as an item does
    follows: bool  # whether the label before it is an earlier one of the section
    is_unended: bool  # whether the text before it has no mark at its end
    is_continued: bool  # whether the next one is in its paragraph
    is_repeated: bool  # whether the text before or after it has the same label: "1." for all items
    is_whole: bool  # whether nothing is after it, or a sentence of some words

    @property
    def label(self) -> Label:
        return self.context.label

    @property
    def begins_list(self) -> bool:
        """Whether it is the first one after an introduction."""
        return self.is_introduced and self.label.is_first

    def in_brackets(self) -> bool:
        """Whether "(a)" is one: before a capital letter, or after another item."""
        begins = self.is_unended and self.label.is_first
        return self.starts or self.is_introduced or self.follows or begins

    def of_section(self) -> bool:
        """Whether "Sec. 2." is one."""
        return self.starts

    def with_points(self) -> bool:
        """Whether "6.129." or "[11]" is one: "6.129" only beside "6.130"."""
        is_one = self.is_continued or self.context.is_one_of_several()
        return self.starts and (is_one or self.context.has_neighbour(anywhere=True))

    def of_list(self) -> bool:
        """Whether "1." or "a." is one: the first after an introduction, or beside another one."""
        if self.label.text[0].isupper():
            letters = 2 if self.is_whole else INITIALS
            return self.starts and self.context.is_of_many(letters)
        return self.begins_list or self.is_repeated or self.context.has_neighbour()


_RULES: dict[str, Callable[[_Evidence], bool]] = {
    "paren": _Evidence.in_brackets,
    "section": _Evidence.of_section,
    "pilcrow": _Evidence.of_section,
    "star": _Evidence.of_section,
    "bracket": _Evidence.with_points,
    "decimal": _Evidence.with_points,
}


def _label(
    parts: Sequence[Part],
    labels: Sequence[Label | None],
    context: Callable[[Label], _Context],
) -> None:
    """Give the paragraphs of a section those of the labels that are some."""
    taken: set[Place] = set()
    repeated = _repeated(labels)
    before = ""
    for part, label, is_repeated in zip(parts, labels, repeated, strict=True):
        if label is not None:
            rest = part.text[label.end :]
            evidence = _Evidence(
                context(label),
                starts=not rest or FORMS["capital"].match(rest) is not None,
                is_introduced=is_open(before) or ends_as("goes_on", before),
                follows=any(Place(one, number - 1) in taken for one, number in label.parts[0]),
                is_unended=bool(before) and not ends_as("terminal", before),
                is_continued=_next(label) in part.text,
                is_repeated=is_repeated,
                is_whole=_is_whole(rest),
            )
            if _RULES.get(label.kind, _Evidence.of_list)(evidence):
                part.label = label
                part.update(label=label.text, body=label.end)
                taken.update(place for places in label.parts for place in places)
        before = part.text


def _is_whole(text: str) -> bool:
    """Whether a text is empty or a sentence of some words, or leads on to what is below it."""
    is_long = len(text.split()) >= MIN_WORDS
    leads_on = is_open(text) or ends_as("goes_on", text)
    return not text or leads_on or (is_long and ends_as("terminal", text))


def _next(label: Label) -> str:
    """A label with the number after its last one."""
    return re.sub(r"\d+(?=\D*$)", lambda number: str(int(number[0]) + 1), label.text)


def _repeated(labels: Sequence[Label | None]) -> list[bool]:
    """Whether each label is also that of the text before or after it."""
    same = [bool(one and other and one.text == other.text) for one, other in pairwise(labels)]
    pairs = zip([False, *same], [*same, False], strict=True)
    return [one or other for one, other in pairs][: len(labels)]


def _mark(parts: Sequence[Part]) -> None:
    """Find the bullets of a section."""
    for part in parts:
        if part.is_plain and (match := FORMS["bullet"].match(part.text)):
            part.has_bullet = True
            part.update(body=after(match))


def _hand_on(parts: Sequence[Part]) -> None:
    """Give the label of a paragraph that is nothing else to the next one."""
    for part, following in pairwise(parts):
        label = part.label
        if label is None or part.rest or len(label.parts) >= MAX_PARTS:
            continue
        if not (following.label or following.is_plain):
            continue
        if own := following.label:
            text, places = f"{label.text} {own.text}", (*label.parts, *own.parts)
            following.label = own._replace(text=text, kind=label.kind, parts=places)
        else:
            following.label = label._replace(end=0)
        following.update(label=following.label.text)
