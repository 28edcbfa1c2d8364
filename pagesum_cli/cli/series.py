"""A series of summaries: what is done and what failed."""

import errno
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import typer

from ..batch.worker import Talk
from ..errors import PagesumError, explained
from . import console

FATAL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EPIPE, errno.EIO}
"""Errors in writing a summary that would recur with every other one."""


class Series:
    """Counts summaries that are done, and reports at the end those that failed.

    Args:
        talk: Receives how far an interrupted series came.
        debug: Print a traceback of each failure.
    """

    def __init__(self, talk: Talk, *, debug: bool) -> None:
        self._talk, self._debug = talk, debug
        self._reasons: list[tuple[str, str | None]] = []
        self.done = 0
        self.total = 0

    def add(self, number: int) -> None:
        """Count the summaries to be made, and what has failed so far."""
        self.total = number + len(self._reasons)

    def place(self) -> str:
        """The place of the current summary among all."""
        return f"{self.done + len(self._reasons) + 1}/{self.total}"

    def failed(self, label: str, reason: PagesumError) -> None:
        """Remember a failure. The exception itself is not kept: it would hold a whole document in memory."""
        if self._debug:
            traceback.print_exception(reason)
        self._reasons.append((reason.message if label in reason.message else f"{label}: {reason.message}", reason.hint))

    @contextmanager
    def one(self, label: str) -> Iterator[None]:
        """Write one summary; an exception is its failure, unless the others would fail with it."""
        try:
            yield
        except Exception as failure:
            if isinstance(failure, OSError) and failure.errno in FATAL:
                raise
            self.failed(label, explained(failure))
        else:
            self.done += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Print each failure, then their number.

        Raises:
            typer.Exit: There were some, and no other exception.
        """
        for message, hint in self._reasons:
            console.error(message, hint)
        if kind is not None:
            if issubclass(kind, KeyboardInterrupt) and self.total:
                self._talk.note(f"{self.done} of {self.total} done")
        elif self._reasons:
            console.error(f"{len(self._reasons)} of {len(self._reasons) + self.done} could not be summarized")
            raise typer.Exit(1)
