"""Pairs → scores, in as many processes as there are cores."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from types import TracebackType
from typing import Self

from ..errors import UsageError
from ..processes import end_with_parent
from .metrics.base import Metric, Pair, Score
from .results import Result

WORTH_A_POOL = 40
"""Number of pairs below which starting processes takes longer than scoring."""

OnScored = Callable[[int], None]


class ScoringPool:
    """Scores pairs in other processes.

    Args:
        metrics: Light ones; each process gets a copy.
        processes: Number of processes.
    """

    def __init__(self, metrics: Sequence[Metric], processes: int) -> None:
        self._score = partial(score_pair, tuple(metrics))
        self._pool = process_pool(processes)

    def submit(self, pair: Pair) -> Future[dict[str, Score]]:
        """Score a pair in the background."""
        return self._pool.submit(self._score, pair)

    def map(self, pairs: Sequence[Pair], chunk: int) -> Iterable[dict[str, Score]]:
        """Score pairs, in order."""
        return self._pool.map(self._score, pairs, chunksize=chunk)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=error is None, cancel_futures=error is not None)


def process_pool(processes: int) -> ProcessPoolExecutor:
    """Processes that end with this one, however it ends."""
    # Not fork: this process may hold torch's threads and a GPU.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, mp_context=context, initializer=end_with_parent)


def score_pair(metrics: Sequence[Metric], pair: Pair) -> dict[str, Score]:
    """The scores of one pair by every metric."""
    return {column: score for metric in metrics for column, score in metric.score(pair).items()}


def score_pairs(
    pairs: Sequence[Pair],
    metrics: Sequence[Metric],
    processes: int | None = None,
    on_scored: OnScored = lambda done: None,
) -> list[dict[str, Score]]:
    """Score pairs, in order; light metrics in several processes, heavy ones in this one.

    Args:
        pairs: The pairs.
        metrics: The metrics.
        processes: Number of processes; None for one per core, 1 for this one alone. The scores do not depend on it.
        on_scored: Called with the number of scored pairs.
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
    for metric in heavy:
        metric.prepare(pairs)
    for place, pair in enumerate(pairs if heavy else ()):
        scored[place].update(score_pair(heavy, pair))
        on_scored(place + 1)
    return scored


def score_results(
    results: Sequence[Result],
    metrics: Sequence[Metric],
    sources: Mapping[str, tuple[str, ...]],
    processes: int | None = None,
    on_scored: OnScored = lambda done: None,
) -> list[Result]:
    """Add the scores of all metrics to results; scores of the same metric with the same signature are kept.

    Args:
        results: The results.
        metrics: The metrics.
        sources: The documents' texts by id; may be empty if no metric needs them.
        processes: See :func:`score_pairs`.
        on_scored: Called with the number of results that one metric has scored.

    Raises:
        UsageError: A metric needs something that the results do not hold. Nothing is computed then.
    """
    scored = list(results)
    missing = {
        metric: [place for place, one in enumerate(results) if one.scoring.get(metric.name) != metric.signature]
        for metric in metrics
    }
    pairs = [one.pair(sources.get(one.id, ())) for one in results]
    for metric, places in missing.items():
        for place in places:
            check_needs(metric, pairs[place])
    for metric, places in missing.items():
        new = score_pairs([pairs[place] for place in places], [metric], processes, on_scored)
        for place, scores in zip(places, new, strict=True):
            scored[place] = scored[place].with_scores(scores, {metric.name: metric.signature})
    return scored


def check_needs(metric: Metric, pair: Pair) -> None:
    """Check that a pair has the inputs of a metric.

    Raises:
        UsageError: It has not.
    """
    if metric.needs == "sources" and not pair.sources:
        raise UsageError(f"--metrics {metric.name} needs the documents", "give the data set with --data")
    if metric.needs == "sentences" and pair.prediction and not pair.sentences:
        raise UsageError(
            f"--metrics {metric.name} needs page confidences", "it works on the summaries of this program's models"
        )


def available_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
