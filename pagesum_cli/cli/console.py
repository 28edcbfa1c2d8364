"""Data to stdout, talk to stderr; progress; one printer of errors."""

import contextlib
import errno
import io
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING

import typer

from ..errors import PagesumError, UsageError
from ..views.plain import one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

INTERRUPTED = 130

PLAIN_WIDTH = 100
"""Of tables and bars where they are piped or written to a file."""

# Typer's own errors (a flag that does not exist, a value of another type): BadParameter → UsageError → this.
FlagError = typer.BadParameter.__mro__[2]


def data(text: str) -> None:
    """Write text to stdout as it is, with a line end."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show(renderable: "RenderableType") -> None:
    """Draw something on stdout: in colour and as wide as the terminal; where it is piped plain, and text unwrapped."""
    output = stdout()
    if output.is_terminal:
        output.print(renderable)
        sys.stdout.flush()
    else:
        data(plain(renderable))


def plain(renderable: "RenderableType") -> str:
    """What :func:`show` draws where it is piped; the same wherever it is called."""
    from rich.console import Console

    page = Console(file=io.StringIO(), width=PLAIN_WIDTH, color_system=None, markup=False, emoji=False, highlight=False)
    with page.capture() as capture:
        page.print(renderable, soft_wrap=True)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def stdout() -> "Console":
    """A Rich console on stdout that takes all text literally."""
    return _console(sys.stdout)


def stderr() -> "Console":
    """A Rich console on stderr that takes all text literally."""
    return _console(sys.stderr)


class Bar:
    """One progress bar, or none: see :meth:`Talk.progress`."""

    def __init__(self, progress: "Progress | None", description: str) -> None:
        self._progress = progress
        self._task = progress.add_task(one_line(description), total=None) if progress else None

    def update(self, description: str, done: float, total: float) -> None:
        """Say what is being done, how much of it is done, and how much there is."""
        if self._progress:
            self._progress.update(self._task, description=one_line(description), completed=done, total=total)

    def stop(self) -> None:
        """Take the bar away, so that something else can be written to the terminal."""
        if self._progress:
            self._progress.stop()


class Talk:
    """What a verb says beside its data: notes, warnings and progress, all on stderr.

    Args:
        quiet: say nothing but errors.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet

    def note(self, message: str) -> None:
        """Say something worth knowing, in one line."""
        if not self.quiet:
            stderr().print(one_line(message), style="dim", soft_wrap=True)

    def warn(self, message: str) -> None:
        """Say that something is not as one would expect, in one line."""
        if not self.quiet:
            _labelled("warning:", "bold yellow", message)

    @contextlib.contextmanager
    def progress(self, description: str) -> "Iterator[Bar]":
        """A progress bar, shown on a terminal only and gone when the work is done."""
        if self.quiet or not sys.stderr.isatty():
            yield Bar(None, description)
            return
        with _progress() as progress:
            yield Bar(progress, description)

    @contextlib.contextmanager
    def loading(self, what: str) -> Iterator[None]:
        """While torch and a model are loaded: a word about it on a terminal; Ctrl-C ends the program at once.

        An exception raised by Ctrl-C in the middle of such an import may be swallowed or come out as another one.
        """
        from ..__main__ import leave_at_once

        before = signal.getsignal(signal.SIGINT)
        with self.progress(what):
            _on_interrupt(leave_at_once)
            try:
                yield
            finally:
                _on_interrupt(before)


class Stream:
    """Text written to the terminal as it comes, wrapped between words.

    Args:
        width: columns of a line at most.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._column = 0

    def write(self, text: str) -> None:
        """Write some more words; between two calls there is a space."""
        from rich.cells import cell_len

        for word in one_line(text).split():
            wide = cell_len(word)
            if self._column and self._column + 1 + wide > self._width:
                sys.stdout.write("\n")
                self._column = 0
            sys.stdout.write(f" {word}" if self._column else word)
            self._column += wide + (self._column > 0)
        sys.stdout.flush()

    def close(self) -> None:
        """End the last line."""
        sys.stdout.write("\n")
        sys.stdout.flush()


def error(message: str, hint: str | None = None) -> None:
    """Say what went wrong, in one line, and what to do about it, in another."""
    _labelled("error:", "bold red", message)
    if hint:
        _labelled("hint:", "bold cyan", hint)


def guarded(work: Callable[[], None], *, debug: bool = False) -> int:
    """Do the work; turn whatever stops it into one message and an exit code.

    Args:
        work: calls the verb.
        debug: let an error through as a traceback.

    Returns:
        0 done, 1 could not do it, 2 wrong usage, 130 interrupted. A reader that closes stdout early has what it
        wants: 0.
    """
    _on_interrupt(signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows ? rather than nothing
    if not debug:
        logging.getLogger().addHandler(logging.NullHandler())  # libraries' warnings are not the user's business
    try:
        work()
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except (KeyboardInterrupt, typer.Abort):
        stderr().print("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more at the end, which must not fail again.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as failure:
        if debug:
            traceback.print_exc()
            return failure.exit_code if isinstance(failure, PagesumError) else 1
        return _explain(failure)
    return 0


def _explain(failure: Exception) -> int:
    if isinstance(failure, PagesumError):
        error(failure.message, failure.hint)
        return failure.exit_code
    if isinstance(failure, FlagError):
        return _explain(_flag_error(failure))
    if isinstance(failure, OSError) and failure.strerror:
        where = os.fsdecode(failure.filename) if failure.filename else "standard output"
        error(f"{where}: {failure.strerror}", _OS_HINTS.get(failure.errno))
        return 1
    if isinstance(failure, MemoryError):
        error("out of memory", "--page-tokens with a smaller number needs less")
        return 1
    error(f"unexpected {type(failure).__name__}: {failure}", "--debug shows where; please report it")
    return 1


_OS_HINTS = {
    errno.ENOSPC: "make room on the disk, or write elsewhere",
    errno.EACCES: "check the permissions, or write elsewhere",
    errno.EROFS: "write elsewhere",
}


def _flag_error(failure: Exception) -> UsageError:
    """One of Typer's errors in our words."""
    context = getattr(failure, "ctx", None)
    path = context.command_path if context else "pagesum"
    near = getattr(failure, "possibilities", None)
    if near:
        return UsageError(failure.message, f"did you mean {near[0]}?")  # type: ignore[attr-defined]
    return UsageError(failure.format_message(), f"{path} --help tells the flags")  # type: ignore[attr-defined]


def _labelled(label: str, style: str, message: str) -> None:
    from rich.text import Text

    with contextlib.suppress(OSError):  # stderr may be closed
        stderr().print(Text.assemble((label, style), " ", one_line(message)), soft_wrap=True)


def _console(stream: object) -> "Console":
    from rich.console import Console

    return Console(file=stream, markup=False, emoji=False, highlight=False)  # type: ignore[arg-type]


def _progress() -> "Progress":
    from rich import progress

    return progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.TimeRemainingColumn(compact=True),
        console=stderr(),
        transient=True,
    )


def _on_interrupt(handler: Callable[[int, FrameType | None], object]) -> None:
    with contextlib.suppress(ValueError):  # only a process' main thread may set it
        signal.signal(signal.SIGINT, handler)
