"""What a locality must offer, and the table of localities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from ..documents.model import Document, Sentence
from .flow import PageSize, Unit, first_page_of, pages_of
from .page import Page

LOCALITIES: dict[str, str] = {
    "spatial": "pagesum_cli.locality.spatial:SpatialLocality",
    "discourse": "pagesum_cli.locality.discourse:DiscourseLocality",
    "document": "pagesum_cli.locality.document:DocumentLocality",
}
"""The localities by name (paper, §3); :data:`pagesum_cli.options.LOCALITIES` lists the names."""


@dataclass(frozen=True)
class FixedUnit:
    """A sentence, section or document: what is counted where a fixed number of pages is formed.

    Attributes:
        source: The document's name.
        label: Of a page that begins with it; empty for a page that is called by its place in the document.
        text: As the data set gives it; may have no words.
        sentences: Its headings and sentences.
    """

    source: str
    label: str
    text: str
    sentences: Sequence[Sentence]


class Locality:
    """A principle by which documents are divided into pages.

    Only :meth:`units` has to be defined.
    """

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """What gets pages of its own."""
        raise NotImplementedError

    def truncated(self, units: Sequence[Unit], size: PageSize, max_pages: int | None) -> list[tuple[Page, int]]:
        """The pages and their words where a unit has only one page, and what is longer is left out."""
        return [first_page_of(unit, size) for unit in units]

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """What is counted where a fixed number of pages is formed."""
        pages = [(unit, page) for unit in self.units(documents, size) for page, _ in pages_of(unit, size)]
        return [FixedUnit(unit.source, page.label, page.text, page.sentences) for unit, page in pages]

    def fixed_runs(self, units: int, num_pages: int) -> list[range]:
        """The units on each of a fixed number of pages: unit ``i`` on page ``i``, no units beyond ``P``.

        An empty range is a missing page.
        """
        return [range(page, min(page + 1, units)) for page in range(num_pages)]

    def reads_headings(self, document: Document, *, fixed: bool) -> bool:
        """Whether headings are read, and count, where documents are cut after a number of tokens."""
        return True


@cache
def locality_of(name: str) -> Locality:
    """The locality of a name in :data:`LOCALITIES`."""
    module, _, kind = LOCALITIES[name].partition(":")
    locality: Locality = getattr(import_module(module), kind)()
    return locality
