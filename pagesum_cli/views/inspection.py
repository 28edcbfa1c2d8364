"""What stands under the heat map: the figures behind the paper's observations, and the pages."""

import math
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from ..provenance import locality_figures, page_figures, page_name, page_range, steps_of
from ..summary import Summary
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
        most: lines at most; the pages with the smallest shares share the last one.
    """
    table = columns(header=True)
    table.add_column("page", overflow="fold", ratio=3)
    for name in ("share", "peak"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("at", overflow="ellipsis", no_wrap=True, max_width=16)
    table.add_column("leads sentences", overflow="fold", ratio=1)
    table.add_column("words", justify="right", no_wrap=True)
    figures = page_figures(summary)
    ranked = sorted(figures, key=lambda one: -one.share)
    kept = {one.page for one in (ranked if len(ranked) <= most else ranked[: most - 1])}
    rest = [one for one in figures if one.page not in kept]
    for place, one in enumerate(figures):
        if one.page in kept:
            name = literal(page_name(summary, place))
            _add(table, name, one.share, one.peak, one.peak_word, one.sentences, one.words)
    if rest:
        led = tuple(sorted(place for one in rest for place in one.sentences))
        share, peak = math.fsum(one.share for one in rest), max(one.peak for one in rest)
        _add(table, Text(f"… {len(rest)} more pages", "dim"), share, peak, "", led, sum(one.words for one in rest))
    return table


def _add(
    table: Table, name: Text, share: float, peak: float, peak_word: str, sentences: Sequence[int], words: int
) -> None:
    led = page_range([place + 1 for place in sentences]) or "–"
    table.add_row(name, f"{100 * share:.1f}%", f"{100 * peak:.0f}%", literal(peak_word), led, str(words))
