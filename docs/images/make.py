"""Draw ``summarize.svg``: what ``pagesum summarize docs/examples/paper.pdf --locality discourse`` shows on a terminal.

Run it in the root of the repository: ``python docs/images/make.py``.
"""

import io
from pathlib import Path

from rich.console import Console
from rich.text import Text

from pagesum_cli import PageSummarizer
from pagesum_cli.views.text import text_view

COMMAND = "pagesum summarize docs/examples/paper.pdf --locality discourse"
WIDTH = 92


def main() -> None:
    """Summarize, draw, write."""
    summary = PageSummarizer.from_pretrained("mini").summarize("docs/examples/paper.pdf", locality="discourse")
    terminal = Console(record=True, file=io.StringIO(), width=WIDTH, force_terminal=True, markup=False, highlight=False)
    terminal.print(Text.assemble(("$ ", "dim"), COMMAND, "\n"))
    terminal.print(text_view(summary, cite=True))
    (Path(__file__).parent / "summarize.svg").write_text(terminal.export_svg(title="pagesum"), encoding="utf-8")


if __name__ == "__main__":
    main()
