"""``pagesum models``: the known models."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from ..models.catalog import KnownModel, known_models
from . import console, options

if TYPE_CHECKING:
    from rich.console import RenderableType

USE = """\
To use an official checkpoint: download the file that its README links to into a new folder, and put config.json, \
vocab.json and merges.txt of facebook/bart-large-cnn next to it. Then

  pagesum summarize paper.pdf --model FOLDER --locality {locality} --num-pages {num_pages}

Any other PageSum or BART checkpoint: --model with its folder or its Hugging Face id (owner/name)."""

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
@options.with_flags
def models(output: options.FormatOptions, messages: options.MessageOptions) -> None:
    """List the known models: which of them are on this disk, and where to get the others."""
    known = known_models()
    if output.output_format == "json":
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
        parts = f"{model.num_pages} parts, " if model.num_pages else ""
        on_disk = f"yes, {size(model.bytes)}" if model.folder else f"no, about {size(model.bytes)}"
        rows = {
            "what": model.what,
            "input": f"{parts}{model.locality} locality",
            "good at": model.good,
            "bad at": model.bad,
            "on disk": on_disk,
            "from": model.url,
        }
        for number, (name, value) in enumerate((name, value) for name, value in rows.items() if value):
            table.add_row(model.name if number == 0 else "", name, Text(value))
        table.add_row()
    official = next(model for model in known if model.url)
    return Group(table, Text(USE.format(locality=official.locality, num_pages=official.num_pages)))
