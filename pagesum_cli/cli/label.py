"""``pagesum label``: which sentences of documents should be quoted, for a model to learn from."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..files import write_file
from ..options import GenerationOptions, Options, option
from . import console, options
from .help import ShortHelp

if TYPE_CHECKING:
    from ..batch.labelling import ToLabel
    from ..datasets.labels import LabelledDocument

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@dataclass(frozen=True)
class LabelOptions(Options, panel="Labels"):
    """Who labels, and by what."""

    editor: str | None = option(
        None,
        "Let a language model label the documents without labels; MODEL as in summarize --editor.",
        metavar="MODEL",
        brief="A language model that labels them.",
    )
    guide: str | None = option(
        None,
        "With --editor: a text file of at most a page that says what matters to the reader.",
        metavar="FILE",
        requires="editor",
        brief="With --editor: what matters to you, a text.",
    )
    words: int | None = option(
        None,
        "Length in words of the quotes of each document. Default: 150.",
        min=1,
        brief="Words of a document's quotes; by default 150.",
    )


@dataclass(frozen=True)
class LabelOutputOptions(Options, panel=options.OUTPUT):
    """How labels are written."""

    output_format: str = option(
        "jsonl",
        "Output format: JSON Lines, with one document per line, or a page for correcting labels "
        "with clicks.",
        choices=("jsonl", "html"),
        flags=("--format",),
        brief="jsonl, or html to correct labels with clicks.",
    )
    output: Path | None = option(
        None, "Write into this file.", metavar="FILE", flags=("-o",), brief="Write into this file."
    )
    force: bool = option(False, "Replace the file if it exists.", requires="output")


@app.command(
    cls=ShortHelp,
    epilog="pagesum label contracts/ --editor http://localhost:11434/v1#NAME -o labels.jsonl\n\n"
    "pagesum label labels.jsonl --format html -o labels.html",
)
@options.with_flags
def label(
    files: options.Files,
    labels: LabelOptions,
    reading: options.ReadingOptions,
    output: LabelOutputOptions,
    messages: options.MessageOptions,
) -> None:
    """Label which sentences of documents should be quoted, for pagesum train --labels.

    Files that this command wrote keep their labels. Exits with 1 if a document could not be
    labelled.
    """
    from ..batch.labelling import read_documents

    talk = messages.talk
    source = reading.source(files, talk.warn)
    if output.output:
        console.check_outputs([str(output.output)], source.paths, force=output.force)
    if labels.editor:
        options.check_editor(_editing(labels, reading))
    found = read_documents(source, talk, labels.words)
    problems: list[str] = []
    documents = found.without_labels()
    if labels.editor:
        documents = _labelled(_editing(labels, reading), found, talk, problems)
    _write(documents, output, talk)
    for problem in problems:
        console.error(problem)
    if problems:
        raise typer.Exit(1)


def _editing(labels: LabelOptions, reading: options.ReadingOptions) -> GenerationOptions:
    """The editor and its guide."""
    return GenerationOptions(
        editor=labels.editor, guide=labels.guide, editor_network=reading.allow_network
    )


def _labelled(
    editing: GenerationOptions, found: "ToLabel", talk: console.Talk, problems: list[str]
) -> "list[LabelledDocument]":
    """The documents with labels, those of an editor where they have none."""
    from ..batch.labelling import cost, labelled_by
    from ..editing.prompts import guide_of
    from ..models.extractive.edited import editor_of

    name = editing.editor or ""
    for line in cost(name, found.unlabelled) if found.unlabelled else ():
        talk.note(line)
    editor = editor_of(editing, "auto")
    model = name.rpartition("#")[2]
    return labelled_by(editor, model, guide_of(editing.guide), found, talk, problems.append)


def _write(
    documents: "list[LabelledDocument]", output: LabelOutputOptions, talk: console.Talk
) -> None:
    """Write the documents in a format; nothing if there are none."""
    if not documents:
        return
    if output.output_format == "html":
        from ..views.labels.page import labels_page

        text = labels_page(documents)
    else:
        from ..datasets.labels import json_lines

        text = json_lines(documents)
    if output.output is None:
        console.data(text.rstrip("\n"))
        return
    write_file(output.output, text, overwrite=output.force)
    talk.note(f"wrote {output.output}")
