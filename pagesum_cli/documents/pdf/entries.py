"""Tables that are lists with values: fines, fees, time limits."""

import re
from collections.abc import Sequence
from statistics import median

from ..article.wording import ENUMERATOR, LEADER_DOTS, ends_sentence
from .lines import Line, Piece
from .table_rows import cells_of

MIN_ENTRIES, MAX_CELLS = 3, 3  # rows of such a table, at least, and its columns, at most
ALIGNED = 3.0  # distance of the ends of cells that are one above another, in points
VALUE_LETTERS = 50  # characters of a value, which a text beside a term exceeds
WITH_DIGITS = 0.5  # share of the values with a digit
_DIGIT = re.compile(r"\d")
_UNIT = re.compile(r"[$€£¥]|\b(?:day|week|month|year|hour|minute)s?\b", re.IGNORECASE)


def has_values(lines: Sequence[Line]) -> bool:
    """Whether lines with cells are the rows of a table whose last column has values: of three
    columns, amounts of money or times.
    """
    rows = [cells_of(line) for line in lines if 1 < line.cells <= MAX_CELLS]
    count = len(rows)
    rows = _aligned(rows) if count >= MIN_ENTRIES else []
    return len(rows) >= MIN_ENTRIES and 2 * count >= len(lines) and _is_list(rows)


def _is_list(rows: Sequence[list[Piece]]) -> bool:
    """Whether the first cells of rows say what the last ones are the values of."""
    labels, values = [row[0][2] for row in rows], [row[-1][2] for row in rows]
    are_marks = 2 * sum(map(_is_label, labels)) > len(rows)
    has_units = max(map(len, rows)) < MAX_CELLS or 2 * _count(_UNIT, values) > len(values)
    return has_units and not are_marks and _are_values(values)


def _are_values(texts: Sequence[str]) -> bool:
    """Whether texts are short, most with digits, and are not the numbers of pages."""
    if not all(map(_may_be_value, texts)) or _are_pages(texts):
        return False
    return _count(_DIGIT, texts) >= max(MIN_ENTRIES, WITH_DIGITS * len(texts))


def _count(pattern: re.Pattern[str], texts: Sequence[str]) -> int:
    return sum(pattern.search(text) is not None for text in texts)


def _aligned(rows: Sequence[list[Piece]]) -> list[list[Piece]]:
    """The rows whose last cells begin or end at the place where the most do."""
    found: list[list[list[Piece]]] = []
    for end in (0, 1):
        places = [float(row[-1][end]) for row in rows]
        common = median(places)
        both = zip(rows, places, strict=True)
        found.append([row for row, place in both if abs(place - common) <= ALIGNED])
    return max(found, key=len)


def _are_pages(values: Sequence[str]) -> bool:
    """Whether values are the page numbers of contents: none is lower than the one above it."""
    numbers = [int(value) for value in values if value.isdecimal()]
    return 2 * len(numbers) > len(values) and numbers == sorted(numbers)


def _may_be_value(text: str) -> bool:
    return len(text) <= VALUE_LETTERS and not LEADER_DOTS.search(text)


def _is_label(text: str) -> bool:
    """Whether a first cell is the mark or number of an item, or a line that ends a sentence."""
    return ENUMERATOR.match(text) is not None or len(text) < 4 or ends_sentence(text)
