"""Records → summaries → results: batched by length, scored while the next batch is written, saved as they come."""

import hashlib
import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..documents.document import words
from ..documents.records import Record
from ..errors import PagesumError
from ..locality.page import Pages
from ..summary import Summary
from ..version import __version__
from .attribution import paged_sentences
from .pair import Metric, Score
from .readers import source_texts
from .results import FILE, Result, ResultsWriter, finish_run, read_run, refuse_to_mix, shard_path
from .scoring import ScoringPool, score_results
from .world import World

if TYPE_CHECKING:
    from ..summarizer import PageSummarizer


@dataclass(frozen=True)
class RunRequest:
    """How summaries are written.

    Attributes:
        model: name, folder or Hugging Face id.
        cutting: arguments of ``PageSummarizer.summarize_batch`` about pages.
        generation: its arguments about the summary; None stands for the checkpoint's own.
        batch_size: documents at a time; None for 1 on a CPU and 8 elsewhere.
        data: name and split of the data set, which go into every result.
    """

    model: str
    cutting: dict[str, Any] = field(default_factory=dict)
    generation: dict[str, Any] = field(default_factory=dict)
    batch_size: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Listener:
    """Who is told how a run goes.

    Attributes:
        note: takes one line worth knowing.
        resumed: takes the results that were there before, and how many documents this process will do.
        scored: takes each further result; is called from other threads.
        metric: takes how many documents the metrics that hold a model have scored, and of how many.
    """

    note: Callable[[str], None] = lambda message: None
    resumed: Callable[[Sequence[Result], int], None] = lambda done, missing: None
    scored: Callable[[Result], None] = lambda result: None
    metric: Callable[[int], None] = lambda done: None


def run(
    records: Sequence[Record],
    summarizer: "PageSummarizer",
    request: RunRequest,
    metrics: Sequence[Metric],
    folder: Path | None,
    processes: int,
    world: World,
    listener: Listener,
) -> list[Result]:
    """Summarize and score every record.

    What a stopped run left in ``folder`` is used and not done again. Batches are formed of all the records, so that a
    document is summarized in the same company whether or not the run was stopped, and by however many processes.

    Args:
        records: with ids of their own.
        summarizer: the model of the request.
        request: how summaries are written.
        metrics: by which they are scored.
        folder: gets ``results.jsonl``; None keeps nothing.
        processes: that score.
        world: the processes that share the work; each of them calls this.
        listener: is told.

    Returns:
        The results in the order of the records; in processes but the first, only those of that process.

    Raises:
        PagesumError: ``folder`` holds results of other settings or data, or the model cannot be run.
    """
    batch_size = request.batch_size or (1 if summarizer.model.device.type == "cpu" else 8)
    settings = _settings(summarizer, request, batch_size)
    done: dict[str, Result] = {}
    if folder:
        done = read_run(folder, listener.note)
        refuse_to_mix(folder, done.values(), settings)
        _refuse_other_references(folder, records, done)
    world.wait()  # until all have read, before any writes
    own = [batch for batch in batches(records, batch_size)[world.rank :: world.size] if _missing(batch, done)]
    listener.resumed(
        [done[record.id] for record in records if record.id in done], sum(len(_missing(batch, done)) for batch in own)
    )

    writer = ResultsWriter(shard_path(folder, world.rank)) if folder else None
    light = [metric for metric in metrics if not metric.heavy]
    fresh: list[Result] = []
    with ScoringPool(light, processes) as pool:
        collector = _Collector(writer, {metric.name: metric.signature for metric in light}, fresh, listener.scored)
        for batch in own:
            missing = _missing(batch, done)
            for record, result in zip(batch, _summarized(summarizer, batch, request, settings), strict=True):
                if record.id in missing:
                    collector.add(result, pool.submit(result.pair(source_texts(record))))
            collector.check()
    collector.check()
    if writer:
        writer.close()
    world.wait()
    if world.rank > 0:
        return fresh
    found = {**done, **{result.id: result for result in fresh}}
    if folder and world.size > 1:
        found = read_run(folder, listener.note)
    sources = {record.id: source_texts(record) for record in records}
    results = score_results([found[record.id] for record in records], metrics, sources, processes, listener.metric)
    if folder:
        wanted = {record.id for record in records}
        finish_run(folder, [*results, *(result for result in found.values() if result.id not in wanted)])
    return results


