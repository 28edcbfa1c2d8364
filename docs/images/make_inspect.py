"""Draw ``inspect.svg``: what ``pagesum inspect docs/examples/paper.pdf`` shows on a terminal.

Run it in the root of the repository: ``python docs/images/make_inspect.py``. With the path of a saved summary
(``summarize --format json``), it draws that one.
"""

import io
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from pagesum_cli.summary.summary import Summary
from pagesum_cli.views.heatmap import HeatMap, figures_view, head_view

COMMAND = "pagesum inspect docs/examples/paper.pdf"
WIDTH = 110


def main() -> None:
    """Summarize, draw, write."""
    if len(sys.argv) > 1:
        summary = Summary.from_json(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    else:
        from pagesum_cli import PageSummarizer

        summary = PageSummarizer.from_pretrained("mini").summarize("docs/examples/paper.pdf")
    terminal = Console(
        record=True,
        file=io.StringIO(),
        width=WIDTH,
        color_system="truecolor",
        force_terminal=True,
        markup=False,
        highlight=False,
    )
    terminal.print(Text.assemble(("$ ", "dim"), COMMAND, "\n"))
    terminal.print(head_view(summary, text=False))
    terminal.print(HeatMap(summary))
    terminal.print(figures_view(summary))
    (Path(__file__).parent / "inspect.svg").write_text(terminal.export_svg(title="pagesum"), encoding="utf-8")


if __name__ == "__main__":
    main()
