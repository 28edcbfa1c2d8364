"""Notes in laws and by-laws about when a clause was amended, deleted or approved (English)."""

import re
from functools import cache

from ..text.tables import patterns, table

MAX_LENGTH = 400  # characters of such notes together

_FORMS = patterns(__file__, "amendments.toml")
_MARKS = "⁰¹²³⁴⁵⁶⁷⁸⁹* "  # of a footnote, behind a note
_BETWEEN = re.compile(r"[()\[\];]")


def is_amendment(text: str) -> bool:
    """Whether a text consists of notes like "(Amended June 1, 2023) (AG approved July 4, 2023)"."""
    may_be = len(text) <= MAX_LENGTH and _FORMS["begins"].match(text) is not None
    if not may_be or _FORMS["act"].search(text) is None:
        return False
    notes = filter(None, (one.strip(" .,:") for one in _BETWEEN.split(text)))
    return all(map(_is_note, notes))


def ends_amendment(text: str) -> bool:
    """Whether a line ends with such a note in square brackets, which may begin in a line above."""
    text = text[-MAX_LENGTH:].rstrip(_MARKS)
    return text.endswith("]") and _is_note(text[text.rfind("[") + 1 :])


def without_amendment(text: str) -> str:
    """A text without such a note at its end."""
    place = text.rfind(" [")
    return text[:place].rstrip() if place >= 0 and ends_amendment(text) else text


def _is_note(text: str) -> bool:
    """Whether a text has a date or the number of a law, and only the words of such notes."""
    words = {word.lower() for word in _FORMS["letters"].findall(text)}
    return _FORMS["when"].search(text) is not None and words <= _words()


@cache
def _words() -> frozenset[str]:
    return frozenset(table(__file__, "amendments.toml")["words"].split())
