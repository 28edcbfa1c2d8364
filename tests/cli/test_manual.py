"""The manual page, and the scripts that make shells complete."""

import re
import shutil
import subprocess

import pytest
import typer

from pagesum_cli.cli import manual
from pagesum_cli.cli.app import VERBS, app
from pagesum_cli.cli.reference import all_verbs, names_of

TOP = typer.main.get_command(app)
MACROS = {"TH", "SH", "SS", "TP", "PP", "B", "I", "RI", "IR", "br", "nf", "fi"}


@pytest.fixture(scope="module")
def page() -> str:
    return manual.manual(TOP)


def test_the_page_has_every_option_of_every_verb(page):
    shown = page.replace(r"\-", "-")
    sections = {text.partition('"\n')[0]: text for text in shown.split('\n.SH "')[1:]}
    assert {f"PAGESUM {verb.upper()}" for verb in VERBS} <= sections.keys()
    for verb in all_verbs(TOP):
        section = sections[verb.name.upper()]
        for options in verb.panels.values():
            for one in options:
                assert all(rf"\fB{name}\fR" in section for name in names_of(one))


def test_the_page_is_ascii_with_known_macros(page):
    assert page.isascii()
    assert {line[1:].split()[0] for line in page.splitlines() if line.startswith(".")} == MACROS
    assert not [line for line in page.splitlines() if line.startswith("'") or not line]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (".md files", r"\&.md files"),
        ("'a' \\ b", r"\(aqa\(aq \e b"),
        ("a\n  b ≥ 1 ^", r"a b \[u2265] 1 \(ha"),
    ],
)
def test_no_text_is_read_as_a_command(text, line):
    assert manual._line(text) == line


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_it_is_formatted_without_a_warning(page):
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=page.encode(), capture_output=True, check=True
    )
    assert done.stderr == b""
    # bold is overstruck, or escape sequences
    shown = re.sub(r".\x08|\x1b\[\d*m", "", done.stdout.decode())
    assert "--words N\n" in shown
    assert "≥ 1" in shown


def test_the_command_prints_it(pagesum, page):
    assert pagesum("--man").out == f"{page}\n"


@pytest.mark.parametrize(
    ("shell", "first"),
    [
        ("bash", "_pagesum_completion() {"),
        ("zsh", "#compdef pagesum"),  # only the first line counts
        ("fish", "complete --command pagesum"),
        ("powershell", "Import-Module PSReadLine"),
    ],
)
def test_completion_is_printed_for_any_shell(pagesum, shell, first):
    result = pagesum("--completion", shell)
    assert result.code == 0
    assert result.out.startswith(first)
    assert "_PAGESUM_COMPLETE" in result.out
    assert "not one of 'bash', 'zsh', 'fish'" in pagesum("--completion", "csh").err
