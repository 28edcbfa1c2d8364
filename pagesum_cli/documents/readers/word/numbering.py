"""The numbers of lists in Word documents (``word/numbering.xml``)."""

import re
from dataclasses import dataclass, replace
from typing import Any

from ....text.tables import table
from ...lists import counted, integer

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"  # the namespace of the markup
MAX_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_FORMS = table(__file__, "word.toml")["number_formats"]

NumberOf = tuple[str, int]
"""What a paragraph or a style refers to: the id of a numbering, and a level from 0."""


@dataclass(frozen=True, slots=True)
class Level:
    """How the items of one level of a list are numbered."""

    text: str = ""  # ``%1.%2.``, with the places of numbers; empty for bullets
    form: str = "1"  # what stands for 1
    start: int = 1
    # level (from 1) after which it begins again; 0 for none, -1 for any above
    restarts_after: int = -1
    style: str = ""  # the paragraph style that has this level
    is_legal: bool = False  # whether the numbers of all levels are written in figures


class Numberings:
    """The lists of a document, with the numbers that they have come to."""

    def __init__(self, root: Any = None) -> None:
        self._levels: dict[str, list[Level]] = {}  # of a numbering, by its id
        self._abstract: dict[str, str] = {}  # what a numbering is one of, which share their numbers
        self._restarts: dict[str, set[int]] = {}  # levels that begin again at its first use
        self._counts: dict[str, list[int | None]] = {}
        if root is not None:
            self._read(root)

    def _read(self, root: Any) -> None:
        elements = list(root.iter(f"{W}abstractNum"))
        abstract = {one.get(f"{W}abstractNumId"): _levels(one) for one in elements}
        linked = {value_of(one, "styleLink"): one.get(f"{W}abstractNumId") for one in elements}
        for one in elements:
            if style := value_of(one, "numStyleLink"):
                abstract[one.get(f"{W}abstractNumId")] = abstract.get(linked.get(style), [])
        for one in root.iter(f"{W}num"):
            number, name = one.get(f"{W}numId"), value_of(one, "abstractNumId")
            self._abstract[number] = name
            self._levels[number] = list(abstract.get(name, []))
            self._override(number, one)

    def _override(self, number: str, element: Any) -> None:
        """Change the levels of a numbering by what it says itself."""
        levels = self._levels[number]
        for one in element.iter(f"{W}lvlOverride"):
            place = integer(one.get(f"{W}ilvl") or "", 0)
            if not 0 <= place < len(levels):
                continue
            if (own := one.find(f"{W}lvl")) is not None:
                levels[place] = _level(own)
            if start := value_of(one, "startOverride"):
                levels[place] = replace(levels[place], start=integer(start, 1))
                self._restarts.setdefault(number, set()).add(place)

    def level_of_style(self, number: str, style: str) -> int:
        """The level that belongs to a paragraph style; the first, if none does."""
        levels = self._levels.get(number, [])
        return next((place for place, one in enumerate(levels) if one.style == style), 0)

    def label(self, number: str, place: int) -> str:
        """The label of the next item at a level; empty for bullets."""
        levels = self._levels.get(number, [])
        if not 0 <= place < len(levels):
            return ""
        counts = self._counts.setdefault(self._abstract[number], [None] * MAX_LEVELS)
        for one in self._restarts.pop(number, ()):
            counts[one] = None
        count = counts[place]
        counts[place] = levels[place].start if count is None else count + 1
        for below in range(place + 1, len(levels)):
            if levels[below].restarts_after < 0 or levels[below].restarts_after > place:
                counts[below] = None

        def written(match: re.Match[str]) -> str:
            one = int(match[1]) - 1
            count = counts[one]
            form = levels[one].form
            if levels[place].is_legal and form.isalpha():
                form = "1"
            return counted(levels[one].start if count is None else count, form)

        return _PLACE.sub(written, levels[place].text).strip()


def _levels(element: Any) -> list[Level]:
    levels = [Level()] * MAX_LEVELS
    for one in element.iterchildren(f"{W}lvl"):
        place = integer(one.get(f"{W}ilvl") or "", 0)
        if 0 <= place < MAX_LEVELS:
            levels[place] = _level(one)
    return levels


def _level(element: Any) -> Level:
    form = value_of(element, "numFmt")
    text = value_of(element, "lvlText")[:100] if _PLACE.search(value_of(element, "lvlText")) else ""
    return Level(
        "" if form in ("bullet", "none") else text,
        _FORMS.get(form, "1"),
        integer(value_of(element, "start"), 1),
        integer(value_of(element, "lvlRestart"), -1),
        value_of(element, "pStyle"),
        is_on(element, "isLgl"),
    )


def is_on(properties: Any, name: str, *, default: bool = False) -> bool:
    """Whether a switch such as ``w:b`` is on."""
    found = properties.find(W + name) if properties is not None else None
    return default if found is None else found.get(f"{W}val") not in ("0", "false", "off")


def value_of(properties: Any, name: str) -> str:
    """The value of a property such as ``w:sz``; empty if it is not given."""
    found = properties.find(W + name) if properties is not None else None
    return "" if found is None else found.get(f"{W}val") or ""
