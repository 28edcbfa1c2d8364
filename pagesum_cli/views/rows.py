"""The rows of a picture of page confidences: one for each part, or for each section and one for the small ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from operator import mul

from rich.cells import cell_len, set_cell_size

from ..summary.page_confidences import Step, leader
from ..summary.summary import Summary, SummaryPage
from .citation import page_label, part_suffix, without_part

SMALL_SHARE, SMALL_PEAK = 0.02, 0.05
"""Without a quote, a section below both (its mean confidence, its highest) has no row of its own."""

SECTION_ROWS = 16
"""Maximum number of rows."""
CHAPTERS = 40
"""Maximum number of chapters of which each has a row: readers know them by name."""
SMALL = 0.02
"""Sections with a smaller share are put together."""


@dataclass(frozen=True)
class Line:
    """Pages that share a row.

    Attributes:
        label: Name of the row.
        pages: The pages.
        is_rest: Whether they are those that have no row of their own.
    """

    label: str
    pages: tuple[int, ...]
    is_rest: bool = False


@dataclass(frozen=True)
class Row(Line):
    """A line with its confidences.

    Attributes:
        values: The pages' summed confidences at each step, ``T``.
        share: Mean over the steps' tokens.
    """

    values: tuple[float, ...] = ()
    share: float = 0.0


def part_lines(summary: Summary) -> list[Line]:
    """A line for each part."""
    return [Line(page_label(summary, page), (page.page,)) for page in summary.pages]


def section_lines(summary: Summary) -> list[Line]:
    """A line for each section, with all its parts."""
    sections = groupby(summary.pages, key=lambda page: (page.source, without_part(page.label)))
    groups = [tuple(pages) for _, pages in sections]
    return [Line(without_part(page_label(summary, pages[0])), tuple(page.page for page in pages)) for pages in groups]


def folded(summary: Summary, steps: Sequence[Step], max_lines: int) -> list[Line]:
    """Lines for the sections that are quoted or competed most, in document order, and one for all others.

    Args:
        summary: The summary.
        steps: At least one of its steps.
        max_lines: Maximum number of lines, 3 or more.
    """
    lines = section_lines(summary)
    rows = rows_of(lines, steps)
    quoted = {sentence.source.page for sentence in summary.sentences if sentence.source}

    def is_large(place: int) -> bool:
        row = rows[place]
        return bool(quoted & set(row.pages)) or row.share >= SMALL_SHARE or max(row.values) >= SMALL_PEAK

    ranked = sorted(range(len(rows)), key=lambda place: (not quoted & set(rows[place].pages), -max(rows[place].values)))
    kept = list(filter(is_large, ranked[: max_lines - 1])) or ranked[: max_lines - 1]
    return _with_rest(lines, [lines[place] for place in sorted(kept)], summary.made_of)


def without_zeros(summary: Summary, steps: Sequence[Step]) -> list[Line]:
    """A line for each part with a share of at least 0.5 % or that is quoted or competed; and one for all others."""
    lines = part_lines(summary)
    quoted = {sentence.source.page for sentence in summary.sentences if sentence.source}
    kept = [
        line
        for line, row in zip(lines, rows_of(lines, steps), strict=True)
        if quoted & {*line.pages} or row.share >= 0.005 or max(row.values) >= SMALL_PEAK
    ]
    return _with_rest(lines, kept, summary.made_of)


def _with_rest(lines: list[Line], kept: list[Line], made_of: str) -> list[Line]:
    """The kept lines and one for all others, or all lines if only one would be left out."""
    if len(lines) - len(kept) < 2:
        return lines
    taken = {page for line in kept for page in line.pages}
    rest = tuple(page for line in lines for page in line.pages if page not in taken)
    return [*kept, Line(f"{len(rest)} further {made_of}s", rest, is_rest=True)]


def strongest(summary: Summary, steps: Sequence[Step], max_lines: int) -> list[Line]:
    """A line for each section that has an even share of the steps or is the strongest at one; in document order."""
    lines = section_lines(summary)
    rows = rows_of(lines, steps)
    leaders = {leader(column) for column in zip(*(row.values for row in rows), strict=True)}
    ranked = sorted(range(len(lines)), key=lambda place: -rows[place].share)
    kept = [place for place in ranked if rows[place].share >= 1 / len(lines) or place in leaders]
    return [lines[place] for place in sorted(kept[:max_lines])]


def shares_of(steps: Sequence[Step]) -> list[float]:
    """Each page's mean confidence over the tokens of at least one step."""
    weights = [step.tokens for step in steps]
    columns = zip(*(step.confidences for step in steps), strict=True)
    return [fsum(map(mul, weights, column)) / sum(weights) for column in columns]


def rows_of(lines: Sequence[Line], steps: Sequence[Step]) -> list[Row]:
    """A row for each line.

    Args:
        lines: The pages of each row.
        steps: At least one step.
    """
    columns = list(zip(*(step.confidences for step in steps), strict=True))
    shares = shares_of(steps)
    return [
        Row(
            line.label,
            line.pages,
            line.is_rest,
            tuple(fsum(column) for column in zip(*(columns[page] for page in line.pages), strict=True)),
            fsum(shares[page] for page in line.pages),
        )
        for line in lines
    ]


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
    large = sorted((row for row in rows if row.share >= SMALL), key=lambda row: -row.share)[: SECTION_ROWS - 1]
    if len(rows) > SECTION_ROWS and sum(row.share for row in large) < 0.5:
        # No section stands out: equal bands show more than single parts.
        band = -(-len(rows) // SECTION_ROWS)
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


def shortened(text: str, width: int) -> str:
    """A label cut to a width; the ``(2/3)`` at its end stays."""
    if cell_len(text) <= width:
        return text
    part = part_suffix(text)
    kept = part if cell_len(part) < width // 2 else ""
    head = text[: len(text) - len(kept)]
    return set_cell_size(head, width - cell_len(kept) - 1).rstrip() + "…" + kept
