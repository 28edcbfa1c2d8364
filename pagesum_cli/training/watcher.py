"""Reports of a run in progress. Imported without torch."""

from dataclasses import dataclass

from .check import Check


@dataclass(frozen=True)
class Progress:
    """The state of a run after an update.

    Attributes:
        update, updates: Done, and in all.
        epoch: Passes over the data, with fraction.
        loss, learning_rate: Of the last update.
        seconds: Time of the last update.
        tokens_per_second: Tokens of pages and targets without padding, over all processes.
        memory: Bytes in use, see :func:`~pagesum_cli.training.devices.memory_in_use`.
        seconds_left: At the speed of this session, without validations to come.
    """

    update: int
    updates: int
    epoch: float
    loss: float
    learning_rate: float
    seconds: float
    tokens_per_second: float
    memory: int
    seconds_left: float


@dataclass(frozen=True)
class Validation:
    """The result of a validation.

    Attributes:
        update: The update after which it came.
        scores: ``loss``; with selection by ROUGE also ``rouge1`` and ``rouge2`` (0–100).
        best: Whether these are the best so far.
    """

    update: int
    scores: dict[str, float]
    best: bool


class Watcher:
    """Receives a run's events. This one ignores them; subclasses show them."""

    def note(self, message: str) -> None:
        """Information, in one line."""

    def warn(self, message: str) -> None:
        """A warning, in one line."""

    def preparing(self, split: str, done: int) -> None:
        """``done`` records of a split have been tokenized."""

    def checked(self, split: str, check: Check) -> None:
        """A split's data has been checked."""

    def progress(self, progress: Progress) -> None:
        """An update is done."""

    def validating(self, done: int, batches: int) -> None:
        """``done`` batches of a validation are done."""

    def validated(self, validation: Validation) -> None:
        """A validation is done."""

    def stopping(self) -> None:
        """Ctrl-C: the run ends after this update, with a checkpoint. Called within a signal handler."""
