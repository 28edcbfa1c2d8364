"""The command line as a whole: verbs, help, errors, exit codes."""

import os
import subprocess
import sys

import pytest

from pagesum_cli import __version__
from pagesum_cli.cli.app import GROUPS, VERBS


def test_help_names_every_verb(pagesum):
    result = pagesum("--help")
    assert result.code == 0
    assert all(f"  {verb} " in result.out for verb in VERBS)
    assert result.err == ""


def test_no_verb_shows_the_help(pagesum):
    assert pagesum().out == pagesum("--help").out


@pytest.mark.parametrize("verb", ["", "summarize", "models", "models show"])
def test_help_is_a_verb_too(pagesum, verb):
    assert pagesum("help", *verb.split()) == pagesum(*verb.split(), "--help")
    assert "no verb 'nothing'" in pagesum("help", "nothing").err


@pytest.mark.parametrize("verb", [*VERBS, "analyze long-distance"])
def test_every_verb_has_its_own_help(pagesum, verb):
    result = pagesum(*verb.split(), "--help")
    assert result.code == 0
    assert f"pagesum {verb}" in result.out
    assert "\nOptions:\n" in result.out or verb == "analyze"
    assert pagesum(*verb.split(), "-h") == result


@pytest.mark.parametrize("verb", [*VERBS, "models add", "analyze long-distance"])
def test_help_fits_a_terminal_of_24_lines_and_80_columns(pagesum, verb):
    lines = pagesum(*verb.split(), "--help").out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("verb", ["summarize", "inspect", "eval", "train"])
def test_help_of_a_verb_with_many_options_has_a_line_for_each_main_one(pagesum, verb):
    lines = pagesum(verb, "--help").out.splitlines()
    assert not [line for line in lines if line.startswith("    ")]  # no option has a second line
    examples = lines[lines.index("Examples:") + 1 : -2]
    assert len(examples) == 3
    assert all(f"pagesum {verb}" in line for line in examples)


def test_help_of_summarize_has_what_people_use(pagesum):
    shown = pagesum("summarize", "--help").out
    flags = "brief verbatim sentences words focus beyond-abstract locality each output format fast"
    assert [flag for flag in flags.split() if f"--{flag}" not in shown] == []


def test_options_of_research_are_accepted_by_summarize_and_shown_by_eval(
    pagesum, letter, tiny_extractive
):
    command = ("summarize", letter, "--model", tiny_extractive, "--document-tokens", "100")
    assert pagesum(*command).code == 0
    for flag in (
        "--document-tokens",
        "--length-penalty",
        "--num-pages",
        "--page-rule",
        "--contrast",
    ):
        assert flag not in pagesum("summarize", "--help-all").out
        assert flag in pagesum("eval", "--help-all").out


@pytest.mark.parametrize("verb", ["summarize", "inspect", "eval", "train", "pages"])
def test_help_all_lists_all_options(pagesum, verb):
    result = pagesum(verb, "--help-all")
    assert result.code == 0
    assert "--debug" in result.out
    assert "<bool>" not in result.out  # flags take no value
    assert max(map(len, result.out.splitlines())) <= 80


def test_the_help_has_every_verb_in_a_group():
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(VERBS)
    assert len(GROUPS) == 3


@pytest.mark.parametrize("given", [{}, {"OMP_WAIT_POLICY": "ACTIVE"}])
def test_waiting_threads_do_not_spin_unless_the_user_says_so(given):
    code = (
        "import os, sys; from pagesum_cli import __main__ as own; sys.argv = ['pagesum', "
        "'--version'];"
        "own.leave = lambda code: print(os.environ['OMP_WAIT_POLICY'], "
        "'torch' in sys.modules); own.main()"
    )
    kept = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | given, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == f"{given.get('OMP_WAIT_POLICY', 'PASSIVE')} False"


