"""The parts of an article: its title, its authors and its abstract."""

from collections.abc import Sequence
from dataclasses import replace

from ..model import Document, LeftOut, Section
from .back_matter import without_back_matter
from .building import left_out, without_title
from .names import is_abstract, is_label, pattern
from .wording import is_prose

FIRST_SECTIONS = 8  # an abstract is one of the first sections
ABSTRACT_WORDS = 600  # a longer section under such a heading holds more than the abstract
PART_WORDS = 250  # maximum number of words of a part of a structured abstract
_IN_ABSTRACT = pattern("sections.in_abstract", before=r"\W{0,8}", after=r"\W{0,8}")


def parts_of_article(
    sections: Sequence[Section], dropped: list[LeftOut], title: str = ""
) -> tuple[str, list[Section]]:
    """The title of a text with marked headings, and what of it is read.

    Left out are what stands above the title, authors and addresses before an abstract, references,
    lists of links, and back matter.
    """
    sections = list(sections)
    if not title and _has_front(sections):
        found, rest = without_title(sections[1:])
        if found and len(sections[0].text) < sum(len(section.text) for section in rest):
            dropped.append(left_out("front matter", sections[0].parts))
            title, sections = found, rest
    if not title:
        title, sections = without_title(sections)
    sections, back_matter = without_back_matter(_without_authors(sections, dropped))
    dropped += back_matter
    return title, sections


def _has_front(sections: Sequence[Section]) -> bool:
    """Whether lines stand before the first heading that are no sentences."""
    first = sections[0] if len(sections) > 1 else None
    return first is not None and not first.heading and not any(map(is_prose, first.parts))


def _without_authors(sections: Sequence[Section], dropped: list[LeftOut]) -> list[Section]:
    """The sections without what is no prose before an abstract."""
    places = (n for n, section in enumerate(sections[:4]) if is_abstract(section.heading))
    place = next(places, 0)
    kept = [_prose_of(section, dropped) for section in sections[:place]]
    return [section for section in kept if section is not None] + list(sections[place:])


def _prose_of(section: Section, dropped: list[LeftOut]) -> Section | None:
    """A section with its prose alone; None if nothing is left of it."""
    if section.heading and not section.paragraphs:
        return section
    prose = tuple(one for one in section.paragraphs if is_prose(one.text))
    others = [one.text for one in section.paragraphs if one not in prose]
    lost = others if prose else [section.heading, *others]
    if others:
        dropped.append(left_out("front matter", lost, section.pdf_pages))
    return replace(section, paragraphs=prose) if prose else None


def without_abstract(document: Document) -> Document:
    """The document with its abstract skipped; the document itself if it has none, or nothing
    else.
    """
    skipped = _abstract_sections(document.sections)
    rest = [section for number, section in enumerate(document.sections) if number not in skipped]
    if not skipped or not any(section.text.strip() for section in rest):
        return document
    return replace(document, skipped=skipped)


def skipped_text(document: Document) -> str:
    """The text of the skipped sections."""
    return " ".join(document.sections[number].text for number in sorted(document.skipped))


def _abstract_sections(sections: tuple[Section, ...]) -> frozenset[int]:
    first = next(
        (n for n, one in enumerate(sections[:FIRST_SECTIONS]) if is_abstract(one.heading)), None
    )
    if first is None or len(sections[first].text.split()) > ABSTRACT_WORDS:
        return frozenset()
    end = first + 1
    while end < len(sections) and _is_part(sections[first], sections[end]):
        end += 1
    return frozenset(range(first, end))


def _is_part(abstract: Section, section: Section) -> bool:
    """Whether a section belongs to the abstract before it: below it, or a short part such as
    "Methods" of one whose heading has no text of its own."""
    if len(section.text.split()) > PART_WORDS:
        return False
    if section.level > abstract.level or is_abstract(section.heading):
        return True
    if abstract.text.strip() or "introduction" in section.heading.lower():
        return False
    return is_label(section.heading) or _IN_ABSTRACT.fullmatch(section.heading) is not None
