"""``pagesum reproduce``: the tables and figures of the papers, from the files that they need."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..lab.reproduce import Item, Places, all_items, check_files, steps_of
from ..options import Options, option, suggestion
from . import console, options
from .help import ShortHelp

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_TABLES = options.argument("TABLE", "pagesum:1, top-down:figure1 …; without one, all are listed.")
Items = Annotated[list[str] | None, _TABLES]


@dataclass(frozen=True)
class PlaceOptions(Options, panel="Files"):
    """Where files are, and what is run."""

    data: Path | None = option(
        None, "Folder with a folder for each data set, and the authors' outputs.", metavar="DIR"
    )
    checkpoints: Path | None = option(
        None,
        "Folder with the published checkpoints, as files in folders of their names "
        "(pubmed/model.bin); those of pagesum models add are found anyway.",
        metavar="DIR",
    )
    output: Path = option(Path("runs"), "Folder for what is trained and generated.", metavar="DIR")
    train: bool = option(
        False, "Also train the models that were not published, which takes days on a GPU."
    )
    record: str = option(
        "17",
        "Record that a figure of a single one shows (Figure 3).",
        metavar="ID",
        flags=("--id",),
    )
    limit: int | None = option(
        None, "Maximum number of documents of each evaluation, for a trial.", min=1
    )


@app.command(
    cls=ShortHelp,
    epilog="pagesum reproduce\n\n"
    "pagesum reproduce pagesum:1 --data papers --checkpoints checkpoints",
)
@options.with_flags
def reproduce(files: PlaceOptions, messages: options.MessageOptions, tables: Items = None) -> None:
    """List the tables and figures of the papers with what they need; or make some, beside the
    papers' rows.

    A table is made as far as its files are on disk: of the others, the commands and where to
    download them are shown.
    """
    places = Places(files.data, files.checkpoints, files.output, files.record)
    if not tables:
        _list(places, files.train)
        return
    items = all_items()
    if unknown := [name for name in tables if name not in items]:
        hint = suggestion(unknown[0], items, "pagesum reproduce lists them")
        raise UsageError(f"no table or figure {unknown[0]!r}", hint)
    worked = [_reproduced(items[name], places, files, messages.talk) for name in tables]
    if not all(worked):
        raise typer.Exit(1)


def _list(places: Places, train: bool) -> None:
    for item in all_items().values():
        steps = steps_of(item, places, train=train)
        ready = f"{sum(not step.missing for step in steps)} of {len(steps)}" if steps else ""
        console.data(f"{item.name:16}{ready:>9}  {item.title}")
    console.data(
        "\nThe numbers are of commands that can be run. pagesum reproduce TABLE runs them, and "
        "shows what others need."
    )


def _reproduced(item: Item, places: Places, files: PlaceOptions, talk: console.Talk) -> bool:
    """Show an item, run what can be run, and return whether that worked."""
    steps = steps_of(item, places, train=files.train)
    console.data(f"{item.name}  {item.title}" + (f"\n{item.note}" if item.note else ""))
    for problem in check_files(item, places):
        talk.warn(problem)
    worked = True
    for step in steps:
        if step.missing:
            console.data(
                "\n".join([f"\n# {step}", *(f"#   needed: {need}" for need in step.missing)])
            )
            continue
        can_limit = (
            files.limit and "--data-dir" in step.words and step.words[0] in ("eval", "analyze")
        )
        limit = ["--limit", str(files.limit)] if can_limit else []
        console.data(f"\n$ {step}")
        sys.stdout.flush()
        command = [sys.executable, "-m", "pagesum_cli", *step.words, *limit]
        worked &= not subprocess.run(command, check=False).returncode
    return worked
