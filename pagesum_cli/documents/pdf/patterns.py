"""How lines of PDF files are worded, besides what all files share (``article``)."""

import re
from collections.abc import Iterable
from itertools import takewhile

from ...text.tables import patterns, table
from ..article.back_matter import is_back_matter
from ..article.names import ABSTRACT, NUMBER, pattern

FORMS = patterns(__file__, "wording.toml")
SETS = {
    name: frozenset(words.split())
    for name, words in table(__file__, "wording.toml")["sets"].items()
}

# the beginning of a paragraph about an article: keywords, addresses, dates
FRONT = pattern("front_matter.beginnings")
_KIND_WORD = pattern("front_matter.kind_words")
APPENDIX = 101  # the number that stands for an appendix's letter A: what no chapter has


def similarity(text: str, other: str) -> float:
    """The share of two texts that is their common beginning or end."""
    if text[:3] != other[:3] and text[-3:] != other[-3:]:
        return 0.0
    shorter = min(len(text), len(other))
    start, end = _common(text, other), _common(text[::-1], other[::-1])
    return 2 * min(start + end, shorter) / max(len(text) + len(other), 1)


def _common(text: str, other: str) -> int:
    """Characters of the common beginning."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))
    )


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
    """The numbers of a label like ``2.1.`` or ``A.1`` (an appendix's letter counts on from
    :data:`APPENDIX`).

    Empty where it has none, or a letter alone, or a zero.
    """
    match = NUMBER.match(text)
    label = match["label"].lstrip("§ ").rstrip(".:") if match else ""
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)+", label):
        return ()
    numbers = tuple(
        int(part) if part.isdecimal() else APPENDIX + ord(part) - ord("A")
        for part in label.split(".")
    )
    return () if 0 in numbers else numbers


def is_kind(text: str) -> bool:
    """Whether a line is the kind of an article."""
    words = [word.strip(".:,|&-–") for word in text.split()]
    return all(_KIND_WORD.fullmatch(word) for word in words if word)


def is_part_name(text: str) -> bool:
    """Whether a heading is the abstract's, the references' or one of those after the body, which
    outlines may lack.
    """
    return is_back_matter(text) or bool(ABSTRACT.fullmatch(text))
