"""Text that addresses a program or an assistant instead of a reader: reported, and only read."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..text.cleaning import one_line
from ..text.tables import table
from .model import UNSEEN, Document

ROWS: list[dict[str, Any]] = table(__file__, "addressed.toml")["rows"]
_PATTERNS = [(row["begins"], re.compile(row["pattern"], re.IGNORECASE)) for row in ROWS]
LENGTH = 200  # characters in which a pattern is looked for
SHOWN = 80  # characters of such text that a line quotes


def addressed(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each document with text that addresses a program, seen or hidden."""
    for document in documents:
        found = addresses_in(document.text)
        for one in document.left_out:
            if one.reason in UNSEEN:
                found += addresses_in(one.text)
        if found:
            yield _line(document.name, found)


def _line(name: str, found: Sequence[str]) -> str:
    places = "1 place" if len(found) == 1 else f"{len(found):,} places"
    what = f"the text addresses a program instead of a reader in {places}"
    return f"{name}: {what}; it is read as text only: “{found[0]}”"


def addresses_in(text: str) -> list[str]:
    """The beginning of each part of a text that addresses a program, in order."""
    lower = text.lower()
    lower = lower if len(lower) == len(text) else text
    starts: set[int] = set()
    for begins, pattern in _PATTERNS:
        for word in begins:
            for place in _places(lower, word):
                if pattern.match(text, place, place + LENGTH):
                    starts.add(place)
    kept: list[int] = []
    for start in sorted(starts):
        if not kept or start >= kept[-1] + SHOWN:  # else it is of the same sentence
            kept.append(start)
    return [_beginning(text, start) for start in kept]


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _beginning(text: str, start: int) -> str:
    words = one_line(text[start : start + LENGTH])
    if len(words) <= SHOWN:
        return words
    shown, _, _ = words[:SHOWN].rpartition(" ")
    return f"{shown} …"
