"""``pagesum pages``: how files are cut into parts, without a model."""

import json
from dataclasses import dataclass

import typer

from ..batch.cutting import cut_for
from ..batch.reading import read_files
from ..batch.remarks import left_out, without_sections
from ..options import ModelNameOptions, Options, PagingOptions, option
from . import console, options
from .help import ShortHelp

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@dataclass(frozen=True)
class ShownOptions(Options, panel=options.OUTPUT):
    """What is shown of the files."""

    output_format: str = option(
        "table",
        "Output format: tables of the sections and parts, the text as it was read (headings and "
        "paragraphs), or JSON.",
        choices=("table", "text", "json"),
        brief="table, text or json.",
        flags=("--format",),
    )


@app.command(
    cls=ShortHelp, epilog="pagesum pages paper.pdf\n\npagesum pages paper.pdf --format text"
)
@options.with_flags
def pages(
    files: options.Files,
    paging: PagingOptions,
    model: ModelNameOptions,
    reading: options.ReadingOptions,
    output: ShownOptions,
    messages: options.MessageOptions,
) -> None:
    """Show the sections of a file, what was left out, and the parts that it is divided into,
    without a model.

    Several files are divided together, as by summarize. With --format text, only the text is
    written, as it was read.
    """
    from ..views.pages import document_text, pages_json, pages_view

    options.check_model(model.model, paging.page_tokens)
    documents = read_files(
        reading.source(files, messages.talk.warn, paging.locality), messages.talk
    ).documents
    if output.output_format == "text":
        console.data("\n\n".join(document_text(document) for document in documents))
        return
    with messages.talk.progress("dividing the text"):
        cuts = cut_for(model.model, documents, paging)
    if output.output_format == "json":
        console.data(json.dumps(pages_json(documents, cuts), ensure_ascii=False, indent=2))
        return
    console.show(pages_view(documents, cuts))
    for note in without_sections(documents, cuts):
        messages.talk.note(note)
    for message in left_out(cuts):
        messages.talk.warn(message)
