"""The units of a text beside its sentences: labels, lists, citations, speakers, quotations."""

from collections.abc import Sequence
from dataclasses import replace

from ..model import Section
from .citations import is_citation
from .headings import find_headings, find_subheadings
from .inside import Unit, units_in
from .labels import find_labels
from .lists import continues, find_depths, introduces
from .parts import Part
from .speakers import begins_turn, find_speakers

__all__ = [
    "Unit",
    "begins_turn",
    "continues",
    "introduces",
    "is_citation",
    "units_in",
    "with_units",
]


def with_units(sections: Sequence[Section]) -> list[Section]:
    """Sections whose paragraphs say what their text shows: labels, depths of lists, speakers.

    What a reader knows from the structure of the file stays as it is, and so do units that come
    split.
    """
    parts = [[Part(paragraph) for paragraph in section.paragraphs] for section in sections]
    find_speakers(parts)
    find_labels(parts)
    find_headings(parts)
    for own in parts:
        find_depths(own)
        find_subheadings(own)
    return [
        replace(section, paragraphs=tuple(part.paragraph for part in own))
        for section, own in zip(sections, parts, strict=True)
    ]
