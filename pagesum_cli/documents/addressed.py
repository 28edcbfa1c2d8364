"""Text that addresses a program or an assistant instead of a reader: reported, and only read."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..text.cleaning import one_line
from ..text.tables import table
from .model import HIDDEN, Document

ROWS: list[dict[str, Any]] = table(__file__, "addressed.toml")["rows"]
_PATTERNS = [(row["begins"], re.compile(row["pattern"], re.IGNORECASE)) for row in ROWS]
LENGTH = 200  # characters in which a pattern is looked for
SHOWN = 80  # characters of such text that a line quotes


def addressed(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each document with text that addresses a program, seen or hidden."""
    for document in documents:
        hidden = (one.text for one in document.left_out if one.reason == HIDDEN)
        found = [text for part in (document.text, *hidden) for text in addresses_in(part)]
        if found:
            places = "1 place" if len(found) == 1 else f"{len(found):,} places"
            yield (
                f"{document.name}: the text addresses a program instead of a reader in {places}; "
                f"it is read as text only: “{found[0]}”"
            )


def addresses_in(text: str) -> list[str]:
    """The beginning of each part of a text that addresses a program, in order."""
    lower = text.lower()
    lower = lower if len(lower) == len(text) else text
    starts: set[int] = set()
    for begins, pattern in _PATTERNS:
        for word in begins:
            places = _places(lower, word)
            starts.update(one for one in places if pattern.match(text, one, one + LENGTH))
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
    return words if len(words) <= SHOWN else words[:SHOWN].rsplit(" ", 1)[0] + " …"
