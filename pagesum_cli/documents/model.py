"""Documents as plain data: text in sections, with the place of each piece in its file."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

GAP = "\n\n"  # separates paragraphs in a document's text


@dataclass(frozen=True)
class Paragraph:
    """A run of text, with its PDF pages.

    Attributes:
        text: The text on one line, control characters removed.
        page_starts: ``(offset, pdf page)`` pairs in order: from character ``offset`` on, the text is on that page
            (counted from 1). The first offset is 0. Empty if the file has no pages.
        is_sentence: Whether the file delimits the text as one sentence, which is never split again.
        line_boxes: Where each of its lines stands on its page, packed, see ``boxes.py``; empty if that is not known.
    """

    text: str
    page_starts: tuple[tuple[int, int], ...] = ()
    is_sentence: bool = False
    line_boxes: bytes = b""

    def pdf_pages(self, start: int = 0, end: int | None = None) -> tuple[int, ...]:
        """The PDF pages of characters ``start`` to ``end``, in order."""
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
        heading: As printed, with its number; empty if there is none (the text before the first heading).
        paragraphs: In reading order.
        level: 1 for a top-level heading.
        found_by: How the heading was recognized: ``outline`` (also the markup of Markdown, HTML and records),
            ``numbering``, ``style``, ``name`` or ``fallback``.
        given: The whole section exactly as a data set gives it, white space included; None if its parts say it all.
        given_sentences: Its sentences likewise, also those without words; empty if the paragraphs are the same.
    """

    heading: str
    paragraphs: tuple[Paragraph, ...]
    level: int = 1
    found_by: str = "fallback"
    given: str | None = None
    given_sentences: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The paragraphs, a blank line between two."""
        return GAP.join(paragraph.text for paragraph in self.paragraphs)

    @property
    def parts(self) -> tuple[str, ...]:
        """The heading, if there is one, and the text of each paragraph."""
        return (*([self.heading] if self.heading else []), *(paragraph.text for paragraph in self.paragraphs))

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The section's PDF pages, in order."""
        return tuple(dict.fromkeys(page for paragraph in self.paragraphs for page in paragraph.pdf_pages()))


@dataclass(frozen=True)
class LeftOut:
    """Text of a file that is not part of its document.

    Attributes:
        reason: ``back matter``, ``references``, ``caption``, ``table``, ``running head``, ``navigation`` …
        text: The text on one line; what is repeated, as a running head, once.
        words: Number of its words, also of repeated ones.
        pdf_pages: Its PDF pages.
    """

    reason: str
    text: str
    words: int
    pdf_pages: tuple[int, ...] = ()


@dataclass(frozen=True)
class Document:
    """The text of a file, or of a record of a data set, in sections.

    Attributes:
        name: Used in labels: the file's name, ``stdin``, or a record's id.
        sections: In reading order; one or more, with one or more words in all. In a data set, single documents of a
            cluster and single sections may have none: they count where a fixed number of pages is formed.
        title: As printed; empty if unknown.
        source: The path as the user gave it.
        left_out: Text of the file that is not part of the sections, with the reason.
        skipped: Indexes of sections that are not read, though offsets count them.
        listed: Indexes of sections whose headings a contents page or the navigation of the file lists.
        given: The whole document exactly as a data set gives it, white space included; None if its sections say it all.
        given_sentences: Its sentences without the names of its sections, where a data set gives both (arXiv, PubMed):
            what spatial locality reads.
        page_labels: The numbers printed on the PDF pages, in order; empty if they are not known.
        origin: Outlet (or sender) and date, as far as the file gives them: ``The Herald, 3 January 2024``.
        line_starts: The offsets in :attr:`text` at which the lines of the file begin; empty if they are not known.
    """

    name: str
    sections: tuple[Section, ...]
    title: str = ""
    source: str = ""
    left_out: tuple[LeftOut, ...] = ()
    skipped: frozenset[int] = frozenset()
    listed: frozenset[int] = frozenset()
    given: str | None = None
    given_sentences: tuple[str, ...] = ()
    page_labels: tuple[str, ...] = ()
    origin: str = ""
    line_starts: tuple[int, ...] = ()

    @cached_property
    def text(self) -> str:
        """Headings and paragraphs in order, a blank line between two. Sentences' offsets count in it."""
        return GAP.join(part for section in self.sections for part in section.parts)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset in :attr:`text` at which each section starts."""
        starts, offset = [], 0
        for section in self.sections:
            starts.append(offset)
            offset += sum(len(part) + len(GAP) for part in section.parts)
        return tuple(starts)

    @property
    def read_sections(self) -> tuple[tuple[Section, int], ...]:
        """The sections that are read, each with its offset in :attr:`text`."""
        both = zip(self.sections, self.starts, strict=True)
        return tuple(one for number, one in enumerate(both) if number not in self.skipped)

    def lines_of(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and the last line of a part of :attr:`text`; None if they are not known."""
        lines = self.line_starts
        return (bisect_right(lines, start), bisect_left(lines, end)) if lines else None

    @property
    def labels(self) -> dict[int, str]:
        """The number printed on each PDF page; empty if they are not known."""
        return dict(enumerate(self.page_labels, start=1))

    def labels_of(self, pdf_pages: Iterable[int]) -> tuple[str, ...]:
        """The numbers printed on PDF pages; empty if they are not known."""
        return tuple(self.page_labels[page - 1] for page in pdf_pages if page <= len(self.page_labels))

    @property
    def has_words(self) -> bool:
        """Whether any section has text."""
        return any(section.paragraphs for section in self.sections)

    @property
    def has_headings(self) -> bool:
        """Whether any section has a heading."""
        return any(section.heading for section in self.sections)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document.

    Attributes:
        text: The sentence, ``document.text[start:end]``.
        pdf_pages: Its PDF pages.
        heading: The heading of its section.
        start, end: Offsets in the document's text; -1 for a text that is not from a document.
        is_heading: Whether it is that heading itself.
    """

    text: str
    pdf_pages: tuple[int, ...] = ()
    heading: str = ""
    start: int = -1
    end: int = -1
    is_heading: bool = False


def words(document: Document) -> Iterator[str]:
    """Every word of the document's headings and text, in order."""
    for section in document.sections:
        yield from section.heading.split()
        for paragraph in section.paragraphs:
            yield from paragraph.text.split()
