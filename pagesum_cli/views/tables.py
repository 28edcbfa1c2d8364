"""What all tables and bars on the terminal share."""

from rich.table import Table
from rich.text import Text

from .plain import one_line

EIGHTHS = " ▏▎▍▌▋▊▉"


def columns(*, header: bool = False) -> Table:
    """A table without lines, two spaces between columns."""
    return Table(box=None, show_header=header, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")


def literal(text: str, style: str = "") -> Text:
    """Text from a document or a file name, on one line, safe to print."""
    return Text(one_line(text), style=style)


def bar(share: float, width: int) -> str:
    """``share`` (0–1) of ``width`` cells, in eighths of a cell; at least an eighth."""
    eighths = max(1, round(share * width * 8))
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def percent(share: float) -> str:
    """``18 %``; ``<1 %`` rather than a false 0."""
    return "<1 %" if 0 < share < 0.005 else f"{share:.0%}".replace("%", " %")


def pdf_range(pages: tuple[int, ...]) -> str:
    """``p. 3``, ``p. 3–5``; empty where there are none."""
    if not pages:
        return ""
    return f"p. {pages[0]}" if pages[0] == pages[-1] else f"p. {min(pages)}–{max(pages)}"


def size(number: int) -> str:
    """A number of bytes for people."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"
