"""Ctrl-C and SIGTERM. Little is imported here, so that it works from the first moment on."""

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

INTERRUPTED = 130

Handler = Callable[[int, FrameType | None], Any] | int | None


def leave_at_once(signum: int, frame: FrameType | None) -> None:
    """Exit without an exception, which an import in progress could swallow or turn into a
    traceback.
    """
    os.write(2, _show_cursor() + b"\ninterrupted\n")
    os._exit(INTERRUPTED)


def end(signum: int, frame: FrameType | None) -> None:
    """End as a signal ends a program that does not handle it, with the cursor shown."""
    os.write(2, _show_cursor())
    signal.signal(signum, signal.SIG_DFL)
    signal.raise_signal(signum)


def _show_cursor() -> bytes:
    """What shows a terminal's cursor, which a progress bar may have hidden."""
    return b"\x1b[?25h" if os.isatty(2) else b""


def on_interrupt(handler: Handler) -> None:
    """Set what happens on Ctrl-C."""
    with contextlib.suppress(ValueError):  # only the main thread of a process may set it
        signal.signal(signal.SIGINT, handler)


def leave(code: int) -> None:
    """Exit, without taking the imported modules apart first: for PyTorch's, this takes half a
    second.
    """
    # they are waited for
    if not all(one.daemon or one is threading.main_thread() for one in threading.enumerate()):
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # closed by its reader
            stream.flush()
    os._exit(code)
