"""Items of lists and of minutes, and rows of tables, that a converter ran together in one
paragraph.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from .agenda_items import with_items
from .model import Paragraph, Section

ITEMS = 4  # items with consecutive numbers, from which on they are those of minutes
WORDS = 4  # words of an item of a list; the parts of a line of links have fewer
AMOUNTS = 3  # amounts in a row without the end of a sentence, from which on they are of a table
REACH = 600  # characters before a motion in which they are counted
LISTED = 2  # items of so many words, from which on bullets are those of a list

_BULLET = re.compile(r"(?<=\s)[•●▪‣](?=\s\S)")
_NUMBER = re.compile(r"(?<!\S)(\d{1,4})/(\d{2}|\d{4}) (?=[A-Z])")
_AMOUNT = re.compile(r"[$£€]\s?\d|(?<![\d.])\d[\d,]{0,12}\.\d\d\b")
_END = re.compile(r"[.;:?!] (?=[A-Z])")
_MOTION = re.compile(
    r"(?<=[\w)%]) (?=(?:The (?:Chair(?:man|woman|person)?|Mayor|President)"
    r"|(?:Cllrs?|Councillor|Councilmember|Director|Trustee|Commissioner|Supervisor|Mrs?|Ms|Dr)\.?"
    r"(?: [A-Z][\w.’'-]{0,30}){1,3}) (?:proposed|moved|motioned|made a motion)\b)"
)
"""Before the one who moves something: "… 66.18 Cllr Berg proposed payments"."""


def parted(sections: Sequence[Section]) -> list[Section]:
    """Sections whose paragraphs are parted before bullets, before a motion that is right after
    the rows of a table, and before numbers of items that follow each other: "63/20 Apologies …
    64/20 …". Other files than plain ones have units of their own.
    """
    starts = _numbered([one.text for section in sections for one in section.paragraphs])
    number, changed = 0, []
    for section in sections:
        paragraphs: list[Paragraph] = []
        for one in section.paragraphs:
            paragraphs += _parts(one, starts.get(number, [])) if _is_plain(one) else [one]
            number += 1
        changed.append(replace(section, paragraphs=tuple(with_items(paragraphs))))
    return changed


def _is_plain(paragraph: Paragraph) -> bool:
    """Whether nothing but its text is known of a paragraph."""
    return paragraph == Paragraph(paragraph.text)


def _numbered(texts: Sequence[str]) -> dict[int, list[int]]:
    """The offsets of the numbers of items in each text: those of the longest row of consecutive
    ones of a year.
    """
    found = [
        (int(match[1]), match[2], place, match.start())
        for place, text in enumerate(texts)
        for match in _NUMBER.finditer(text)
    ]
    rows: dict[tuple[int, str], list[tuple[int, int]]] = {}
    longest: list[tuple[int, int]] = []
    for number, year, place, start in found:
        row = rows.pop((number - 1, year), [])
        row.append((place, start))
        rows[number, year] = row
        longest = max(longest, row, key=len)
    starts: dict[int, list[int]] = {}
    for place, start in longest if len(longest) >= ITEMS else []:
        starts.setdefault(place, []).append(start)
    return starts


def _parts(paragraph: Paragraph, numbers: Sequence[int]) -> Iterator[Paragraph]:
    """The parts of a paragraph with numbers of items at some offsets."""
    text = paragraph.text
    for start, end in pairwise([0, *numbers, len(text)]):
        label = _NUMBER.match(text, start) if start in numbers else None
        item = text[start:end].strip()
        first, *rest = (part for one in _listed(item) for part in _after_rows(one))
        body = label.end() - start if label else 0
        if first:
            yield Paragraph(first, label=first[: body - 1] if label else "", body=body)
        yield from map(Paragraph, rest)


def _listed(text: str) -> list[str]:
    """What stands before a list in a text, and its items; the text alone if it has no list."""
    bounds = [0, *(match.start() for match in _BULLET.finditer(text)), len(text)]
    parts = [text[start:end].strip() for start, end in pairwise(bounds)]
    long = sum(len(one.split()) > WORDS for one in parts[1:])
    return parts if long >= LISTED else [text]


def _after_rows(text: str) -> Iterator[str]:
    """The parts of a text, which is parted between rows of a table and a motion after them."""
    start = 0
    for match in _MOTION.finditer(text):
        before = text[max(start, match.start() - REACH) : match.start()]
        row = _END.split(before)[-1]
        if len(_AMOUNT.findall(row)) >= AMOUNTS:
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]
