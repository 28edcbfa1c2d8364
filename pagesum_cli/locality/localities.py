"""The localities: by which principle documents are divided into pages (paper, §3)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from pkgutil import resolve_name

from ..documents.model import Document, Section, Sentence
from ..documents.sentences import (
    all_sentences,
    given_sentences,
    heading_of,
    sentences_of,
    whole_text,
)
from .flow import (
    Item,
    Page,
    PageSize,
    Unit,
    first_page_of,
    items_of,
    items_of_section,
    pages_of,
    short_label,
)

LOCALITIES: dict[str, str] = {
    "spatial": "pagesum_cli.locality.localities:SpatialLocality",
    "discourse": "pagesum_cli.locality.localities:DiscourseLocality",
    "document": "pagesum_cli.locality.localities:DocumentLocality",
}
"""The localities by name (paper, §3); :data:`pagesum_cli.options.LOCALITIES` lists the names."""


@dataclass(frozen=True)
class FixedUnit:
    """A sentence, section or document: what is counted where a fixed number of pages is formed."""

    source: str  # the document's name
    # of a page that begins with it; empty for a page that is called by its place in the document
    label: str
    text: str  # as the data set gives it; may have no words
    sentences: Sequence[Sentence]  # its headings and sentences


class Locality:
    """A principle by which documents are divided into pages.

    Only :meth:`units` has to be defined.
    """

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """What gets pages of its own."""
        raise NotImplementedError

    def truncated(
        self, units: Sequence[Unit], size: PageSize, max_pages: int | None
    ) -> list[tuple[Page, int]]:
        """The pages and their words where a unit has only one page, and what is longer is left
        out.
        """
        return [first_page_of(unit, size) for unit in units]

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """What is counted where a fixed number of pages is formed."""
        pages = [
            (unit, page) for unit in self.units(documents, size) for page, _ in pages_of(unit, size)
        ]
        return [
            FixedUnit(unit.source, page.label, page.text, page.sentences) for unit, page in pages
        ]

    def fixed_runs(self, units: int, num_pages: int) -> list[range]:
        """The units on each of a fixed number of pages: unit ``i`` on page ``i``, no units beyond
        ``P``.

        An empty range is a missing page.
        """
        return [range(page, min(page + 1, units)) for page in range(num_pages)]

    def reads_headings(self, document: Document, *, fixed: bool) -> bool:
        """Whether headings are read, and count, where documents are cut after a number of
        tokens.
        """
        return True


@cache
def locality_of(name: str) -> Locality:
    """The locality of a name in :data:`LOCALITIES`."""
    return resolve_name(LOCALITIES[name])()


class SpatialLocality(Locality):
    """One unit a document, without a label: its pages are called by their place in the document.

    Sentences are counted, headings are not: a heading is read before the first sentence of its
    section, except for the names of sections that a data set keeps apart from the text.
    """

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """One unit a document."""
        return [Unit("", document.name, _items(document, size)) for document in documents]

    def truncated(
        self, units: Sequence[Unit], size: PageSize, max_pages: int | None
    ) -> list[tuple[Page, int]]:
        """All pages; if there are more than ``max_pages``, the documents are spread over these, as
        the paper does.
        """
        pages = [page for unit in units for page in pages_of(unit, size)]
        if max_pages is not None and len(pages) > max_pages:
            return [first_page_of(unit, size) for unit in _spread(units, max_pages)]
        return pages

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """The sentences, without headings."""
        return [
            FixedUnit(document.name, "", text, [sentence] if sentence else [])
            for document in documents
            for text, sentence in given_sentences(document)
        ]

    def fixed_runs(self, units: int, num_pages: int) -> list[range]:
        """``units // P`` a page, the remainder on the last page."""
        size = units // num_pages
        starts = [page * size for page in range(num_pages)]
        return [range(start, end) for start, end in zip(starts, [*starts[1:], units], strict=True)]

    def reads_headings(self, document: Document, *, fixed: bool) -> bool:
        """Headings are not read among a fixed number of sentences, nor where a data set gives these
        apart.
        """
        return not (fixed or document.given_sentences)


