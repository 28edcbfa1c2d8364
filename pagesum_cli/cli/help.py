"""Help that fits one screen: of verbs with many options, those that have a brief line in the
table.
"""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

FEW = 16  # maximum number of options that are all listed


def show_all(ctx: typer.Context, value: bool) -> None:
    """Show all options of a verb, and exit."""
    if value and not ctx.resilient_parsing:
        from typer.rich_utils import rich_format_help  # slow to import

        rich_format_help(obj=ctx.command, ctx=ctx, markup_mode="rich")
        raise typer.Exit


class _Short:
    """Usage, what a verb does, a line for each of its main options by panel, the verbs below it,
    and examples.
    """

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        briefs: dict[str, str] = getattr(self.callback, "briefs", {})
        options = [
            one for one in self.params if one.param_type_name == "option" and one.name != "help_all"
        ]
        panels: dict[str, list[tuple[str, str]]] = {}
        for one in options:
            if text := briefs.get(one.name) or (one.help if len(options) <= FEW else ""):
                flags = ", ".join(sorted(one.opts, key=len))
                value = f"{flags} {one.metavar}" if getattr(one, "metavar", None) else flags
                panels.setdefault(getattr(one, "rich_help_panel", None) or "Options", []).append(
                    (value, text)
                )
        below = getattr(self, "commands", {})
        if below:
            panels["Verbs"] = [
                (name, command.help.partition("\n")[0]) for name, command in below.items()
            ]
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)
        if self.epilog:
            with formatter.section("Examples"):
                for example in self.epilog.split("\n\n"):
                    formatter.write_text(example)
        if len(options) > FEW:
            formatter.write_paragraph()
            count = sum(not getattr(one, "hidden", False) for one in self.params)
            formatter.write_text(f"--help-all lists all {count} options, and so does docs/cli.md.")
        elif below:
            formatter.write_paragraph()
            formatter.write_text(f"{ctx.command_path} VERB --help lists the flags of a verb.")


class ShortHelp(_Short, TyperCommand):
    """A verb whose ``--help`` lists its main options, or all if they are few."""


class ShortGroup(_Short, TyperGroup):
    """A verb with verbs below it."""
