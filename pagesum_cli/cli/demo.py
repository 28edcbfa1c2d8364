"""``pagesum demo``: what the program does, with a document of its own."""

from dataclasses import dataclass
from pathlib import Path

import typer

from ..documents.model import Document
from ..documents.read import read_file
from ..files import check_new, write_file
from ..options import (
    FAST_MODEL,
    EndingOptions,
    GenerationOptions,
    ModelOptions,
    Options,
    PagingOptions,
    option,
)
from ..summary.check.checker import Checker
from ..summary.check.claims import Claim, parts_of_text
from . import console, options
from .help import ShortHelp

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

ASSETS = Path(__file__).parents[1] / "assets" / "demo"
DOCUMENT, EDITED = "garden.md", "edited.md"
"""A report, and a summary of it in which two sentences have an error."""
SENTENCES = 4


@dataclass(frozen=True)
class DemoOptions(Options, panel=options.OUTPUT):
    """Where the files of the demonstration go."""

    output_dir: str | None = option(
        None,
        "Also write the two files into this folder, to try the commands on them.",
        metavar="DIR",
        brief="Also write the two files into this folder.",
    )
    force: bool = option(
        False, "Replace files with these names in the folder.", requires="output_dir"
    )


@app.command(cls=ShortHelp, epilog="pagesum demo\n\npagesum demo --output-dir demo")
@options.with_flags
def demo(output: DemoOptions, messages: options.MessageOptions) -> None:
    """Summarize a short document and check a summary with two errors, to show what the program
    does.

    Needs no file and no network. Each part begins with the command that produces it.
    """
    if output.output_dir:
        _write(Path(output.output_dir), force=output.force)
    folder = Path(output.output_dir or "")
    report, edited = (str(folder / name) for name in (DOCUMENT, EDITED))
    documents = read_file(str(ASSETS / DOCUMENT))
    console.data(f"$ pagesum summarize {report} --fast --sentences {SENTENCES} --cite\n")
    _summarize(documents, messages)
    console.data(f"\n$ pagesum check {edited} {report}\n")
    _check(documents)
    console.data(
        "\nThe summary quotes the document and says where each sentence comes from. The check\n"
        "compares a summary by somebody else with the document: two of its sentences are wrong."
    )
    if not output.output_dir:
        console.data("pagesum demo --output-dir demo writes both files, to try the commands.")


def _write(folder: Path, *, force: bool) -> None:
    """Write the files of the demonstration."""
    folder.mkdir(parents=True, exist_ok=True)
    check_new([str(folder / name) for name in (DOCUMENT, EDITED)], force=force)
    for name in (DOCUMENT, EDITED):
        write_file(folder / name, (ASSETS / name).read_text(encoding="utf-8"), overwrite=force)


def _summarize(documents: list[Document], messages: options.MessageOptions) -> None:
    """Show a summary with its citations."""
    from ..batch.worker import Worker
    from ..views.text import text_view

    worker = Worker(
        ModelOptions(model=FAST_MODEL, device="cpu"),
        PagingOptions(),
        GenerationOptions(sentences=SENTENCES),
        messages.talk,
        history=False,
        ending=EndingOptions(),
    )
    console.show(text_view(worker.summarize(documents, 0.0), cite=True))


def _check(documents: list[Document]) -> None:
    """Show what a check finds in the edited summary."""
    from ..views.check import check_view

    (edited,) = read_file(str(ASSETS / EDITED))
    claims = [one for one in parts_of_text(edited, documents) if isinstance(one, Claim)]
    console.show(check_view(list(Checker.of(documents).checked(claims)), documents))
