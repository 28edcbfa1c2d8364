"""Flags made from option dataclasses."""

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest
import typer

from pagesum_cli.cli import console, options
from pagesum_cli.options import Options, option


@dataclass(frozen=True)
class Flags(Options):
    panel: ClassVar[str] = "A panel"

    size: int | None = option(None, "How large.", min=2, max=9, metavar="N", flags=("-s",))
    rate: float = option(0.5, "How fast.", min=0, exclusive=True, metavar="X")
    kind: str = option("plain", "Which kind.", choices=("plain", "fancy"))
    names: tuple[str, ...] = option((), "Which names.", metavar="NAME", flags=("--name",))
    pair: tuple[str, str] | None = option(None, "Two files.", metavar="A B")
    is_loud: bool = option(False, "Louder.", flags=("--loud",))
    old: str | None = option(None, "Gone.", hidden=True)


@pytest.fixture
def verb(capsys):
    """Runs a verb with these flags; returns its exit code and what it received."""
    received = []
    app = typer.Typer(add_completion=False)

    @app.command()
    @options.with_flags
    def run(flags: Flags, messages: options.MessageOptions, files: options.Files) -> None:
        """Do it."""
        received.append((files, flags, messages.quiet))

    def call(*arguments):
        def work():
            with typer.main.get_command(app).make_context("verb", list(arguments)) as ctx:
                ctx.command.invoke(ctx)

        received.clear()
        code = console.guarded(work)
        output = capsys.readouterr()
        return code, received[0] if received else output.out + output.err

    return call


def test_fields_have_the_defaults_of_the_dataclass(verb):
    assert verb("a.txt") == (0, (["a.txt"], Flags(), False))


def test_flags_fill_the_dataclasses(verb):
    code, received = verb(
        "-s",
        "3",
        "--kind",
        "fancy",
        "--name",
        "x",
        "--name",
        "y",
        "--pair",
        "p",
        "q",
        "--old",
        "o",
        "a",
    )
    assert (code, received) == (
        0,
        (["a"], Flags(3, 0.5, "fancy", ("x", "y"), ("p", "q"), old="o"), False),
    )
    assert verb("a", "b", "--loud", "-q", "--rate", "2") == (
        0,
        (["a", "b"], Flags(rate=2.0, is_loud=True), True),
    )


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["--size", "1"], "'--size' / '-s': expected at least 2", "verb --help"),
        (["--size", "10"], "expected at most 9", "verb --help"),
        (["--rate", "0"], "rate 0.0: expected more than 0", "--help"),
        (["--rate", "nan"], "'--rate': expected at least", "verb --help"),
        (["--kind", "fanci"], "'fanci' is not one of 'plain', 'fancy'", "did you mean fancy?"),
        (["--loudly"], "--loudly", "did you mean --loud?"),
    ],
)
def test_wrong_values_are_an_error_and_a_hint(verb, arguments, message, hint):
    code, output = verb("a.txt", *arguments)
    first, second = output.splitlines()
    assert code == 2
    assert first.startswith("error: ")
    assert message in first
    assert second.startswith("hint: ")
    assert hint in second


def test_help_has_panels_ranges_choices_and_no_hidden_flag(verb):
    output = verb("--help")[1]
    for part in ("A panel", "N [2<=x<=9]", "<plain|fancy>", "[default: plain]", "How large."):
        assert part in output
    assert "--old" not in output


@pytest.mark.parametrize(
    ("words", "completions"),
    [("pagesum summarize --locality d", ["discourse", "document"]), ("pagesum insp", ["inspect"])],
)
def test_the_shell_completes_verbs_and_choices(words, completions):
    variables = {
        "_PAGESUM_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    command = [sys.executable, "-m", "pagesum_cli"]
    done = subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == completions
