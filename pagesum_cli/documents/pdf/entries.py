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
_TIME = r"(?:(?:business|calendar|working|full) )?(?:day|week|month|year|hour|minute)s?\b"
_VALUE = re.compile(rf"[$€£¥]\s?\d|\d\s?(?:[$€£¥]|\(?{_TIME})", re.IGNORECASE)
"""An amount of money or a time."""


def has_values(lines: Sequence[Line]) -> bool:
    """Whether lines with cells are the rows of a table whose last column has amounts or times."""
    rows = [cells_of(line) for line in lines if 1 < line.cells <= MAX_CELLS]
    count = len(rows)
    rows = _aligned(rows) if count >= MIN_ENTRIES else []
    return len(rows) >= MIN_ENTRIES and 2 * count >= len(lines) and _is_list(rows)


def _is_list(rows: Sequence[list[Piece]]) -> bool:
    """Whether the first cells of rows are words, and most of the last ones amounts or times."""
    labels, values = [row[0][2] for row in rows], [row[-1][2] for row in rows]
    if sum(map(_is_mark, labels)) * 2 > len(rows) or not all(map(_may_be_value, values)):
        return False
    return 2 * _count(_VALUE, values) >= max(len(values), 2 * MIN_ENTRIES)


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


def _may_be_value(text: str) -> bool:
    return len(text) <= VALUE_LETTERS and not LEADER_DOTS.search(text)


def _is_mark(text: str) -> bool:
    """Whether a first cell is not words: the mark of an item, numbers, or the end of a sentence."""
    letters = sum(map(str.isalpha, text))
    is_item = ENUMERATOR.match(text) is not None or len(text) < 4
    return is_item or 2 * letters < len(text) or ends_sentence(text)
