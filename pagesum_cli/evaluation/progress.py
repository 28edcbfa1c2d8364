"""How an evaluation reports its progress."""

from collections.abc import Sequence
from time import perf_counter

from ..batch.worker import Bar, Talk
from .metrics.base import main_value
from .results import Result


class RunProgress:
    """The progress of a run: documents per second and the scores so far.

    Args:
        progress: Gets notes.
        bar: Shows the progress.
        name: The system, if there are several.

    Attributes:
        done: Number of documents that are done.
    """

    def __init__(self, progress: Talk, bar: Bar, name: str = "") -> None:
        self.progress = progress
        self._prefix = f"{name}: " if name else ""
        self.bar = bar
        self.done = 0
        self._before = self._total = 0
        self._began = 0.0
        self._scores: dict[str, list[float]] = {}

    def resumed(self, results: Sequence[Result], missing: int) -> None:
        """Start with the results of earlier runs, and the number of documents left for this process."""
        self.done = self._before = len(results)
        self._total = self.done + missing
        if results:
            self.progress.note(f"{self._prefix}{self.done} documents were done before")
        for result in results:
            self._add(result)
        self._began = perf_counter()
        self.bar.update(f"{self._prefix}summarizing", self.done, self._total)

    def scored(self, result: Result) -> None:
        """Add a result; called from other threads."""
        self.done += 1
        self._add(result)
        scores = ", ".join(f"{name} {sum(one) / len(one):.2f}" for name, one in list(self._scores.items())[:3])
        speed = (self.done - self._before) / (perf_counter() - self._began)
        self.bar.update(f"{self._prefix}summarizing, {speed:.2f} documents/s, {scores}", self.done, self._total)

    def rescored(self, done: int) -> None:
        """Show how many results a metric has scored that is computed after the run."""
        self.bar.update(f"{self._prefix}scoring", done, self._total)

    def _add(self, result: Result) -> None:
        for name, score in result.scores.items():
            self._scores.setdefault(name, []).append(main_value(score))
