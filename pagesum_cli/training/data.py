"""The prepared examples of a run, states of them, and which meet in each micro-batch of training
and validation.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import Sampler

from ..files import write_file
from ..models.base import PageBatch
from ..models.tasks import Example, Plan, Task
from .job import Job
from .prepare import Examples, cache_root, held_out, holds_out, prepared
from .settings import Settings
from .watcher import Check, Watcher, complaints

DIGEST = hashlib.blake2b().digest_size  # bytes of a checksum


@dataclass(frozen=True)
class Data:
    """Examples for training and validation, and the counts of each split that was read."""

    train: Examples
    validation: Examples
    checks: dict[str, Check]


def load_data(job: Job, plan: Plan, watcher: Watcher) -> Data:
    """Prepare and check a run's data."""

    def split(sources: Sequence[str], name: str) -> Examples:
        examples = prepared(
            sources,
            name,
            plan,
            root=job.cache or cache_root(),
            workers=job.workers,
            on_progress=partial(watcher.preparing, name),
            on_damage=watcher.warn,
        )
        watcher.checked(name, examples.check)
        return examples

    train = whole = split(job.data, "train")
    checks = {"train": whole.check}
    if holds_out(job.data, job.validation):
        train, others = held_out(whole)
        watcher.note(
            f"of {len(whole)} records, {len(train)} for training, {len(others)} for validation"
        )
    else:
        others = split([job.validation] if job.validation else job.data, "validation")
        checks["validation"] = others.check
    if both := np.isin(train.digests, others.digests).sum():
        watcher.warn(
            f"records in both the training and the validation data: {both}; scores will be too high"
        )
    for name, check in checks.items():
        for message in complaints(name, check, plan.paging, plan.target_tokens):
            watcher.warn(message)
    return Data(train, others, checks)


class States:
    """What an encoder that is not trained makes of each example: computed once, and kept on disk as
    float16.
    """

    def __init__(
        self,
        task: Task,
        model: Any,
        root: Path,
        number_format: str,
        on_damage: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.task, self.model, self._on_damage = task, model, on_damage
        # 2: version of the files
        hashed = hashlib.sha256(f"2 {model.device.type} {number_format}".encode())
        head = set(model.trainable_parameters(head_only=True))  # reads the states
        for name, weight in model.named_parameters():
            if weight not in head:
                hashed.update(name.encode() + weight.detach().cpu().numpy().tobytes())
        self.folder = root / "states" / hashed.hexdigest()[:24]
        self.folder.mkdir(parents=True, exist_ok=True)

    def of(self, examples: Sequence[Example]) -> Tensor:
        """The states of a batch; each example is computed alone, so that they do not depend on the
        batch.
        """
        return torch.from_numpy(np.concatenate(list(map(self._of, examples)))).to(self.model.device)

    @torch.no_grad()
    def _of(self, example: Example) -> np.ndarray:
        name = hashlib.sha256(b" ".join(page.tobytes() for page in example.pages)).hexdigest()
        path = self.folder / f"{name[:32]}.npy"
        if path.exists():
            if (known := checked_array(path)) is not None:
                return known
            self._on_damage(f"{path}: damaged, prepared again")
        states = self._computed(example)
        write_array(path, states)
        return states

    def _computed(self, example: Example) -> np.ndarray:
        batch = self.task.collate([example], self.model.config.pad_token_id)
        tensors = [batch[name].to(self.model.device) for name in ("input_ids", "attention_mask")]
        training = self.model.training
        # no dropout, no random numbers
        states = self.model.eval().encode(PageBatch(*tensors)).states
        self.model.train(training)
        found: np.ndarray = states.cpu().half().numpy()
        return found


def write_array(path: Path, array: np.ndarray) -> None:
    """Write an array in NumPy's format, with a checksum after its end."""
    content = BytesIO()
    np.save(content, array)
    data = content.getvalue()
    write_file(path, data + hashlib.blake2b(data).digest())


def checked_array(path: Path) -> np.ndarray | None:
    """An array that :func:`write_array` wrote; None if it has changed since."""
    data = path.read_bytes()
    content, known = data[:-DIGEST], data[-DIGEST:]
    if hashlib.blake2b(content).digest() != known:
        return None
    array: np.ndarray = np.load(BytesIO(content))
    return array


class Batches(Sampler[list[int]]):
    """Micro-batches of this process; another order each epoch.

    An update has ``accumulate`` micro-batches over all processes: with several processes each
    computes its share of the same ones. Micro-batches that are left over at the end of an epoch are
    dropped, as in the original program.
    """

    def __init__(
        self, examples: int, settings: Settings, rank: int = 0, processes: int = 1
    ) -> None:
        self.examples = examples
        self.settings = settings
        self.rank = rank
        self.processes = processes
        self.epoch = 0  # set before iterating

    @property
    def updates(self) -> int:
        """Updates of an epoch."""
        return math.ceil(self.examples / self.settings.batch) // self.settings.accumulate

    def order(self, epoch: int) -> list[list[int]]:
        """All micro-batches of an epoch."""
        order = (
            np.random.default_rng([self.settings.seed, epoch]).permutation(self.examples).tolist()
        )
        return [
            order[start : start + self.settings.batch]
            for start in range(0, self.examples, self.settings.batch)
        ]

    def __iter__(self) -> Iterator[list[int]]:
        used = self.updates * self.settings.accumulate
        yield from self.order(self.epoch)[:used][self.rank :: self.processes]

    def __len__(self) -> int:
        return self.updates * self.settings.accumulate // self.processes


class LongestBatches(Batches):
    """Two updates on the longest examples."""

    updates = 2

    def __init__(self, sizes: np.ndarray, settings: Settings) -> None:
        super().__init__(len(sizes), settings)
        self.longest = np.argsort(-sizes, kind="stable")

    def order(self, epoch: int) -> list[list[int]]:
        size = self.settings.batch
        return np.resize(self.longest, (self.updates * self.settings.accumulate, size)).tolist()


def validation_batches(
    examples: int, size: int, rank: int, processes: int
) -> tuple[list[list[int]], int]:
    """Batches in order, of which each process has every n-th; and the number of those that count,
    the first ones.

    Where they cannot be shared evenly, some processes get the first batch once more, which does not
    count: with FSDP all of them have to compute the same number.
    """
    batches = [
        list(range(start, min(start + size, examples))) for start in range(0, examples, size)
    ]
    own = batches[rank::processes]
    return own + batches[:1] * (math.ceil(len(batches) / processes) - len(own)), len(own)
