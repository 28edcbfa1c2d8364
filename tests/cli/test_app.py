"""The command line as a whole: verbs, help, errors, exit codes."""

import pytest

from pagesum_cli import __version__
from pagesum_cli.cli.app import VERBS


def test_help_names_every_verb(pagesum):
    result = pagesum("--help")
    assert result.code == 0
    assert all(f"  {verb} " in result.out for verb in VERBS)
    assert result.err == ""


def test_no_verb_shows_the_help(pagesum):
    assert pagesum().out == pagesum("--help").out


@pytest.mark.parametrize("verb", ["summarize", "pages", "models"])
def test_every_verb_has_its_own_help(pagesum, verb):
    result = pagesum(verb, "--help")
    assert result.code == 0
    assert f"pagesum {verb}" in result.out
    assert "--debug" in result.out


def test_version(pagesum):
    result = pagesum("--version")
    assert (result.code, result.out) == (0, f"pagesum {__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["summarise", "x"], "no verb 'summarise'", "did you mean pagesum summarize?"),
        (["frobnicate"], "no verb 'frobnicate'; there are summarize,", "pagesum --help"),
        (["summarize"], "FILES", "--help"),
        (["summarize", "x", "--beam", "3"], "--beam", "did you mean --beams?"),
        (["summarize", "x", "--beams", "0"], "--beams 0: expected 1 or more", "--beams 1"),
        (["summarize", "x", "--beams", "four"], "'--beams'", "--help"),
        (["summarize", "x", "--page-tokens", "5"], "--page-tokens 5: expected 34 or more", "--page-tokens 34"),
        (["summarize", "x", "--length-penalty", "nan"], "--length-penalty nan", "--length-penalty"),
        (
            ["summarize", "x", "--min-length", "9", "--max-length", "8"],
            "--min-length 9 is above --max-length 8",
            "below",
        ),
        (["summarize", "x", "--length", "short", "--max-length", "8"], "--length given together", "the one"),
        (["summarize", "x", "--length", "larg"], "one of short, medium, long", ""),
        (["summarize", "x", "--locality", "discours"], "one of auto, spatial, discourse, document", "mean discourse?"),
        (["summarize", "x", "--overflow", "cut"], "one of continue, truncate", ""),
        (["summarize", "x", "--device", "gpu"], "one of auto, cpu, cuda, mps", ""),
        (["summarize", "x", "--dtype", "fp16"], "one of auto, float32, bfloat16, float16", ""),
        (["summarize", "x", "--format", "md"], "one of text, markdown, json, jsonl, html", ""),
        (["summarize", "x", "--num-pages", "7", "--overflow", "truncate"], "--num-pages given together", "truncates"),
        (["summarize", "x", "-o", "a.txt", "--output-dir", "b"], "--output given together with --output-dir", "one"),
        (["summarize", "x", "--output-dir", "b"], "--output-dir without --each", "--each"),
        (["summarize", "x", "--each", "--format", "html"], "several files", "--output-dir"),
        (["pages", "x", "--format", "yaml"], "one of text, json", ""),
    ],
)
def test_wrong_usage_is_told_in_one_line_with_a_hint_and_exit_code_2(
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


def test_a_file_where_a_verb_is_expected_is_a_known_mistake(pagesum, letter):
    assert f"pagesum summarize {letter}" in pagesum(letter).err


def test_debug_shows_where_an_error_arose(pagesum, tiny_checkpoint):
    result = pagesum("summarize", "missing.txt", "--model", tiny_checkpoint, "--debug")
    assert result.code == 1
    assert "Traceback" in result.err


def test_hostile_names_reach_the_terminal_without_their_escape_codes(pagesum, tiny_checkpoint):
    result = pagesum("pages", "\x1b[31m[bold]no\nsuch.txt", "--model", tiny_checkpoint)
    assert result.err.startswith("error: [31m[bold]no such.txt: no ")
