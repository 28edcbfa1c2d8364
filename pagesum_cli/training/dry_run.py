"""Look before training: an estimate of a run, and an example as the model reads it."""

import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psutil
import torch

from ..models.tasks import Example
from .data import LongestBatches
from .job import Job, check_job
from .run import check_updates, load_job_data, load_start, memory_advice, training_arguments
from .watcher import Progress, Watcher


@dataclass(frozen=True)
class Estimate:
    """The result of a dry run.

    Attributes:
        parameters: Of the model.
        train, validation: Number of examples.
        updates: Of the whole run.
        seconds_per_update, tokens_per_second: On the longest documents.
        seconds: Of the whole run, without validation by generation.
        memory: Peak in bytes, on the longest documents.
        disk: Maximum bytes of the run.
        loss: Of the two updates.
    """

    parameters: int
    train: int
    validation: int
    updates: int
    seconds_per_update: float
    tokens_per_second: float
    seconds: float
    memory: int
    disk: int
    loss: tuple[float, ...]


def dry_run(job: Job, watcher: Watcher | None = None) -> Estimate:
    """Check data, model and memory: two updates on the longest documents. Only the data's cache is written.

    Raises:
        PagesumError, UsageError: What :func:`~pagesum_cli.training.run.train` would raise before it begins.
    """
    check_job(job)
    from .trainer import PageTrainer

    settings = job.settings
    recorder = _Recorder()
    with tempfile.TemporaryDirectory() as folder:
        arguments = training_arguments(
            Path(folder), settings.changed({"epochs": 1, "updates": 0}, "dry run"), job.device, dry=True
        )
        start = load_start(job)
        data = load_job_data(job, start, watcher or Watcher())
        updates = check_updates(data, settings)
        trainer = PageTrainer(
            start.model, start.tokenizer, arguments, settings, start.task, None, data.train, data.validation,
            LongestBatches(data.train.sizes, settings), recorder,
        )  # fmt: skip
        with memory_advice(settings, arguments.device):
            trainer.train()
        memory = peak_memory(arguments.device)
    last = recorder.updates[-1]  # the first one warms up
    tokens = int(data.train.sizes.sum())
    all_updates = settings.total_updates(updates)
    validations = math.ceil(all_updates / (settings.validate_every or updates))
    # The forward pass alone is a third of an update.
    total = all_updates / updates * tokens + validations * int(data.validation.sizes.sum()) / 3
    weights = 4 * sum(parameter.numel() for parameter in start.model.parameters())
    trained = 4 * sum(parameter.numel() for parameter in start.model.parameters() if parameter.requires_grad)
    return Estimate(
        parameters=weights // 4,
        train=len(data.train),
        validation=len(data.validation),
        updates=all_updates,
        seconds_per_update=last.seconds,
        tokens_per_second=last.tokens_per_second,
        seconds=total / last.tokens_per_second,
        memory=memory,
        # Each checkpoint holds the weights and, for Adam, two numbers more per trained one; one is written aside.
        disk=(weights + 2 * trained * (settings.optimizer != "adafactor")) * (settings.keep + 2),
        loss=tuple(item.loss for item in recorder.updates),
    )


def example(job: Job, watcher: Watcher | None = None) -> tuple[Example, list[str], str]:
    """The first training example, its pages and its target as the model reads them, special tokens included."""
    check_job(job, writes=False)
    start = load_start(job)
    item = load_job_data(job, start, watcher or Watcher()).train[0]

    def text(ids: list[int]) -> str:
        return start.tokenizer.backend.decode(ids, skip_special_tokens=False)

    return item, [text(page.tolist()) for page in item.pages], text(item.arrays["target"].tolist())


def peak_memory(device: torch.device) -> int:
    """Maximum of the bytes in use so far: of the GPU, otherwise of the process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class _Recorder(Watcher):
    """Remembers all updates."""

    def __init__(self) -> None:
        self.updates: list[Progress] = []

    def progress(self, progress: Progress) -> None:
        self.updates.append(progress)
