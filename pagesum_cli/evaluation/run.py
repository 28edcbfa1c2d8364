"""Records → results: batched by length, scored during the next batch, and saved, so that a run can
be resumed.
"""

import random
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from ..batch.cluster import ClusterOptions, Work, mapped
from ..batch.talk import Bar, Talk
from ..datasets.record import Record
from ..documents.model import words
from ..errors import PagesumError
from .efficiency import measured
from .metrics.base import Metric, main_value
from .results import (
    FILE,
    Result,
    append_result,
    begin_results,
    check_same_settings,
    finish_run,
    read_run,
    shard_path,
)
from .scoring import World, process_pool, score_pair, score_results
from .systems import System

Made = Callable[[Sequence[list[Record]]], Iterator[list[Result]]]
"""Gives the results of batches, in order."""


class RunProgress:
    """The progress of a run: documents per second and the scores so far."""

    def __init__(self, progress: Talk, bar: Bar, name: str = "") -> None:
        self.progress = progress
        self.bar = bar
        self.done = 0
        self._prefix = f"{name}: " if name else ""
        self._scores: dict[str, list[float]] = {}

    def resumed(self, results: Sequence[Result], missing: int) -> None:
        if results:
            self.progress.note(f"{self._prefix}{len(results)} documents were done before")
        for result in results:
            self._add(result)
        self._earlier, self._total, self._began = self.done, self.done + missing, perf_counter()
        self.bar.update(f"{self._prefix}summarizing", self.done, self._total)

    def scored(self, result: Result) -> None:
        self._add(result)
        scores = ", ".join(
            f"{name} {sum(own) / len(own):.2f}" for name, own in list(self._scores.items())[:3]
        )
        speed = (self.done - self._earlier) / (perf_counter() - self._began)
        self.bar.update(
            f"{self._prefix}summarizing, {speed:.2f} documents/s, {scores}", self.done, self._total
        )

    def rescored(self, done: int) -> None:
        self.bar.update(f"{self._prefix}scoring", done, self._total)

    def _add(self, result: Result) -> None:
        self.done += 1
        for name, score in result.scores.items():
            self._scores.setdefault(name, []).append(main_value(score))


def run(
    records: Sequence[Record],
    system: System,
    metrics: Sequence[Metric],
    folder: Path | None,
    processes: int,
    world: World,
    view: RunProgress,
    made: Made | None = None,
) -> list[Result]:
    """Summarize and score every record.

    Results of a stopped run in ``folder`` are used and not computed again. Batches are formed of
    all the records, so that a document is summarized in the same batch whether or not the run was
    stopped, and by any number of processes. Metrics that hold a model are computed at the end.
    ``made`` gives results that are not made here.

    Returns:
        The results in the order of the records; in processes other than the first, only those of
        that process.
    """
    done = _earlier_results(folder, records, system, view.progress) if folder else {}
    world.wait()  # until all have read, before any writes
    own = batches(records, system.batch_size)[world.rank :: world.size]
    own = [batch for batch in own if any(record.id not in done for record in batch)]
    left = sum(record.id not in done for batch in own for record in batch)
    view.resumed([done[record.id] for record in records if record.id in done], left)

    shard = shard_path(folder, world.rank) if folder else None
    if shard:
        begin_results(shard)
    fresh: list[Result] = []
    found = made(own) if made else map(partial(results_of, system), own)
    for result in _scored(zip(own, found, strict=True), metrics, done, processes):
        fresh.append(result)
        if shard:
            append_result(shard, result)
        view.scored(result)
    world.wait()
    if world.rank > 0:
        return fresh
    results = {**done, **{result.id: result for result in fresh}}
    if folder and world.size > 1:
        results = read_run(folder, view.progress.warn)
    return _finished(records, results, metrics, folder, processes, view)


def _scored(
    batches: Iterable[tuple[list[Record], list[Result]]],
    metrics: Sequence[Metric],
    done: Container[str],
    processes: int,
) -> Iterator[Result]:
    """The results of batches that are not done, with the scores that need no model; those of a
    batch before the next one is made, so that what is done is never lost.
    """
    light = [metric for metric in metrics if not metric.heavy]
    signatures = {metric.name: metric.signature for metric in light}
    with process_pool(processes) as pool:
        for batch, results in batches:
            scoring = [
                (result, pool.submit(score_pair, light, result.pair(record.texts)))
                for record, result in zip(batch, results, strict=True)
                if record.id not in done
            ]
            for result, scores in scoring:
                yield result.with_scores(scores.result(), signatures)


def _finished(
    records: Sequence[Record],
    results: Mapping[str, Result],
    metrics: Sequence[Metric],
    folder: Path | None,
    processes: int,
    view: RunProgress,
) -> list[Result]:
    """The results of the records with all scores; in the folder, others stay behind them."""
    sources = {record.id: record.texts for record in records}
    own = [results[record.id] for record in records]
    scored = score_results(own, metrics, sources, processes, view.rescored)
    if folder:
        others = [result for name, result in results.items() if name not in sources]
        finish_run(folder, [*scored, *others])
    return scored


def _earlier_results(
    folder: Path, records: Sequence[Record], system: System, progress: Talk
) -> dict[str, Result]:
    done = read_run(folder, progress.warn)
    check_same_settings(folder, done.values(), system.settings)
    for record in records:
        earlier = done.get(record.id)
        both = (record.summary, record.summary_sentences)
        if earlier and (earlier.reference, earlier.reference_sentences) != both:
            message = f"{folder / FILE}: {record.id} has another reference there than in the data"
            raise PagesumError(message, "use another --output")
    return done


def batches(records: Sequence[Record], size: int) -> list[list[Record]]:
    """Group records of about the same length.

    The longest come first, so that a lack of memory shows at once. The others are shuffled, so that
    the scores and the speed so far are representative at any time.
    """
    longest_first = sorted(
        records, key=lambda record: -sum(1 for one in record.documents for _ in words(one))
    )
    longest, *others = [
        longest_first[start : start + size] for start in range(0, len(records), size)
    ]
    random.Random(0).shuffle(others)
    return [longest, *others]


def results_of(system: System, batch: Sequence[Record]) -> list[Result]:
    """The results of documents that are summarized together, or one by one where memory does not
    suffice.
    """
    try:
        return measured(system, batch)
    except PagesumError:
        if len(batch) == 1:
            raise
    # Memory may suffice for one at a time, now that the error is gone: it held everything the batch
    # had taken.
    return [result for record in batch for result in measured(system, [record])]


def on_cluster(
    opened: Callable[[], System], options: ClusterOptions, some: Sequence[list[Record]]
) -> Iterator[list[Result]]:
    """The results of batches, in order, by systems that the actors of a cluster open; one process
    gives the same.
    """
    for _, results in mapped(
        some, Work(lambda: partial(map, partial(results_of, opened())), in_order=True), options
    ):
        if isinstance(results, PagesumError):
            raise results
        yield results
