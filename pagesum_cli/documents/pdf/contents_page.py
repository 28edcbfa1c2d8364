"""The contents page of a book or report: lines that end with page numbers are no headings and no text."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ..article.divisions import is_contents
from .lines import Line

MIN_ENTRIES, MIN_UNNAMED = 4, 8
"""Entries of a contents page, and of one without leader dots under no heading that says so."""

_MAX_BETWEEN = 2
"""Lines between two entries: the beginning of a long title, the name of a part."""

_LAST_WORD = re.compile(r"(?:[.·…_]{2}|\s|^)([^\s.·…_]{1,7}+)$")
_LEADER = re.compile(r"[.·…_]{3}|(?:[.·] ){3}")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}


def contents_lines(lines: Sequence[Line]) -> set[int]:
    """The places of the lines of contents pages.

    They are runs of lines most of which end with a page number, none smaller than the one before; with leader dots
    before them, or under a heading like "Contents", or one under another at the right end of their lines.
    """
    found: set[int] = set()
    entries: list[tuple[int, int]] = []  # place of a line, and the page that it names
    for place, line in enumerate(lines):
        page = _page_of(line.text)
        if not page:
            continue
        last = entries[-1] if entries else None
        if last is not None and (place - last[0] > _MAX_BETWEEN + 1 or page < last[1]):
            found |= _places(lines, entries)
            entries = []
        entries.append((place, page))
    return found | _places(lines, entries)


def _page_of(text: str) -> int:
    """The page that a line ends with; negative for the Roman numbers of front matter, 0 if there is none."""
    match = _LAST_WORD.search(text[-20:])
    if match is None or sum(map(str.isalpha, text[: -len(match[1])])) < 3 or text.endswith(")"):
        return 0
    word = match[1]
    if word.isascii() and word.isdecimal() and len(word) <= 4:
        return int(word)
    if word and not word.strip("ivxl"):
        values = [_ROMAN[letter] for letter in word]
        return sum(one if one >= after else -one for one, after in pairwise([*values, 0])) - 1000
    return 0


def _places(lines: Sequence[Line], entries: Sequence[tuple[int, int]]) -> set[int]:
    """The lines from the first to the last entry, if these are a contents page."""
    if len(entries) < MIN_ENTRIES or entries[0][1] == entries[-1][1]:
        return set()
    first, last = entries[0][0], entries[-1][0]
    if 2 * len(entries) < last - first + 1:
        return set()
    named = next((place for place in range(first - 1, max(first - 4, -1), -1) if is_contents(lines[place].text)), None)
    dotted = sum(bool(_LEADER.search(lines[place].text[-40:])) for place, _ in entries)
    ends = [lines[place].x1 for place, _ in entries]
    aligned = sum(abs(end - lines[place].right) < 4 for end, (place, _) in zip(ends, entries, strict=True))
    gaps = sum(lines[place].cells > 1 for place, _ in entries)
    in_column = len(entries) >= MIN_UNNAMED and min(aligned, gaps) >= 0.8 * len(entries)
    if named is None and 2 * dotted < len(entries) and not in_column:
        return set()
    start = first if named is None else named + 1
    return set(range(start, last + 1))
