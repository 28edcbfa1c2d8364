"""Help that fits one screen: the options that have a brief line in the table; ``--help-all`` has the rest."""

from typing import Any

import typer
from typer.core import TyperCommand


def show_all(ctx: typer.Context, value: bool) -> None:
    """Show all options of a verb, and exit."""
    if value and not ctx.resilient_parsing:
        from typer.rich_utils import rich_format_help  # slow to import

        rich_format_help(obj=ctx.command, ctx=ctx, markup_mode="rich")
        raise typer.Exit


class ShortHelp(TyperCommand):
    """A verb with many options: ``--help`` lists some of them, ``--help-all`` all."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Usage, what the verb does, a line for each of its main options by panel, and examples."""
        briefs: dict[str, str] = self.callback.briefs  # type: ignore[union-attr]
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        panels: dict[str, list[tuple[str, str]]] = {}
        for one in self.params:
            if one.name in briefs:
                flags = ", ".join(sorted(one.opts, key=len))
                value = f"{flags} {one.metavar}" if getattr(one, "metavar", None) else flags
                panels.setdefault(getattr(one, "rich_help_panel", None) or "Options", []).append(
                    (value, briefs[one.name])
                )
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl(rows)
        with formatter.section("Examples"):
            for example in (self.epilog or "").split("\n\n"):
                formatter.write_text(example)
        formatter.write_paragraph()
        count = sum(not getattr(one, "hidden", False) for one in self.params)
        formatter.write_text(f"--help-all lists all {count} options, and so does docs/cli.md.")
