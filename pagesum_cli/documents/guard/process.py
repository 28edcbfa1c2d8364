"""The reading process as its parent sees it."""

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from ...errors import PagesumError
from .frames import Frames, encoded, send
from .limits import Limits

START = 60.0
"""Seconds in which a process must start."""

IDLE = 4
"""Maximum number of processes that wait for the next file."""

_CODE = "import sys; sys.path[:] = sys.argv[1:]; from pagesum_cli.documents.guard.child import main; main()"
_ROOT = str(Path(__file__).parents[3])


class CannotStart(Exception):
    """No process can be started."""


@dataclass(frozen=True)
class Request:
    """What is read.

    Attributes:
        name: What errors call it.
        function: The function to call, as ``package.module:function``; None for ``documents.read.read_file``.
        arguments: Its arguments, as JSON has them.
        size: The number of bytes of the file, on which the limits depend; None for a file that is to be fetched.
        content: The bytes of the file, if it is not to be opened.
        is_stream: Whether each item has limits of its own.
    """

    name: str
    function: str | None
    arguments: dict[str, Any]
    size: int | None
    content: bytes | None = None
    is_stream: bool = False


@contextlib.contextmanager
def no_interruptions() -> Iterator[None]:
    """Start a thread or a process that Ctrl-C and SIGTERM never reach: the main thread answers them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Process:
    """A process that reads one file at a time.

    Raises:
        CannotStart: It does not start.
    """

    def __init__(self) -> None:
        self.owner = os.getpid()
        paths = [_ROOT, *(path for path in sys.path if isinstance(path, str) and path)]
        try:
            with no_interruptions():
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _CODE, *paths],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
        except (OSError, ValueError) as error:
            raise CannotStart(str(error)) from error
        assert self._process.stdin
        assert self._process.stdout
        self._requests, self._answers = self._process.stdin.fileno(), Frames(self._process.stdout.fileno())
        _running.add(self)
        try:
            self._answers.next(100, monotonic() + START)
        except (EOFError, TimeoutError, ValueError) as error:
            self.end()
            raise CannotStart(f"it ended with {type(error).__name__}") from error
        except BaseException:
            self.end()
            raise

    def send(self, request: Request) -> None:
        """Send a request; an error is left to the answers."""
        message = {
            "function": request.function,
            "arguments": request.arguments,
            "size": request.size,
            "folder": _current_folder(),
            "has_content": request.content is not None,
            "is_stream": request.is_stream,
        }
        with contextlib.suppress(BrokenPipeError):
            send(self._requests, encoded(message))
            if request.content is not None:
                send(self._requests, request.content)

    def next(self, limits: Limits, deadline: float) -> tuple[str, Any]:
        """The kind and the value of the next part of an answer."""
        from msgspec import convert

        return convert(json.loads(self._answers.next(limits.memory << 20, deadline)), tuple[str, Any])

    def end(self) -> int:
        """End the process; returns its status, which is below zero for a signal."""
        _running.discard(self)
        self._process.kill()
        with self._process as process:
            return process.wait()


_idle: list[Process] = []
_running: set[Process] = set()


def items_of(request: Request, on_problem: Callable[[str], None]) -> Iterator[Any]:
    """What a process answers that is idle, or new."""
    process = _idle_or_new()
    is_reusable = False
    try:
        process.send(request)
        from msgspec import convert  # while the process begins

        limits, number = Limits.of(request.size), 1
        deadline = monotonic() + limits.wall
        while True:
            name = f"{request.name}, record {number:,}" if request.is_stream else request.name
            try:
                kind, value = process.next(limits, deadline)
            except TimeoutError:
                raise limits.overtime(name) from None
            except EOFError:
                raise limits.ended(name, process.end()) from None
            if kind == "item":
                yield value
                number += 1
                deadline = monotonic() + limits.wall
            elif kind == "problem":
                on_problem(convert(value, str))
            elif kind == "size":
                limits = Limits.of(convert(value, int | None))
                deadline = monotonic() + limits.wall
            elif kind == "memory":
                raise limits.out_of_memory(name)
            else:
                is_reusable = True
                if kind == "error":
                    raise _error(*convert(value, tuple[str, str, str | None, str]))
                is_reusable = convert(value, bool)
                return
    except ValueError as error:  # msgspec's and json's, too
        raise PagesumError(f"{request.name}: its reader does not answer as it should ({error})") from error
    finally:
        if is_reusable and len(_idle) < IDLE:
            _idle.append(process)
        else:
            process.end()


def _idle_or_new() -> Process:
    while _idle:
        process = _idle.pop()
        if process.owner == os.getpid():  # not inherited by a fork
            return process
    return Process()


@atexit.register
def _end_all() -> None:
    for process in list(_running):
        if process.owner == os.getpid():
            process.end()


def _error(kind: str, message: str, hint: str | None, trace: str) -> PagesumError:
    kinds: list[type[PagesumError]] = [PagesumError, *PagesumError.__subclasses__()]
    error = next((known for known in kinds if known.__name__ == kind), PagesumError)(message, hint)
    if trace:
        error.add_note(trace)  # for --debug
    return error


def _current_folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it has been removed
        return None
