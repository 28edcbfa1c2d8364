"""Starting the process that reads files. Imports little, so that it is started before all else."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ...system import STARTING, no_interruptions

_CODE = (
    "import sys; sys.path[:] = sys.argv[2:]; from pagesum_cli.documents.guard.child import "
    "main; main(sys.argv[1])"
)
_ROOT = str(Path(__file__).parents[3])
READING = ("summarize", "inspect", "check", "pages")  # the verbs that read files
_early: list[tuple[int, subprocess.Popen[bytes]]] = []  # by the process that has started it


def start(suffix: str = "") -> "subprocess.Popen[bytes]":
    """A process that reads, and that imports at once what files with a suffix need.

    Raises:
        OSError, ValueError: None can be started.
    """
    paths = [_ROOT, *(path for path in sys.path if isinstance(path, str) and path)]
    with no_interruptions():
        return subprocess.Popen(
            [sys.executable, "-c", _CODE, suffix, *paths],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **STARTING,
        )


def start_early(arguments: Sequence[str]) -> None:
    """Start a process if a command line reads a file; it ends with this one, even unused."""
    if not arguments or arguments[0] not in READING:
        return
    files = (one for one in arguments[1:] if not one.startswith("-") and os.path.isfile(one))
    if path := next(files, None):
        with contextlib.suppress(OSError, ValueError):  # which is reported when it is needed
            _early.append((os.getpid(), start(os.path.splitext(path)[1].lower())))


def started() -> "subprocess.Popen[bytes]":
    """The process that was started early, or a new one; see :func:`start`."""
    with contextlib.suppress(IndexError):
        owner, process = _early.pop()
        if owner == os.getpid():  # not inherited by a fork
            return process
    return start()
