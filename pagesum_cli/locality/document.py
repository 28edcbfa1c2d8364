"""Document locality: each document of a cluster has its own pages (paper, §3)."""

from collections.abc import Sequence

from ..documents.document import Document
from .flow import PageSize, Unit, everything, items_of


def document_units(documents: Sequence[Document], size: PageSize) -> list[Unit]:
    """One unit a document, called by its name."""
    return [Unit(document.name, document.name, items_of(everything(document), size)) for document in documents]
