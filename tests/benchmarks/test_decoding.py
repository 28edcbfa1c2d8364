"""The benchmark of decoding runs: its logic, not its figures."""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

SCRIPT = Path(__file__).with_name("decoding.py")


@pytest.fixture
def decoding(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The script; its ways run in this process, and it measures rates with little work."""
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    import decoding

    def run(command: list[str]) -> Any:
        out = io.StringIO()
        with monkeypatch.context() as patch, contextlib.redirect_stdout(out):
            patch.setattr(sys, "argv", command[1:])
            decoding.main()
        return json.loads(out.getvalue())

    monkeypatch.setattr(decoding, "child", run)
    monkeypatch.setattr(decoding, "OPERATIONS", 1000)
    monkeypatch.setattr(decoding, "COPIED", 1 << 20)
    monkeypatch.setattr(decoding, "TOKENS", 64)
    threads = torch.get_num_threads()
    yield decoding
    torch.set_num_threads(threads)


def test_ways_of_decoding_are_compared(
    decoding: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--size", "tiny", "--pages", "2", "--dtypes", "float32", "--rounds", "1"]
    options += ["--new", "6", "--threads", "1", "--cpu-time"]
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *options])
    decoding.main()
    header, _, ours, plain, note = [line for line in capsys.readouterr().out.splitlines() if line]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in (header, ours, plain)]
    names, ours_cells, plain_cells = rows
    assert [len(row) for row in rows] == [len(names)] * 3
    assert ours_cells[:3] == ["2", "float32", "pagesum"]
    assert float(ours_cells[names.index("floor ms")]) >= 0
    assert plain_cells[2] == "repeated"
    assert plain_cells[-1] == "yes"  # the same summary
    assert "copies" in note
