"""What a file holds, and where each piece of it stood."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    """A run of text, with the PDF pages that it stands on.

    Attributes:
        text: the text on one line, control characters removed.
        page_starts: ``(offset, pdf page)`` pairs in order: from character ``offset`` on the text stands on that page
            (counted from 1). The first offset is 0. Empty where the file has no pages.
    """

    text: str
    page_starts: tuple[tuple[int, int], ...] = ()

    def pdf_pages(self, start: int = 0, end: int | None = None) -> tuple[int, ...]:
        """The PDF pages on which characters ``start`` to ``end`` stand, in order."""
        if not self.page_starts:
            return ()
        end = len(self.text) if end is None else end
        ends = [offset for offset, _ in self.page_starts[1:]] + [len(self.text)]
        spans = zip(self.page_starts, ends, strict=True)
        return tuple(dict.fromkeys(page for (first, page), last in spans if first < end and last > start))


@dataclass(frozen=True)
class Section:
    """A heading and the paragraphs under it.

    Attributes:
        heading: as printed, with its number; empty where there is none (the text before the first heading).
        paragraphs: in reading order.
        level: 1 for a top-level heading.
        found_by: ``outline``, ``numbering``, ``style``, ``name`` or ``fallback``: what told that the heading is one.
            Markup that says so itself (Markdown, HTML, records) counts as ``outline``.
    """

    heading: str
    paragraphs: tuple[Paragraph, ...]
    level: int = 1
    found_by: str = "fallback"

    @property
    def text(self) -> str:
        """The paragraphs, a blank line between two."""
        return "\n\n".join(paragraph.text for paragraph in self.paragraphs)

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The PDF pages that the section stands on, in order."""
        return tuple(dict.fromkeys(page for paragraph in self.paragraphs for page in paragraph.pdf_pages()))


@dataclass(frozen=True)
class Document:
    """One document: what a file (or a record of a data set) says, cut into sections.

    Attributes:
        name: what to call it in labels: the file's name, ``stdin``, or a record's id.
        sections: in reading order; at least one, with at least one word in all.
        title: as printed; empty where none was found.
        source: the path as the user gave it.
    """

    name: str
    sections: tuple[Section, ...]
    title: str = ""
    source: str = ""

    @property
    def has_headings(self) -> bool:
        """Whether any heading was found."""
        return any(section.heading for section in self.sections)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document, the PDF pages it stands on, and the heading it stands under."""

    text: str
    pdf_pages: tuple[int, ...] = ()
    heading: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether it is that heading itself."""
        return bool(self.heading) and self.text == self.heading


def words(document: Document) -> Iterator[str]:
    """Every word of the document's headings and text, in order."""
    for section in document.sections:
        yield from section.heading.split()
        for paragraph in section.paragraphs:
            yield from paragraph.text.split()
