"""Where messages and progress go while documents are summarized."""

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol


class Bar(Protocol):
    """A progress bar; see ``cli.console``."""

    def update(self, description: str, done: float, total: float) -> None: ...
    def stop(self) -> None: ...


class Talk(Protocol):
    """Messages to the user; see ``cli.console``."""

    def note(self, message: str) -> None: ...
    def warn(self, message: str) -> None: ...
    def progress(self, description: str) -> AbstractContextManager[Bar]: ...
    def loading(self, description: str) -> AbstractContextManager[None]: ...


class Silent:
    """Progress that nobody sees, and messages that are kept."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.notes: list[str] = []
        self.warn, self.note = self.warnings.append, self.notes.append

    def progress(self, description: str) -> Any:
        """Show nothing."""
        return nullcontext(self)

    def update(self, *anything: object) -> None:
        """Show nothing."""

    stop = update
    loading = progress
