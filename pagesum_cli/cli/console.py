"""Data on stdout; messages, progress and errors on stderr."""

import contextlib
import logging
import os
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import typer

from ..errors import UsageError, explained
from ..files import check_new, check_not_input
from ..options import nearest
from ..system import piped_encoding
from ..views.plain import one_line, unstyled
from .interrupt import INTERRUPTED, leave_at_once, on_interrupt

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

# seconds before the first line about the current activity where stderr is no terminal
HEARTBEAT = 10.0
# by how much the time between two lines grows, and the seconds that it never exceeds
RARER, RAREST = 1.5, 300.0

# The base of Typer's own errors (an unknown flag, a value of another type): BadParameter →
# UsageError → this.
FlagError = typer.BadParameter.__mro__[2]


def data(text: str) -> None:
    """Write text to stdout as it is, with a line end."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show(renderable: "RenderableType") -> None:
    """Draw something on stdout: in color and as wide as the terminal, or plain and with unwrapped
    text if piped.

    A string is written as it is.
    """
    if isinstance(renderable, str):
        return data(renderable)
    output = stdout()
    if output.is_terminal:
        output.print(renderable)
        sys.stdout.flush()
    else:
        data(unstyled(renderable))


def stdout() -> "Console":
    """A Rich console on stdout that takes all text literally."""
    return _console(sys.stdout)


def stderr() -> "Console":
    """A Rich console on stderr that takes all text literally."""
    return _console(sys.stderr)


class Bar:
    """One activity: a progress bar on a terminal, elsewhere a line now and then, or nothing; see
    :class:`Talk`.
    """

    def __init__(self, talk: "Talk", description: str, progress: "Progress | None" = None) -> None:
        self._talk, self._progress = talk, progress
        self._task = progress.add_task(one_line(description), total=None) if progress else None
        # the activity, how much of it was done when it was first shown, and when that was
        self._first = ("", 0.0, 0.0)

    def update(self, description: str, done: float, total: float) -> None:
        """Show the current activity, how much of it is done, and about how long it goes on."""
        if self._first[0] != description:
            self._first = (description, done, time.monotonic())
        if self._progress and self._task is not None:
            self._progress.update(
                self._task, description=one_line(description), completed=done, total=total
            )
        elif time.monotonic() >= self._talk.next_line:
            left = self._left(done, total)
            self._talk.note(f"{description}: {done:,.0f} of {total:,.0f}{left}")
            self._talk.pause = min(RARER * self._talk.pause, RAREST)
            self._talk.next_line = time.monotonic() + self._talk.pause

    def _left(self, done: float, total: float) -> str:
        """How long the activity goes on at its speed so far; empty before that is known."""
        _, before, began = self._first
        if done <= before or total <= done:
            return ""
        seconds = (time.monotonic() - began) * (total - done) / (done - before)
        minutes = seconds / 60
        return f", about {seconds:.0f} s left" if minutes < 2 else f", about {minutes:.0f} min left"

    def stop(self) -> None:
        """Remove the bar, so that something else can be written to the terminal."""
        if self._progress:
            self._progress.stop()


class Talk:
    """A verb's messages: notes, warnings and progress, all on stderr."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.pause = HEARTBEAT
        self.next_line = time.monotonic() + self.pause

    def note(self, message: str) -> None:
        """Print a remark, in one line."""
        if not self.quiet:
            stderr().print(one_line(message), style="dim", soft_wrap=True)

    def warn(self, message: str) -> None:
        """Print a warning, in one line."""
        if not self.quiet:
            _labelled("warning:", "bold yellow", message)

    @contextlib.contextmanager
    def progress(self, description: str) -> Iterator[Bar]:
        """A progress bar on a terminal, which disappears when the work is done; elsewhere lines now
        and then.
        """
        if self.quiet or not sys.stderr.isatty():
            yield Bar(self, description)
        else:
            with _progress() as progress:
                yield Bar(self, description, progress)

    @contextlib.contextmanager
    def loading(self, description: str) -> Iterator[None]:
        """Show that torch or a model is being loaded; Ctrl-C exits at once meanwhile."""
        before = signal.getsignal(signal.SIGINT)
        with self.progress(description):
            on_interrupt(leave_at_once)
            try:
                yield
            finally:
                on_interrupt(before)


