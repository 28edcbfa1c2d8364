"""PDF → Document."""

from io import BytesIO

from .document import Document, Paragraph, Section
from .text import document, one_line


def pdf_document(data: bytes, name: str, source: str, *, password: str | None = None) -> Document:
    """PDF → Document."""
    from pypdf import PdfReader

    sections = []
    for number, page in enumerate(PdfReader(BytesIO(data), password=password).pages, start=1):
        text = one_line(page.extract_text())
        sections.append(Section(f"p. {number}", (Paragraph(text, ((0, number),)),) if text else ()))
    return document(name, sections, source=source)
