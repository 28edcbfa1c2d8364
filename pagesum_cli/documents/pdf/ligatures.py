"""Ligatures that a font gives no letters for, only a number for private use: what letters they are."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ...text.frequency import ranks
from .lines import Page
from .thresholds import KNOWN_SHARE, MIN_WORDS

LIGATURES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt", "ti", "th", "ct", "st", "fj", "tf", "fb", "fh", "ffj")

_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]{0,30})([\ue000-\uf8ff])([^\W\d_]{0,30}+)(?![\ue000-\uf8ff])")


def replace_ligatures(pages: Sequence[Page]) -> None:
    """Give glyphs for private use the letters that make words of what they stand in: "de?nition" has an fi.

    Publishers' typesetting systems number the ligatures of their fonts themselves; no reader has a table of that.
    """
    words: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for page in pages:
        for line in page.lines:
            for match in _WORD.finditer(line.text) if not line.text.isascii() else ():
                if match[1] or match[3]:
                    words[match[2]].add((match[1].lower(), match[3].lower()))
    letters = {glyph: ligature for glyph, around in words.items() if (ligature := _letters_of(around))}
    table = str.maketrans(letters)
    for page in pages if letters else ():
        page.lines = [replace(line, text=line.text.translate(table)) for line in page.lines]


def _letters_of(around: set[tuple[str, str]]) -> str:
    """The ligature that makes the most words of what stands before and after a glyph; empty if it makes too few."""
    known = {letters: sum(before + letters + after in ranks() for before, after in around) for letters in LIGATURES}
    best = max(known, key=lambda letters: known[letters])
    return best if known[best] >= max(MIN_WORDS, KNOWN_SHARE * len(around)) else ""
