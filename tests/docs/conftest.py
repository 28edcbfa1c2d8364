"""The command ``pagesum`` for the many lines of the documentation."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def programs() -> Iterator[Path]:
    """A folder with a ``pagesum`` that starts at once; see ``prepared.py``."""
    script = Path(__file__).with_name("prepared.py")
    # its path is short: that of a socket has at most some 100 characters
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, str(script), folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield Path(folder)
