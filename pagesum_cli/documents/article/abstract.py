"""The abstract of a document: what its readers have read already."""

import re
from dataclasses import replace

from ..model import Document, Section

FIRST_SECTIONS = 8
"""An abstract is one of the first sections."""

ABSTRACT_WORDS = 600
"""A longer section under such a heading holds more than the abstract, as where the next heading was not recognized."""

PART_WORDS = 250
"""Maximum number of words of a part of a structured abstract."""

ABSTRACT = re.compile(
    r"\W{0,8}(?:\d+\.? )?(?:(?:structured|author|plain language|executive) )?(?:abstract|summary|synopsis)\W{0,8}",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\W{0,8}(?:background|context|objectives?|aims?|purpose|importance|rationale|setting|design|participants|patients|"
    r"interventions?|measurements?|methods?|patients and methods|materials and methods|methodology|"
    r"(?:principal |main )?(?:results|findings)|(?:main )?outcomes?(?: measures?)?|conclusions?|interpretation|"
    r"significance|limitations|trial registration|key ?words|highlights)(?: (?:and|&) \w+| ?/ ?\w+)?\W{0,8}",
    re.IGNORECASE,
)


def without_abstract(document: Document) -> Document:
    """The document with its abstract skipped; the document itself if it has none, or nothing else."""
    skipped = _abstract_sections(document.sections)
    rest = [section for number, section in enumerate(document.sections) if number not in skipped]
    if not skipped or not any(section.text.strip() for section in rest):
        return document
    return replace(document, skipped=skipped)


def skipped_text(document: Document) -> str:
    """The text of the skipped sections."""
    return " ".join(document.sections[number].text for number in sorted(document.skipped))


def _abstract_sections(sections: tuple[Section, ...]) -> frozenset[int]:
    first = next((n for n, one in enumerate(sections[:FIRST_SECTIONS]) if ABSTRACT.fullmatch(one.heading)), None)
    if first is None or len(sections[first].text.split()) > ABSTRACT_WORDS:
        return frozenset()
    end = first + 1
    while end < len(sections) and _is_part(sections[first], sections[end]):
        end += 1
    return frozenset(range(first, end))


def _is_part(abstract: Section, section: Section) -> bool:
    """Whether a section belongs to the abstract before it: below it, or a short part such as "Methods" of one whose
    heading has no text of its own."""
    if len(section.text.split()) > PART_WORDS:
        return False
    if section.level > abstract.level or ABSTRACT.fullmatch(section.heading):
        return True
    return not abstract.text.strip() and _PART.fullmatch(section.heading) is not None
