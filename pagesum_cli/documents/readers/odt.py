"""OpenDocument texts (ODT) → Document: of LibreOffice, OpenOffice, pandoc and other programs."""

from dataclasses import replace

from ..input import Input
from ..model import Document
from .opendocument.package import Package
from .word.document import document_of


def read(source: Input) -> list[Document]:
    """The one document of an OpenDocument text, in an archive or in one XML file.

    Headings are those with an outline level; without any, paragraphs in bold or large type.
    Insertions are read, deletions are not. Left out is what is left out of a Word document: tables
    (but not those for layout), captions, notes, comments, headers and footers, and indexes.
    """
    package = Package(source)
    read = document_of(source, list(package.blocks()), package.title(), package.asides())
    return [replace(read, authors=package.authors())]
