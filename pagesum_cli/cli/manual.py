"""The manual page of the command, for ``man``: the same verbs and options as in docs/cli.md."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

from ..version import __version__
from .reference import Verb, all_verbs, choices_of, default_of, help_of, names_of, range_of
from .verbs import GROUPS, VERBS

HEAD = r"""
.TH PAGESUM 1 "" "{version}" "User Commands"
.SH NAME
pagesum \- summaries of long documents that show where each sentence comes from
.SH SYNOPSIS
.B pagesum
.I VERB
.RI [ OPTIONS ]
.RI [ ARGUMENTS ]
.br
.B pagesum
.B \-\-help
|
.B \-\-version
|
.B \-\-man
|
.B \-\-completion
.I SHELL
.SH DESCRIPTION
Summaries of long documents, made on this machine.
Data is written to standard output, everything else to standard error.
.B pagesum
.I VERB
.B \-\-help
lists the main options of a verb,
.B \-\-help\-all
all of them.
"""
FOOT = r"""
.SH FILES
.TP
.I $XDG_CONFIG_HOME/pagesum/config.toml
The user's own configuration file; that of the current folder is
.IR pagesum.toml .
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
It could not be done, a document of
.B \-\-each
failed, or
.B pagesum check
found something wrong.
.TP
.B 2
Wrong usage.
.TP
.B 130
Interrupted with Ctrl\-C.
.TP
.B 143
Ended by SIGTERM.
"""


def manual(top: Any) -> str:
    """The page of a command line, in the language of ``man``."""
    head = HEAD.lstrip().replace("{version}", _escaped(f"pagesum {__version__}"))
    lines = [*_overview(), *(line for verb in all_verbs(top) for line in _verb(verb))]
    return head + "\n".join(lines) + FOOT.rstrip()


def _overview() -> Iterator[str]:
    """The verbs with what they do, by group."""
    for title, names in GROUPS.items():
        yield f".SS {_escaped(title)}"
        for name in names:
            yield from _entry(_bold(name), VERBS[name])


def _verb(verb: Verb) -> Iterator[str]:
    """The section of a verb."""
    yield f".SH {_quoted(verb.name.upper())}"
    yield _bold(verb.usage)
    for paragraph in inspect.cleandoc(verb.command.help).split("\n\n"):
        yield from (".PP", _line(paragraph))
    for one in verb.arguments:
        yield from _entry(_italic(one.metavar), one.help)
    for panel, options in verb.panels.items():
        yield f".SS {_quoted(panel)}"
        for one in options:
            yield from _option(one)
    if examples := [one for one in (verb.command.epilog or "").split("\n\n") if one]:
        yield from (".SS Examples", ".nf", *map(_line, examples), ".fi")


def _option(one: Any) -> Iterator[str]:
    """An option with its value, and what it does."""
    flags = ", ".join(_bold(name) for name in reversed(names_of(one)))
    choices = "|".join(choices_of(one))
    value = _italic(choices or one.metavar or "")
    facts = [f"Values: {range_of(one)}."] if range_of(one) else []
    facts += [f"Default: {default_of(one)}."] if default_of(one) else []
    facts += ["Required."] if one.required else []
    yield from _entry(f"{flags} {value}".rstrip(), " ".join([help_of(one), *facts]))


def _entry(head: str, text: str) -> Iterator[str]:
    yield from (".TP", head, _line(text))


def _bold(text: str) -> str:
    return rf"\fB{_escaped(text)}\fR" if text else ""


def _italic(text: str) -> str:
    return rf"\fI{_escaped(text)}\fR" if text else ""


def _quoted(text: str) -> str:
    """A text as the one argument of a macro."""
    return '"' + _escaped(text).replace('"', r"\(dq") + '"'


def _line(text: str) -> str:
    """A text as one line, which is no macro."""
    line = _escaped(" ".join(text.split()))
    return rf"\&{line}" if line.startswith((".", "'")) else line


def _escaped(text: str) -> str:
    """A text in ASCII without anything that the formatter would interpret."""
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    plain = plain.replace("`", r"\(ga").replace("^", r"\(ha").replace("~", r"\(ti")
    return re.sub(r"[^\x20-\x7e]", lambda found: rf"\[u{ord(found[0]):04X}]", plain)
