"""Sentences of a paper that may report the results of others."""

import re

from .forms import OTHERS

_SECTION = re.compile(
    r"(?i)(?:^|› )(?:[\dIVX.]+ )?(?:(?:general )?discussion|introduction|background|related work)$"
)
_OWN = re.compile(r"(?i)\b(?:we|our|(?:the )?present (?:study|work|trial|paper))\b")


def form_by_place(text: str, headings: str) -> str:
    """:data:`OTHERS` for a sentence that may report the results of others; otherwise empty."""
    return OTHERS if may_be_of_others(text, headings) else ""


def may_be_of_others(text: str, headings: str) -> bool:
    """Whether a sentence is in a section that discusses the work of others, and does not say that
    it is about its own.

    Args:
        text: The sentence.
        headings: The headings above it, the last one its own.
    """
    return _SECTION.search(headings) is not None and not _OWN.search(text)
