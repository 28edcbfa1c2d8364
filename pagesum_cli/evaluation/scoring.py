"""Pairs → scores, in as many processes as there are cores."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from threading import Thread
from typing import Any, TypeVar

from ..system import available_cores
from .metrics.base import Metric, Pair, Score, check_needs
from .results import Result

WORTH_A_POOL = 40  # number of calls below which starting processes takes longer than making them

T = TypeVar("T")


def mapped(function: Callable[..., T], processes: int, *arguments: Sequence[Any]) -> Iterator[T]:
    """Results of calls with each of the arguments, in order; in several processes if there is
    enough to do.
    """
    count = len(arguments[0])
    if processes == 1 or count < WORTH_A_POOL:
        yield from map(function, *arguments)
        return
    with process_pool(processes) as pool:
        yield from pool.map(
            function, *arguments, chunksize=max(1, min(16, count // (4 * processes)))
        )


def _end_with_parent() -> None:
    """Let this process end when its parent does, however that ends; Ctrl-C is the parent's to
    answer.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on a terminal it reaches all processes

    def wait() -> None:
        if parent := multiprocessing.parent_process():
            parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


@contextmanager
def process_pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this one, however it ends."""
    # Not fork: this process may hold torch's threads and a GPU.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_end_with_parent)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def score_pair(metrics: Sequence[Metric], pair: Pair) -> dict[str, Score]:
    return {column: score for metric in metrics for column, score in metric.score(pair).items()}


def score_pairs(
    pairs: Sequence[Pair],
    metrics: Sequence[Metric],
    processes: int | None = None,
    on_scored: Callable[[int], None] = lambda done: None,
) -> list[dict[str, Score]]:
    """Score pairs, in order; light metrics in several processes, heavy ones in this one."""
    light = tuple(metric for metric in metrics if not metric.heavy)
    heavy = [metric for metric in metrics if metric.heavy]
    scored: list[dict[str, Score]] = [{} for _ in pairs]
    if light:
        in_turn = mapped(partial(score_pair, light), processes or available_cores(), pairs)
        for number, scores in enumerate(in_turn):
            scored[number] = scores
            on_scored(number + 1)
    for metric in heavy:
        metric.prepare(pairs)
    for number, pair in enumerate(pairs if heavy else ()):
        scored[number].update(score_pair(heavy, pair))
        on_scored(number + 1)
    return scored


def score_results(
    results: Sequence[Result],
    metrics: Sequence[Metric],
    sources: Mapping[str, tuple[str, ...]],
    processes: int | None = None,
    on_scored: Callable[[int], None] = lambda done: None,
) -> list[Result]:
    """Add the scores of all metrics to results; scores of the same metric with the same signature
    are kept.
    """
    scored = list(results)
    pairs = [result.pair(sources.get(result.id, ())) for result in results]
    missing = {
        metric: [
            i
            for i, result in enumerate(results)
            if result.scoring.get(metric.name) != metric.signature
        ]
        for metric in metrics
    }
    for metric, numbers in missing.items():
        for pair in (pairs[i] for i in numbers):
            check_needs(
                metric.name,
                metric.needs,
                bool(pair.sources),
                bool(pair.sentences or not pair.prediction),
            )
    for metric, numbers in missing.items():
        new = score_pairs([pairs[i] for i in numbers], [metric], processes, on_scored)
        for i, scores in zip(numbers, new, strict=True):
            scored[i] = scored[i].with_scores(scores, {metric.name: metric.signature})
    return scored


# for the slowest process; the default of half an hour would end a long run
LONGEST_WAIT = timedelta(days=7)


@dataclass(frozen=True)
class World:
    """This process among all of them."""

    rank: int = 0
    size: int = 1
    local_rank: int = 0

    def wait(self) -> None:
        if self.size > 1:
            from torch import distributed

            distributed.barrier()

    def device(self, device: str) -> str:
        """The device of this process: its own GPU if there are several processes and GPUs."""
        if self.size == 1 or device not in ("auto", "cuda"):
            return device
        import torch

        return (
            f"cuda:{self.local_rank % torch.cuda.device_count()}"
            if torch.cuda.is_available()
            else device
        )


def launched_world() -> World:
    given = os.environ
    return World(
        int(given.get("RANK", 0)), int(given.get("WORLD_SIZE", 1)), int(given.get("LOCAL_RANK", 0))
    )


@contextmanager
def joined_world() -> Iterator[World]:
    """Connect all processes; they only wait for each other, so that any backend suffices."""
    world = launched_world()
    if world.size == 1:
        yield world
        return
    from torch import distributed

    distributed.init_process_group("gloo", timeout=LONGEST_WAIT)
    try:
        yield world
    finally:
        distributed.destroy_process_group()
