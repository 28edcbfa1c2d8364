"""Document locality: each document of a cluster has its own pages (paper, §3)."""

from collections.abc import Sequence

from ..documents.model import Document
from ..documents.sentences import all_sentences
from .flow import PageSize, Unit, items_of


def document_units(documents: Sequence[Document], size: PageSize) -> list[Unit]:
    """One unit a document, called by its name."""
    return [Unit(document.name, document.name, items_of(all_sentences(document), size)) for document in documents]
