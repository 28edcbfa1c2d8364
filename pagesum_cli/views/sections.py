"""Each section's share of a summary: one row for all its parts, and one for the sections with small shares."""

from dataclasses import dataclass
from itertools import groupby

from ..summary.summary import Summary, SummaryPage
from .citation import without_part

ROWS = 16
"""Maximum number of rows."""
CHAPTERS = 40
"""Maximum number of chapters of which each has a row: readers know them by name."""
SMALL = 0.02
"""Sections with a smaller share are put together."""


@dataclass(frozen=True)
class SectionRow:
    """The parts of a section, of neighboring sections, or the rest of the parts.

    Attributes:
        pages: The parts.
        is_rest: Whether they are what is left besides the other rows.
        made_of: What they are: parts, or a book's chapters.
    """

    pages: tuple[SummaryPage, ...]
    is_rest: bool = False
    made_of: str = "part"

    @property
    def label(self) -> str:
        """``2 Methods``, ``10 parts, sentences 1–40 …``, ``7 further parts``."""
        if self.is_rest:
            return f"{len(self.pages)} further {self.made_of}s"
        first = without_part(self.pages[0].label)
        is_section = all(without_part(page.label) == first for page in self.pages)
        return first if is_section else f"{len(self.pages)} {self.made_of}s, {self.pages[0].label} …"

    @property
    def file(self) -> str:
        """Name of the document, or how many there are."""
        files = list(dict.fromkeys(page.source for page in self.pages))
        return files[0] if len(files) == 1 else f"{len(files)} files"

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The PDF pages; empty for several documents and for the rest."""
        if self.is_rest or len({page.source for page in self.pages}) > 1:
            return ()
        return tuple(number for page in self.pages for number in page.pdf_pages)

    @property
    def share(self) -> float:
        """Their share of the summary, 0–1."""
        return sum(page.confidence for page in self.pages)

    @property
    def truncated(self) -> bool:
        """Whether the end of any of them is left out."""
        return any(page.truncated for page in self.pages)


def section_rows(summary: Summary) -> list[SectionRow]:
    """The parts of each section together, in document order, and a last line for those with small shares."""
    sections = groupby(summary.pages, key=lambda page: (page.source, without_part(page.label)))
    rows = [SectionRow(tuple(pages)) for _, pages in sections]
    if summary.chapters and len(rows) <= CHAPTERS:
        return rows
    large = sorted((row for row in rows if row.share >= SMALL), key=lambda row: -row.share)[: ROWS - 1]
    if len(rows) > ROWS and sum(row.share for row in large) < 0.5:
        # No section stands out: equal bands show more than single parts.
        band = -(-len(rows) // ROWS)
        bands = [rows[start : start + band] for start in range(0, len(rows), band)]
        return [
            SectionRow(tuple(page for row in band for page in row.pages), made_of=summary.made_of) for band in bands
        ]
    rest = [row for row in rows if row not in large]
    if len(rest) < 3:
        return rows
    return [
        *(row for row in rows if row in large),
        SectionRow(tuple(page for row in rest for page in row.pages), True, summary.made_of),
    ]
