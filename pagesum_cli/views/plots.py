"""Curves and histograms on the terminal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from .tables import Bar, columns, grid

HEIGHT = 14
WIDTH = 72
"""Maximum width of a curve."""

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a Braille character by row and column."""


@dataclass(frozen=True)
class CurvePlot:
    """A curve over 1, 2, … and a dashed line at its average, in Braille dots."""

    values: Sequence[float]
    average: float
    x: str
    y: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.ascii_only:  # numbers instead of Braille
            rows = [(str(distance), f"{value:.4f}") for distance, value in enumerate(self.values, start=1)]
            yield grid(("distance", "mean"), [*rows, ("all", f"{self.average:.4f}")])
            return
        low, high = min(*self.values, self.average), max(*self.values, self.average)
        margin = (high - low) * 0.05 or 0.01
        low, high = max(low - margin, 0.0) if low >= 0 else low - margin, high + margin

        def row(value: float) -> int:
            return round((high - value) / (high - low) * (HEIGHT * 4 - 1))

        marks = {0: f"{high:.3f}", HEIGHT - 1: f"{low:.3f}", row(self.average) // 4: f"{self.average:.3f}"}
        left = max(map(len, marks.values()))
        width = min(options.max_width - left - 2, WIDTH)
        curve, line = ([[0] * width for _ in range(HEIGHT)] for _ in range(2))
        heights = [row(value) for value in _stretched(self.values, width * 2)]
        for column, (previous, here) in enumerate(zip([heights[0], *heights], heights, strict=False)):
            for dot in range(min(previous, here), max(previous, here) + 1):
                curve[dot // 4][column // 2] |= _DOTS[dot % 4][column % 2]
            if column % 6 < 3:
                dot = row(self.average)
                line[dot // 4][column // 2] |= _DOTS[dot % 4][column % 2]
        yield Text(self.y, "dim")
        for number, (above, below) in enumerate(zip(curve, line, strict=True)):
            drawn = Text(f"{marks.get(number, ''):>{left}} ", "dim", no_wrap=True, overflow="ignore")
            for dots, dashes in zip(above, below, strict=True):
                drawn.append(chr(0x2800 + (dots | dashes)), "cyan" if dots else "yellow")
            yield drawn
        ends = f"1{self.x.center(width - 1 - len(str(len(self.values))))}{len(self.values)}"
        yield Text(" " * (left + 1) + ends, "dim", no_wrap=True, overflow="ignore")


def _stretched(values: Sequence[float], count: int) -> Iterator[float]:
    """A number of values on the lines between the given ones."""
    for number in range(count):
        place = number * (len(values) - 1) / max(count - 1, 1)
        first = min(int(place), len(values) - 1)
        second = min(first + 1, len(values) - 1)
        yield values[first] + (place - first) * (values[second] - values[first])


def histogram(
    edges: Sequence[float],
    counts: Sequence[int],
    expected: Sequence[float],
    across: Sequence[int] | None = None,
) -> RenderableType:
    """Pairs and shares between edges, with bars; those over two documents; the expected shares of random pairs."""
    table = columns(header=True)
    table.add_column("distance", justify="right", no_wrap=True)
    for heading in ("pairs", "share", *(["two documents"] if across else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("at random", justify="right", style="dim", no_wrap=True)
    for place, (count, one) in enumerate(zip(counts, expected, strict=True)):
        cells = [f"{count:,}", f"{100 * count / sum(counts):.1f}%", *([f"{across[place]:,}"] if across else [])]
        bar = Bar(count / max(counts), 24, "cyan")
        table.add_row(f"{edges[place]:.1f}–{edges[place + 1]:.1f}", *cells, bar, f"{100 * one:.1f}%")
    return table
