"""What a sentence's words say about standing alone, and about announcing."""

import re
from functools import cache, partial

from ..documents.article.names import bare_name
from ..text.tables import table

_DEFINITION = re.compile(
    r"(?:The |An? )?((?:(?!(?:is|are)\b)[\w/+#-]{1,40}[ ,]{1,2}){1,6})(?:\(([\w ,-]{1,60})\) )?"
    r"(?:is (?:an?|the|one of)|are (?:\w+ ){0,2}\w+s)\b"
)
_RELATIVE = re.compile(
    r"\b(?:which|that|who) (?:is|are|was|were|has|have|had|does|do|can|could|may|might|must|will|"
    r"would|should|shall)\b"
)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        "|".join(f"(?:{one})" for one in table(__file__, "rules.toml")[name]), re.IGNORECASE
    )


def _matches(name: str, text: str) -> bool:
    return _pattern(name).match(text) is not None


needs_context = partial(_matches, "needs_context")
"""Whether a sentence points at one before it, by its words."""
announces = partial(_matches, "announces")
"""Whether a sentence tells what will be told, or where."""
instructs = partial(_matches, "instructs")
"""Whether a sentence tells what to do."""
is_detail = partial(_matches, "detail")
"""Whether a sentence is about an example, a figure, code, or the author's own case."""
is_about_book = partial(_matches, "about_book")
"""Whether a sentence says what its book is about."""

is_minutes = partial(_matches, "minutes")
"""Whether a document with this title is the minutes of a meeting."""
opens_minutes = partial(_matches, "opens_minutes")
"""Whether a sentence is one with which minutes begin: "… called the meeting to order"."""
decides = partial(_matches, "decides")
"""Whether a section with this heading tells what was decided."""
is_list_of_decisions = partial(_matches, "decided")
"""Whether what is listed under this heading was decided: "Grants approved"."""
has_tasks = partial(_matches, "tasks")
"""Whether a section with this heading lists tasks, each behind the name of whose it is."""
is_takeaways = partial(_matches, "takeaways")
"""Whether a section with this heading lists what was learned, and tasks without a verb in a
person.
"""
meets_again = partial(_matches, "next_meeting")
"""Whether a section with this heading says when one meets again."""


def is_procedure(title: str) -> bool:
    """Whether a section of minutes with this heading says nothing about a subject."""
    return is_minutes(title) or _matches("procedure", title)


is_said_by = partial(_matches, "said_by")
"""Whether a sentence begins with the name of who says it."""
is_talk = partial(_matches, "speech")
"""Whether a sentence of minutes is what somebody says, or no sentence."""


def is_speech(text: str) -> bool:
    """Whether a sentence of minutes is what somebody says, no sentence, or about how one meets."""
    return is_talk(text) or _matches("logistics", text)


def specific(title: str) -> str:
    """A title without the words that say nothing about its subject."""
    return _pattern("generic").sub(" ", title)


def has_verb(text: str) -> bool:
    """Whether a sentence has a verb of its own."""
    return _pattern("has_verb").match(_RELATIVE.sub(" ", text)) is not None


def defined(text: str) -> tuple[str, ...]:
    """What a sentence says what it is, and its other name in brackets: "the Linux kernel (Linux) is
    a program".
    """
    match = _DEFINITION.match(text)
    return tuple(filter(None, match.groups())) if match else ()


def _is_titled(name: str, title: str) -> bool:
    return any(_pattern(name).fullmatch(one) for one in (title.strip(), bare_name(title)))


is_minor = partial(_is_titled, "minor_titles")
"""Whether a chapter with this title says little about its book: front matter, an appendix, a list
of changes.
"""
is_empty = partial(_is_titled, "empty_titles")
"""Whether a chapter with this title says nothing about it: a licence, an index."""


def opens(title: str) -> bool:
    """Whether a chapter with this title introduces its book."""
    return _pattern("opening_titles").match(bare_name(title)) is not None
