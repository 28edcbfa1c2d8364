"""Paragraphs while their units are being recognized."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ...text.tables import patterns
from ..model import Paragraph

FORMS = patterns(__file__, "units.toml")


TAIL = 40  # characters at the end of a text that say how it ends


def ends_as(form: str, text: str) -> bool:
    """Whether a text ends as a pattern says."""
    return FORMS[form].search(text, max(len(text) - TAIL, 0)) is not None


class Place(NamedTuple):
    """A place that a label can have: the style of its list, and its number there."""

    style: str
    number: int


class Label(NamedTuple):
    """What looks like a label at the head of a text."""

    text: str  # as printed
    end: int  # offset of the text after it
    kind: str  # the name of its pattern
    parts: tuple[tuple[Place, ...], ...]  # of "(c) (1)" two, each with the places it can have

    @property
    def is_first(self) -> bool:
        """Whether a list can begin with it."""
        return any(place.number == 1 for place in self.parts[0])


@dataclass
class Part:
    """A paragraph, and what has been recognized in it."""

    paragraph: Paragraph
    label: Label | None = None  # of an item or a paragraph; not that of a question or an answer
    has_bullet: bool = False

    def __post_init__(self) -> None:
        """Note whether its reader or data set says what the paragraph is: then it stays so."""
        one = self.paragraph
        stated = one.label or one.body or one.depth or one.block or one.speaker or one.line_ends
        self.is_known = bool(stated) or one.is_sentence

    @property
    def text(self) -> str:
        """The text of the paragraph."""
        return self.paragraph.text

    @property
    def rest(self) -> str:
        """The text after what stands in front of it."""
        return self.paragraph.text[self.paragraph.body :]

    @property
    def is_plain(self) -> bool:
        """Whether nothing is known of it, and nothing stands in front of its text."""
        return not (self.is_known or self.paragraph.body or self.paragraph.label)

    def update(self, **changes: Any) -> None:
        """Change fields of the paragraph."""
        self.paragraph = replace(self.paragraph, **changes)


Sections = Sequence[Sequence[Part]]
"""The paragraphs of each section of a document."""


def after(match: re.Match[str]) -> int:
    """The offset of the text after a match and the white space after it."""
    rest = match.string[match.end() :]
    return len(match.string) - len(rest.lstrip())


def is_title(text: str, small: int = 4) -> bool:
    """Whether all words of a text, but short ones, begin with a capital letter."""
    parts = re.split(r"[\s-]+", text)
    words = [word for word in parts if len(word) >= small]
    return not any(word[0].islower() for word in words)
