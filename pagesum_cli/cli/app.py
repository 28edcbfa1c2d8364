"""The verbs. A verb's module is imported when that verb is called.

To add a verb: a line in :data:`VERBS`, and a module of the same name here with
``app = typer.Typer(rich_markup_mode="rich", add_completion=False)`` and one ``@app.command()`` function: flags in, a
plain function of another room called, a view shown by ``console``. Its module may import Typer, ``console``,
``options`` and whatever loads quickly; torch and transformers are imported inside the function.
"""

import difflib
import os
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..errors import UsageError
from ..version import __version__
from . import console

VERBS = {
    "summarize": "Summarize documents; show which page each sentence came from.",
    "inspect": "Draw which page said what, step by step.",
    "pages": "Show how a file will be cut into pages, without a model.",
    "eval": "Score a model, or any system's summaries.",
    "train": "Train a model on documents with summaries.",
    "models": "List the models that can be used by name.",
}


class Verbs(TyperGroup):
    """The verbs by name, each imported when it is asked for."""

    def list_commands(self, ctx: typer.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        return typer.main.get_command(import_module(f".{cmd_name}", __package__).app)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:
        if args[0] not in VERBS and not ctx.resilient_parsing:
            raise _unknown_verb(args[0])
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


app = typer.Typer(
    cls=Verbs,
    rich_markup_mode=None,  # Rich's help takes a tenth of a second to import; a verb's own help affords it
    subcommand_metavar="VERB ...",
    epilog="pagesum VERB --help tells a verb's flags.",
)


@app.callback(invoke_without_command=True)
def top(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Summaries of long documents, on this machine, that show which page each sentence came from."""
    if version:
        console.data(f"pagesum {__version__}")
        raise typer.Exit()
    if ctx.invoked_subcommand is None:
        console.data(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run the command line; see :func:`console.guarded` for what it returns.

    Args:
        arguments: what stands behind ``pagesum``.
    """
    if "_PAGESUM_COMPLETE" in os.environ:  # the shell asks for completions
        app(prog_name="pagesum")
    return console.guarded(lambda: _call(list(arguments)), debug="--debug" in arguments)


def _call(arguments: list[str]) -> None:
    command: Any = typer.main.get_command(app)
    with command.make_context("pagesum", arguments) as ctx:
        command.invoke(ctx)


def _unknown_verb(name: str) -> UsageError:
    message = f"no verb {name!r}; there are {', '.join(VERBS)}"
    near = difflib.get_close_matches(name, VERBS, n=1)
    if near:
        return UsageError(message, f"did you mean pagesum {near[0]}?")
    if os.path.exists(name):
        return UsageError(message, f"to summarize the file: pagesum summarize {name}")
    return UsageError(message, "pagesum --help tells what each does")
