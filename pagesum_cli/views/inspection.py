"""Views around the heat map: what made the summary, the paper's two observations, and the parts."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from ..summary.page_confidences import locality_figures, page_figures, steps_of, trimmed
from ..summary.summary import Summary
from .plain import one_line
from .rows import folded, part_lines, rows_of, shortened
from .tables import columns, counted, literal, page_range
from .text import TEXT_WIDTH, title_view

TABLE_ROWS = 12
"""Maximum number of rows of the table of parts."""
LABEL_WIDTH = 40
"""Maximum width of a label in it."""


def head_view(summary: Summary, *, text: bool) -> RenderableType:
    """Title, the summary's text if asked for, and the model and locality."""
    made_of = counted(len(summary.pages), summary.made_of)
    made = ", ".join([summary.model, *([] if summary.chapters else [f"{summary.locality} locality"]), made_of])
    body: list[RenderableType] = [Constrain(literal(summary.text), TEXT_WIDTH), Text()] if text else []
    return Group(title_view(summary.title), *body, literal(made, "dim"))


def figures_view(summary: Summary) -> RenderableType:
    """The figures for the paper's two observations, by token, or by sentence if there are no tokens."""
    figures = locality_figures(steps_of(summary, "token"))
    unit = "token" if summary.tokens else "sentence"
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(
        "space locality",
        f"entropy {figures.entropy:.2f} of the confidences at a {unit} (0: one {summary.made_of}, 1: all alike); "
        f"the strongest {summary.made_of} has {100 * figures.largest:.0f}%",
    )
    if figures.change is not None and figures.change_shuffled is not None:
        table.add_row(
            "time locality",
            f"{100 * figures.change:.0f}% of the weight moves to other {summary.made_of}s from one {unit} to the next "
            f"({100 * figures.change_shuffled:.0f}% if shuffled)",
        )
    return table


def parts_table(summary: Summary, max_rows: int | None) -> RenderableType:
    """Each section's share, highest confidence and where it occurs, and the sentences and words it leads.

    Args:
        summary: A summary of at least one word.
        max_rows: Maximum number of rows, 3 or more, the last for the small sections; None for a row for each part.
    """
    table = columns(header=True)
    table.add_column(summary.made_of, overflow="fold")
    is_pdf = any(page.pdf_pages for page in summary.pages)
    if is_pdf:
        table.add_column("page", no_wrap=True)
    for name in ("share", "peak"):
        table.add_column(name, justify="right", no_wrap=True)
    if summary.tokens:
        table.add_column("at", overflow="ellipsis", no_wrap=True, max_width=16)
    table.add_column("sentences", overflow="fold")
    table.add_column("words", justify="right", no_wrap=True)
    figures = page_figures(summary)
    steps = steps_of(summary, "word")
    lines = part_lines(summary) if max_rows is None else folded(summary, steps_of(summary, "sentence"), max_rows)
    for line in rows_of(lines, steps):
        pages = [figures[place] for place in line.pages]
        peak = max(line.values)
        table.add_row(
            literal(shortened(one_line(line.label), LABEL_WIDTH)),
            *(["" if line.is_rest else literal(_pdf_pages(summary, line.pages))] if is_pdf else []),
            f"{100 * line.share:.1f}%",
            f"{100 * peak:.0f}%",
            *([literal(trimmed(steps[line.values.index(peak)].text))] if summary.tokens else []),
            page_range(sorted(number + 1 for one in pages for number in one.sentences)) or "–",
            str(sum(one.words for one in pages)),
            style="dim" if line.is_rest else "",
        )
    return table


def _pdf_pages(summary: Summary, line: Sequence[int]) -> str:
    """``3``, ``3–7``; empty for several files."""
    if len({summary.pages[place].source for place in line}) > 1:
        return ""
    numbers = [number for place in line for number in summary.pages[place].pdf_pages]
    return page_range(range(min(numbers), max(numbers) + 1)) if numbers else ""
