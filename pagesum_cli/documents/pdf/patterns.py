"""How lines of PDF files are worded, besides what all files share (``article``)."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from ..article.back_matter import is_back_matter
from ..article.names import ABSTRACT, NUMBER, pattern

IN_APPENDIX = re.compile(r"appendix (?:[A-Z]|[IVX]{1,5}|\d{1,2})\b", re.IGNORECASE)
DIVISION = re.compile(r"(?:chapter|part|appendix) (?:\d{1,3}|[IVXL]{1,6}|[A-Z])[.:]?", re.IGNORECASE)
"""The heading of a chapter whose title is below it."""
FRONT = pattern("front_matter.beginnings")
"""The beginning of a paragraph about an article: keywords, addresses, dates."""
_KIND_WORD = pattern("front_matter.kind_words")
APPENDIX = 101
"""The number that stands for an appendix's letter A: what no chapter has."""

TERMINAL = re.compile(r"[.!?:;]['\")\]”’]*$")

COMPARED = 50_000_000
"""Products of the lengths of two strings that are compared in a file: some seconds; papers need a hundredth."""


class Similarity:
    """Compares strings until a budget is spent."""

    def __init__(self, budget: int = COMPARED) -> None:
        self._left = budget

    def __call__(self, one: str, other: str, minimum: float) -> float:
        """How similar two strings are, 0 to 1; 0 below a minimum, for an empty string, and without a budget."""
        if not one or not other or self._left <= 0:
            return 0.0
        matcher = SequenceMatcher(None, one, other, autojunk=False)
        self._left -= len(one) + len(other)
        if matcher.real_quick_ratio() < minimum or matcher.quick_ratio() < minimum:
            return 0.0
        self._left -= len(one) * len(other)
        return matcher.ratio() if self._left > 0 else 0.0


def joined(texts: Iterable[str]) -> str:
    """The text of several lines; a word broken at a line's end is mended."""
    whole = ""
    for text in texts:
        if whole.endswith("-") and text[:1].islower():
            whole = whole[:-1] + text
        elif whole[-1:] == "-" and whole[-2:-1].isalnum() and text[:1].isalpha():
            whole += text
        else:
            whole = f"{whole} {text}" if whole else text
    return whole.strip()


def number_of(text: str) -> tuple[int, ...]:
    """The numbers of a label like ``2.1.`` or ``A.1`` (an appendix's letter counts on from :data:`APPENDIX`).

    Empty where it has none, or a letter alone, or a zero.
    """
    match = NUMBER.match(text)
    label = match["label"].lstrip("§ ").rstrip(".:") if match else ""
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)+", label):
        return ()
    numbers = tuple(int(part) if part.isdecimal() else APPENDIX + ord(part) - ord("A") for part in label.split("."))
    return () if 0 in numbers else numbers


def is_kind(text: str) -> bool:
    """Whether a line is the kind of an article."""
    words = [word.strip(".:,|&-–") for word in text.split()]
    return all(_KIND_WORD.fullmatch(word) for word in words if word)


def is_part_name(text: str) -> bool:
    """Whether a heading is the abstract's, the references' or one of those after the body, which outlines may lack."""
    return is_back_matter(text) or bool(ABSTRACT.fullmatch(text))
