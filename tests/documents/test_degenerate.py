"""Texts without words or sentences: the memory and the time of the whole command are bounded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SIZE = 3_000_000  # characters
MAX_MEMORY = 500e6 + 20 * SIZE  # bytes of the main process
MAX_SECONDS = 60.0  # of processor time, of the process that reads and the one that cuts
TEXTS = {"quotes": ">", "code": "` ", "brackets": "[", "letter": "a", "digits": "0123456789"}


@pytest.mark.stress
@pytest.mark.parametrize("kind", ["txt", "md", "html", "jsonl"])
@pytest.mark.parametrize("name", TEXTS)
def test_memory_and_time_of_degenerate_texts(tmp_path: Path, name: str, kind: str) -> None:
    text = TEXTS[name] * (SIZE // len(TEXTS[name]))
    file = tmp_path / f"a.{kind}"
    file.write_text(json.dumps({"text": text}) if kind == "jsonl" else text)
    command = [sys.executable, "-m", "pagesum_cli", "pages", str(file), "--format", "json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    message = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), message
    assert "unexpected" not in message
    assert usage.ru_maxrss * 1024 <= MAX_MEMORY
    assert usage.ru_utime + usage.ru_stime <= MAX_SECONDS
