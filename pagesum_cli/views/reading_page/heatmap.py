"""The heat map of page confidences (the paper's Figure 3) as SVG, with what each cell shows as its tooltip."""

from collections.abc import Iterator, Sequence

from ...summary.page_confidences import Step, locality_figures, steps_of
from ...summary.summary import Summary
from ..html import safe
from ..paint import color, scale_of
from ..rows import Row, folded, rows_of, shortened, without_zeros

ROWS = 60
"""Maximum number of rows; with more parts there is a row for each section."""
CELLS = 6000
"""Maximum number of cells by word; a larger map is drawn by sentence."""
LABEL, ROW, MAP = 200, 16, 600
"""Width of the labels, height of a row and width of the map, in the picture's own units."""


def heat_map(summary: Summary) -> str:
    """The map, collapsed; nothing for a summary of a single part or without a sentence."""
    if len(summary.pages) < 2 or not summary.sentences:
        return ""
    steps = steps_of(summary, "word")
    lines = without_zeros(summary, steps)
    lines = lines if len(lines) <= ROWS else folded(summary, steps, ROWS)
    if len(steps) * len(lines) > CELLS:
        steps = steps_of(summary, "sentence")
    rows = rows_of(lines, steps)
    height = ROW * len(rows)
    return (
        '<details class="map"><summary>Heat map</summary>'
        f'<svg viewBox="0 0 {LABEL + MAP} {height}" role="img" aria-label="Confidence of each {summary.made_of} at '
        f'each step of the summary">{"".join(_cells(rows, steps))}</svg>'
        f"<p>{_figures(summary)}</p></details>"
    )


def _cells(rows: Sequence[Row], steps: Sequence[Step]) -> Iterator[str]:
    width = MAP / len(steps)
    top = scale_of(steps)
    for number, row in enumerate(rows):
        y = ROW * number
        label = f"{shortened(row.label, 30)} {100 * row.share:.0f} %"
        yield f'<text x="{LABEL - 6}" y="{y + 12}" text-anchor="end">{safe(label)}</text>'
        for place, (value, step) in enumerate(zip(row.values, steps, strict=True)):
            red, green, blue = color(value / top)
            yield (
                f'<rect x="{LABEL + place * width:.2f}" y="{y}" width="{width + 0.1:.2f}" height="{ROW}" '
                f'fill="#{red:02x}{green:02x}{blue:02x}"><title>{100 * value:.0f} % {safe(row.label)} · '
                f"{safe(shortened(step.text, 80))}</title></rect>"
            )


def _figures(summary: Summary) -> str:
    figures = locality_figures(steps_of(summary, "token"))
    text = (
        f"The strongest {summary.made_of} has {100 * figures.largest:.0f} % of the weight at a step; "
        f"entropy {figures.entropy:.2f}."
    )
    if figures.change is None or figures.change_shuffled is None:
        return text
    return (
        f"{text} {100 * figures.change:.0f} % of the weight moves to other {summary.made_of}s from step to step "
        f"({100 * figures.change_shuffled:.0f} % if shuffled)."
    )
