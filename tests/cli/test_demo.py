"""``pagesum demo`` as it is typed."""

import shlex
from pathlib import Path
from time import perf_counter

import pytest


def commands_in(text: str) -> list[list[str]]:
    """The commands that the demonstration shows, without ``$ pagesum``."""
    return [shlex.split(line[10:]) for line in text.splitlines() if line.startswith("$ pagesum ")]


def test_a_summary_with_citations_and_a_check_of_two_errors(pagesum, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    began = perf_counter()
    shown = pagesum("demo")
    assert perf_counter() - began < 5
    assert (shown.code, shown.err) == (0, "")
    assert "[Results]" in shown.out
    assert "2 verbatim, 2 differ" in shown.out
    assert list(tmp_path.iterdir()) == []


def test_its_commands_give_what_it_shows(pagesum, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = pagesum("demo", "--output-dir", "some where").out
    summarize, check = commands_in(shown)
    assert pagesum(*summarize, "--no-history").out.strip() in shown
    result = pagesum(*check)
    assert result.code == 1
    assert result.out.strip() in shown


@pytest.mark.parametrize(("flags", "code"), [([], 1), (["--force"], 0)])
def test_files_are_replaced_on_request_only(pagesum, tmp_path: Path, flags, code):
    (tmp_path / "garden.md").write_text("mine")
    result = pagesum("demo", "--output-dir", tmp_path, *flags)
    assert result.code == code
    assert ((tmp_path / "garden.md").read_text() == "mine") is bool(code)
    if code:
        assert "garden.md" in result.err
        assert "Traceback" not in result.err