def test_version(pagesum):
    result = pagesum("--version")
    assert (result.code, result.out) == (0, f"pagesum {__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["summarise", "x"], "no verb 'summarise'", "did you mean pagesum summarize?"),
        (["frobnicate"], "no verb 'frobnicate', expected one of summarize,", "pagesum --help"),
        (["summarize"], "no file was given", "- to read standard input"),
        (["summarize", "x", "--beam", "3"], "--beam", "did you mean --beams?"),
        (["summarize", "x", "--beams", "0"], "'--beams'", "--help"),
        (["summarize", "x", "--beams", "four"], "'--beams'", "--help"),
        (
            ["summarize", "x", "--words", "abc"],
            "'--words': expected a whole number",
            "pagesum summarize --help",
        ),
        (
            ["summarize", "x", "--length-penalty", "abc"],
            "expected a number",
            "pagesum summarize --help",
        ),
        (
            ["summarize", "x", "--page-tokens", "5"],
            "'--page-tokens': expected at least 34",
            "--help",
        ),
        (
            ["summarize", "x", "--length-penalty", "nan"],
            "'--length-penalty': expected at most",
            "--help",
        ),
        (
            ["summarize", "x", "--min-length", "9", "--max-length", "8"],
            "--min-length 9 is above --max-length 8",
            "--help",
        ),
        (
            ["summarize", "x", "--length", "short", "--max-length", "8"],
            "length given together",
            "one or the other",
        ),
        (
            ["summarize", "x", "--length", "longer"],
            "not one of 'short', 'medium', 'long'",
            "mean long?",
        ),
        (
            ["summarize", "x", "--locality", "discours"],
            "not one of 'auto', 'spatial', 'discourse', 'document'",
            "mean discourse?",
        ),
        (["summarize", "x", "--overflow", "cut"], "not one of 'continue', 'truncate'", ""),
        (["summarize", "x", "--device", "gpu"], "not one of 'auto', 'cpu', 'cuda', 'mps'", ""),
        (
            ["summarize", "x", "--dtype", "fp16"],
            "'--dtype': 'fp16' is not one of",
            "did you mean float16?",
        ),
        (
            ["summarize", "x", "--format", "md"],
            "not one of 'text', 'obsidian', 'markdown', 'json', 'jsonl', 'html'",
            "",
        ),
        (
            ["summarize", "x", "--num-pages", "7", "--overflow", "truncate"],
            "num-pages 7 given together",
            "truncates",
        ),
        (
            ["summarize", "x", "-o", "a.txt", "--output-dir", "b"],
            "--output given together with --output-dir",
            "one",
        ),
        (["summarize", "x", "--output-dir", "b"], "--output-dir without --each", "--each"),
        (["summarize", "x", "--each", "--format", "html"], "several files", "--output-dir"),
        (["pages", "x", "--format", "yaml"], "one of ", ""),
    ],
)
def test_wrong_usage_is_an_error_a_hint_and_exit_code_2(
    pagesum, tiny_checkpoint, arguments, message, hint
):
    model = ["--model", str(tiny_checkpoint)] if len(arguments) > 1 else []
    result = pagesum(*arguments, *(model if arguments[0] in ("summarize", "pages") else []))
    assert result.code == 2
    assert result.out == ""
    first, second, *rest = result.err.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert second.startswith("hint: ")
    assert hint in second
    assert rest == []


def test_a_flag_without_a_value_leads_to_the_help_of_its_verb(pagesum):
    result = pagesum("summarize", "x", "--focus")
    assert result.code == 2
    assert result.err.splitlines()[1] == "hint: pagesum summarize --help lists the flags"


def test_a_file_where_a_verb_is_expected_is_a_known_mistake(pagesum, letter):
    assert f"pagesum summarize {letter}" in pagesum(letter).err


def test_debug_shows_where_an_error_arose(pagesum, tiny_checkpoint):
    result = pagesum("summarize", "missing.txt", "--model", tiny_checkpoint, "--debug")
    assert result.code == 1
    assert "Traceback" in result.err


def test_hostile_names_reach_the_terminal_without_their_escape_codes(pagesum, tiny_checkpoint):
    result = pagesum("pages", "\x1b[31m[bold]no\nsuch.txt", "--model", tiny_checkpoint)
    assert result.err.startswith("error: [31m[bold]no such.txt: no ")


COMPLETE = """
import sys
from pagesum_cli.cli.app import run
try:
    run([])
finally:
    print(sorted({"torch", "transformers"} & sys.modules.keys()), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("variables", "lines"),
    [
        (
            {"_PAGESUM_COMPLETE": "source_bash"},
            ["complete -o default -F _pagesum_completion pagesum"],
        ),
        ({"_PAGESUM_COMPLETE": "source_zsh"}, ["#compdef pagesum"]),
        (
            {"_PAGESUM_COMPLETE": "complete_bash", "COMP_WORDS": "pagesum su", "COMP_CWORD": "1"},
            ["summarize"],
        ),
        (
            {
                "_PAGESUM_COMPLETE": "complete_bash",
                "COMP_WORDS": "pagesum summarize --output-",
                "COMP_CWORD": "2",
            },
            ["--output-dir"],
        ),
        (
            {
                "_PAGESUM_COMPLETE": "complete_bash",
                "COMP_WORDS": "pagesum summarize --length ",
                "COMP_CWORD": "3",
            },
            ["short", "medium", "long"],
        ),
    ],
)
def test_the_shell_completes_verbs_flags_and_choices(variables, lines):
    command = [sys.executable, "-c", COMPLETE]
    done = subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"
    assert [line for line in done.stdout.splitlines() if line in lines] == lines


def test_the_help_names_the_installation_of_completion(pagesum):
    assert "--install-completion" in pagesum("--help").out
