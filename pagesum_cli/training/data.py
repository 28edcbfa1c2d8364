"""The prepared examples of a run, checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .check import Check, complaints
from .examples import Plan
from .prepare import Examples, Part, cache_root, held_out, prepared
from .sources import holds_out
from .watcher import Watcher


@dataclass(frozen=True)
class Data:
    """Examples for training and validation, and the counts of each split that was read."""

    train: Examples | Part
    validation: Examples | Part
    checks: dict[str, Check]


def load_data(
    data: Sequence[str],
    validation: str | None,
    plan: Plan,
    *,
    root: Path | None = None,
    workers: int = 1,
    watcher: Watcher,
) -> Data:
    """Prepare and check a run's data.

    Args:
        data: See :func:`~pagesum_cli.training.sources.read_split`.
        validation: Data for validation; None: the validation split of ``data``, and of files, one document in twenty.
        plan: How records become examples.
        root: Folder of prepared data; None: the user's cache.
        workers: Number of processes.
        watcher: Receives counts and warnings.

    Raises:
        PagesumError: There is no such data, or a split is missing.
    """

    def split(sources: Sequence[str], name: str) -> Examples:
        def report(done: int) -> None:
            watcher.preparing(name, done)

        examples = prepared(sources, name, plan, root=root or cache_root(), workers=workers, on_progress=report)
        watcher.checked(name, examples.check)
        return examples

    whole = split(data, "train")
    checks = {"train": whole.check}
    train: Examples | Part = whole
    others: Examples | Part
    if holds_out(data, validation):
        train, others = held_out(whole)
        watcher.note(f"{len(others)} of {len(whole)} documents are for validation, {len(train)} for training")
    else:
        examples = split([validation] if validation else data, "validation")
        others, checks["validation"] = examples, examples.check
    both = np.intersect1d(train.digests, others.digests)
    if len(both):
        watcher.warn(f"{len(both)} documents are in both the training and the validation data: scores will be too high")
    for name, check in checks.items():
        for message in complaints(name, check, plan.paging, plan.target_tokens):
            watcher.warn(message)
    return Data(train, others, checks)
