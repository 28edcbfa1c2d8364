"""The rows of a picture or table of a summary: one for each part, or for each section and one for
the small ones.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import fsum
from operator import mul

from ..summary.page_confidences import Step, leader
from ..summary.summary import Summary, SummaryPage
from .citation import labels_of, page_label, several_files, without_part
from .tables import pdf_range

SMALL_SHARE, SMALL_PEAK = 0.02, 0.05
"""Without a quote, a section below both (its mean confidence, its highest) has no row of its own in
a picture.
"""

TABLE_ROWS = 16
"""Maximum number of rows of a table of shares; in it, sections below :data:`SMALL_SHARE` are put
together.
"""
CHAPTERS = 40  # maximum number of chapters of which each has a row: readers know them by name


@dataclass(frozen=True)
class Row:
    """Pages that share a row."""

    label: str  # ``2 Methods``, ``7 further parts``; with the file if there are several
    pages: tuple[SummaryPage, ...]  # the pages
    # their share of the summary, 0–1; with ``values``, the mean of these over the steps' tokens
    share: float
    is_rest: bool = False  # whether they are those that have no row of their own
    # the pages' summed confidences at each step, ``T``; see :func:`with_values`
    values: tuple[float, ...] = ()

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The PDF pages; empty for several documents and for the rest."""
        if self.is_rest or len({page.source for page in self.pages}) > 1:
            return ()
        return tuple(number for page in self.pages for number in page.pdf_pages)

    @property
    def place(self) -> str:
        """``p. 3–4``; empty where there are no PDF pages."""
        return pdf_range(self.pdf_pages, labels_of(self.pages))

    @property
    def name(self) -> str:
        """``2 Methods, p. 3–4``."""
        return ", ".join(filter(None, dict.fromkeys((self.label, self.place))))


def part_rows(summary: Summary) -> list[Row]:
    """A row for each part."""
    return [_row(page_label(summary, page), [page]) for page in summary.pages]


def section_rows(summary: Summary) -> list[Row]:
    """A row for each section, with all its parts; for each file where files have paragraphs of
    their own.
    """
    if (
        several_files(summary)
        and not summary.chapters
        and any(one.title for one in summary.paragraphs)
    ):
        return [
            _row(name, pages)
            for name, pages in groupby(summary.pages, key=lambda page: page.source)
        ]
    sections = groupby(summary.pages, key=lambda page: (page.source, without_part(page.label)))
    groups = [list(pages) for _, pages in sections]
    return [_row(without_part(page_label(summary, pages[0])), pages) for pages in groups]


def _row(label: str, pages: Iterable[SummaryPage], *, is_rest: bool = False) -> Row:
    pages = tuple(pages)
    return Row(label, pages, sum(page.confidence for page in pages), is_rest)


def with_values(rows: Sequence[Row], steps: Sequence[Step]) -> list[Row]:
    """The rows with their confidences at each of at least one step."""
    columns = list(zip(*(step.confidences for step in steps), strict=True))
    tokens = [step.tokens for step in steps]
    valued = []
    for row in rows:
        values = tuple(map(fsum, zip(*(columns[page.page] for page in row.pages), strict=True)))
        valued.append(
            replace(row, values=values, share=fsum(map(mul, tokens, values)) / sum(tokens))
        )
    return valued


def folded(summary: Summary, steps: Sequence[Step], most: int) -> list[Row]:
    """At most ``most`` (≥ 3) rows: the sections that are quoted or competed most, in document
    order, and all others.
    """
    rows = with_values(section_rows(summary), steps)
    quoted = {sentence.source.page for sentence in summary.sentences if sentence.source}

    def is_quoted(row: Row) -> bool:
        return any(page.page in quoted for page in row.pages)

    strongest_first = sorted(rows, key=lambda row: (not is_quoted(row), -max(row.values)))[
        : most - 1
    ]
    large = [
        row
        for row in strongest_first
        if is_quoted(row) or row.share >= SMALL_SHARE or max(row.values) >= SMALL_PEAK
    ]
    return with_values(_with_rest(rows, large or strongest_first, summary.made_of, least=2), steps)


def parts_or_folded(summary: Summary, steps: Sequence[Step], most: int) -> list[Row]:
    """A row for each part if there are so few of them, or else as :func:`folded`."""
    if len(summary.pages) <= most:
        return with_values(part_rows(summary), steps)
    return folded(summary, steps, most)


def strongest(summary: Summary, steps: Sequence[Step], most: int) -> list[Row]:
    """A row for each section that has an even share of the steps or is the strongest at one; in
    document order.
    """
    rows = with_values(section_rows(summary), steps)
    leaders = {leader(column) for column in zip(*(row.values for row in rows), strict=True)}
    large = [
        row for number, row in enumerate(rows) if row.share >= 1 / len(rows) or number in leaders
    ]
    largest = sorted(large, key=lambda row: -row.share)[:most]
    return [row for row in large if row in largest]


def table_rows(summary: Summary) -> list[Row]:
    """A row for each section, in document order, and a last one for those with small shares."""
    rows = section_rows(summary)
    if summary.chapters and len(rows) <= CHAPTERS:
        return rows
    strongest_first = sorted(rows, key=lambda row: -row.share)[: TABLE_ROWS - 1]
    large = [row for row in strongest_first if row.share >= SMALL_SHARE]
    if len(rows) > TABLE_ROWS and fsum(row.share for row in large) < 0.5:
        # No section stands out: equal bands show more than single parts.
        size = -(-len(rows) // TABLE_ROWS)
        bands = [
            [page for row in rows[n : n + size] for page in row.pages]
            for n in range(0, len(rows), size)
        ]
        return [
            _row(f"{len(pages)} {summary.made_of}s, {page_label(summary, pages[0])} …", pages)
            for pages in bands
        ]
    return _with_rest(rows, large or strongest_first, summary.made_of, least=3)


def _with_rest(rows: list[Row], large: Sequence[Row], made_of: str, *, least: int) -> list[Row]:
    """The large rows and one for all others, or all rows if there are fewer than ``least``
    others.
    """
    rest = [row for row in rows if row not in large]
    if len(rest) < least:
        return rows
    pages = [page for row in rest for page in row.pages]
    return [
        *(row for row in rows if row in large),
        _row(f"{len(pages)} further {made_of}s", pages, is_rest=True),
    ]
