"""The process that reads is started before all else."""

import os
import sys
from pathlib import Path

import pytest

from pagesum_cli.documents.guard import start


@pytest.fixture
def suffixes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(start, "start", lambda suffix="": found.append(suffix))
    monkeypatch.setattr(start, "_early", [])
    return found


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["summarize", "{file}"], [".pdf"]),
        (["summarize", "--fast", "{file}", "--words", "9"], [".pdf"]),
        (["check", "missing.txt", "{file}"], [".pdf"]),
        (["summarize", "--help"], []),
        (["summarize", "missing.pdf"], []),
        (["models", "{file}"], []),
        ([], []),
    ],
)
def test_a_process_is_started_early_for_a_file(
    arguments: list[str], expected: list[str], suffixes: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.PDF"
    file.touch()
    start.start_early([one.format(file=file) for one in arguments])
    assert suffixes == expected


def test_the_process_that_was_started_early_reads_the_first_file(suffixes: list[str]) -> None:
    first: object = object()
    start._early.append((os.getpid(), first))  # type: ignore[arg-type]
    assert start.started() is first
    assert start.started() is None  # a new one
    assert suffixes == [""]


def test_a_process_of_another_owner_is_left_alone(suffixes: list[str]) -> None:
    start._early.append((os.getpid() + 1, object()))  # type: ignore[arg-type]
    assert start.started() is None


def test_little_is_imported_to_start_it() -> None:
    names = {name for name in vars(start) if getattr(start, name) in sys.modules.values()}
    assert names <= {"contextlib", "os", "signal", "subprocess", "sys"}
