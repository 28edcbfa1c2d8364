"""Word documents (DOCX) → Document, the markup by python-docx."""

from ..input import Input
from ..model import Document
from .archive import Archive
from .word.document import document_of
from .word.package import Package


def read(source: Input) -> list[Document]:
    """The one document of a DOCX file.

    Headings are the paragraphs with an outline level, by their style or their own; without any,
    those in bold or large type. Insertions are read, deletions are not. Left out are tables (but
    not those for layout), captions, notes, comments, headers and footers, the table of contents and
    the bibliography.
    """
    archive = Archive(source.data, source.path, "a Word document")
    package = Package(archive, on_problem=source.on_problem)
    blocks = list(package.blocks())
    return [document_of(source, blocks, package.title(), package.asides())]
