"""Ligatures that a font gives no letters for, only a number for private use: what letters they are."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ...text.frequency import ranks
from .fonts import UNKNOWN
from .lines import Page

MIN_WORDS, KNOWN_SHARE = 2, 0.4
"""Number and share of the different words with a glyph that letters must make frequent words of."""

LIGATURES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt", "ti", "Th", "ct", "st", "fj", "tf", "fb", "fh", "ffj")

_OURS = f"[{UNKNOWN}-\U0010fffd]"
_GLYPH = f"[\ue000-\uf8ff{UNKNOWN}-\U0010fffd]"
_PRIVATE, _UNKNOWN = re.compile(_GLYPH), re.compile(_OURS)
_WORD = re.compile(rf"(?<![^\W\d_])([^\W\d_]{{0,30}})({_GLYPH})([^\W\d_]{{0,30}}+)(?!{_GLYPH})")


def replace_ligatures(pages: Sequence[Page]) -> None:
    """Give glyphs for private use the letters that make words of what they stand in: "de?nition" has an fi.

    Glyphs that remain unknown are left out where the file has no character for them at all.

    Publishers' typesetting systems number the ligatures of their fonts themselves; no reader has a table of that.
    """
    words: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for page in pages:
        for line in page.lines:
            for match in _WORD.finditer(line.text) if not line.text.isascii() else ():
                if match[1] or match[3]:
                    words[match[2]].add((match[1].lower(), match[3].lower()))
    letters = {glyph: found for glyph, around in words.items() if (found := _letters_of(around))}
    for glyph, around in words.items():
        if glyph not in letters and glyph >= UNKNOWN and all(not before and after for before, after in around):
            letters[glyph] = "Th"  # the only ligature that begins words
    table = str.maketrans(letters)
    for page in pages:
        page.lines = [
            replace(line, text=_UNKNOWN.sub("", line.text.translate(table))) if _PRIVATE.search(line.text) else line
            for line in page.lines
        ]


def _letters_of(around: set[tuple[str, str]]) -> str:
    """The ligature that makes the most words of what stands before and after a glyph; empty if it makes too few."""
    known = {
        letters: sum(before + letters.lower() + after in ranks() for before, after in around) for letters in LIGATURES
    }
    best = max(known, key=lambda letters: known[letters])
    return best if known[best] >= max(MIN_WORDS, KNOWN_SHARE * len(around)) else ""
