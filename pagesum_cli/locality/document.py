"""Document locality: each document of a cluster has its own pages (paper, §3)."""

from collections.abc import Sequence

from ..documents.model import Document
from ..documents.sentences import all_sentences, whole_text
from .base import FixedUnit, Locality
from .flow import PageSize, Unit, items_of


class DocumentLocality(Locality):
    """One unit a document, called by its name."""

    def units(self, documents: Sequence[Document], size: PageSize) -> list[Unit]:
        """One unit a document."""
        return [Unit(one.name, one.name, items_of(all_sentences(one), size)) for one in documents]

    def fixed_units(self, documents: Sequence[Document], size: PageSize) -> list[FixedUnit]:
        """The documents."""
        return [FixedUnit(one.name, one.name, _text_of(one), all_sentences(one)) for one in documents]


def _text_of(document: Document) -> str:
    if document.given is not None and not document.skipped:
        return document.given
    return " ".join(whole_text(section) for section, _ in document.read_sections)
