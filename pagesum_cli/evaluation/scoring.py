"""Pairs → scores, in as many processes as there are cores."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from threading import Thread
from types import TracebackType
from typing import Self

from ..errors import UsageError
from .pair import Metric, Pair, Score
from .results import Result

WORTH_A_POOL = 40
"""Pairs below which starting processes takes longer than scoring."""


class ScoringPool:
    """Scores pairs in other processes while this one does something else.

    Args:
        metrics: light ones; each process gets a copy.
        processes: how many.
    """

    def __init__(self, metrics: Sequence[Metric], processes: int) -> None:
        self._metrics = tuple(metrics)
        self._pool = process_pool(processes)

    def submit(self, pair: Pair) -> Future[dict[str, Score]]:
        """The scores of a pair, later."""
        return self._pool.submit(score_pair, self._metrics, pair)

    def map(self, pairs: Sequence[Pair], chunk: int) -> Iterable[dict[str, Score]]:
        """The scores of pairs, in order."""
        return self._pool.map(_Bound(self._metrics), pairs, chunksize=chunk)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=error is None, cancel_futures=error is not None)


class _Bound:
    def __init__(self, metrics: Sequence[Metric]) -> None:
        self.metrics = metrics

    def __call__(self, pair: Pair) -> dict[str, Score]:
        return score_pair(self.metrics, pair)


def process_pool(processes: int) -> ProcessPoolExecutor:
    """Processes that leave when this one does, however it ends."""
    # Not fork: this process may hold torch's threads and a GPU.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=_leave_with_parent)


def _leave_with_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C on a terminal reaches all processes; the parent answers it

    def wait() -> None:
        multiprocessing.parent_process().join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def score_pair(metrics: Sequence[Metric], pair: Pair) -> dict[str, Score]:
    """The scores of one pair by every metric."""
    return {column: score for metric in metrics for column, score in metric.score(pair).items()}


def score_pairs(
    pairs: Sequence[Pair],
    metrics: Sequence[Metric],
    processes: int | None = None,
    on_scored: Callable[[int], None] = lambda done: None,
) -> list[dict[str, Score]]:
    """The scores of pairs, in order; light metrics by several processes, heavy ones in this one.

    Args:
        pairs: to score.
        metrics: by which.
        processes: how many; None for as many as there are cores, 1 for this one alone. The scores do not depend on it.
        on_scored: is called with the number of pairs that are scored.
    """
    light = [metric for metric in metrics if not metric.heavy]
    heavy = [metric for metric in metrics if metric.heavy]
    processes = processes or available_cores()
    scored: list[dict[str, Score]] = []
    if processes == 1 or len(pairs) < WORTH_A_POOL:
        for pair in pairs:
            scored.append(score_pair(light, pair))
            on_scored(len(scored))
    else:
        with ScoringPool(light, processes) as pool:
            for scores in pool.map(pairs, chunk=max(1, min(16, len(pairs) // (4 * processes)))):
                scored.append(scores)
                on_scored(len(scored))
    for place, pair in enumerate(pairs if heavy else ()):
        scored[place].update(score_pair(heavy, pair))
        on_scored(place + 1)
    return scored


def score_results(
    results: Sequence[Result],
    metrics: Sequence[Metric],
    sources: dict[str, tuple[str, ...]],
    processes: int | None = None,
    on_scored: Callable[[int], None] = lambda done: None,
) -> list[Result]:
    """Results with the scores of all the metrics; what the same metric gave before is kept.

    Args:
        results: to score.
        metrics: by which.
        sources: the documents' texts by id; may be empty where no metric needs them.
        processes: see :func:`score_pairs`.
        on_scored: is called with the number of results that one metric has scored.

    Raises:
        UsageError: a metric needs what the results do not hold.
    """
    scored = list(results)
    for metric in metrics:
        signature = metric.signature
        places = [place for place, one in enumerate(scored) if one.scoring.get(metric.name) != signature]
        for place in places:
            check_needs(metric, scored[place].pair(sources.get(scored[place].id, ())))
        pairs = [scored[place].pair(sources.get(scored[place].id, ())) for place in places]
        for place, scores in zip(places, score_pairs(pairs, [metric], processes, on_scored), strict=True):
            scored[place] = scored[place].with_scores(scores, {metric.name: signature})
    return scored


def check_needs(metric: Metric, pair: Pair) -> None:
    """Make sure that a pair has what a metric reads.

    Raises:
        UsageError: it has not.
    """
    if metric.needs == "sources" and not pair.sources:
        raise UsageError(f"--metrics {metric.name} needs the documents", "give the data set with --data")
    if metric.needs == "sentences" and pair.prediction and not pair.sentences:
        raise UsageError(
            f"--metrics {metric.name} needs page confidences", "it works on what this program's models write"
        )


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
