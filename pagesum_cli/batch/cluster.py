"""Work on a cluster of Ray: what is read in tasks goes to a pool of actors, each of which holds a model."""

import logging
import math
import os
import pickle
import socket
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from ..errors import PagesumError, require_package
from ..options import Options, option
from ..version import __version__

CRASHES = 3  # times that an item may end its worker before it is set aside
READERS = 0.2  # share of the processors that the models leave to reading
BLOCK = 1 << 20  # bytes of documents after which reading hands them on
TASKS = 4000  # tasks among which the sources are divided
FEW = 4  # documents of which a processor core loses those that are done when it fails
CONNECT = 5.0  # seconds in which an address must answer

Expand = Callable[[Any], Iterator[tuple[int, Any]]]
Make = Callable[[], Callable[[list[Any]], Iterable[Any]]]


@dataclass(frozen=True)
class ClusterOptions(Options):
    """Where documents are summarized."""

    panel: ClassVar[str] = "Cluster"

    engine: str | None = option(
        None,
        "ray: use all cores and GPUs of this machine, or of a cluster, by Ray (extra ray). Default: one process.",
        choices=("ray",),
    )
    ray_address: str | None = option(
        None,
        "Address of a cluster: HOST:PORT or ray://HOST:PORT. Default: RAY_ADDRESS, otherwise this machine.",
        metavar="ADDRESS",
        requires="engine",
    )
    workers: int | None = option(
        None,
        "Maximum number of processes that hold a model. Default: one for each GPU, or for 80% of the cores.",
        min=1,
        requires="engine",
    )
    worker_gpus: float | None = option(
        None,
        "GPUs of each process that holds a model: with 0.5, two share one. Default: 1 if there are any.",
        min=0,
        requires="engine",
    )
    in_order: bool = option(False, "Write in the order of the documents, not as they are ready.", requires="engine")


