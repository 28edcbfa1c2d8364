"""How the divisions of books are worded: volumes, parts, chapters, what stands before and after
them.
"""

import re
from dataclasses import dataclass

from ...text.cleaning import one_line
from ...text.tables import table
from .names import alternatives, pattern

PART, CHAPTER = 1, 2  # ranks of divisions
_PART_WORDS, _CHAPTER_WORDS = alternatives("books.part"), alternatives("books.chapter")
_BOOKS = table(__file__, "names.toml")["books"]
_TENS = {word: 10 * place for place, word in enumerate(_BOOKS["tens"], start=2)}
_SPELLED = {
    word: number
    for number, words in enumerate(_BOOKS["numbers"], start=1)
    for word in words.split()
}
_SPELLED |= (
    _TENS
    | {f"{word[:-1]}ieth": number for word, number in _TENS.items()}
    | {"last": 999, "final": 999}
)
_WORD = "|".join(sorted(_SPELLED, key=len, reverse=True))
_NUMBER = rf"(?:\d{{1,3}}|[ivxlc]{{1,8}}|(?:the\s+)?(?:(?:{'|'.join(_TENS)})[\s-])?(?:{_WORD}))"
_LABEL = re.compile(
    rf"(?:(?P<word>{_PART_WORDS}|{_CHAPTER_WORDS})\.?\s+(?P<number>{_NUMBER})|"
    rf"(?P<before>(?:the\s+)?(?:(?:{'|'.join(_TENS)})[\s-])?(?:{_WORD}))\s+(?P<after>{_PART_WORDS}|{_CHAPTER_WORDS})|"
    r"第\s*(?P<chinese>[0-9一二三四五六七八九十百零〇两]{1,6})\s*(?P<measure>[章回节節卷部篇]))"
    r"(?P<end>\s*[.:—–-]+\s*|,\s+(?=(?-i:[\dA-Z]))|\s+|$)(?P<title>.*)",
    re.IGNORECASE | re.DOTALL,
)
_BARE = re.compile(
    r"(?P<number>\d{1,3}|[IVXLC]{1,8})(?P<end>\.?$|\.\s+|\s*[:—–]\s*)(?P<title>.*)", re.DOTALL
)
_ROMAN = re.compile(r"(?=.)(?:c{0,3})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})", re.IGNORECASE)


_NAMED = pattern(
    "books.named",
    before=r"(?:the\s+)?(?:(?:author[’']?s?|editor[’']?s?|translator[’']?s?|publisher[’']?s?|general|new|second|first)\s+)?",
    after=r"(?:\s+(?:to|by|of)\s.{2,60})?[.:]?(?:\s*[.:—–]\s+\S.{0,80})?",
)
_CONTENTS = pattern("contents", before=r"\W*", after=r"\W*")
_NO_CHAPTER = pattern("books.other", before=r"\W*", after=r"\W*")
_NO_CHAPTER_IF_SHORT = pattern("books.other_if_short", before=r"\W*", after=r"\W*")


@dataclass(frozen=True)
class Division:
    """The wording of a division's heading."""

    rank: int  # :data:`PART` or :data:`CHAPTER`
    word: str  # ``chapter``, ``book`` …, in lower case; empty for a number alone
    number: int  # from 1; 0 if unknown
    title: str  # what follows; empty for a label alone


def division_of(line: str) -> Division | None:
    """A line that is worded like the heading of a part or chapter (``Chapter 3: The Storm``, ``BOOK
    THE FIRST``).
    """
    line = one_line(line).strip("*_=~ ")
    match = _LABEL.fullmatch(line) if len(line) <= MAX_HEADING else None
    if match is None:
        return None
    word = (match["word"] or match["after"] or match["measure"] or "").lower()
    number = number_of(match["number"] or match["before"] or match["chinese"])
    title = match["title"].strip()
    if (
        number is None
        or not (match["end"].strip() or _may_be_title(title))
        or not is_title(title[:1].upper() + title[1:])
    ):
        return None
    is_part = bool(re.fullmatch(_PART_WORDS, word)) or word in "卷部篇"
    return Division(PART if is_part else CHAPTER, word, number, title)


def numbered(line: str) -> Division | None:
    """A line that is a number, alone or before a title (``IV``, ``3. The Storm``)."""
    line = one_line(line)
    match = _BARE.fullmatch(line) if len(line) <= MAX_HEADING else None
    number = number_of(match["number"]) if match else None
    if match is None or not number or not is_title(match["title"]):
        return None
    return Division(CHAPTER, "", number, match["title"].strip())


def number_of(text: str) -> int | None:
    """The number of ``12``, ``XII``, ``twelve``, ``the Twelfth``; 0 for a Chinese one, None for
    none.
    """
    text = re.sub(r"^the\s+", "", text.strip().lower())
    if text.isdecimal():
        return int(text)
    if text in _SPELLED:
        return _SPELLED[text]
    first, _, last = text.replace("-", " ").partition(" ")
    if first in _TENS and last.strip() in _SPELLED:
        return _TENS[first] + _SPELLED[last.strip()]
    if _ROMAN.fullmatch(text):
        values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[letter] for letter in text]
        return sum(
            -one if one < after else one
            for one, after in zip(values, [*values[1:], 0], strict=True)
        )
    return 0 if re.fullmatch(r"[一二三四五六七八九十百零〇两]+", text) else None


MAX_HEADING = 140  # characters of a heading with its number and title
MAX_TITLE_WORDS = 16  # words of a title, without its number


def is_title(text: str) -> bool:
    """Whether a text may be the title of a chapter: short, and no part of a sentence; an empty one
    may.
    """
    words = text.split()
    if len(words) > MAX_TITLE_WORDS and not text.isupper():
        return False
    return not text or (
        not text[0].islower()
        and text[-1] not in ",;"
        and not (len(words) > 10 and text[-1] in ".!?")
    )


def _may_be_title(text: str) -> bool:
    words = [word for word in text.split() if len(word) > 3 and word[0].isalpha()]
    return not words or sum(word[0].isupper() for word in words) >= 0.6 * len(words)


def is_contents(heading: str) -> bool:
    """Whether a heading is that of a contents page."""
    return len(heading) <= MAX_HEADING and _CONTENTS.fullmatch(heading) is not None


def is_named(heading: str) -> bool:
    """Whether a heading is that of a chapter without a number: preface, introduction, epilogue …"""
    return len(heading) <= MAX_HEADING and _NAMED.fullmatch(heading.strip("*_ ")) is not None


SHORT_PAGES = 150  # words of pages with a name that a chapter may have, too


def is_no_chapter(heading: str, words: int = 0) -> bool:
    """Whether a heading is that of pages that are no chapter: title page, copyright, other books,
    index …

    ``words`` is how many they have, which tells what some names mean.
    """
    names = [_NO_CHAPTER, *[_NO_CHAPTER_IF_SHORT] * (words < SHORT_PAGES), _CONTENTS]
    return len(heading) <= MAX_HEADING and any(one.fullmatch(heading) for one in names)


def plain(text: str) -> str:
    """The letters and digits of a text, in lower case: what headings and lines of a contents page
    are compared by.
    """
    return "".join(filter(str.isalnum, text)).casefold()


def joined_title(label: str, title: str) -> str:
    """A chapter's label and its title, as on one line: ``Chapter 3: The Storm``."""
    return (
        f"{label} {title}"
        if label.endswith((".", ":", "—", "–", "!", "?"))
        else f"{label}: {title}"
    )
