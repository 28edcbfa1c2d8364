"""``pagesum pages``: how files are cut into parts, without a model."""

import json

import typer

from ..batch.preview import cut_for
from ..batch.reading import read_files
from ..batch.worker import left_out
from ..documents.read import find_files
from ..options import ModelNameOptions, PagingOptions
from . import console, options

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
@options.with_flags
def pages(
    files: options.Files,
    paging: PagingOptions,
    model: ModelNameOptions,
    reading: options.ReadingOptions,
    folders: options.FolderOptions,
    output: options.FormatOptions,
    messages: options.MessageOptions,
) -> None:
    """Show the sections of a file and the parts that it is divided into, without a model.

    Several files are divided together, as by summarize.
    """
    options.check_model(model.model, paging.page_tokens)
    documents = read_files(
        find_files(files, folders.selection), reading.password, messages.talk, paging.locality
    ).documents
    cuts = cut_for(model.model, documents, paging)
    from ..views.pages import pages_json, pages_view

    if output.output_format == "json":
        console.data(json.dumps(pages_json(documents, cuts), ensure_ascii=False, indent=2))
        return
    console.show(pages_view(documents, cuts))
    for message in left_out(cuts):
        messages.talk.warn(message)
