"""What a run tells while it goes. Known without torch."""

from dataclasses import dataclass

from .prepare import Check


@dataclass(frozen=True)
class Progress:
    """Where a run stands.

    Attributes:
        update, updates: done, and in all.
        epoch: passes over the data, with fraction.
        loss: of the last update.
        learning_rate: of the last update.
        seconds: that it took.
        tokens_per_second: of pages and targets without padding, over all processes.
        memory: bytes in use, see :func:`~pagesum_cli.training.trainer.memory_in_use`.
        seconds_left: at the speed of this session, without validations to come.
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
    """What a validation found.

    Attributes:
        update: behind which it came.
        scores: ``loss``; with selection by ROUGE also ``rouge1`` and ``rouge2`` (0–100).
        best: whether these are the best so far.
    """

    update: int
    scores: dict[str, float]
    best: bool


class Watcher:
    """Is told what happens. Says nothing; subclasses do."""

    def note(self, message: str) -> None:
        """Something worth knowing, in one line."""

    def warn(self, message: str) -> None:
        """Something that is not as one would expect, in one line."""

    def preparing(self, split: str, done: int) -> None:
        """So many records of a split have been tokenized."""

    def checked(self, split: str, check: Check) -> None:
        """What was found in a split's data."""

    def progress(self, progress: Progress) -> None:
        """An update is done."""

    def validating(self, done: int, batches: int) -> None:
        """So many batches of a validation are done."""

    def validated(self, validation: Validation) -> None:
        """A validation is done."""

    def stopping(self) -> None:
        """Ctrl-C: the run ends behind this update, with a checkpoint. Called within a signal handler."""