def batches(records: Sequence[Record], size: int) -> list[list[Record]]:
    """Records of about the same length together.

    The longest come first: what does not fit into memory shows at once. The others are mixed, so that what a run has
    done at any time stands for the whole: its scores so far, its speed, and what is left of it when it is stopped.
    """
    longest_first = sorted(records, key=lambda record: -sum(1 for one in record.documents for _ in words(one)))
    longest, *others = [longest_first[start : start + size] for start in range(0, len(records), size)]
    random.Random(0).shuffle(others)
    return [longest, *others]


def _missing(batch: Sequence[Record], done: dict[str, Result]) -> set[str]:
    return {record.id for record in batch if record.id not in done}


def _summarized(
    summarizer: "PageSummarizer", batch: Sequence[Record], request: RunRequest, settings: dict[str, Any]
) -> list[Result]:
    cut: list[Pages] = []
    try:
        summaries = summarizer.summarize_batch(
            [record.documents for record in batch], **request.cutting, **request.generation, on_pages=cut.append
        )
    except PagesumError:
        if len(batch) == 1:
            raise
        # The memory may hold one where it does not hold all.
        return [result for record in batch for result in _summarized(summarizer, [record], request, settings)]
    return [
        _result(record, summary, pages, settings) for record, summary, pages in zip(batch, summaries, cut, strict=True)
    ]


def _result(record: Record, summary: Summary, pages: Pages, settings: dict[str, Any]) -> Result:
    sentences = []
    for sentence in summary.sentences:
        shares = {share.page: share.confidence for share in sentence.pages}
        sentences.append((sentence.text, [shares[page] for page in range(len(summary.pages))]))
    return Result(
        id=record.id,
        prediction=summary.text,
        reference=record.summary,
        page_confidences=tuple(page.confidence for page in summary.pages),
        sentences=paged_sentences(sentences, [page.text for page in pages.pages]),
        seconds=sum(summary.seconds.values()),
        settings=settings,
    )


def _settings(summarizer: "PageSummarizer", request: RunRequest, batch_size: int) -> dict[str, Any]:
    """Everything that a prediction depends on beside its document."""
    from ..model.registry import checkpoint_folder

    generation = {name: value for name, value in request.generation.items() if name != "length"}
    config = summarizer.model.config
    own = {"page_tokens": config.page_tokens, "num_pages": config.num_pages}
    return {
        **request.data,
        "model": request.model,
        "weights": _weights_hash(checkpoint_folder(request.model, weights=True)),
        "dtype": str(summarizer.model.dtype).removeprefix("torch."),
        **request.cutting,
        **{name: request.cutting.get(name) or value for name, value in own.items()},
        **asdict(summarizer.settings(request.generation.get("length"), **generation)),
        "batch_size": batch_size,
        "pagesum": __version__,
    }


def _weights_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted([*folder.glob("*.safetensors"), *folder.glob("*.bin")]):
        with open(file, "rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


def _refuse_other_references(folder: Path, records: Sequence[Record], done: dict[str, Result]) -> None:
    for record in records:
        if record.id in done and done[record.id].reference != record.summary:
            raise PagesumError(
                f"{folder / FILE}: {record.id} has another reference there than in the data", "give another --output"
            )


class _Collector:
    """Takes scores as they come, from whichever thread brings them, and saves the results."""

    def __init__(
        self,
        writer: ResultsWriter | None,
        scoring: dict[str, str],
        results: list[Result],
        listener: Callable[[Result], None],
    ) -> None:
        self._writer = writer
        self._scoring = scoring
        self._results = results
        self._listener = listener
        self._lock = Lock()
        self._error: BaseException | None = None

    def add(self, result: Result, scores: Future[dict[str, Score]]) -> None:
        """Save the result once it is scored."""
        scores.add_done_callback(partial(self._scored, result))

    def check(self) -> None:
        """Raise here what went wrong in another thread."""
        if self._error:
            raise self._error

    def _scored(self, result: Result, scores: Future[dict[str, Score]]) -> None:
        with self._lock:
            try:
                finished = result.with_scores(scores.result(), self._scoring)
                if self._writer:
                    self._writer.append(finished)
                self._results.append(finished)
                self._listener(finished)
            except BaseException as error:  # a thread's own exceptions are lost
                self._error = self._error or error
