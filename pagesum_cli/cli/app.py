"""The verbs. A verb's module is imported when that verb is used.

To add a verb: a line in :data:`VERBS`, and a module of the same name here with ``app =
typer.Typer(rich_markup_mode="rich", add_completion=False)`` and one ``@app.command()`` function:
flags in, a function of another package called, a view shown by ``console``. What takes long to
import (torch, a view) is imported inside the function.
"""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..errors import UsageError
from ..options import nearest
from ..version import __version__
from . import console

VERBS = {
    "summarize": "Summarize documents and show where each sentence comes from.",
    "inspect": "Show how strongly each part of a document contributed to each sentence.",
    "check": "Check whether what a summary says stands in the documents.",
    "find": "Find every sentence, number and table row that answers a question.",
    "pages": "Show how a file is divided into parts, without a model.",
    "demo": "Show what the program does, without a file.",
    "mcp": "Let an assistant read, search and check the documents of folders.",
    "eval": "Score the summaries of a model or of any other system.",
    "label": "Label which sentences of documents should be quoted, for training.",
    "train": "Train or fine-tune a model on documents with summaries.",
    "analyze": "Run the paper's analyses on documents or data sets.",
    "reproduce": "Make the tables and figures of the papers.",
    "models": "List the known models and where to get them.",
}

GROUPS = {
    "Summaries": ("summarize", "inspect", "check", "find", "pages", "demo", "mcp"),
    "Models": ("models", "label", "train"),
    "Research": ("eval", "analyze", "reproduce"),
}
"""The verbs as the help lists them."""


class Verbs(TyperGroup):
    """The verbs by name, each imported when it is used."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        command: Any = typer.main.get_command(import_module(f".{cmd_name}", __package__).app)
        for verb in (command, *getattr(command, "commands", {}).values()):
            # or --help shows its type, <bool>
            verb.get_help_option(typer.Context(verb, parent=ctx)).metavar = ""
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in VERBS and not ctx.resilient_parsing:
            raise _unknown_verb(args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, VERBS[name]) for name in names])


app = typer.Typer(
    cls=Verbs,
    rich_markup_mode=None,  # importing Rich's help takes a tenth of a second
    subcommand_metavar="VERB ...",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="pagesum VERB --help lists the flags of a verb.",
)


@app.callback(invoke_without_command=True)
def top(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Summaries of long documents, made on this machine, that show where each sentence comes
    from.
    """
    if version:
        console.data(f"pagesum {__version__}")
        raise typer.Exit()
    if ctx.invoked_subcommand is None:
        console.data(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run the command line; see :func:`console.guarded` for what it returns."""
    if "_PAGESUM_COMPLETE" in os.environ:  # the shell asks for completions
        app(prog_name="pagesum")
    return console.guarded(lambda: _call(list(arguments)), debug="--debug" in arguments)


def _call(arguments: list[str]) -> None:
    command: Any = typer.main.get_command(app)
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    with command.make_context("pagesum", arguments) as ctx:
        try:
            command.invoke(ctx)
        except Exception as failure:
            # of a flag without its value, Typer does not say the verb's
            if getattr(failure, "ctx", ctx) is None:
                verb = str(ctx.invoked_subcommand)
                below = typer.Context(command.get_command(ctx, verb), info_name=verb, parent=ctx)
                failure.ctx = below  # type: ignore[attr-defined]
            raise


def _unknown_verb(name: str) -> UsageError:
    message = f"no verb {name!r}, expected one of {', '.join(VERBS)}"
    if near := nearest(name, VERBS):
        return UsageError(message, f"did you mean pagesum {near}?")
    if os.path.exists(name):
        return UsageError(message, f"to summarize the file: pagesum summarize {name}")
    return UsageError(message, "pagesum --help lists the verbs")
