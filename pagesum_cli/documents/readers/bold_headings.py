"""Paragraphs of Markdown that are headings by their looks."""

from collections.abc import Sequence
from typing import Any

from ...text.tables import patterns

MAX_WORDS = 10  # of a paragraph in bold letters that is a heading, without its reference
_FORMS = patterns(__file__, "bold_headings.toml")


def looks_like_heading(tokens: Sequence[Any]) -> bool:
    """Whether a paragraph is a heading by its looks: a few words that are bold, or in capitals
    after a Roman numeral; no sentence; and another paragraph or a list comes next.
    """
    if len(tokens) < 3 or tokens[0].level != 1 or tokens[2].nesting != 1:
        return False
    text = _bold_text(tokens[0]) or _numbered_capitals(tokens[0])
    name = _FORMS["item"].sub("", text)
    is_name = name[-1:].isalnum() and len(name.split()) <= MAX_WORDS
    return is_name and tokens[2].type != "heading_open"


def is_beside(text: str, heading: str) -> bool:
    """Whether two headings are those of items of one agenda, by the references at their ends:
    "Mill repairs (I-4)", "Bridge toll (I-5)".
    """
    own, other = _FORMS["item"].search(text), _FORMS["item"].search(heading)
    return own is not None and other is not None


def _bold_text(token: Any) -> str:
    """The text of a paragraph that is bold; empty for any other one."""
    words = [one for one in token.children if one.type != "text" or one.content]
    types = [one.type for one in words]
    is_bold = types == ["strong_open", "text", "strong_close"]
    return words[1].content.strip() if is_bold else ""


def _numbered_capitals(token: Any) -> str:
    text = token.content.strip()
    return text if text.isupper() and _FORMS["numeral"].match(text) else ""
