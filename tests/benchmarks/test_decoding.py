"""The benchmark of decoding runs: its logic, not its figures."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("decoding.py")


@pytest.mark.slow
def test_ways_of_decoding_are_compared() -> None:
    command = [sys.executable, str(SCRIPT), "--size", "tiny", "--pages", "2", "--dtypes", "float32"]
    command += ["--rounds", "1", "--new", "6", "--threads", "1", "--cpu-time"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    header, _, ours, plain, note = [line for line in done.stdout.splitlines() if line]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in (header, ours, plain)]
    names, ours_cells, plain_cells = rows
    assert [len(row) for row in rows] == [len(names)] * 3
    assert ours_cells[:3] == ["2", "float32", "pagesum"]
    assert float(ours_cells[names.index("floor ms")]) > 0
    assert plain_cells[2] == "repeated"
    assert plain_cells[-1] == "yes"  # the same summary
    assert "copies" in note
