"""Summary → the terminal."""

import re
from dataclasses import dataclass
from itertools import groupby

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from ..summary import Summary, SummaryPage
from .citation import citation, several_sources
from .plain import one_line
from .tables import Bar, columns, counted, literal, pdf_range, percents

TEXT_WIDTH = 96
"""Columns of running text at most: longer lines are hard to read."""

BAR_WIDTH = 24
ROWS = 16
"""Pages above which those of a section are drawn together, and, if they are still more, the smallest neighbours."""

_PART = re.compile(r" \(\d+/\d+\)$")


def text_view(summary: Summary, *, cite: bool = False) -> RenderableType:
    """Title, summary, and one line a page with its share.

    Args:
        summary: what to draw.
        cite: name each sentence's strongest pages behind it.
    """
    return Group(title_view(summary.title), _running_text(summary, cite), pages_view(summary))


def title_view(title: str) -> RenderableType:
    """The title and a blank line; nothing where there is no title."""
    return Group(literal(title, "bold"), Text()) if one_line(title) else Group()


def pages_view(summary: Summary) -> RenderableType:
    """One line a page with its share of the summary as a bar, small neighbours together where there are many."""
    rows = _rows(summary)
    greatest = max(row.share for row in rows)  # above 0: shares sum to 1
    shares = percents([row.share for row in rows])
    sources = [row.source if one_line(row.source) not in one_line(row.label) else "" for row in rows]
    places = [pdf_range(row.pdf_pages) for row in rows]
    table = columns()
    table.add_column(overflow="ellipsis", no_wrap=True, min_width=12, max_width=48)
    if several_sources(summary) and any(sources):
        table.add_column(style="dim", overflow="ellipsis", no_wrap=True, min_width=8, max_width=24)
    else:
        sources = []
    for cells in (places, shares):
        if any(cells):
            table.add_column(justify="right", no_wrap=True, min_width=max(map(len, cells)), style="dim")
    table.add_column(no_wrap=True)
    for i, row in enumerate(rows):
        label = literal(row.label, "dim" if row.small else "")
        if row.truncated:
            label.append(" (truncated)", style="yellow")
        drawn = Bar(row.share / greatest, BAR_WIDTH, "dim cyan" if row.small else "cyan")
        table.add_row(
            label,
            *([literal(sources[i])] if sources else []),
            *([Text(places[i])] if any(places) else []),
            Text(shares[i], style="not dim"),
            drawn,
        )
    return Group(Text(), Text(f"{counted(len(summary.pages), 'page')}, {summary.locality}", style="dim"), table)


@dataclass(frozen=True)
class _Row:
    """A line of the table: a page, or small pages in a row taken together."""

    pages: tuple[SummaryPage, ...]

    @property
    def small(self) -> bool:
        """Whether these are pages of several sections."""
        return len({_PART.sub("", page.label) for page in self.pages}) > 1

    @property
    def label(self) -> str:
        if len(self.pages) == 1:
            return self.pages[0].label
        return (
            f"{len(self.pages)} pages, {self.pages[0].label} …"
            if self.small
            else f"{_PART.sub('', self.pages[0].label)} (1–{len(self.pages)})"
        )

    @property
    def source(self) -> str:
        sources = list(dict.fromkeys(page.source for page in self.pages))
        return sources[0] if len(sources) == 1 else f"{len(sources)} documents"

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        sources = {page.source for page in self.pages}
        return tuple(number for page in self.pages for number in page.pdf_pages) if len(sources) == 1 else ()

    @property
    def share(self) -> float:
        return sum(page.confidence for page in self.pages)

    @property
    def truncated(self) -> bool:
        return any(page.truncated for page in self.pages)


def _rows(summary: Summary) -> list[_Row]:
    if len(summary.pages) <= ROWS:
        return [_Row((page,)) for page in summary.pages]
    sections = groupby(summary.pages, key=lambda page: (page.source, _PART.sub("", page.label)))
    rows = [_Row(tuple(pages)) for _, pages in sections]
    if len(rows) <= ROWS:
        return rows
    by_share = sorted(range(len(rows)), key=lambda i: -rows[i].share)
    large = set(by_share[: ROWS * 3 // 4])
    if sum(rows[i].share for i in large) < 0.5:  # none stands out: equal bands show more than single pages
        band = -(-len(rows) // ROWS)
        bands = [rows[start : start + band] for start in range(0, len(rows), band)]
        return [_Row(tuple(page for row in band for page in row.pages)) for band in bands]
    together = groupby(enumerate(rows), key=lambda pair: pair[0] if pair[0] in large else -1)
    return [_Row(tuple(page for _, row in pairs for page in row.pages)) for _, pairs in together]


def _running_text(summary: Summary, cite: bool) -> RenderableType:
    text = Text()
    for number, sentence in enumerate(summary.sentences):
        text.append(" " if number else "").append(one_line(sentence.text))
        if cite:
            text.append(f" {citation(summary, sentence)}", style="cyan")
    return Constrain(text, TEXT_WIDTH)
