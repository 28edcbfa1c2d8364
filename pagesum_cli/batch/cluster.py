"""Summaries by a cluster of Ray: tasks read and cut documents, and a pool of actors holds the model."""

import logging
import math
import os
import pickle
import socket
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby
from typing import Any, ClassVar

from ..documents.model import Document
from ..errors import PagesumError, UsageError, explained, require_package
from ..locality import cut
from ..options import Options, option
from ..summary.summary import Summary
from ..version import __version__
from .jobs import Job
from .worker import WINDOW, Given, Silent, Worker, cutter_of, read_job

TRIES = 3  # times that a document may end its worker before it is left out
READERS = 0.2  # share of the cores that the models leave to reading
BLOCK = 1 << 20  # bytes of documents that reading hands on at a time
FEW = 4  # documents in a task where there is no GPU; a worker that fails loses no more
TASKS = 4000  # reading tasks among which the documents are divided
CONNECT = 5.0  # seconds in which an address must answer

Render = Callable[[Summary, Sequence[Document], str], str]
"""The text of a summary of documents; the last argument is the name of its result."""
Results = Generator[tuple[Job, str | PagesumError, list[str], list[str]]]
Make = Callable[[], Callable[[list[Any]], Iterator[Any]]]


@dataclass(frozen=True)
class ClusterOptions(Options):
    """Where documents are summarized."""

    panel: ClassVar[str] = "Cluster"

    engine: str | None = option(
        None,
        "ray: all cores and GPUs of this machine, or of a cluster, by Ray (extra ray). Default: one process.",
        choices=("ray",),
    )
    ray_address: str | None = option(
        None,
        "Address of a cluster: HOST:PORT or ray://HOST:PORT. Default: RAY_ADDRESS, otherwise this machine.",
        metavar="ADDRESS",
        requires="engine",
    )
    workers: int | None = option(
        None, "Maximum number of models. Default: one per GPU, or for 80% of the cores.", min=1, requires="engine"
    )
    worker_gpus: float | None = option(
        None, "GPUs of a model: with 0.5, two share one. Default: 1 if there are any.", min=0, requires="engine"
    )
    in_order: bool = option(False, "Write in the order of the documents, not as they are ready.", requires="engine")


def summarized(worker: Worker, todo: Mapping[Job, str], render: Render, options: ClusterOptions) -> Results:
    """Summarize jobs on a cluster; yields each once, with its text, the warnings, and the chapters that failed."""
    copied = replace(worker, talk=Silent(), history=False, failed=[])
    jobs = list(todo.items())
    make = partial(_model, copied, render)
    # The records of a file are read in one pass.
    for number, made in mapped(
        jobs, partial(_given, copied), lambda one: one[0].label.rpartition("#")[0], make, options
    ):
        yield jobs[number][0], *((made, [], []) if isinstance(made, PagesumError) else made)


def _file_of(one: tuple[Job, str]) -> str:
    """What the records of a file, which are read in one pass, have in common."""
    return one[0].label.rpartition("#")[0] or one[0].label


@cache
def _cutter(worker: tuple[Any, ...]) -> Callable[[Sequence[Document]], Any]:
    tokenizer, paging, _ = cutter_of(*worker)
    return partial(cut, options=paging, tokens=tokenizer)


def _given(worker: Worker, one: tuple[Job, str]) -> tuple[Given | PagesumError, str]:
    try:
        return read_job(one[0], _cutter((worker.model.model, worker.paging))), one[1]
    except Exception as failure:
        return explained(failure), one[1]


def _model(worker: Worker, render: Render) -> Callable[[list[Any]], Iterator[Any]]:
    worker.load()

    def summarize(items: list[tuple[Given | PagesumError, str]]) -> Iterator[Any]:
        summaries = worker.summaries([given for given, _ in items if isinstance(given, Given)])
        for given, name in items:
            made = next(summaries) if isinstance(given, Given) else given
            try:
                text = render(made, given.documents, name) if isinstance(made, Summary) else made  # type: ignore
            except Exception as failure:
                text = explained(failure)
            yield text, worker.talk.warnings, worker.failed[:]  # type: ignore[attr-defined]
            worker.talk = Silent()
            worker.failed.clear()

    return summarize


def mapped(
    items: Sequence[Any],
    read: Callable[[Any], Any],
    together: Callable[[Any], Any],
    make: Make,
    options: ClusterOptions,
) -> Generator[tuple[int, Any]]:
    """Map items on a cluster; yields the number and the result of each, once, as they are ready.

    What a lost worker or machine takes along is mapped again. What has ended its worker :data:`TRIES` times, alone
    except for the first time, is a PagesumError.

    Args:
        items: What is mapped.
        read: Applied to each item in a task.
        together: Neighbors of which it has the same value are read in one task.
        make: Makes in each actor what maps a list of read items to their results.
        options: The cluster, and what of it is used.

    Raises:
        PagesumError: The cluster cannot be reached, has another version of this program, or has stopped.
        UsageError: Options that do nothing for the model.
    """
    ray, tries, left = _connected(options), Counter[int](), set(range(len(items)))
    try:
        while left:
            before = len(left)
            try:
                for number, result in _round(ray, sorted(left), items, read, together, make, options, bool(tries)):
                    if isinstance(result, UsageError):
                        raise result
                    if number in left:
                        left.remove(number)
                        yield number, result
            except ray.exceptions.RayError as failure:
                if len(left) == before:
                    raise _reason(failure) from failure
            else:
                tries.update(left)
            for number in [number for number in left if tries[number] == TRIES]:
                left.remove(number)
                yield number, PagesumError(f"ended its worker {TRIES} times", "try it alone, without --engine")
    finally:
        ray.shutdown()