def mapped(
    sources: Sequence[Any], expand: Expand, make: Make, options: ClusterOptions, together: int = 1
) -> Generator[tuple[int, Any]]:
    """Map items on a cluster; yields the number and the result of each, once, as they are ready.

    Args:
        sources: What tasks turn into items, each with a number of its own.
        expand: Yields the numbers and items of a source.
        make: Makes in each actor what maps a list of items to their results, in order.
        options: The cluster, and what of it is used.
        together: Number of items in a list where there are GPUs; otherwise :data:`FEW` at most.

    Raises:
        PagesumError: The cluster cannot be reached, has another version of this program, or has stopped.
    """
    ray = connected(options)
    try:
        from ray.data import ActorPoolStrategy, DataContext, from_items

        context = DataContext.get_current()
        context.enable_progress_bars = context.print_on_execution_start = False
        context.target_max_block_size = BLOCK
        context.execution_options.preserve_order = options.in_order
        size = max(1, -(-len(sources) // TASKS))
        rows = [{"sources": pickle.dumps(sources[at : at + size])} for at in range(0, len(sources), size)]
        resources = ray.cluster_resources()
        gpus = options.worker_gpus if options.worker_gpus is not None else float(resources.get("GPU", 0) >= 1)
        most = resources.get("GPU", 0) / gpus if gpus else resources["CPU"] * (1 - READERS)
        workers = options.workers or max(1, math.floor(most))
        attempts = ray.remote(num_cpus=0, resources={"node:__internal_head__": 0.001})(Attempts).remote()
        data = (
            from_items(rows, override_num_blocks=len(rows))
            .flat_map(partial(_items, expand), num_cpus=1)
            .map_batches(
                _Actor,
                fn_constructor_args=(make, attempts),
                batch_size=together if gpus else min(together, FEW),
                compute=ActorPoolStrategy(min_size=1, max_size=workers, initial_size=workers),
                num_cpus=1,
                num_gpus=gpus,
            )
        )
        seen: set[int] = set()
        for row in data.iter_rows():
            if row["number"] not in seen:
                seen.add(row["number"])
                yield row["number"], pickle.loads(row["result"])
    except (ray.exceptions.RayError, ConnectionError) as failure:
        raise _reason(failure) from failure
    finally:
        ray.shutdown()


def _items(expand: Expand, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for source in pickle.loads(row["sources"]):
        for number, item in expand(source):
            yield {"number": number, "item": pickle.dumps(item)}


class Attempts:
    """Counts how often the mapping of an item was begun and not ended: an actor that no worker takes along."""

    def __init__(self) -> None:
        self._begun: Counter[int] = Counter()

    def begin(self, numbers: Sequence[int], *, again: bool = False) -> list[int]:
        """Count items that are begun, if they are new or begun again; returns their numbers of times before."""
        before = [self._begun[number] for number in numbers]
        self._begun.update(number for number, count in zip(numbers, before, strict=True) if again or not count)
        return before

    def end(self, numbers: Sequence[int]) -> None:
        """Forget items that are done."""
        for number in numbers:
            del self._begun[number]


class _Actor:
    """Maps lists of items; those whose worker has crashed alone, and not at all after :data:`CRASHES` times."""

    def __init__(self, make: Make, attempts: Any) -> None:
        import ray

        self._function, self._attempts, self._get = make(), attempts, ray.get

    def __call__(self, batch: dict[str, Any]) -> Iterator[dict[str, Any]]:
        numbers = [int(number) for number in batch["number"]]
        items = dict(zip(numbers, map(pickle.loads, batch["item"]), strict=True))
        before = dict(zip(numbers, self._get(self._attempts.begin.remote(numbers)), strict=True))
        new = [number for number in numbers if not before[number]]
        for group in [new, *([number] for number in numbers if before[number])]:
            if len(group) == 1 and before[group[0]] >= CRASHES:
                results: Iterable[Any] = [PagesumError(f"ended its worker {CRASHES} times, and is left out")]
            else:
                if group is not new:
                    self._get(self._attempts.begin.remote(group, again=True))
                results = self._function([items[number] for number in group])
            for number, result in zip(group, results, strict=True):
                yield {"number": [number], "result": [pickle.dumps(result)]}
            self._get(self._attempts.end.remote(group))


def connected(options: ClusterOptions) -> Any:
    """Ray, connected to a cluster of this version, or to one on this machine that ends with this process."""
    require_package("ray", "Ray", "ray")
    address = options.ray_address or os.environ.get("RAY_ADDRESS")
    if address:
        _check_reachable(address)
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # what it logs is also in its files
    logging.getLogger("ray").setLevel(logging.ERROR)
    import ray
    import ray.data

    for name in ("ray", "ray.data"):  # which the imports have set
        logging.getLogger(name).setLevel(logging.ERROR)
    cores = len(os.sched_getaffinity(0))
    # The models leave a share of the processors to reading: here it is added to them.
    own: dict[str, Any] = (
        {"num_cpus": math.ceil(cores / (1 - READERS)), "include_dashboard": False} if not address else {}
    )
    try:
        ray.init(
            address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **({} if address else own)
        )
        _check_versions(ray)
    except (ray.exceptions.RayError, ConnectionError, RuntimeError, ValueError) as failure:
        ray.shutdown()
        raise _reason(failure) from failure
    return ray


def _check_reachable(address: str) -> None:
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not port.isdecimal():
        return  # auto, local
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT).close()
    except OSError as error:
        message = f"{address}: no Ray cluster answers there ({error.strerror or error})"
        raise PagesumError(message, "check --ray-address; ray start --head prints it") from error


def node_version() -> str:
    """The version of this program in a process of the cluster."""
    return __version__


def _check_versions(ray: Any) -> None:
    """Refuse a cluster with another version of this program on one of its machines."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    nodes = {node["NodeID"]: node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
    task = ray.remote(num_cpus=0, max_retries=0)(node_version)
    asked = {
        task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)).remote(): address
        for node, address in nodes.items()
    }
    for answer, address in asked.items():
        try:
            found = ray.get(answer)
        except ray.exceptions.RayTaskError:
            found = None
        if found != __version__:
            has = f"version {found}" if found else "none"
            message = f"the cluster's machine {address} has {has} of pagesum, expected {__version__}"
            raise PagesumError(message, "install the same version everywhere")


def _reason(failure: BaseException) -> PagesumError:
    """Why a run on a cluster failed, in one line."""
    cause: BaseException | None = failure
    while cause is not None:
        if isinstance(cause, PagesumError):
            return cause
        cause = getattr(cause, "cause", None) or cause.__cause__
    line = next((line.strip() for line in str(failure).splitlines() if line.strip()), type(failure).__name__)
    return PagesumError(f"Ray: {line}", "what is done is kept: the same command goes on; --debug shows more")
