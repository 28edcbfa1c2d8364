"""What stands under the heat map: figures, pages and evidence."""

import math
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..provenance import locality_figures, page_figures, page_name, page_range, steps_of
from ..summary import SourceSentence, Summary
from .plain import one_line

NOT_SUPPORTED = "no sentence of the document says this"


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


def page_table(summary: Summary) -> RenderableType:
    """What each page did: its share, its greatest confidence and where, the sentences and words that it led."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("page", overflow="fold", ratio=3)
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column("peak", justify="right", no_wrap=True)
    table.add_column("at", overflow="ellipsis", no_wrap=True, max_width=16)
    table.add_column("leads sentences", overflow="fold", ratio=1)
    table.add_column("words", justify="right", no_wrap=True)
    labels = [one_line(page_name(summary, place)) for place in range(len(summary.pages))]
    for label, figures in zip(labels, page_figures(summary), strict=True):
        led = page_range([place + 1 for place in figures.sentences]) or "–"
        table.add_row(
            Text(label),
            f"{100 * figures.share:.1f}%",
            f"{100 * figures.peak:.0f}%",
            Text(one_line(figures.peak_word)),
            led,
            str(figures.words),
        )
    return table


def evidence_view(summary: Summary) -> RenderableType:
    """Each sentence of the summary and, beside it, what the document says."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, show_lines=True, expand=True)
    table.add_column("summary", ratio=2, overflow="fold")
    table.add_column("what supports it", ratio=3, overflow="fold")
    for number, sentence in enumerate(summary.sentences, start=1):
        parts: list[RenderableType] = []
        strongest = sentence.pages[0]
        where = f"{one_line(page_name(summary, strongest.page))} ({100 * strongest.confidence:.0f}%)"
        if not sentence.supported:
            parts.append(Text(f"✗ {NOT_SUPPORTED}", "bold red"))
        parts += [Padding(_said(summary, one, strongest.page), (0, 0, 0, 0)) for one in sentence.evidence or ()]
        said = Text.assemble((f"{number} ", "dim"), one_line(sentence.text), (f"\n{where}", "dim"))
        table.add_row(said, Group(*parts))
    return table


def _said(summary: Summary, source: SourceSentence, strongest: int) -> Text:
    """A source sentence with where it stands and how much it covers."""
    where = one_line(summary.pages[source.page].label)
    if source.pdf_pages:
        where += f", p. {page_range(source.pdf_pages)}"
    if source.page != strongest:
        where += ", not the strongest page"
    return Text.assemble(one_line(source.text), (f"  [{where}; {100 * source.support:.0f}% covered]", "dim"))


def marks(summary: Summary) -> Iterator[str]:
    """``sentences`` that nothing supports, as one note each for terminals."""
    for number, sentence in enumerate(summary.sentences, start=1):
        if sentence.supported is False:
            yield f"sentence {number}: {NOT_SUPPORTED}"


__all__: Sequence[str] = ("evidence_view", "figures_view", "page_table")
