"""Ligatures that a font gives no letters for, only a number for private use: what letters they are."""

import re
from collections import defaultdict
from collections.abc import Sequence

from ...text.frequency import ranks
from .lines import Line

LIGATURES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt", "ti", "th", "ct", "st", "fj", "tf", "fb", "fh", "ffj")

MIN_WORDS, KNOWN_SHARE = 2, 0.4
"""Number and share of the different words with a glyph that letters must make frequent words of."""

_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]{0,30})([\ue000-\uf8ff])([^\W\d_]{0,30}+)(?![\ue000-\uf8ff])")


def with_ligatures(lines: Sequence[Line]) -> None:
    """Give glyphs for private use the letters that make words of what they stand in: "de?nition" has an fi.

    Publishers' typesetting systems number the ligatures of their fonts themselves; no reader has a table of that.
    """
    marked = [line for line in lines if _PRIVATE.search(line.text)]
    words: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for line in marked:
        for match in _WORD.finditer(line.text):
            if match[1] or match[3]:
                words[match[2]].add((match[1].lower(), match[3].lower()))
    letters = {glyph: one for glyph, places in words.items() if (one := _letters_of(places))}
    if letters:
        table = str.maketrans(letters)
        for line in marked:
            line.text = line.text.translate(table)


def _letters_of(places: set[tuple[str, str]]) -> str:
    """The ligature that makes the most words of what stands before and after a glyph; empty if it makes too few."""
    known = {one: sum(before + one + after in ranks() for before, after in places) for one in LIGATURES}
    best = max(known, key=lambda one: known[one])
    return best if known[best] >= max(MIN_WORDS, KNOWN_SHARE * len(places)) else ""
