"""Citations: sentences that only say where something stands."""

import re

from ...text.tables import table
from .parts import FORMS

MAX_LENGTH = 1500  # characters of a sentence that can be a citation
MAX_PIECE = 40  # characters of the beginning of a citation that an initial has cut off

_WORKS = ("same", "statute", "reporter", "record")  # patterns of what is cited
_ALLOWED = frozenset(table(__file__, "units.toml")["allowed"].split())


def is_citation(text: str) -> bool:
    """Whether a sentence is only a citation of another work."""
    first = text[:1]
    begins = first.isupper() or first.isdigit() or first in "§¶[(“"
    if not begins or len(text) > MAX_LENGTH:
        return False
    if FORMS["numbers"].fullmatch(text):
        return True
    bare = _bare(text)
    if any(word not in _ALLOWED for word in FORMS["small_word"].findall(bare)):
        return False
    return _is_author(bare) or any(FORMS[name].search(bare) for name in _WORKS)


def _bare(text: str) -> str:
    """A text without brackets around it, and without quotations and what is in brackets inside."""
    inside = text.removesuffix(".").strip()
    if inside.startswith("(") and inside.endswith(")") and "(" not in inside[1:]:
        text = inside[1:-1]
    parts: list[str] = []
    depth = start = 0
    for match in re.finditer(r"[()\[\]]", text):
        if match[0] in "([":
            if depth == 0:
                parts.append(text[start : match.start()])
            depth += 1
        elif depth:
            depth -= 1
            start = match.end()
    return FORMS["quoted"].sub("", "".join([*parts, text[start:] if not depth else ""]))


def _is_author(bare: str) -> bool:
    """Whether it is an author, a year and a page."""
    match = FORMS["author"].match(bare)
    return match is not None and FORMS["pages"].match(bare, match.end()) is not None


def is_cut_off(text: str) -> bool:
    """Whether a text may be the beginning of a citation that was cut after an initial: "5 M."."""
    return len(text) < MAX_PIECE and FORMS["piece"].fullmatch(text) is not None
