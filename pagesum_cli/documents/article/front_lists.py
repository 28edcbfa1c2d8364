"""Lists that stand before the text of a document: contents, figures, abbreviations."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain

from ..model import Section
from .back_matter import is_surely_back_matter
from .divisions import is_contents, is_no_chapter

EARLY = 1 / 3  # share of a document's words before which a list stands in front of its text
LARGE = 0.25  # share of a document's words that is its text, and no part of a list

_LETTER = re.compile(
    r"(?:Dear|Honou?rable|The Honou?rable) [A-Z][^.!?]{1,80}(?:\. [^.!?]{1,40})?[:,]?|"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December) "
    r"\d{1,2}, (?:19|20)\d\d"
)
"""A line with which a letter begins: its date, its addressee, or a salutation."""


def with_text_beside_lists(sections: Sequence[Section]) -> list[Section]:
    """Sections, those of the text raised to the level of a list in front of it.

    The text follows such a list, but is no part of it, even if the heading of the list is larger.
    A letter that begins below the list has no heading.
    """
    sections = [*chain.from_iterable(map(_without_letter, sections))]
    words = [sum(len(part.split()) for part in section.parts) for section in sections]
    before = [0, *accumulate(words)]
    total = before[-1]
    for place, section in enumerate(sections):
        if before[place] > EARLY * total:
            break
        end = _end_of(sections, place)
        if before[end] - before[place + 1] > LARGE * total and _is_list(section.heading):
            below = sections[place + 1 : end]
            raised = min(one.level for one in below) - section.level
            sections[place + 1 : end] = [replace(one, level=one.level - raised) for one in below]
    return sections


def _without_letter(section: Section) -> Iterator[Section]:
    """A list, and the letter below it; another section as it is."""
    texts = section.paragraphs if _is_list(section.heading) and not section.given else ()
    start = next((n for n, one in enumerate(texts) if _LETTER.fullmatch(one.text)), 0)
    if start:
        yield replace(section, paragraphs=texts[:start])
        yield Section("", texts[start:], section.level)
    else:
        yield section


def _end_of(sections: Sequence[Section], place: int) -> int:
    """The first section after one and those below it."""
    after = range(place + 1, len(sections))
    level = sections[place].level
    return next((n for n in after if sections[n].level <= level), len(sections))


def _is_list(heading: str) -> bool:
    is_other = is_contents(heading) or is_no_chapter(heading)
    return bool(heading) and (is_other or is_surely_back_matter(heading))
