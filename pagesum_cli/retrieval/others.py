"""Sentences of a paper that may report the results of others."""

import re

from .forms import OTHERS

_SECTION = re.compile(
    r"(?i)(?:^|› )(?:[\dIVX.]+ )?(?:(?:general )?discussion|introduction|background|related work)$"
)
_DIGIT = re.compile(r"\d")
_OWN = re.compile(r"(?i)\b(?:we|our|(?:the )?present (?:study|work|trial|paper))\b")


def form_by_place(text: str, headings: str) -> str:
    """:data:`OTHERS` for a sentence that may report the results of others; otherwise empty."""
    return OTHERS if may_be_of_others(text, headings) else ""


def may_be_of_others(text: str, headings: str) -> bool:
    """Whether a sentence with a number is in a section that discusses the work of others, and does
    not say that it is about its own.

    Args:
        text: The sentence.
        headings: The headings above it, the last one its own.
    """
    is_in_section = _DIGIT.search(text) and _SECTION.search(headings)
    return bool(is_in_section) and not _OWN.search(text)
