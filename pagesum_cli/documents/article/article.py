"""What of a text with marked headings is read: the article, without what stands before and after it."""

from collections.abc import Sequence
from dataclasses import replace

from ..model import LeftOut, Section
from ..pdf.patterns import ABSTRACT, is_prose
from .back_matter import without_back_matter
from .building import left_out, without_title


def parts_of_article(sections: Sequence[Section], dropped: list[LeftOut], title: str = "") -> tuple[str, list[Section]]:
    """The title of a text with marked headings, and what of it is read.

    Left out are what stands above the title, authors and addresses before an abstract, references, lists of links, and
    back matter.

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
    sections, back_matter = without_back_matter(_without_authors(sections, dropped))
    dropped += back_matter
    return title, sections


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
