"""What of a text with marked headings is read: the article, without what stands before and after it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from .building import left_out, without_title
from .document import LeftOut, Section
from .pdf.patterns import ABSTRACT, is_prose, is_references

_LINKS = re.compile(r"(?:see also|external links|further reading|related (?:links|posts|articles)):?", re.IGNORECASE)
"""Names of sections with nothing but links."""


def parts_of_article(sections: Sequence[Section], dropped: list[LeftOut], title: str = "") -> tuple[str, list[Section]]:
    """The title of a text with marked headings, and what of it is read.

    Left out are what stands above the title, authors and addresses before an abstract, references, and lists of links.

    Args:
        sections: All sections.
        dropped: Collects what is left out.
        title: The title, where it is known; without it, a heading may be it.
    """
    sections = list(sections)
    first = sections[0] if sections else None
    if first is not None and not first.heading and len(sections) > 1 and not any(map(is_prose, first.parts)):
        found, rest = without_title(sections[1:])
        if found and not title:
            dropped.append(left_out("front matter", first.parts))
            title, sections = found, rest
    if not title:
        title, sections = without_title(sections)
    return title, _without_back(_without_authors(sections, dropped), dropped)


def _without_authors(sections: Sequence[Section], dropped: list[LeftOut]) -> list[Section]:
    """Sections of which those before an abstract have only paragraphs in prose."""
    places = (n for n, one in enumerate(sections[:4]) if one.heading and ABSTRACT.fullmatch(one.heading))
    place = next(places, 0)
    kept = []
    for section in sections[:place]:
        prose = tuple(one for one in section.paragraphs if is_prose(one.text))
        if others := [one.text for one in section.paragraphs if one not in prose]:
            dropped.append(left_out("front matter", others, section.pdf_pages))
        if prose or (section.heading and not section.paragraphs):
            kept.append(replace(section, paragraphs=prose))
    return [*kept, *sections[place:]]


def _without_back(sections: Sequence[Section], dropped: list[LeftOut]) -> list[Section]:
    """Sections without references and lists of links: sections of these names, and those below them."""
    kept: list[Section] = []
    level, reason = 0, ""  # of the heading that is left out; 0 outside of such sections
    for section in sections:
        if name := _back_matter(section.heading):
            level, reason = section.level, name
        elif section.level <= level:
            level = 0
        if level:
            dropped.append(left_out(reason, section.parts, section.pdf_pages))
        else:
            kept.append(section)
    return kept if any(section.paragraphs for section in kept) else list(sections)


def _back_matter(heading: str) -> str:
    """The reason why a section of this name is left out; empty for text."""
    if is_references(heading):
        return "references"
    return "back matter" if _LINKS.fullmatch(heading.strip()) else ""
