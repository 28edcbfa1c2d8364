"""Tables, bars and numbers for people."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..text.tables import table
from .plain import one_line

if TYPE_CHECKING:  # numbers and places are also written without Rich, see ``notebook``
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")


def columns(*, header: bool = False) -> "Table":
    """A table without lines, with two spaces between columns."""
    from rich.table import Table

    return Table(
        box=None, show_header=header, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim"
    )


def grid(header: Sequence[str], rows: Iterable[Sequence[str]]) -> "Table":
    """A table with a header, of texts on one line each; all columns but the first are aligned
    right.
    """
    table = columns(header=True)
    table.add_column(literal(header[0]), overflow="fold")
    for name in header[1:]:
        table.add_column(literal(name), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(literal, row))
    return table


def as_text(header: Sequence[str], rows: Sequence[Sequence[str]], output_format: str) -> str:
    """A table as ``markdown``, ``latex`` (a tabular with booktabs rules) or ``csv``."""
    if output_format == "csv":
        return as_csv([header, *rows]).rstrip("\n")
    if output_format == "markdown":
        lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
        texts = (" | ".join(one_line(cell).replace("|", "\\|") for cell in line) for line in lines)
        return "\n".join(f"| {text} |" for text in texts)
    latex = str.maketrans(table(__file__, "latex.toml"))
    head, *body = (
        " & ".join(one_line(cell).translate(latex) for cell in line) + r" \\"
        for line in (header, *rows)
    )
    begin = rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}"
    return "\n".join(
        [begin, r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    )


def as_csv(lines: Iterable[Iterable[object]]) -> str:
    """Comma-separated values, a line each."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(lines)
    return buffer.getvalue()


def literal(text: str, style: str = "") -> "Text":
    """Text from a document or a file name on one line, safe to print."""
    from rich.text import Text

    return Text(one_line(text), style=style)


@dataclass(frozen=True)
class Bar:
    """A bar in eighths of a cell, as long as there is room for; anything above 0 shows."""

    share: float
    width: int
    style: str

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text

        cells = min(self.width, options.max_width)
        eighths = max(round(self.share * cells * 8), int(self.share > 0))
        yield Text("█" * (eighths // 8) + EIGHTHS[eighths % 8], style=self.style)

    def __rich_measure__(self, console: "Console", options: "ConsoleOptions") -> "Measurement":
        from rich.measure import Measurement

        return Measurement(min(8, self.width), self.width)


def percents(shares: Sequence[float]) -> list[str]:
    """Shares of 1 as whole percentages that add up to 100 (largest remainders); ``<1 %`` for those
    that get none.
    """
    exact = [100 * share for share in shares]
    whole = [int(value) for value in exact]
    missing = round(sum(exact)) - sum(whole)
    by_remainder = sorted(range(len(exact)), key=lambda i: round(whole[i] - exact[i], 6))
    for i in by_remainder[:missing]:
        whole[i] += 1
    return [
        f"{number} %" if number or not value else "<1 %"
        for number, value in zip(whole, exact, strict=True)
    ]


def pdf_range(pages: Iterable[int], labels: Mapping[int, str] = MappingProxyType({})) -> str:
    """``p. 3``, ``p. 3–5, 7``; ``p. 84 (PDF 1)`` where other numbers are printed on them; empty if
    there are none.
    """
    numbers = sorted(set(pages))
    plain, printed = (
        page_range(numbers),
        page_range([number for number in numbers if labels.get(number, "-")], labels),
    )
    if plain == printed:
        return f"p. {plain}" if plain else ""
    return f"p. {printed} (PDF {plain})" if printed else f"PDF p. {plain}"


def page_range(numbers: Iterable[int], labels: Mapping[int, str] = MappingProxyType({})) -> str:
    """``(1, 2, 3, 7)`` → ``1–3, 7``, or the labels of these."""
    runs = []
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        first, last = (labels.get(number, str(number)) for number in (run[0], run[-1]))
        runs.append(f"{first}–{last}" if len(run) > 1 else first)
    return ", ".join(runs)


def size(number: float) -> str:
    """A number of bytes with a unit."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def counted(number: int, noun: str) -> str:
    """``1 page``, ``12 pages``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
