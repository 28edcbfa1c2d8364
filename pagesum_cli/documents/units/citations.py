"""Citations: sentences that only say where something stands."""

import re

from ...text.tables import table
from .parts import FORMS

MAX_LENGTH = 1500  # characters of a sentence that can be a citation
MAX_PIECE = 40  # characters of the beginning of a citation that an initial has cut off

_ALLOWED = frozenset(table(__file__, "units.toml")["allowed"].split())


def is_citation(text: str) -> bool:
    """Whether a sentence is only a citation of another work."""
    if len(text) > MAX_LENGTH or not (text[:1].isupper() or text[:1].isdigit() or text[:1] in "§¶[(“"):
        return False
    if FORMS["numbers"].fullmatch(text):
        return True
    bare = _bare(text)
    if any(word not in _ALLOWED for word in FORMS["small_word"].findall(bare)):
        return False
    return any(FORMS[name].search(bare) for name in ("same", "statute", "reporter", "record")) or _is_author(bare)


def _bare(text: str) -> str:
    """A text without brackets that surround it and what stands in brackets inside, and without quotations."""
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
