"""What a sentence's words say about standing alone, and about announcing."""

import re
from functools import cache

from ..documents.article.names import bare_name
from ..text.tables import table

_DEFINITION = re.compile(
    r"(?:The |An? )?((?:(?!(?:is|are)\b)[\w-]{1,40}[ ,]{1,2}){1,6})(?:\(([\w ,-]{1,60})\) )?(?:is (?:an?|the|one of)|are (?:\w+ ){0,2}\w+s)\b"
)


_RELATIVE = re.compile(
    r"\b(?:which|that|who) (?:is|are|was|were|has|have|had|does|do|can|could|may|might|must|will|would|should|shall)\b"
)
GENERIC = re.compile(
    r"\b(?:guide|manual|handbook|reference|users?|documentation|version|release|book|chapters?|appendix|annex|parts?|sections?"
    r"|introduction|overview|getting started|tutorial|us(?:e|ing|age)|basics?|advanced|general|topics|various|other|more"
    r"|details?|hints|notes|concepts|writ(?:e|ing)|work(?:ing)?|about|abstract|prologue|background|what|how)\b|[’']s\b",
    re.IGNORECASE,
)
"""Words of titles that say nothing about the subject."""


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in table(__file__, "rules.toml")[name]), re.IGNORECASE)


def needs_context(text: str) -> bool:
    """Whether a sentence points at one before it, by its words."""
    return _pattern("needs_context").match(text) is not None


def announces(text: str) -> bool:
    """Whether a sentence tells what will be told, or where."""
    return _pattern("announces").match(text) is not None


def instructs(text: str) -> bool:
    """Whether a sentence tells what to do."""
    return _pattern("instructs").match(text) is not None


def has_verb(text: str) -> bool:
    """Whether a sentence has a verb of its own."""
    return _pattern("has_verb").match(_RELATIVE.sub(" ", text)) is not None


def is_detail(text: str) -> bool:
    """Whether a sentence is about an example, a figure, code, or the author's own case."""
    return _pattern("detail").match(text) is not None


def defined(text: str) -> tuple[str, ...]:
    """What a sentence says what it is, and its other name in brackets: "the Linux kernel (Linux) is a program"."""
    match = _DEFINITION.match(text)
    return tuple(filter(None, match.groups())) if match else ()


def is_about_book(text: str) -> bool:
    """Whether a sentence says what its book is about."""
    return _pattern("about_book").match(text) is not None


def is_minor(title: str) -> bool:
    """Whether a chapter with this title says little about its book: front matter, an appendix, a list of changes."""
    return any(_pattern("minor_titles").fullmatch(one) for one in (title.strip(), bare_name(title)))


def is_empty(title: str) -> bool:
    """Whether a chapter with this title says nothing about its book's subject: a licence, an index."""
    return any(_pattern("empty_titles").fullmatch(one) for one in (title.strip(), bare_name(title)))


def opens(title: str) -> bool:
    """Whether a chapter with this title introduces its book."""
    return _pattern("opening_titles").match(bare_name(title)) is not None
