"""What stands under the heat map: the figures behind the paper's observations, and the pages."""

import math
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from ..provenance import locality_figures, page_figures, page_name, page_range, steps_of
from ..summary import Summary
from .heatmap import folded, together
from .tables import columns, counted, literal
from .text import TEXT_WIDTH, title_view


def head_view(summary: Summary, *, text: bool) -> RenderableType:
    """Title, the summary's text where that is wanted, and what made it."""
    made = f"{summary.model}, {summary.locality} locality, {counted(len(summary.pages), 'page')}"
    body = [Constrain(literal(summary.text), TEXT_WIDTH), Text()] if text else []
    return Group(title_view(summary.title), *body, literal(made, "dim"))


def figures_view(summary: Summary) -> RenderableType:
    """The figures behind the paper's two observations, token by token."""
    figures = locality_figures(steps_of(summary, "token"))
    unit = "token" if summary.tokens else "sentence"
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(
        "space locality",
        f"{figures.pages_for_80:.1f} of {figures.pages} pages hold 80% of the weight at a {unit}; "
        f"entropy {figures.entropy:.2f} of at most {math.log2(figures.pages):.2f} bits",
    )
    table.add_row(
        "time locality",
        f"the strongest page stays from one {unit} to the next in {100 * figures.stays:.0f}% of the steps "
        f"({100 * figures.stays_shuffled:.0f}% if shuffled); "
        f"mean run {figures.run:.1f} {unit}s ({figures.run_shuffled:.1f} if shuffled)",
    )
    return table


def page_table(summary: Summary, most: int) -> RenderableType:
    """What each page did: its share, its greatest confidence and where, the sentences and words that it led.

    Args:
        summary: of at least one word.
        most: lines at most, 3 or more; where there are more pages, neighbours with small shares have one together.
    """
    table = columns(header=True)
    table.add_column("page", overflow="fold", ratio=3)
    placed = any(page.pdf_pages for page in summary.pages)
    if placed:
        table.add_column("PDF", no_wrap=True)
    for name in ("share", "peak"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("at", overflow="ellipsis", no_wrap=True, max_width=16)
    table.add_column("leads", overflow="fold", ratio=1)
    table.add_column("words", justify="right", no_wrap=True)
    figures = page_figures(summary)
    for line in folded([one.share for one in figures], most):
        pages = [figures[place] for place in line]
        best = max(pages, key=lambda one: one.peak)
        led = sorted(number + 1 for one in pages for number in one.sentences)
        several = len(line) > 1
        name = Text(together(line)) if several else literal(page_name(summary, line[0], pdf_pages=False))
        table.add_row(
            name,
            *([literal(_pdf_pages(summary, line))] if placed else []),
            f"{100 * math.fsum(one.share for one in pages):.1f}%",
            f"{100 * best.peak:.0f}%",
            literal(best.peak_word),
            page_range(led) or "–",
            str(sum(one.words for one in pages)),
            style="dim" if several else "",
        )
    return table


def _pdf_pages(summary: Summary, line: Sequence[int]) -> str:
    """Of one document: ``3``, ``3–7``."""
    if len({summary.pages[place].source for place in line}) > 1:
        return ""
    places = [number for place in line for number in summary.pages[place].pdf_pages]
    return page_range(range(min(places), max(places) + 1)) if places else ""
