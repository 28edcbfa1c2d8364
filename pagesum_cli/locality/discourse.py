"""Discourse locality: the text under one heading shares a page (paper, §3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..documents.model import Document, Section
from ..documents.sentences import heading_of, sentences_of, whole_text
from .base import FixedUnit, Locality
from .flow import Item, PageSize, Unit, items_of_section, short_label

OPENING = "Opening"
"""The label of text before the first heading."""

TINY = 8
"""A section below a page's ``1/TINY`` is too little to read alone: it shares a page with its neighbour."""


class DiscourseLocality(Locality):
    """The text under one heading is a unit."""

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """One unit a section, heading and text.

        A section and all its subsections are one unit where they fit on one page (``3 Methods``); otherwise its own
        text and each subsection are units. A unit of a few lines shares a page with its neighbour, if that takes no
        page more: its label then names both ends (``3 Methods – 3.1 Data``). Units never reach over documents.
        """
        units: list[Unit] = []
        for document in documents:
            name = f"{document.name}: " if len(documents) > 1 else ""
            kept = [
                (section, start)
                for section, start in document.read_sections
                if section.paragraphs or (section.heading and section.given is None and not section.given_sentences)
            ]
            sections = [section for section, _ in kept]
            items = [items_of_section(section, start, size) for section, start in kept]
            for group in _join_tiny(_subtrees(sections, items, size), size):
                own = [item for part in items[group.start : group.end] for item in part]
                units.append(Unit(name + group.label, document.name, own))
        return units

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """The sections: their headings belong to the text, and are no sentences."""
        return [
            FixedUnit(
                document.name,
                short_label(section.heading or OPENING),
                whole_text(section),
                [*heading_of(section, start), *sentences_of(section, start)],
            )
            for document in documents
            for section, start in document.read_sections
        ]


@dataclass(frozen=True)
class _Group:
    """Sections ``start`` to ``end`` (exclusive), which share a unit.

    ``first`` and ``last`` name its ends; they are the same for a section with its subsections.
    """

    start: int
    end: int
    first: str
    last: str
    level: int
    tokens: int
    only_heading: bool

    @property
    def label(self) -> str:
        return self.first if self.first == self.last else f"{self.first} – {self.last}"

    def with_next(self, following: "_Group") -> "_Group":
        return replace(
            self,
            end=following.end,
            last=following.last,
            tokens=self.tokens + following.tokens,
            only_heading=self.only_heading and following.only_heading,
        )


def _subtrees(sections: Sequence[Section], items: Sequence[Sequence[Item]], size: PageSize) -> list[_Group]:
    """Each section alone, or with all its subsections where they fit on one page."""
    total = [0, *accumulate(sum(item.cost for item in own) for own in items)]
    ends = _subtree_ends(sections)
    groups: list[_Group] = []
    start = 0
    while start < len(sections):
        section = sections[start]
        end = ends[start] if total[ends[start]] - total[start] <= size.room else start + 1
        label = short_label(section.heading or OPENING)
        only_heading = end == start + 1 and not section.text.strip()
        groups.append(_Group(start, end, label, label, section.level, total[end] - total[start], only_heading))
        start = end
    return groups


def _subtree_ends(sections: Sequence[Section]) -> list[int]:
    ends = [len(sections)] * len(sections)
    open_sections: list[int] = []
    for index, section in enumerate(sections):
        while open_sections and sections[open_sections[-1]].level >= section.level:
            ends[open_sections.pop()] = index
        open_sections.append(index)
    return ends


def _join_tiny(groups: Sequence[_Group], size: PageSize) -> list[_Group]:
    """Tiny groups joined with a neighbour, where its pages have the room.

    The next one is preferred, unless it is higher in the outline: "2.3" goes with "2.2" rather than with "3". A
    heading without text always goes with what follows.
    """

    def has_room(host: _Group, guest: _Group) -> bool:
        return -(-(host.tokens + guest.tokens) // size.room) <= -(-host.tokens // size.room)

    joined: list[_Group] = []
    for following in [*groups, None]:
        group = following
        if joined and joined[-1].tokens < size.room // TINY:
            tiny = joined.pop()
            fits = following is not None and (tiny.only_heading or has_room(following, tiny))
            merged = tiny.with_next(following) if fits and following is not None else None
            if merged and following and (tiny.only_heading or following.level >= tiny.level):
                group = merged
            elif joined and has_room(joined[-1], tiny):
                joined[-1] = joined[-1].with_next(tiny)
            elif merged:
                group = merged
            else:
                joined.append(tiny)
        if group is not None:
            joined.append(group)
    return joined
