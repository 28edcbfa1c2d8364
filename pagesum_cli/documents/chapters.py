"""The chapters of a document."""

from dataclasses import dataclass, replace

from .document import Document, LeftOut

FOUND_BY = ("outline", "contents", "headings", "fallback")
"""How chapters are found: by navigation or markup, by a printed contents page, by their headings, or not at all."""


@dataclass(frozen=True)
class Chapter:
    """A chapter of a book.

    Attributes:
        title: As printed (``Chapter 3: The Storm``); ``part 3 of 7`` where no chapters were found.
        document: The whole book, all sections of other chapters in ``skipped``: offsets stay those of the book.
    """

    title: str
    document: Document

    @property
    def words(self) -> int:
        """Number of words of its headings and text."""
        return sum(len(part.split()) for section, _ in self.document.read_sections for part in section.parts)

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """Its PDF pages, in order."""
        sections = (section for section, _ in self.document.read_sections)
        return tuple(dict.fromkeys(page for section in sections for page in section.pdf_pages))


@dataclass(frozen=True)
class Chapters:
    """The chapters of a document.

    Attributes:
        chapters: In reading order, at least one.
        found_by: ``outline`` (the outline of a PDF, the navigation of an EPUB, markup), ``contents`` (a printed
            contents page), ``headings``, or ``fallback``.
        left_out: What is in no chapter: title page, copyright page, index …
    """

    chapters: tuple[Chapter, ...]
    found_by: str
    left_out: tuple[LeftOut, ...] = ()


def chapters_of(document: Document) -> Chapters:
    """The chapters of a document: the sections of the highest level that has two or more.

    Every section is in one chapter or in ``left_out``.
    """
    levels = [section.level for section in document.sections if section.heading]
    level = next((one for one in sorted(set(levels)) if sum(other <= one for other in levels) > 1), 0)
    starts = [n for n, one in enumerate(document.sections) if one.heading and one.level <= level]
    if not starts:
        return Chapters((Chapter(document.title or document.name, document),), "fallback")
    starts[0] = 0
    everything = frozenset(range(len(document.sections)))
    chapters = [
        Chapter(
            next(one.heading for one in document.sections[start:end] if one.heading),
            replace(document, skipped=everything - frozenset(range(start, end))),
        )
        for start, end in zip(starts, [*starts[1:], len(document.sections)], strict=True)
    ]
    found_by = "outline" if document.sections[starts[-1]].found_by == "outline" else "headings"
    return Chapters(tuple(chapters), found_by)
