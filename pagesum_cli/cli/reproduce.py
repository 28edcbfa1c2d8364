"""``pagesum reproduce``: the tables and figures of the papers, from the files that they need."""

import contextlib
import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..files import make_folder, write_file
from ..lab.reproduce import (
    FACTS,
    Item,
    Places,
    Step,
    Training,
    all_items,
    check_files,
    runnable,
    steps_of,
    with_prerequisites,
)
from ..options import Options, option, suggestion
from . import console, options
from .help import ShortHelp

SMALL = "small"  # the folder of miniatures, in that of --output

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_TABLES = options.argument("TABLE", "pagesum:1, top-down:figure1 …; without any, all are listed.")
Items = Annotated[list[str] | None, _TABLES]


@dataclass(frozen=True)
class PlaceOptions(Options, panel="Files"):
    """Where files are, and what is run."""

    data: Path | None = option(
        None,
        "Folder with a folder for each data set, and the authors' outputs.",
        metavar="DIR",
        brief="Folder of the data sets.",
    )
    checkpoints: Path | None = option(
        None,
        "Folder with the published checkpoints, as files in folders named after them "
        "(pubmed/model.bin); added checkpoints are found anyway.",
        metavar="DIR",
        brief="Folder of the published checkpoints.",
    )
    output: Path = option(
        Path("runs"),
        "Folder for trained models and generated output.",
        metavar="DIR",
        brief="Folder for the results.",
    )
    check: bool = option(
        False,
        "Show which files are needed where and which are missing; run nothing.",
        brief="Show what is missing; run nothing.",
    )
    small: bool = option(
        False,
        "Make tiny data and models, and run every command of the table with them, training "
        "included: a check of the commands in about a minute. The figures mean nothing.",
        brief="Run every command with tiny data and models.",
    )
    train: bool = option(
        False,
        "Also train the models that were not published, which takes days on a GPU.",
        brief="Also train models that were not published.",
    )
    init: str | None = option(
        None,
        "Start training from this model, a folder or hub id, unless a run continues from another.",
        metavar="NAME",
    )
    assignments: tuple[str, ...] = option(
        (),
        "Any other setting of training; can be given several times.",
        metavar="NAME=VALUE",
        flags=("--set",),
    )
    record: str = option(
        "17",
        "Record to show in a figure of a single record (Figure 3).",
        metavar="ID",
        flags=("--id",),
    )
    limit: int | None = option(
        None,
        "Maximum number of documents of each evaluation, for a trial.",
        min=1,
        brief="Maximum number of documents.",
    )

    @property
    def training(self) -> Training:
        return Training(self.train, self.init, self.assignments)


@app.command(
    cls=ShortHelp,
    epilog="pagesum reproduce\n\n"
    "pagesum reproduce pagesum:1 --data papers --checkpoints checkpoints",
)
@options.with_flags
def reproduce(files: PlaceOptions, messages: options.MessageOptions, tables: Items = None) -> None:
    """List the tables and figures of the papers with what they need, or reproduce some of them.

    A table is made as far as the files on disk allow. For missing files, the commands and the
    download addresses are shown.
    """
    _check_names(tables or [])
    places = Places(files.data, files.checkpoints, files.output, files.record)
    if not tables:
        _refuse_without_table(files)
        _list(places, files.training)
        return
    work = _work_of(files)
    worked = [work(all_items()[name], places, files, messages.talk) for name in tables]
    if not all(worked):
        raise typer.Exit(1)


def _check_names(tables: list[str]) -> None:
    for name in tables:
        if name not in all_items():
            hint = suggestion(name, all_items(), "pagesum reproduce lists them")
            raise UsageError(f"no table or figure {name!r}", hint)


def _refuse_without_table(files: PlaceOptions) -> None:
    for flag, is_given in (("--check", files.check), ("--small", files.small)):
        if is_given:
            hint = f"for example pagesum reproduce pagesum:2 {flag}"
            raise UsageError(f"{flag} without a table or figure", hint)


def _work_of(files: PlaceOptions) -> Callable[..., bool]:
    """What is done with each item."""
    if files.check:
        return _checked
    return _small if files.small else _reproduced


def _list(places: Places, training: Training) -> None:
    for item in all_items().values():
        steps = steps_of(item, places, training)
        ready = f"{sum(not step.missing for step in steps)} of {len(steps)}" if steps else ""
        console.data(f"{item.name:16}{ready:>9}  {item.title}")
    console.data(
        "\nThe numbers count the commands that can be run. pagesum reproduce TABLE runs them, and "
        "shows what the others need; with --check, it only shows this."
    )


def _checked(item: Item, places: Places, files: PlaceOptions, talk: console.Talk) -> bool:
    """Show what an item needs, and return whether all of it is there."""
    from ..lab.requirements import requirements_of
    from ..views.reproduce import requirements_view

    requirements = requirements_of(item, places, files.training)
    _introduce(item)
    console.show(requirements_view(requirements))
    return all(one.is_there for one in requirements)


def _reproduced(item: Item, places: Places, files: PlaceOptions, talk: console.Talk) -> bool:
    """Show an item, run what can be run, and return whether that worked."""
    steps = steps_of(item, places, files.training)
    _introduce(item)
    for problem in check_files(item, places):
        talk.warn(problem)
    make_folder(places.item_folder(item.name))
    codes: dict[Step, int] = {}
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
        command = [sys.executable, "-m", "pagesum_cli", *runnable(step.words), *limit]
        codes[step] = subprocess.run(command, check=False).returncode
    _merge(item, steps, codes, places, is_miniature=False)
    return not any(codes.values())


def _small(item: Item, places: Places, files: PlaceOptions, talk: console.Talk) -> bool:
    """Run all commands of an item, and those of others that make what it needs, with tiny data and
    models in this process; return whether all of them worked.
    """
    folder = make_folder(files.output / SMALL)
    with talk.loading("making tiny data and models"):
        from ..lab.miniature import make_files, miniature_places, small_command, write_facts

        whole = with_prerequisites(item)
        make_files(whole, folder)
    places = miniature_places(folder)
    training = Training(True, files.init, files.assignments)
    make_folder(places.item_folder(item.name))
    _introduce(item)
    codes: dict[Step, int] = {}
    steps = steps_of(whole, places, training)
    for step in steps:
        if step.words[0] == "train" and places.is_trained(step):
            continue
        if any(FACTS in word for word in step.words):
            write_facts(places)
        words = small_command(runnable(step.words), folder)
        console.data(f"$ {step}")
        codes[step] = _quietly(words)
    own = [step for step in steps if step.line in item.commands]
    _merge(item, own, codes, places, is_miniature=True)
    return not any(codes.values())


def _quietly(words: tuple[str, ...]) -> int:
    """Run a command in this process; show what it says if it fails."""
    from .app import run

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = run(words)
    if code:
        console.data(said.getvalue().rstrip())
    return code


def _introduce(item: Item) -> None:
    console.data(f"{item.name}  {item.title}" + (f"\n{item.note}" if item.note else ""))


def _merge(
    item: Item, steps: list[Step], codes: dict[Step, int], places: Places, *, is_miniature: bool
) -> None:
    """Merge what the commands made into one table, write it and show it."""
    if not steps and not item.rows:
        return
    from ..lab.merged import merged
    from ..views.reproduce import merged_files, merged_view

    table = merged(item, steps, codes, is_miniature=is_miniature)
    folder = places.item_folder(item.name)
    for name, text in merged_files(table).items():
        write_file(folder / name, text)
    console.data("")
    console.show(merged_view(table))
