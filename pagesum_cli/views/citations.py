"""Citations in a running text: short, and one for neighboring sentences from the same place."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from ..locality.flow import short_label
from ..summary.summary import Summary, SummarySentence
from .citation import is_named_by, narrowed, section_of, several_files
from .plain import one_line
from .rows import without_part
from .tables import pdf_range

SECTION_LENGTH = 48
"""Maximum length of a section's name in a citation; longer ones are cut after a word."""

_PDF_PAGES = re.compile(r"p\. \d+(–\d+)?")


@dataclass(frozen=True)
class Place:
    """Where a sentence comes from.

    Attributes:
        file: Name of the document; empty if the summary is about a single one.
        pdf_pages: The PDF pages.
        section: The heading, or what the part is called; of a book, one within the chapter.
        chapter: Of a book, the chapter's title.
    """

    file: str
    pdf_pages: tuple[int, ...]
    section: str
    chapter: str = ""

    @property
    def text(self) -> str:
        """``a.pdf, p. 5, 3 Results``; of a book ``p. 47, Chapter 3, The storm``."""
        names = (short_label(one_line(name), SECTION_LENGTH) for name in (self.chapter, self.section))
        return ", ".join(filter(None, (one_line(self.file), pdf_range(self.pdf_pages), *names)))


def citations(summary: Summary, *, merged: bool = True) -> list[str | None]:
    """The citation after each sentence: ``[p. 1, Abstract]``, ``[p. 5, 3 Results]``, ``[p. 6]``, ``[boston.txt]``.

    A section that was just named is not named again if there is a PDF page to name, and a chapter not if there is a
    section.

    Args:
        summary: The summary.
        merged: Whether neighbors from the same place share one, after the last of them.

    Returns:
        One for each sentence; None if the next sentence shares it.
    """
    places: list[Place | None] = [cited_place(summary, sentence) for sentence in summary.sentences]
    texts: list[str | None] = []
    before: Place | None = None
    for place, following in pairwise([*places, None]):
        if place is None or (merged and place == following):
            texts.append(None)
            continue
        names = (place.file, place.chapter, place.section)
        shown = place
        if before is not None and (before.file, before.chapter, before.section) == names and place.pdf_pages:
            shown = replace(place, chapter="", section="")
        elif before is not None and (before.file, before.chapter) == names[:2] and place.section:
            shown = replace(place, chapter="")
        texts.append(f"[{shown.text}]")
        before = place
    return texts


def cited_place(summary: Summary, sentence: SummarySentence) -> Place:
    """Where a quoted sentence stands; for a generated one, its strongest page."""
    if sentence.source:
        page = summary.pages[sentence.source.page]
        section, pdf_pages = section_of(summary, sentence.source), sentence.source.pdf_pages
    else:
        page = narrowed(sentence, summary.pages[sentence.pages[0].page])
        section, pdf_pages = page.label, page.pdf_pages
    if summary.chapters:
        chapter = page.label if page.label != page.source else ""
        section = "" if section == page.source or is_named_by(page, section) else section
        is_unclear = several_files(summary) or not (pdf_pages or chapter)
        return Place(page.source if is_unclear else "", pdf_pages, section, chapter)
    section = without_part(section).removeprefix(f"{page.source}: ").removeprefix(f"{page.source}, ")
    if section == page.source or (pdf_pages and _PDF_PAGES.fullmatch(section)):
        section = ""
    is_unclear = several_files(summary) or not (pdf_pages or section)
    return Place(page.source if is_unclear else "", pdf_pages, section)
