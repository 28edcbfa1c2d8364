"""Help that fits 24 lines of 80 columns: of verbs with many options, those in ``help.toml``."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from . import console

TABLE = Path(__file__).with_name("help.toml")


def show_all(ctx: typer.Context, value: bool) -> None:
    """Show all options of a verb, and exit."""
    if value and not ctx.resilient_parsing:
        from typer.rich_utils import rich_format_help  # slow to import

        rich_format_help(obj=ctx.command, ctx=ctx, markup_mode="rich")
        raise typer.Exit


def show_schema(ctx: typer.Context, value: bool) -> None:
    """Show the JSON schema of what a verb prints as JSON, and exit."""
    if value and not ctx.resilient_parsing:
        from ..views.schemas import schema_of  # knows the records of all verbs

        console.data(json.dumps(schema_of(str(ctx.info_name)), ensure_ascii=False, indent=2))
        raise typer.Exit


class _Short:
    """Usage, what a verb does, a line for each of its main options, the verbs below it, and
    examples.
    """

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        options = [one for one in self.params if _is_listed(one)]
        names = _main_options().get(ctx.info_name)
        main = options if names is None else _in_order(options, names)
        below = [(name, _line(one.help)) for name, one in getattr(self, "commands", {}).items()]
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(" ".join(self.help.partition("\n\n")[0].split()))
        _write_lists(
            formatter, Options=_rows(main, getattr(self.callback, "briefs", {})), Verbs=below
        )
        _write_examples(formatter, self.epilog or "")
        if closing := _closing(ctx, len(options), is_whole=len(main) == len(options)):
            formatter.write_paragraph()
            formatter.write_text(closing)


@cache
def _main_options() -> dict[str, list[str]]:
    """The names of the options in the short help, by verb; a verb without a line shows all."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _is_listed(parameter: Any) -> bool:
    """Whether it is an option that the help lists."""
    return (
        parameter.param_type_name == "option"
        and parameter.name != "help_all"
        and not parameter.hidden
    )


def _write_lists(formatter: Any, **lists: list[tuple[str, str]]) -> None:
    """Each list that has rows, under its title."""
    for title, rows in lists.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _write_examples(formatter: Any, epilog: str) -> None:
    """The examples at the end of a verb, one a line."""
    if epilog:
        with formatter.section("Examples"):
            for example in epilog.split("\n\n"):
                formatter.write_text(example)


def _in_order(options: list[Any], names: list[str]) -> list[Any]:
    """The options of these names, in the order of the names."""
    known = {one.name: one for one in options}
    return [known[name] for name in names]


def _rows(options: list[Any], briefs: dict[str, str]) -> list[tuple[str, str]]:
    """The flags of each option with what it does."""
    rows = []
    for one in options:
        flags = ", ".join(sorted(one.opts, key=len))
        metavar = getattr(one, "metavar", None)
        text = briefs.get(one.name) or one.help.partition(". ")[0]
        rows.append((f"{flags} {metavar}" if metavar else flags, text))
    return rows


def _line(text: str) -> str:
    """The first line of a text."""
    return text.partition("\n")[0]


def _closing(ctx: Any, count: int, *, is_whole: bool) -> str:
    """Where more is to be read."""
    if not is_whole:
        return f"--help-all lists all {count} options, and so does docs/cli.md."
    if getattr(ctx.command, "commands", {}):
        return f"{ctx.command_path} VERB --help lists the flags of a verb."
    return ""


class ShortHelp(_Short, TyperCommand):
    """A verb whose ``--help`` lists its main options, or all if they are few."""


class ShortGroup(_Short, TyperGroup):
    """A verb with verbs below it."""
