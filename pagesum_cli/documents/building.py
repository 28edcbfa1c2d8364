"""What the readers share: sections with words → a Document."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import PagesumError
from ..text.cleaning import one_line
from .document import Document, LeftOut, Paragraph, Section

BEGINNING = 100
"""Characters of a text left out that are kept."""


class SectionBuilder:
    """Collects paragraphs under headings."""

    def __init__(self) -> None:
        self._done: list[Section] = []
        self._paragraphs: list[Paragraph] = []
        self._heading, self._level, self._found_by = "", 1, "fallback"

    def heading(self, text: str, level: int, found_by: str = "outline") -> None:
        """Begin a section."""
        self.sections()
        self._heading = one_line(text)
        self._level, self._found_by = level, found_by if self._heading else "fallback"

    def paragraph(self, text: str) -> None:
        """Add a paragraph to the section, unless it has no words."""
        if line := one_line(text):
            self._paragraphs.append(Paragraph(line))

    def add(self, paragraphs: Iterable[Paragraph]) -> None:
        """Add paragraphs to the section."""
        self._paragraphs += paragraphs

    def sections(self) -> list[Section]:
        """End the section; all sections so far, without those that have neither heading nor paragraphs."""
        if self._heading or self._paragraphs:
            self._done.append(Section(self._heading, tuple(self._paragraphs), self._level, self._found_by))
        self._heading, self._level, self._found_by, self._paragraphs = "", 1, "fallback", []
        return self._done


def document(
    name: str, sections: Iterable[Section], *, title: str = "", source: str = "", left_out: Iterable[LeftOut] = ()
) -> Document:
    """A document of the sections that have words.

    Raises:
        PagesumError: None has any.
    """
    kept = tuple(section for section in sections if section.paragraphs or section.heading)
    if not any(paragraph.text for section in kept for paragraph in section.paragraphs):
        raise PagesumError(f"{source or name}: expected text, found none", "give a file that has words in it")
    return Document(name, kept, title=title, source=source, left_out=tuple(left_out))


def left_out(reason: str, texts: Iterable[str], pdf_pages: Iterable[int] = ()) -> LeftOut:
    """Texts that are not part of the document, as one; the beginning of the different ones is kept."""
    texts = list(texts)
    beginning = one_line(" ".join(dict.fromkeys(texts))[: 2 * BEGINNING])
    shown = beginning if len(beginning) <= BEGINNING else beginning[: BEGINNING - 1].rstrip() + "…"
    return LeftOut(reason, shown, sum(len(text.split()) for text in texts), tuple(sorted(set(pdf_pages))))


def without_title(sections: Sequence[Section]) -> tuple[str, list[Section]]:
    """The title and the other sections: a first heading that is the only one of its level is the title."""
    headed = [section for section in sections if section.heading]
    if not headed:
        return "", list(sections)
    first = headed[0]
    top = min(section.level for section in headed)
    if len(headed) < 2 or first.level != top or sum(section.level == top for section in headed) > 1:
        return "", list(sections)
    if any(section.paragraphs for section in sections[: sections.index(first)]):
        return "", list(sections)
    raised = max(min(section.level for section in headed[1:]) - 1, 0)
    return first.heading, [
        Section("", section.paragraphs)
        if section is first
        else replace(section, level=section.level - raised if section.heading else 1)
        for section in sections
    ]
