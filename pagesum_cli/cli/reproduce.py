"""``pagesum reproduce``: the tables and figures of the papers, from the files that they need."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from ..errors import PagesumError
from ..lab.reproduce import Item, Places, all_items, check_files, find_item, steps_of
from ..options import Options, option
from . import console, options

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

Items = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TABLE", show_default=False, help="pagesum:1, top-down:figure1 …; without one, all are listed."
    ),
]


@dataclass(frozen=True)
class PlaceOptions(Options):
    """Where files are, and what is run."""

    panel: ClassVar[str] = "Files"

    data: Path | None = option(None, "Folder with a folder for each data set, and the authors' outputs.", metavar="DIR")
    checkpoints: Path | None = option(
        None, "Folder with the published checkpoints; those of pagesum models add are found anyway.", metavar="DIR"
    )
    output: Path = option(Path("runs"), "Folder for what is trained and generated.", metavar="DIR")
    train: bool = option(False, "Also train the models that were not published, which takes days on a GPU.")
    limit: int | None = option(None, "Maximum number of documents of each evaluation, for a trial.", min=1)


@app.command(epilog="pagesum reproduce\n\npagesum reproduce pagesum:1 --data papers --checkpoints checkpoints")
@options.with_flags
def reproduce(files: PlaceOptions, messages: options.MessageOptions, tables: Items = None) -> None:
    """List the tables and figures of the papers with what they need; or make some, beside the papers' rows.

    A table is made as far as its files are on disk: of the others, the commands and where to download them are shown.
    """
    places = Places(files.data, files.checkpoints, files.output)
    if not tables:
        _list(places, files.train)
        return
    failed = [name for name in tables if not _reproduced(find_item(name), places, files, messages.talk)]
    if failed:
        raise typer.Exit(1)


def _list(places: Places, train: bool) -> None:
    from ..views.tables import columns

    table = columns()
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_column(no_wrap=True)
    for item in all_items().values():
        steps = steps_of(item, places, train=train)
        ready = sum(not step.missing for step in steps)
        table.add_row(item.name, item.title, f"{ready} of {len(steps)} commands can be run" if steps else "")
    console.show(table)
    console.data("pagesum reproduce TABLE shows what is missing, and runs what is not")


def _reproduced(item: Item, places: Places, files: PlaceOptions, talk: console.Talk) -> bool:
    """Show an item, run what can be run, and return whether that worked."""
    steps = steps_of(item, places, train=files.train)
    console.data(f"{item.name}  {item.title}" + (f"\n{item.note}" if item.note else ""))
    for problem in check_files(item, steps, places):
        talk.warn(problem)
    failed = []
    for step in steps:
        if step.missing:
            console.data("\n".join([f"\n# {step}", *(f"#   needs {need}" for need in step.missing)]))
            continue
        can_limit = "--data-dir" in step.words and step.words[0] in ("eval", "analyze")
        limit = ["--limit", str(files.limit)] if files.limit and can_limit else []
        console.data(f"\n$ {step}")
        sys.stdout.flush()
        if subprocess.run([sys.executable, "-m", "pagesum_cli", *step.words, *limit], check=False).returncode:
            failed.append(str(step))
    if files.data and not any(not step.missing for step in steps) and steps:
        raise PagesumError(f"{item.name}: nothing to run", "what is missing is listed above")
    return not failed
