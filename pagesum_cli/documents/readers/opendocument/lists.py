"""The lists of OpenDocument texts, and the labels of their items."""

from dataclasses import dataclass
from typing import Any

from ...lists import counted, integer
from ...marked import Marks
from .markup import full, name_of, value_of
from .styles import Styles

MAX_LEVELS = 10
Counts = list[int | None]
"""The numbers that the levels of a list have come to."""


@dataclass(frozen=True, slots=True)
class Level:
    """How the items of one level are numbered."""

    form: str = ""  # what stands for 1; empty for bullets and lists without labels
    before: str = ""
    after: str = ""
    start: int = 1
    shown: int = 1  # number of levels whose numbers the label has


class Lists:
    """The lists that are open, one inside the other, with the numbers that they have come to."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._levels: dict[str, list[Level]] = {}  # by the names of list styles
        self._open: list[str] = []  # names of the styles of the open lists
        self._counts: Counts = [None] * MAX_LEVELS
        self._id = ""
        self._kept: dict[str, Counts] = {}  # by the ids and the styles of lists that have ended
        self._waits = False  # whether an item has begun whose text comes next
        self._start: int | None = None  # the number that it has itself
        self._goes_on = False

    def begin(self, element: Any, style_of_text: str = "") -> None:
        """Open a list inside of the others."""
        outer = self._open[-1] if self._open else style_of_text
        name = value_of(element, "text:style-name") or outer
        if not self._open:
            self._id = value_of(element, "xml:id")
            is_continued = value_of(element, "text:continue-numbering") == "true"
            key = f"style {name}" if is_continued else ""
            continued = value_of(element, "text:continue-list")
            before = self._kept.get(f"id {continued}") or self._kept.get(key)
            self._counts = list(before or [None] * MAX_LEVELS)
        self._open.append(name)

    def end(self) -> None:
        """Close the innermost list; the item around it goes on."""
        name = self._open.pop()
        self._waits, self._goes_on = False, True
        if not self._open:
            self._kept[f"style {name}"] = self._counts
            if self._id:
                self._kept[f"id {self._id}"] = self._counts

    def item(self, element: Any) -> None:
        """Begin an item; a header of a list has no label."""
        start = value_of(element, "text:start-value")
        self._start = integer(start, 1) if start else None
        self._waits = name_of(element) != "text:list-header"
        self._goes_on = False

    def marks(self) -> Marks:
        """What the lists say about the paragraph that comes next; only one has the label."""
        depth = len(self._open)
        if not depth:
            return Marks()
        label = self._label(min(depth, MAX_LEVELS) - 1) if self._waits else ""
        marks = Marks(label, depth, self._goes_on)
        self._waits, self._goes_on = False, True
        return marks

    def _label(self, place: int) -> str:
        """The label of the next item at a level; empty for bullets."""
        levels = self._levels_of(self._open[-1])
        count = self._counts[place]
        following = levels[place].start if count is None else count + 1
        self._counts[place] = following if self._start is None else self._start
        self._counts[place + 1 :] = [None] * (MAX_LEVELS - place - 1)
        level = levels[place]
        if not level.form:
            return ""
        numbers = []
        for one in range(max(0, place + 1 - level.shown), place + 1):
            count = self._counts[one]
            if form := levels[one].form:
                numbers.append(counted(levels[one].start if count is None else count, form))
        return f"{level.before}{'.'.join(numbers)}{level.after}".strip()

    def _levels_of(self, name: str) -> list[Level]:
        if name not in self._levels:
            levels = [Level()] * MAX_LEVELS
            element = self._styles.list_of(name)
            for one in element if element is not None else ():
                place = integer(value_of(one, "text:level"), 1) - 1
                if 0 <= place < MAX_LEVELS:
                    levels[place] = _level(one)
            self._levels[name] = levels
        return self._levels[name]


def _level(element: Any) -> Level:
    if element.tag != full("text:list-level-style-number"):
        return Level()
    return Level(
        value_of(element, "style:num-format")[:1],
        value_of(element, "style:num-prefix")[:20],
        value_of(element, "style:num-suffix")[:20],
        integer(value_of(element, "text:start-value"), 1),
        integer(value_of(element, "text:display-levels"), 1),
    )
