"""The check of a GPU, on the CPU: its logic, not its figures."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, with one of the checkpoints, short summaries, small batches, timed once."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import gpu
    from decoding import once

    (tmp_path / "ref-a").symlink_to(gpu.DATA / "ref-a")
    monkeypatch.setattr(gpu, "DATA", tmp_path)
    monkeypatch.setattr(gpu, "timed", once)
    monkeypatch.setattr(gpu, "BATCH", 3)
    new = 8  # tokens
    monkeypatch.setattr(gpu, "NEW", new)
    short = {"max_length": new + 1, "min_length": new + 1}
    monkeypatch.setattr(gpu, "SEARCH", {**gpu.SEARCH, **short})
    return gpu


def run(gpu: ModuleType, output: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, dict]:
    arguments = [
        "gpu.py",
        "--device",
        "cpu",
        "--size",
        "tiny",
        "--pages",
        "2",
        "6",
        "--output",
        str(output),
    ]
    monkeypatch.setattr(sys, "argv", arguments)
    return gpu.main(), json.loads(output.read_text())


@pytest.mark.slow
def test_everything_is_checked_and_written(
    gpu: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, figures = run(gpu, tmp_path / "gpu.json", monkeypatch)
    assert (code, figures["ok"]) == (0, True)
    parity = {
        (row["checkpoint"], row["dtype"]): row
        for row in figures["parity with the original program"]
    }
    assert len(parity) == 2
    assert parity["ref-a", "float32"]["same summaries"] == "16 of 16"
    assert [(row["dtype"], row["pages"], row["documents"]) for row in figures["speed"]] == [
        (dtype, pages, documents)
        for dtype in ("float32", "bfloat16")
        for pages in (2, 6)
        for documents in (1, 8)
    ]
    encoded, batch, single = figures["too little memory"]
    assert encoded["tried"][:2] == [6, 3]
    assert batch["tried"] == [3, *[1] * 3]
    assert "memory does not hold" in single["error"]
    assert "| ref-a | float32 |" in capsys.readouterr().out


def test_a_check_that_fails_is_the_exit_code(
    gpu: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        gpu, "TOLERANCES", {"float32": {"logits": 0.0, "confidences": 1e-4, "loss": 1e-5}}
    )
    monkeypatch.setattr(gpu, "speed", lambda *arguments: [])
    monkeypatch.setattr(gpu, "smaller_groups", lambda *arguments: {"ok": True})
    monkeypatch.setattr(gpu, "one_by_one", lambda *arguments: [])
    code, figures = run(gpu, tmp_path / "gpu.json", monkeypatch)
    assert (code, figures["ok"]) == (1, False)
    assert "1 checks failed" in capsys.readouterr().out