def _round(
    ray: Any,
    numbers: Sequence[int],
    items: Any,
    read: Any,
    together: Any,
    make: Make,
    options: ClusterOptions,
    alone: bool,
) -> Iterator[tuple[int, Any]]:
    """Map items once; those whose worker is lost are missing."""
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = context.print_on_execution_start = False
    context.target_max_block_size, context.max_errored_blocks = BLOCK, -1
    context.execution_options.preserve_order = options.in_order
    resources = ray.cluster_resources()
    gpus = float(resources.get("GPU", 0) >= 1) if options.worker_gpus is None else options.worker_gpus
    most = resources.get("GPU", 0) / gpus if gpus else resources["CPU"] * (1 - READERS)
    workers = min(options.workers or max(1, math.floor(most)), len(numbers))
    groups = [list(group) for _, group in groupby(numbers, lambda one: one if alone else together(items[one]))]
    size = 1 if alone else -(-len(groups) // TASKS)
    some = (groups[at : at + size] for at in range(0, len(groups), size))
    rows = [{"items": pickle.dumps([(one, items[one]) for group in each for one in group])} for each in some]
    data = ray.data.from_items(rows, override_num_blocks=len(rows)).flat_map(partial(_read, __version__, read))
    data = data.map_batches(
        _Actor,
        fn_constructor_args=(make,),
        batch_size=1 if alone else WINDOW if gpus else FEW,
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=workers, initial_size=workers),
        num_cpus=1,
        num_gpus=gpus,
        ray_remote_args_fn=lambda: {"max_task_retries": 0},  # another round maps what is lost
    )
    for row in data.iter_rows():
        yield row["number"], pickle.loads(row["result"])


def _read(version: str, read: Callable[[Any], Any], row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for number, item in pickle.loads(row["items"]):
        yield {"number": number, "item": pickle.dumps(read(item) if version == __version__ else _other(__version__))}


def _other(version: str) -> UsageError:
    return UsageError(f"the cluster has version {version} of pagesum, not {__version__}", "install the same one")


class _Actor:
    """Maps lists of items."""

    def __init__(self, make: Make) -> None:
        try:
            self._function = make()
        except Exception as failure:  # would be that of every item
            error = explained(failure)
            self._function = lambda items: iter([UsageError(error.message, error.hint)] * len(items))

    def __call__(self, batch: dict[str, Any]) -> Iterator[dict[str, Any]]:
        try:
            results = list(self._function([pickle.loads(item) for item in batch["item"]]))
        except UsageError as error:
            results = [error] * len(batch["item"])
        yield {"number": batch["number"], "result": [pickle.dumps(result) for result in results]}


def _connected(options: ClusterOptions) -> Any:
    """Ray, connected to a cluster, or to one on this machine that ends with this process."""
    require_package("ray", "Ray", "ray")
    address = options.ray_address or os.environ.get("RAY_ADDRESS")
    host, _, port = (address or "").rpartition("://")[2].rpartition(":")
    try:
        if port.isdecimal():
            socket.create_connection((host.strip("[]"), int(port)), CONNECT).close()
    except OSError as error:
        message = f"{address}: no Ray cluster answers there ({error.strerror or error})"
        raise PagesumError(message, "check --ray-address; ray start --head prints it") from error
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # what it logs is also in its files
    logging.getLogger("ray").setLevel(logging.ERROR)
    import ray
    import ray.data

    warnings.filterwarnings("ignore", "`ray_remote_args_fn` is deprecated")  # there is no other way before Ray 2.64
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    # The models leave a share of the cores to reading; here it is added to them.
    cores = math.ceil(len(os.sched_getaffinity(0)) / (1 - READERS))
    own = {} if address else {"num_cpus": cores, "include_dashboard": False}
    try:
        ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **own)  # type: ignore[arg-type]
        found = ray.get(ray.remote(num_cpus=0)(_version).remote())
    except (ray.exceptions.RayError, ConnectionError, RuntimeError, ValueError) as failure:
        ray.shutdown()
        raise _reason(failure) from failure
    if found != __version__:
        raise _other(found)
    return ray


def _version() -> str:
    return __version__


def _reason(failure: BaseException) -> PagesumError:
    line = next((line.strip() for line in str(failure).splitlines() if line.strip()), type(failure).__name__)
    return PagesumError(f"Ray: {line}", "what is done is kept: the same command goes on; --debug shows more")
