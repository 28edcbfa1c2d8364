"""Write ``docs/cli.md``: every verb, argument and option of the command line, from the command line
itself.

Run it in the root of the repository: ``python docs/make_cli.py``.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from pagesum_cli.cli.app import VERBS, app
from pagesum_cli.cli.reference import (
    Verb,
    all_verbs,
    choices_of,
    default_of,
    help_of,
    names_of,
    range_of,
)

PAGE = Path(__file__).parent / "cli.md"
HEAD = """\
# Command line

Every verb, argument and option, as `pagesum VERB --help-all` shows them. \
For examples, see the [quickstart](quickstart.md).
An option without a default either has no effect unless it is given, or its \
description states what applies instead.

| verb | |
|---|---|
"""
COMMON = """
`pagesum --version` shows the version, and `-h` or `--help` after any verb its main options. \
`pagesum --man` prints this page for `man`. `pagesum --install-completion`
installs completion of verbs, options and choices for the current shell; \
`--show-completion` prints it, and `--completion SHELL` that of `bash`, `zsh`, `fish` or \
`powershell`.

`pagesum summarize` also accepts the options of research that only `inspect`, `eval` and \
others list, such as `--beams`.

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
    verbs = all_verbs(typer.main.get_command(app))
    links = "".join(
        f"| [`{one.name}`](#{one.name.replace(' ', '-')}) | {VERBS[one.name.split()[1]]} |\n"
        for one in verbs
        if not one.depth
    )
    return HEAD + links + COMMON + "".join("".join(_verb(one)) for one in verbs) + FOOT


def _verb(verb: Verb) -> Iterator[str]:
    """The section of a verb."""
    yield f"\n{'#' * (verb.depth + 2)} {verb.name}\n\n{_prose(verb.command.help)}\n"
    yield f"\n```\n{verb.usage}\n```\n"
    for one in verb.arguments:
        yield f"\n`{one.metavar}`: {_cell(one.help)}\n"
    for panel, options in verb.panels.items():
        yield f"\n| {panel} | value | default | |\n|---|---|---|---|\n"
        yield from map(_row, options)


def _row(one: Any) -> str:
    names = ", ".join(f"`{name}`" for name in names_of(one))
    default = f"`{default_of(one)}`" if default_of(one) else ""
    needed = "**required**" if one.required else ""
    return f"| {names} | {_value(one)} | {needed or default} | {_cell(help_of(one))} |\n"


def _value(one: Any) -> str:
    if choices := choices_of(one):
        return ", ".join(f"`{choice}`" for choice in choices)
    if not one.metavar:
        return ""
    value = "`" + one.metavar.replace("|", "\\|") + "`"
    return f"{value} {range_of(one)}".rstrip()


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
