"""Curves and histograms on the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from .tables import Bar, columns

HEIGHT = 14
WIDTH = 72
"""Maximum width of a curve."""

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a Braille character by row and column."""


@dataclass(frozen=True)
class CurvePlot:
    """A curve over 1, 2, … and a dashed line at its average, in Braille dots.

    Attributes:
        values: At least one value.
        average: Height of the dashed line.
        x, y: Names of the axes.
    """

    values: Sequence[float]
    average: float
    x: str
    y: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.ascii_only:  # numbers instead of Braille
            yield _numbers(self.values, self.average)
            return
        low, high = min(*self.values, self.average), max(*self.values, self.average)
        margin = (high - low) * 0.05 or 0.01
        low, high = max(low - margin, 0.0) if low >= 0 else low - margin, high + margin
        marks = [f"{high:.3f}", f"{low:.3f}", f"{self.average:.3f}"]
        left = max(map(len, marks))
        width = min(options.max_width - left - 2, WIDTH)
        curve, line = _Dots(width, HEIGHT), _Dots(width, HEIGHT)

        def row(value: float) -> int:
            return round((high - value) / (high - low) * (HEIGHT * 4 - 1))

        wide = width * 2
        previous = row(self.values[0])
        for column in range(wide):
            place = column * (len(self.values) - 1) / max(wide - 1, 1)
            first = min(int(place), len(self.values) - 1)
            second = min(first + 1, len(self.values) - 1)
            here = row(self.values[first] + (place - first) * (self.values[second] - self.values[first]))
            for dot in range(min(previous, here), max(previous, here) + 1):
                curve.set(column, dot)
            previous = here
            if column % 6 < 3:
                line.set(column, row(self.average))
        yield Text(self.y, "dim")
        level = row(self.average) // 4
        for number in range(HEIGHT):
            mark = {0: marks[0], HEIGHT - 1: marks[1]}.get(number, "")
            mark = marks[2] if number == level else mark
            drawn = Text(f"{mark:>{left}} ", "dim", no_wrap=True, overflow="ignore")
            for above, below in zip(curve.rows[number], line.rows[number], strict=True):
                drawn.append(chr(0x2800 + (above | below)), "cyan" if above else "yellow")
            yield drawn
        ends = f"1{self.x.center(width - 1 - len(str(len(self.values))))}{len(self.values)}"
        yield Text(" " * (left + 1) + ends, "dim", no_wrap=True, overflow="ignore")


class _Dots:
    """A canvas of Braille characters, each two dots wide and four high."""

    def __init__(self, width: int, height: int) -> None:
        self.rows = [[0] * width for _ in range(height)]

    def set(self, column: int, row: int) -> None:
        self.rows[row // 4][column // 2] |= _DOTS[row % 4][column % 2]


def _numbers(values: Sequence[float], average: float) -> Table:
    table = columns(header=True)
    table.add_column("distance", justify="right")
    table.add_column("mean", justify="right")
    for distance, value in enumerate(values, start=1):
        table.add_row(str(distance), f"{value:.4f}")
    table.add_row("all", f"{average:.4f}")
    return table


def histogram(
    edges: Sequence[float],
    counts: Sequence[int],
    expected: Sequence[float],
    across: Sequence[int] | None = None,
) -> RenderableType:
    """Counts and shares between edges, with bars, and the expected shares of random pairs.

    Args:
        edges: One more than counts.
        counts: Number of pairs, not all 0.
        expected: Shares of random pairs.
        across: Number of those that are over two documents, a further column.
    """
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
