"""Results by a cluster of Ray: tasks read documents, and a pool of actors holds the model."""

import logging
import math
import os
import pickle
import socket
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby, takewhile
from typing import Any, ClassVar

from ..documents.model import Document
from ..errors import PagesumError, UsageError, explained, require_package
from ..locality import cut
from ..options import Options, option
from ..summary.summary import Summary
from ..system import available_cores
from ..version import __version__
from .cutting import cutter_of
from .jobs import Job
from .several import WINDOW, Given, Several, read_job
from .talk import Silent
from .worker import Worker

TRIES = 3  # times that a document may end its worker before it is left out
READERS = 0.2  # share of the cores that the models leave to reading
BLOCK = 1 << 17  # bytes of documents that reading hands on at a time
FEW = 4  # documents in a task where there is no GPU; a worker that fails loses no more
TASKS = 4000  # reading tasks among which the documents are divided
CONNECT = 5.0  # seconds in which an address must answer

Render = Callable[[Summary, Sequence[Document], str], str]
"""The text of a summary of documents; the last argument is the name of its result."""
Results = Generator[tuple[Job, str | PagesumError, list[str], list[str]]]


@dataclass(frozen=True)
class Work:
    """What is done with items on a cluster."""

    # makes in each actor what maps items to their results
    make: Callable[[], Callable[[list[Any]], Iterator[Any]]]
    read: Callable[[Any], Any] = lambda item: item  # applied to each item before, in a task
    # neighbors of which it has the same value are read in one task
    together: Callable[[Any], Any] = id
    window: int = 1  # items that an actor with a GPU has at a time
    in_order: bool = False  # whether results are given in order, not as they are ready


@dataclass(frozen=True)
class ClusterOptions(Options):
    """Where documents are summarized."""

    panel: ClassVar[str] = "Cluster"

    engine: str | None = option(
        None,
        "ray: all cores and GPUs of this machine, or of a cluster, by Ray (extra ray). Default: "
        "one process.",
        choices=("ray",),
    )
    ray_address: str | None = option(
        None,
        "Address of a cluster: HOST:PORT or ray://HOST:PORT. Default: RAY_ADDRESS, otherwise "
        "this machine.",
        metavar="ADDRESS",
        requires="engine",
    )
    workers: int | None = option(
        None,
        "Maximum number of models. Default: one per GPU, or for 80% of the cores.",
        min=1,
        requires="engine",
    )
    worker_gpus: float | None = option(
        None,
        "GPUs per model: with 0.5, two models share a GPU. Default: 1 if there are any.",
        min=0,
        requires="engine",
    )

    @property
    def address(self) -> str | None:
        """The address of a cluster; None for this machine."""
        return self.ray_address or os.environ.get("RAY_ADDRESS")

    def check(self) -> None:
        """Check that Ray is installed, and that an address answers."""
        if not self.engine:
            return
        require_package("ray", "Ray", "ray")
        host, _, port = (self.address or "").rpartition("://")[2].rpartition(":")
        try:
            if port.isdecimal():
                socket.create_connection((host.strip("[]"), int(port)), CONNECT).close()
        except (OSError, OverflowError) as error:
            message = (
                f"{self.address}: no Ray cluster answers there "
                f"({getattr(error, 'strerror', None) or error})"
            )
            raise PagesumError(
                message, "check --ray-address; ray start --head prints it"
            ) from error


def summarized(
    worker: Worker,
    todo: Mapping[Job, str],
    render: Render,
    options: ClusterOptions,
    *,
    in_order: bool,
) -> Results:
    """Summarize jobs on a cluster; yields each once, with its text, the warnings, and the chapters
    that failed.
    """
    copied = replace(worker, talk=Silent(), history=False, failed=[])
    jobs = list(todo.items())
    make, read = partial(_model, copied, render), partial(_given, copied)
    # The records of a file are read in one pass.
    work = Work(
        make, read, lambda one: one[0].label.rpartition("#")[0] or one[0].label, WINDOW, in_order
    )
    for number, made in mapped(jobs, work, options):
        yield jobs[number][0], *((made, [], []) if isinstance(made, PagesumError) else made)


@cache
def _cutter(worker: tuple[Any, ...]) -> Callable[[Sequence[Document]], Any]:
    tokenizer, paging, _ = cutter_of(*worker)
    return partial(cut, options=paging, tokens=tokenizer)


def _given(worker: Worker, one: tuple[Job, str]) -> tuple[Given | PagesumError, str]:
    job, name = one
    return read_job(
        job, lambda documents: _cutter((worker.model.model, worker.paging))(documents)
    ), name


def _model(worker: Worker, render: Render) -> Callable[[list[Any]], Iterator[Any]]:
    worker.load()

    def summarize(items: list[tuple[Any, str]]) -> Iterator[Any]:
        for (given, name), made in zip(
            items, Several(worker).summaries([given for given, _ in items]), strict=True
        ):
            try:
                text = (
                    made if isinstance(made, PagesumError) else render(made, given.documents, name)
                )
            except Exception as failure:
                text = explained(failure)
            yield text, worker.talk.warnings, worker.failed[:]  # type: ignore[attr-defined]
            worker.talk = Silent()
            worker.failed.clear()

    return summarize


