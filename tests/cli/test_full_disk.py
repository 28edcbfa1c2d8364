"""A full disk, simulated by a limit on the size of files: one clear line, and what was there before
is still there.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
pytestmark = pytest.mark.stress

ROOM = 60
"""Bytes that fit into a file: enough to try whether a folder can be written to."""


def run(*arguments: str | Path, state: Path, room: int = ROOM) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in which no file may become larger than ``room``."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return subprocess.run(
        [sys.executable, "-m", "pagesum_cli", *map(str, arguments)],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(state)},
    )


def assert_one_line(result: subprocess.CompletedProcess[str]) -> None:
    assert result.returncode == 1, result.stderr
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert "unexpected" not in result.stderr


def parts(folder: Path) -> list[Path]:
    return list(folder.rglob("*.part"))


def test_output_of_summarize(tiny_checkpoint: Path, report: Path, tmp_path: Path) -> None:
    output = tmp_path / "summary.json"
    output.write_text("before")
    command = (
        "summarize",
        report,
        "--model",
        tiny_checkpoint,
        "--format",
        "json",
        "--output",
        output,
    )
    assert_one_line(run(*command, state=tmp_path / "state"))
    assert output.read_text() == "before"
    assert not parts(tmp_path)


def test_summaries_of_many_documents_are_finished_later(
    pagesum: Command, tiny_checkpoint: Path, report: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "summaries"
    command = (
        "summarize",
        "--each",
        report,
        "--model",
        tiny_checkpoint,
        "--format",
        "json",
        "--output-dir",
        folder,
    )
    assert_one_line(run(*command, state=tmp_path / "state"))
    assert not parts(tmp_path)
    assert [path for path in folder.glob("*.json") if path.stat().st_size] == []
    assert pagesum(*command).code == 0
    (written,) = folder.glob("*.json")
    assert json.loads(written.read_text())["schema"] == 1


def test_the_history_is_no_reason_to_fail(
    tiny_checkpoint: Path, report: Path, tmp_path: Path
) -> None:
    result = run("summarize", report, "--model", tiny_checkpoint, state=tmp_path / "state")
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()
    assert not parts(tmp_path)
    assert not list((tmp_path / "state").rglob("*.json"))


def test_exports_of_inspect(
    pagesum: Command, tiny_checkpoint: Path, report: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.json"
    command = (
        "summarize",
        report,
        "--model",
        tiny_checkpoint,
        "--format",
        "json",
        "--output",
        saved,
    )
    assert pagesum(*command).code == 0
    outputs = [tmp_path / f"out{suffix}" for suffix in (".json", ".html", ".csv")]
    for output in outputs:
        output.write_text("before")
    exports = [argument for output in outputs for argument in ("--export", output)]
    assert_one_line(run("inspect", saved, *exports, state=tmp_path / "state"))
    assert [output.read_text() for output in outputs] == ["before"] * 3
    assert not parts(tmp_path)


def test_results_of_eval_are_finished_later(
    pagesum: Command, tiny_checkpoint: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    command = (
        "eval",
        "--data",
        "sample",
        "--limit",
        "2",
        "--model",
        tiny_checkpoint,
        "--metrics",
        "rouge1",
    )
    command += ("--output", folder)
    assert_one_line(run(*command, state=tmp_path / "state", room=2000))
    result = pagesum(*command)
    assert result.code == 0, result.err
    assert len((folder / "results.jsonl").read_text().splitlines()) == 2


def test_models_that_are_added(
    pagesum: Command, tiny_checkpoint: Path, tmp_path: Path, data_home: Path
) -> None:
    command = ("models", "add", "mine", tiny_checkpoint)
    for room in (ROOM, 5000):  # neither the configuration nor the weights fit
        result = run(*command, state=tmp_path / "state", room=room)
        assert_one_line(result)
        assert "mine: cannot be written" in result.stderr
        assert list((data_home / "pagesum" / "models").iterdir()) == []
    assert pagesum(*command).code == 0
