"""Write ``docs/cli.md``: every verb, argument and option of the command line, from the command line
itself.

Run it in the root of the repository: ``python docs/make_cli.py``.
"""

import inspect
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import typer

from pagesum_cli.cli.app import VERBS, app

PAGE = Path(__file__).parent / "cli.md"
HEAD = """\
# Command line

Every verb, argument and option, as `pagesum VERB --help` shows them. \
For examples, see the [quickstart](quickstart.md).
An option without a default either has no effect unless it is given, or its \
description states what applies instead.

| verb | |
|---|---|
"""
COMMON = """
`pagesum --version` shows the version, and `-h` or `--help` after any verb its options. \
`pagesum --install-completion`
installs completion of verbs, options and choices for the current shell; \
`--show-completion` prints it.

Exit codes:

- 0: done, even if the reader of the output closes it early (`pagesum pages book.epub | head`);
- 1: failed: a file is missing, unreadable or exists already, a package or a device is missing, \
or the disk
  is full; with `--each`, a document failed; `pagesum check` found something wrong;
- 2: wrong usage, on the command line or in a configuration file: a verb, an option \
or a value that does not exist, or
  that has no effect together with the others;
- 130: interrupted with Ctrl-C;
- 143: ended by SIGTERM.

Files that were already written are kept: see \
[interruptions](reliability.md#interruptions-and-full-disks).
"""
FOOT = """
---

This page is generated from the program. After a change to an option, \
run `python docs/make.py --write`.
"""


def reference() -> str:
    """The page."""
    top: Any = typer.main.get_command(app)
    commands = {f"pagesum {name}": top.get_command(None, name) for name in VERBS}
    links = "".join(
        f"| [`{name}`](#{name.replace(' ', '-')}) | {VERBS[name.split()[1]]} |\n"
        for name in commands
    )
    verbs = "".join("".join(_verb(name, command)) for name, command in commands.items())
    return HEAD + links + COMMON + verbs + FOOT


def _verb(name: str, command: Any, level: int = 2) -> Iterator[str]:
    """A verb, then the verbs below it."""
    below = getattr(command, "commands", {})
    shown = [one for one in command.params if not one.hidden]
    arguments = [one for one in shown if one.param_type_name == "argument"]
    yield f"\n{'#' * level} {name}\n\n{_prose(command.help)}\n"
    verb = "[VERB]" if getattr(command, "invoke_without_command", False) else "VERB"
    yield (
        f"\n```\n"
        f"{' '.join([name, *([verb] if below else []), '[OPTIONS]', *map(_usage, arguments)])}"
        f"\n```\n"
    )
    for one in arguments:
        yield f"\n`{one.metavar}`: {_cell(one.help)}\n"
    options = sorted((one for one in shown if one.param_type_name == "option"), key=_panels(shown))
    for panel, group in groupby(options, key=lambda one: one.rich_help_panel):
        yield f"\n| {panel or 'Options'} | value | default | |\n|---|---|---|---|\n"
        yield from map(_row, group)
    for verb, one in below.items():
        yield from _verb(f"{name} {verb}", one, level + 1)


def _panels(options: list[Any]) -> Any:
    """Sort key: panels in the order of their first options."""
    order = list(
        dict.fromkeys(one.rich_help_panel for one in options if one.param_type_name == "option")
    )
    return lambda one: order.index(one.rich_help_panel)


def _usage(argument: Any) -> str:
    several = "..." if argument.nargs != 1 else ""
    return f"{argument.metavar}{several}" if argument.required else f"[{argument.metavar}{several}]"


def _row(one: Any) -> str:
    names = ", ".join(
        f"`{name}`" for name in sorted([*one.opts, *one.secondary_opts], key=len, reverse=True)
    )
    help, _, _ = one.help.partition(" Choices: ")  # they are in the column of values
    needed = "**required**" if one.required else ""
    default = needed or (
        f"`{one.default}`" if one.show_default and one.default not in (None, False) else ""
    )
    return f"| {names} | {_value(one)} | {default} | {_cell(help)} |\n"


def _value(one: Any) -> str:
    choices = one.type_descriptor.choices
    if choices:
        return ", ".join(f"`{choice}`" for choice in choices)
    if not one.metavar:
        return ""
    value = "`" + one.metavar.replace("|", "\\|") + "`"
    if one.min is not None and one.max is not None:
        return f"{value} from {one.min:g} to {one.max:g}"
    return f"{value} ≥ {one.min:g}" if one.min is not None else value


def _prose(text: str) -> str:
    """Paragraphs, each on one line."""
    return "\n\n".join(_cell(" ".join(one.split())) for one in inspect.cleandoc(text).split("\n\n"))


def _cell(text: str) -> str:
    """Text with options, file names and variables as code, safe in a table."""
    coded = re.sub(
        r"(?<![\w`-])(--[a-z][\w-]*|pagesum [a-z]+\b(?: --[a-z-]+(?: [A-Z]+)?)?)", r"`\1`", text
    )
    return coded.replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
