"""A training run on the terminal: its progress, its estimate, an example."""

import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from rich import progress
from rich.console import Console, Group
from rich.text import Text

from ..errors import install_hint, is_installed
from ..files import write_file
from ..training.job import read_log
from ..training.watcher import Check, Progress, Watcher
from .tables import counted

if TYPE_CHECKING:
    from ..training.prepare import Example
    from ..training.run import Estimate

HEARTBEAT = 10.0  # seconds between lines about the current activity where stderr is no terminal

# of scores that are shown by other names
SCORE_NAMES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "f1": "F1"}


class _Bars(progress.Progress):
    lines: tuple[str, ...] = ()

    def get_renderables(self) -> Iterator[Any]:
        yield self.make_tasks_table(self.tasks)
        yield Group(
            *(Text(line, style="dim", no_wrap=True, overflow="ellipsis") for line in self.lines)
        )


class TrainingDisplay(Watcher):
    """A bar, and below it the numbers of the last update and of the last validation.

    Without a terminal, the scores of validations and, every :data:`HEARTBEAT` seconds, the current
    activity as lines.
    """

    def __init__(
        self, note: Callable[[str], None], warn: Callable[[str], None], console: Console | None
    ) -> None:
        self._note, self._warn = note, warn
        self.console = console
        self.is_shown = console is not None and sys.stderr.isatty()
        self.next_line = monotonic() + HEARTBEAT
        self.last = self.validation = ""
        self.now: tuple[str, int, int | None] = ("Starting", 0, None)
        self.before: tuple[str, int, int | None] = self.now

    def __enter__(self) -> Self:
        self.bars = _Bars(
            progress.TextColumn("{task.description}", markup=False),
            progress.BarColumn(bar_width=None),
            progress.TaskProgressColumn(),
            console=self.console,
            transient=True,
            expand=True,
        )
        self.task = self.bars.add_task("", total=None)
        self._show(*self.now)
        if self.is_shown:
            self.bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_shown:
            self.bars.stop()

    def note(self, message: str) -> None:
        self._print(self._note, message)

    def warn(self, message: str) -> None:
        self._print(self._warn, message)

    def _print(self, write: Callable[[str], None], message: str) -> None:
        self.__exit__()
        write(message)
        self.__enter__()

    def preparing(self, split: str, done: int) -> None:
        self._show(f"Preparing {split}: {done} documents", 0, None)

    def checked(self, split: str, check: Check) -> None:
        self.note(counts_line(split, check))

    def reading(self, done: int, documents: int) -> None:
        self._show("Reading documents", done, documents)

    def progress(self, progress: Progress) -> None:
        state = (
            f"epoch {progress.epoch:.2f} · loss {progress.loss:.3f} · "
            f"lr {progress.learning_rate:.1e}"
        )
        self.last = (
            f"{state} · {progress.tokens_per_second:,.0f} tokens/s · {_size(progress.memory)}"
        )
        text = (
            f"update {progress.update} of {progress.updates} · {_time(progress.seconds_left)} left"
        )
        self._show(text, progress.update, progress.updates)

    def validating(self, done: int, batches: int) -> None:
        if done == 0:
            self.before = self.now
        self._show("validating", done, batches)

    def validated(self, update: int, scores: dict[str, float], *, is_best: bool) -> None:
        best = ", the best so far" if is_best else ""
        self.validation = f"validation at update {update}: {scores_line(scores)}{best}"
        if not self.is_shown:
            self._note(self.validation)
        self._show(*self.before)

    def stopping(self) -> None:
        # Within a signal handler: nothing is written here, the next drawing shows it.
        self.validation = "stopping after this update, with a checkpoint; Ctrl-C again ends at once"
        self.bars.lines = (self.last, self.validation)

    def _show(self, text: str, done: int, total: int | None) -> None:
        self.now = (text, done, total)
        self.bars.lines = tuple(line for line in (self.last, self.validation) if line)
        self.bars.update(self.task, description=text, completed=done, total=total)
        if not self.is_shown and monotonic() >= self.next_line:
            self.next_line = monotonic() + HEARTBEAT
            self._note(" · ".join(filter(None, (text, self.last))))


def scores_line(scores: dict[str, float]) -> str:
    named = (
        (SCORE_NAMES.get(name, name), 4 if name == "loss" else 2, value)
        for name, value in scores.items()
    )
    return ", ".join(f"{name} {value:.{digits}f}" for name, digits, value in named)


def counts_line(split: str, check: Check) -> str:
    parts = f"{check.pages / check.used:.1f} parts per document (at most {check.max_pages})"
    sizes = (
        f"{check.page_tokens / check.pages:.0f} tokens per "
        f"part, {check.target_tokens / check.used:.0f} per summary"
    )
    excluded = f", {check.excluded} excluded by their source" if check.excluded else ""
    return f"{split}: {check.used} of {check.records} records used{excluded}, {parts}, {sizes}"


def example_view(example: "Example", pages: list[str], target: str) -> str:
    parts = [f"document {example.id}: {counted(len(pages), 'part')}"]
    for number, (ids, text) in enumerate(zip(example.pages, pages, strict=True)):
        parts.append(f"part {number}, {len(ids)} tokens:\n{text}")
    parts.append(f"target, {len(example.arrays['target'])} tokens:\n{target}")
    return "\n\n".join(parts)


def estimate_view(estimate: "Estimate") -> str:
    limit = "at most " if estimate.may_end_early else ""
    rows = {
        "documents": f"{estimate.train} for training, {estimate.validation} for validation",
        "parameters": f"{estimate.parameters:,}",
        "updates": f"{limit}{estimate.updates:,}",
        "loss": ", ".join(f"{loss:.3f}" for loss in estimate.loss)
        + " in two updates on the longest documents",
        "one update": f"{_time(estimate.seconds_per_update)} on the longest documents",
        "speed": f"{estimate.tokens_per_second:,.0f} tokens/s",
        "the whole run": f"{limit or 'about '}{_time(estimate.seconds)}",
        "memory": _size(estimate.memory),
        "disk": f"at most {_size(estimate.disk)}",
    }
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items())


def draw_curves(run: Path) -> str:
    """Draw the losses of a run, if Matplotlib is installed; what was drawn, as a message."""
    if not is_installed("matplotlib"):
        return f"no curves: Matplotlib is not installed ({install_hint('figures')})"
    from .figure import losses_figure

    curves: dict[str, list[tuple[int, float]]] = {"training": [], "validation": []}
    for entry in read_log(run):
        name = "training" if "loss" in entry else "validation"
        curves[name].append((entry["update"], entry.get("validation", entry)["loss"]))
    write_file(run / "curves.svg", losses_figure(curves))
    return f"{run / 'curves.svg'} shows the losses"


def _size(size: float) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{math.ceil(size / 2**20)} MiB"


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
