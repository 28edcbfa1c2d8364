"""The rows of a picture of page confidences: one for each part, or for each section and one for the small ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from operator import mul

from rich.cells import cell_len, set_cell_size

from ..summary.page_confidences import Step, leader
from ..summary.summary import Summary
from .citation import page_label, part_suffix, without_part

SMALL_SHARE, SMALL_PEAK = 0.02, 0.05
"""Without a quote, a section below both (its mean confidence, its highest) has no row of its own."""


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


def shortened(text: str, width: int) -> str:
    """A label cut to a width; the ``(2/3)`` at its end stays."""
    if cell_len(text) <= width:
        return text
    part = part_suffix(text)
    kept = part if cell_len(part) < width // 2 else ""
    head = text[: len(text) - len(kept)]
    return set_cell_size(head, width - cell_len(kept) - 1).rstrip() + "…" + kept
