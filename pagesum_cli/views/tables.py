"""What all tables and bars on the terminal share."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from .plain import one_line

EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")


def columns(*, header: bool = False) -> Table:
    """A table without lines, two spaces between columns."""
    return Table(box=None, show_header=header, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")


def literal(text: str, style: str = "") -> Text:
    """Text from a document or a file name, on one line, safe to print."""
    return Text(one_line(text), style=style)


@dataclass(frozen=True)
class Bar:
    """A bar in eighths of a cell, as long as there is room for; anything above 0 shows.

    Attributes:
        share: 0–1 of the whole length.
        width: cells of the whole length at most.
        style: its colour.
    """

    share: float
    width: int
    style: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        cells = min(self.width, options.max_width)
        eighths = max(round(self.share * cells * 8), int(self.share > 0))
        yield Text("█" * (eighths // 8) + EIGHTHS[eighths % 8], style=self.style)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(8, self.width), self.width)


def percents(shares: Sequence[float]) -> list[str]:
    """Shares of 1 as whole percents that add up to 100 (largest remainders); ``<1 %`` for those that get none."""
    exact = [100 * share for share in shares]
    whole = [int(value) for value in exact]
    missing = round(sum(exact)) - sum(whole)
    by_remainder = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    for i in by_remainder[:missing]:
        whole[i] += 1
    return [f"{number} %" if number or not value else "<1 %" for number, value in zip(whole, exact, strict=True)]


def pdf_range(pages: Sequence[int]) -> str:
    """``p. 3``, ``p. 3–5``; empty where there are none."""
    if not pages:
        return ""
    first, last = min(pages), max(pages)
    return f"p. {first}" if first == last else f"p. {first}–{last}"


def size(number: float) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def counted(number: int, noun: str) -> str:
    """``1 page``, ``12 pages``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