def mapped(items: Sequence[Any], work: Work, options: ClusterOptions) -> Generator[tuple[int, Any]]:
    """Map items on a cluster; yields the number and the result of each, once.

    What a lost worker or machine takes along is mapped again, each item alone. What has ended its
    worker :data:`TRIES` times is a PagesumError.

    Raises:
        PagesumError: The cluster cannot be reached, has another version of this program, or has
            stopped.
        UsageError: Options that do nothing for the model.
    """
    left = dict.fromkeys(range(len(items)))
    again: list[int] = []  # what was lost once
    with _connected(options) as ray:
        while left:
            lost = dict.fromkeys(again or left)  # as far as is known
            before = len(lost)
            try:
                with closing(
                    _round(ray, list(lost), items, work, options, alone=bool(again))
                ) as made:
                    for number, result in made:
                        if isinstance(result, UsageError):
                            raise result
                        if number not in lost:
                            continue  # a task that is run again may give it twice
                        if work.in_order and number != next(iter(lost)):
                            lost = dict.fromkeys(takewhile(number.__ne__, lost))
                            break  # they come first
                        del lost[number], left[number]
                        yield number, result
            except ray.exceptions.RayError:
                if len(lost) == before:
                    raise
                lost = {}
            for number in lost if again else ():
                del left[number]
                yield (
                    number,
                    PagesumError(
                        f"crashed its worker {TRIES} times", "try it alone, without --engine"
                    ),
                )
            again = [number for number in again or lost if number in left]


def _round(
    ray: Any, numbers: list[int], items: Any, work: Work, options: ClusterOptions, *, alone: bool
) -> Generator[tuple[int, Any]]:
    """Map items once; those whose worker is lost are missing."""
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = context.print_on_execution_start = False
    context.target_max_block_size, context.max_errored_blocks = BLOCK, -1
    context.execution_options.preserve_order = work.in_order
    resources = ray.cluster_resources()
    gpus = (
        float(resources.get("GPU", 0) >= 1) if options.worker_gpus is None else options.worker_gpus
    )
    most = resources.get("GPU", 0) / gpus if gpus else resources["CPU"] * (1 - READERS)
    workers = min(options.workers or max(1, math.floor(most)), len(numbers))
    groups = [
        list(group)
        for _, group in groupby(numbers, lambda one: one if alone else work.together(items[one]))
    ]
    size = 1 if alone else -(-len(groups) // TASKS)
    some = (groups[at : at + size] for at in range(0, len(groups), size))
    rows = [
        {"items": pickle.dumps([(one, items[one]) for group in each for one in group])}
        for each in some
    ]
    data = ray.data.from_items(rows, override_num_blocks=len(rows)).flat_map(
        partial(_read, __version__, work.read)
    )
    # What waits for an actor is lost with it.
    ahead = {"max_tasks_in_flight_per_actor": 1} if alone else {}
    data = data.map_batches(
        _Actor,
        fn_constructor_args=(work.make,),
        batch_size=1 if alone else work.window if gpus else min(work.window, FEW),
        compute=ray.data.ActorPoolStrategy(
            min_size=1, max_size=workers, initial_size=workers, **ahead
        ),
        num_cpus=1,
        num_gpus=gpus,
        # What is lost in the first round is mapped in the second one, alone and if need be TRIES -
        # 1 times.
        ray_remote_args_fn=lambda: {"max_task_retries": TRIES - 2 if alone else 0},
    )
    for row in data.iter_rows():
        yield row["number"], pickle.loads(row["result"])


def _read(
    version: str, read: Callable[[Any], Any], row: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    wrong = _mismatch(version)
    for number, item in pickle.loads(row["items"]):
        yield {"number": number, "item": pickle.dumps(wrong or read(item))}


def _mismatch(version: str) -> UsageError | None:
    """The error where this machine has another version of this program than the command."""
    if version == __version__:
        return None
    return UsageError(
        f"the cluster has version {__version__} of pagesum, not {version}",
        "install the same version",
    )


class _Actor:
    """Maps lists of items."""

    def __init__(self, make: Callable[[], Any]) -> None:
        try:
            self._function = make()
        except Exception as failure:  # would be that of every item
            error = explained(failure)
            self._function = lambda items: iter(
                [UsageError(error.message, error.hint)] * len(items)
            )

    def __call__(self, batch: dict[str, Any]) -> Iterator[dict[str, Any]]:
        try:
            results = list(self._function([pickle.loads(item) for item in batch["item"]]))
        except Exception as failure:
            results = [explained(failure)] * len(batch["item"])
        yield {"number": batch["number"], "result": [pickle.dumps(result) for result in results]}


@contextmanager
def _connected(options: ClusterOptions) -> Iterator[Any]:
    """Ray, connected to a cluster, or to one on this machine that ends with this process."""
    options.check()
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # what it logs is also in its files
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # nothing of it on stdout
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent
    logging.getLogger("ray").setLevel(logging.ERROR)
    import ray
    import ray.data

    # there is no other way before Ray 2.64
    warnings.filterwarnings("ignore", "`ray_remote_args_fn` is deprecated")
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    # The models leave a share of the cores to reading; here it is added to them.
    cores = math.ceil(available_cores() / (1 - READERS))
    own: dict[str, Any] = {} if options.address else {"num_cpus": cores, "include_dashboard": False}
    try:
        ray.init(
            options.address or "local", log_to_driver=False, logging_level=logging.ERROR, **own
        )
        if wrong := ray.get(ray.remote(num_cpus=0)(_mismatch).remote(__version__)):
            raise wrong
        yield ray
    except (ray.exceptions.RayError, ConnectionError, RuntimeError, ValueError) as failure:
        raise _reason(failure) from failure
    finally:
        ray.shutdown()


def _reason(failure: BaseException) -> PagesumError:
    line = next(
        (line.strip() for line in str(failure).splitlines() if line.strip()), type(failure).__name__
    )
    if line.startswith("Version mismatch"):
        line = " ".join(str(failure).split())
    return PagesumError(
        f"Ray: {line}",
        "finished work is kept: run the same command to continue; --debug shows more",
    )
