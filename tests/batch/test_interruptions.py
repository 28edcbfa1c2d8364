"""``summarize --each --output-dir``, killed at random moments."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny import TEXTS


@pytest.mark.stress
def test_killed_at_random_moments_it_ends_with_the_same_files(
    pagesum: Callable[..., Any], tiny_checkpoint: Path, tmp_path: Path
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in range(30):
        (documents / f"{number:02}.txt").write_text(
            " ".join(TEXTS[number % 5 :] + TEXTS[: number % 5]) * 3
        )
    arguments = [
        "summarize",
        "--each",
        str(documents),
        "--model",
        str(tiny_checkpoint),
        "--format",
        "json",
    ]
    arguments += ["--dtype", "float32", "--device", "cpu"]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}

    def start(folder: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "pagesum_cli", *arguments, "--output-dir", str(folder)]
        return subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )

    def texts(folder: Path) -> dict[str, str]:
        return {
            path.name: json.loads(path.read_text())["summary"] for path in folder.glob("*.json")
        }

    assert pagesum(*arguments, "--output-dir", tmp_path / "whole").code == 0
    moments = random.Random(0)
    for count in (1, 6, 13, 20):
        process = start(tmp_path / "killed")
        # each that is there is complete
        while process.poll() is None and len(texts(tmp_path / "killed")) < count:
            time.sleep(0.002)
        time.sleep(moments.uniform(0, 0.03))
        process.kill()
        assert process.wait() == -signal.SIGKILL
    assert pagesum(*arguments, "--output-dir", tmp_path / "killed").code == 0
    assert texts(tmp_path / "killed") == texts(tmp_path / "whole")
    assert len(texts(tmp_path / "killed")) == 30
    left = {path.name for path in (tmp_path / "killed").rglob("*") if path.suffix == ".part"}
    assert not left
