"""Lists that are open while a file is read, and the labels that their items have."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .marked import Marks

MAX_LABEL = 20  # characters of the labels of lists that begin at one place
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,9}\s*")
_LARGEST_ROMAN = 3999
_THOUSANDS = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"))
_HUNDREDS = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_TENS = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))

Numbering = Callable[[int], str]
"""The label of an item by its number."""


@dataclass(slots=True)
class _List:
    numbering: Numbering | None  # None for bullets
    number: int  # of the next item
    step: int


class Lists:
    """The lists that are open, and the label of the item whose text comes next."""

    def __init__(self) -> None:
        self._open: list[_List] = []
        self._label = ""
        self._goes_on = False  # whether a paragraph of the item has come

    def begin(self, numbering: Numbering | None = None, start: int = 1, step: int = 1) -> None:
        """Open a list inside of the others."""
        self._open.append(_List(numbering, start, step))

    def end(self) -> None:
        """Close the innermost list; the item around it goes on."""
        self._label, self._goes_on = "", True
        del self._open[-1:]

    def item(self, number: int | None = None) -> None:
        """Begin an item, with a number of its own if one is given."""
        if not self._open:
            return
        innermost = self._open[-1]
        if number is not None:
            innermost.number = number
        label = innermost.numbering(innermost.number) if innermost.numbering else ""
        if self._label and len(self._label) < MAX_LABEL:  # the item around it begins with this list
            label = f"{self._label} {label}".strip()
        self._label = label
        self._goes_on = False
        innermost.number += innermost.step

    def end_item(self) -> None:
        """End an item: what follows has no label, or one of its own that is not counted."""
        self._label, self._goes_on = "", False

    def marks(self) -> Marks:
        """What the lists say about the paragraph that comes next; only one has the label."""
        marks = Marks(self._label, len(self._open), self._goes_on and bool(self._open))
        self._label, self._goes_on = "", True
        return marks


def counted(number: int, form: str) -> str:
    """A number by what stands for 1: ``1``, ``01``, ``a``, ``A``, ``i`` or ``I``.

    What letters and Roman numerals cannot say is written in figures.
    """
    kind = form.lower()
    if kind == "a" and number > 0:
        written = _in_letters(number)
    elif kind == "i" and 0 < number <= _LARGEST_ROMAN:
        written = _in_roman(number)
    else:
        return str(number).zfill(len(form))
    return written.upper() if form.isupper() else written


def _in_letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _in_roman(number: int) -> str:
    numerals = ""
    for value, letters in (*_THOUSANDS, *_HUNDREDS, *_TENS):
        count, number = divmod(number, value)
        numerals += count * letters
    return numerals


def integer(text: str, default: int) -> int:
    """An integer of an attribute; the default where it is none, or has too many digits."""
    return int(text) if _INTEGER.fullmatch(text) else default