def _items(document: Document, size: PageSize) -> list[Item]:
    if document.given_sentences:
        return items_of([sentence for _, sentence in given_sentences(document) if sentence], size)
    items = (
        item
        for section, start in document.read_sections
        for item in items_of_section(section, start, size)
    )
    return [item if item.opens else replace(item, heading="", heading_tokens=0) for item in items]


def _spread(units: Sequence[Unit], runs: int) -> list[Unit]:
    spread: list[Unit] = []
    for unit in units:
        total = list(accumulate(item.cost for item in unit.items))
        ends = [bisect_right(total, total[-1] * run / runs) for run in range(1, runs + 1)]
        parts = [
            unit.items[start:end]
            for start, end in zip([0, *ends], ends, strict=False)
            if end > start
        ]
        spread += [Unit(unit.label, unit.source, part) for part in parts]
    return spread


OPENING = "Opening"  # the label of text before the first heading
# a section below a page's ``1/TINY`` is too little to read alone: it shares a page with its
# neighbour
TINY = 8


class DiscourseLocality(Locality):
    """The text under one heading is a unit."""

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """One unit a section, heading and text.

        A section and all its subsections are one unit where they fit on one page (``3 Methods``);
        otherwise its own text and each subsection are units. A unit of a few lines shares a page
        with its neighbour, if that takes no page more: its label then names both ends (``3 Methods
        – 3.1 Data``). Units never reach over documents.
        """
        units: list[Unit] = []
        for document in documents:
            name = f"{document.name}: " if len(documents) > 1 else ""
            kept = [
                (section, start)
                for section, start in document.read_sections
                if section.paragraphs
                or (section.heading and section.given is None and not section.given_sentences)
            ]
            sections = [section for section, _ in kept]
            items = [items_of_section(section, start, size) for section, start in kept]
            for group in _join_tiny(_subtrees(sections, items, size), size):
                own = [item for part in items[group.start : group.end] for item in part]
                units.append(Unit(name + group.label, document.name, own))
        return units

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """The sections: their headings belong to the text, and are no sentences."""
        units = []
        for document in documents:
            for section, start in document.read_sections:
                sentences = [*heading_of(section, start), *sentences_of(section, start)]
                label = short_label(section.name or OPENING)
                units.append(FixedUnit(document.name, label, whole_text(section), sentences))
        return units


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
        tokens, only_heading = (
            self.tokens + following.tokens,
            self.only_heading and following.only_heading,
        )
        return replace(
            self, end=following.end, last=following.last, tokens=tokens, only_heading=only_heading
        )


def _subtrees(
    sections: Sequence[Section], items: Sequence[Sequence[Item]], size: PageSize
) -> list[_Group]:
    """Each section alone, or with all its subsections where they fit on one page."""
    total = [0, *accumulate(sum(item.cost for item in own) for own in items)]
    ends = _subtree_ends(sections)
    groups: list[_Group] = []
    start = 0
    while start < len(sections):
        section = sections[start]
        end = ends[start] if total[ends[start]] - total[start] <= size.room else start + 1
        label = short_label(section.name or OPENING)
        only_heading = end == start + 1 and not section.text.strip()
        groups.append(
            _Group(start, end, label, label, section.level, total[end] - total[start], only_heading)
        )
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

    The next one is preferred, unless it is higher in the outline: "2.3" goes with "2.2" rather than
    with "3". A heading without text always goes with what follows.
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


class DocumentLocality(Locality):
    """One unit a document, called by its name."""

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """One unit a document."""
        return [Unit(one.name, one.name, items_of(all_sentences(one), size)) for one in documents]

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """The documents."""
        return [
            FixedUnit(one.name, one.name, _text_of(one), all_sentences(one)) for one in documents
        ]


def _text_of(document: Document) -> str:
    if document.given is not None and not document.skipped:
        return document.given
    return " ".join(whole_text(section) for section, _ in document.read_sections)
