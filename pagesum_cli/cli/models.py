"""``pagesum models``: what can be used by name."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from ..model.registry import KnownModel, known_models
from . import console, options

if TYPE_CHECKING:
    from rich.console import RenderableType

USE = """\
To use an official checkpoint: follow the link to it in that README, put the file into a folder of its own, and beside \
it config.json, vocab.json and merges.txt of facebook/bart-large-cnn. Then

  pagesum summarize paper.pdf --model FOLDER --locality {locality} --num-pages {num_pages}

Any other PageSum or BART checkpoint: --model with its folder, or with its Hugging Face id (owner/name)."""

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
def models(output_format: options.TextOrJson = "text", debug: options.Debug = False) -> None:
    """List the models that can be used by name, what is on disk, and where to get the others."""
    known = known_models()
    if output_format == "json":
        console.data(json.dumps({"schema": 1, "models": [_json(model) for model in known]}, indent=2))
    else:
        console.show(_view(known))


def _json(model: KnownModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "what": model.what,
        "good": model.good,
        "bad": model.bad,
        "locality": model.locality,
        "num_pages": model.num_pages,
        "on_disk": model.folder is not None,
        "path": str(model.folder) if model.folder else None,
        "bytes": model.bytes or None,
        "url": model.url or None,
    }


def _view(known: Sequence[KnownModel]) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from ..views.tables import columns, size

    table = columns()
    table.add_column(style="bold", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for model in known:
        pages = f"{model.num_pages} pages, " if model.num_pages else ""
        there = f"yes, {size(model.bytes)}" if model.folder else f"no, about {size(model.bytes)}"
        rows = {
            "what": model.what,
            "pages": f"{pages}{model.locality} locality",
            "good at": model.good,
            "bad at": model.bad,
            "on disk": there,
            "from": model.url,
        }
        for number, (name, value) in enumerate((name, value) for name, value in rows.items() if value):
            table.add_row(model.name if number == 0 else "", name, Text(value))
        table.add_row()
    official = next(model for model in known if model.url)
    return Group(table, Text(USE.format(locality=official.locality, num_pages=official.num_pages)))
