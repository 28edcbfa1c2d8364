"""``pagesum mcp``: documents for assistants, over the Model Context Protocol."""

from typing import Annotated

import typer

from ..errors import require_package
from ..options import EditorOptions, ModelOptions
from . import options
from .help import ShortHelp
from .interrupt import leave_at_once, on_interrupt

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_FOLDERS = options.argument("FOLDERS", "Folders whose documents can be read.")


@app.command(cls=ShortHelp)
@options.with_flags
def mcp(
    folders: Annotated[list[str], _FOLDERS],
    model: ModelOptions,
    editor: EditorOptions,
    messages: options.MessageOptions,
) -> None:
    """Let an assistant map, read, summarize, search and check the documents in folders.

    Speaks the Model Context Protocol on standard input and output, until the input ends: an
    assistant's program starts it. Nothing is written, and nothing outside the folders is read.
    Needs the package mcp.
    """
    require_package("mcp", "mcp", "mcp")
    options.check_model(model.model, None)
    from ..editing.choosers import announced

    generation = editor.generation()
    if editor.editor:
        options.check_editor(generation)
        for line in announced(editor.editor):
            messages.talk.note(line)
    from ..server.folders import Folders

    readable = Folders(folders)  # before what takes long to import
    from ..server.mcp import serve

    on_interrupt(leave_at_once)
    serve(readable, model, generation)
