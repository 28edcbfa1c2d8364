"""What all tables and bars on the terminal share."""

from collections.abc import Sequence

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


def bar(share: float, width: int) -> str:
    """``share`` (0–1) of ``width`` cells, in eighths of a cell; anything above 0 shows."""
    eighths = max(round(share * width * 8), int(share > 0))
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8]


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
