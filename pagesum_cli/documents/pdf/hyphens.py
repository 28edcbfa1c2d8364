"""Broken words: whether a hyphen at the end of a line belongs to its word; ligatures without
letters.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ...text.words import ranks
from .fonts import UNKNOWN
from .lines import Line, Page
from .patterns import FORMS, SETS

_ADDRESS_ENDS = frozenset("._/=?&-:")  # what a line ends with in which a web address is broken
LONGEST_PART = 60  # letters of the longest part of a word that is looked at


class Words:
    """The words of a document, as far as they are not broken at the end of a line, and its words
    with hyphens.
    """

    def __init__(self, lines: Sequence[Line] = ()) -> None:
        self._count("\n".join([line.text for line in lines]))

    @classmethod
    def of(cls, text: str) -> "Words":
        """The words of a text with line ends."""
        words = cls()
        words._count(text)
        return words

    def _count(self, text: str) -> None:
        text = FORMS["broken_word"].sub(" ", text)
        self._counts: Counter[str] = Counter()
        self._heads: Counter[str] = Counter()
        self._capitals: set[str] = set()  # words with capitals after the first letter, as they are
        for found, count in Counter(FORMS["word"].findall(text)).items():
            word = found.rstrip("-")
            if not found[1:].islower():
                self._capitals.add(word)
            word = word.lower()
            self._counts[word] += count
            head, hyphen, tail = word.partition("-")
            if hyphen:
                self._heads[head] += count
                for part in (head, *tail.split("-")):
                    self._counts[part] += count

    def joint(self, before: str, after: str) -> str | None:
        """What joins a line to the next once the hyphen at its end is removed; None where that
        breaks no word.

        The document's own words decide; where it has neither form, the frequent words of English;
        then the halves: two words that do not make one that is known have a hyphen between them.
        Before a capital the hyphen stays, unless the document has the whole word without it: "MED-"
        "LINE", "Gen-" "Bank".
        """
        head_match = FORMS["head"].search(before[-4 * LONGEST_PART :])
        tail_match = FORMS["tail"].match(after[:LONGEST_PART])
        if not head_match or not tail_match:
            return None
        first, head, tail = head_match[1], head_match[2].lower(), tail_match[0].lower()
        hyphened = f"{head}-{tail}"
        apart = self._counts[hyphened] + self._counts[(first + hyphened).lower()]
        together = self._counts[head + tail]
        if after[0].isupper():
            is_known = head_match[2] + tail_match[0] in self._capitals and together > apart
            return "" if is_known and min(len(head), len(tail)) > 1 else None
        if not after[0].islower():
            return None
        if apart or together:
            return "-" if apart >= together else ""
        if tail in SETS["conjunctions"] and head + tail not in ranks():
            return "- "  # pre- and postoperative
        is_symbol = len(head) == 1 or (head_match[2].isupper() and len(head) < 6)
        return "-" if is_symbol else self._joint_of_unknown(first, head, tail)

    def _joint_of_unknown(self, first: str, head: str, tail: str) -> str:
        """What joins the halves of a word that the document has in neither form; ``first`` are the
        parts with hyphens before it.
        """
        if head + tail in ranks():
            return ""
        if first or head == "self":
            return "-"
        if head in SETS["prefixes"]:
            return "-" if self._heads[head] else ""
        return "-" if self._is_word(head) and (self._is_word(tail) or tail in SETS["small"]) else ""

    def _is_word(self, word: str) -> bool:
        """Whether a half of a broken word is a word by itself."""
        if len(word) < 3 or word in SETS["suffixes"]:
            return False
        return self._counts[word] > 1 or (len(word) > 3 and word in ranks())


def is_broken_address(before: str, after: str) -> bool:
    """Whether a web address goes on in the next line: "http://imagej." / "nih.gov/ij"."""
    if (
        before[-1:] not in _ADDRESS_ENDS
        or not after[:1].isalnum()
        or not FORMS["broken_address"].search(before[-200:])
    ):
        return False
    return not before.endswith(".") or (
        after[0].islower() and re.match(r"[\w-]{1,60}[./]", after) is not None
    )


MIN_WORDS, KNOWN_SHARE = 2, 0.4
"""Number and share of the different words with a glyph that letters must make frequent words of."""

LIGATURES = (
    "fi",
    "fl",
    "ff",
    "ffi",
    "ffl",
    "ft",
    "tt",
    "ti",
    "Th",
    "ct",
    "st",
    "fj",
    "tf",
    "fb",
    "fh",
    "ffj",
)

_OURS = f"[{UNKNOWN}-\U0010fffd]"
_GLYPH = f"[\ue000-\uf8ff{UNKNOWN}-\U0010fffd]"
_PRIVATE, _UNKNOWN = re.compile(_GLYPH), re.compile(_OURS)
_AROUND_GLYPH = re.compile(
    rf"(?<![^\W\d_])([^\W\d_]{{0,30}})({_GLYPH})([^\W\d_]{{0,30}}+)(?!{_GLYPH})"
)


def replace_ligatures(pages: Sequence[Page]) -> None:
    """Give glyphs for private use the letters that make words of what they stand in: "de?nition"
    has an fi.

    Glyphs that remain unknown are left out where the file has no character for them at all.

    Publishers' typesetting systems number the ligatures of their fonts themselves; no reader has a
    table of that.
    """
    words: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for page in pages:
        for line in page.lines:
            for match in _AROUND_GLYPH.finditer(line.text) if not line.text.isascii() else ():
                if match[1] or match[3]:
                    words[match[2]].add((match[1].lower(), match[3].lower()))
    letters = {glyph: found for glyph, around in words.items() if (found := _letters_of(around))}
    for glyph, around in words.items():
        if (
            glyph not in letters
            and glyph >= UNKNOWN
            and all(not before and after for before, after in around)
        ):
            letters[glyph] = "Th"  # the only ligature that begins words
    table = str.maketrans(letters)
    for page in pages:
        mended = [
            replace(line, text=_UNKNOWN.sub("", line.text.translate(table)))
            if _PRIVATE.search(line.text)
            else line
            for line in page.lines
        ]
        page.lines = [line for line in mended if line.text]


def _letters_of(around: set[tuple[str, str]]) -> str:
    """The ligature that makes the most words of what stands before and after a glyph; empty if it
    makes too few.
    """
    known = {
        letters: sum(before + letters.lower() + after in ranks() for before, after in around)
        for letters in LIGATURES
    }
    best = max(known, key=lambda letters: known[letters])
    return best if known[best] >= max(MIN_WORDS, KNOWN_SHARE * len(around)) else ""