class Stream:
    """Text shown on the terminal while it is generated: the last lines that fit.

    It disappears at the end of the ``with`` block, so that something finished can take its place;
    if the block is left by an error, what was generated stays.
    """

    def __enter__(self) -> "Stream":
        from rich.live import Live

        self._text = ""
        # Warnings go above the text; if stderr is no terminal, they stay on it.
        self._live = Live(
            console=stdout(),
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=sys.stderr.isatty(),
        )
        return self

    def write(self, text: str) -> None:
        """Show some more words, separated by a space from those before."""
        from rich.text import Text

        from ..views.text import TEXT_WIDTH

        self._live.start()
        self._text = f"{self._text} {one_line(text)}".strip()
        terminal = self._live.console
        lines = Text(self._text).wrap(terminal, min(terminal.width, TEXT_WIDTH))
        self._live.update(Text("\n").join(lines[-max(terminal.height - 1, 1) :]), refresh=True)

    def __exit__(self, kind: object, *_: object) -> None:
        self._live.transient = kind is None
        self._live.stop()


def check_outputs(
    outputs: Collection[str], inputs: Iterable[str], *, force: bool, hint: str | None = None
) -> None:
    """Refuse to replace a file that is read, or without ``force`` any file."""
    check_not_input(outputs, inputs)
    check_new(outputs, force=force, hint=hint)


def write_each(
    paths: Iterable[str], write: Callable[[str], None], talk: Talk, *, force: bool
) -> None:
    """Write each file, and report it."""
    for path in dict.fromkeys(paths):
        check_new([path], force=force)  # it may have been made meanwhile
        write(path)
        talk.note(f"wrote {path}")


def error(message: str, hint: str | None = None) -> None:
    """Print what went wrong in one line, and what to do about it in another."""
    _labelled("error:", "bold red", message)
    if hint:
        _labelled("hint:", "bold cyan", hint)


def guarded(work: Callable[[], None], *, debug: bool = False) -> int:
    """Do the work; turn whatever stops it into one message and an exit code.

    Returns 0 for success (also if the reader of stdout closes it early), 1 failure, 2 wrong usage,
    130 interrupted.
    """
    on_interrupt(signal.default_int_handler)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 (a stream that the shell has closed)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # a terminal without Unicode shows ? instead of failing
            stream.reconfigure(encoding=piped_encoding(stream), errors="replace")
    if not debug:
        logging.getLogger().addHandler(logging.NullHandler())  # hides warnings of libraries
    try:
        work()
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except (KeyboardInterrupt, typer.Abort):
        stderr().print("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more at exit, which must not fail again.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as failure:
        reason = _flag_error(failure) if isinstance(failure, FlagError) else explained(failure)
        if debug:
            traceback.print_exc()
        else:
            error(
                reason.message,
                reason.hint
                or ("--help lists the flags" if isinstance(reason, UsageError) else None),
            )
        return reason.exit_code
    return 0


def _flag_error(failure: Any) -> UsageError:
    """One of Typer's errors, with a hint."""
    from ..text.tables import table

    message = failure.format_message().rstrip(".")
    for words, plain in table(__file__, "plain.toml").items():
        message = message.replace(words, plain)
    value, *choices = re.findall(r"'([^']*)'", failure.message) or [""]
    similar = getattr(failure, "possibilities", None)
    if (
        near := similar[0]
        if similar
        else nearest(value, choices)
        if "is not one of" in message
        else None
    ):
        return UsageError(failure.message if similar else message, f"did you mean {near}?")
    if "no file was given" in message:
        return UsageError(message, "name a file, or - to read standard input")
    things = "verbs" if message.startswith(("Missing verb", "No such verb")) else "flags"
    return UsageError(
        message,
        f"{failure.ctx.command_path if failure.ctx else 'pagesum'} --help lists the {things}",
    )


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
