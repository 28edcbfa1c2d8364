"""Which passages are questions, headings or entries of a table of contents, by their form."""

import re

QUESTION, STUB = "question", "stub"
ENTRY_END = 20  # characters at its end by which an entry is recognized
_HEADING = re.compile(r"(?:[\d.]+ )?(?:[^\W\d][\w’'/&,-]*+(?: |$)){1,8}")
"""A few words without a number or a sign."""
_ENTRY = re.compile(r"(?:\.{3}|(?: \.){3}|…|\t)\s?\d{1,4}$")
"""The end of an entry of a table of contents."""


def form_of(text: str) -> str:
    """:data:`QUESTION`; :data:`STUB` for a heading or an entry of a table of contents; or empty."""
    if text.endswith("?"):
        return QUESTION
    return STUB if _HEADING.fullmatch(text) or _ENTRY.search(text[-ENTRY_END:]) else ""
