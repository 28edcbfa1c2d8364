"""Records → summaries → results: batched by length, scored during the next batch, saved one by one."""

import hashlib
import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

from ..datasets.record import Record
from ..documents.model import words
from ..errors import PagesumError
from ..locality.page import Pages
from ..models.catalog import checkpoint_folder
from ..options import GenerationOptions, PagingOptions, supported
from ..summary.summary import Summary
from ..version import __version__
from .metrics.attribution import paged_sentences
from .metrics.base import Metric, Score
from .progress import RunProgress
from .results import FILE, USES_REFERENCE, Result, ResultsWriter, finish_run, read_run, refuse_to_mix, shard_path
from .scoring import ScoringPool, score_results
from .world import World

if TYPE_CHECKING:
    from ..summarizer import PageSummarizer


@dataclass(frozen=True)
class RunRequest:
    """How summaries are generated.

    Attributes:
        model: Name, folder or Hugging Face id.
        paging, generation: See ``PageSummarizer.summarize_batch``.
        batch_size: Number of documents at a time; None for 1 on a CPU and 8 elsewhere.
        data: Name and split of the data set, which go into every result.
    """

    model: str
    paging: PagingOptions = field(default_factory=PagingOptions)
    generation: GenerationOptions = field(default_factory=GenerationOptions)
    batch_size: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


class System(Protocol):
    """Summarizes the records of a run."""

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that a prediction depends on besides its document."""

    @property
    def batch_size(self) -> int:
        """Number of documents at a time."""

    def results(self, batch: Sequence[Record]) -> list[Result]:
        """Summarize records, without scoring.

        Raises:
            PagesumError: The model cannot be run, for example because its memory does not suffice.
        """


def run(
    records: Sequence[Record],
    system: System,
    metrics: Sequence[Metric],
    folder: Path | None,
    processes: int,
    world: World,
    view: RunProgress,
) -> list[Result]:
    """Summarize and score every record.

    Results of a stopped run in ``folder`` are used and not computed again. Batches are formed of all the records, so
    that a document is summarized in the same batch whether or not the run was stopped, and by any number of processes.

    Args:
        records: With unique ids.
        system: Makes the summaries.
        metrics: How they are scored.
        folder: Gets ``results.jsonl``; None keeps nothing.
        processes: Number of scoring processes.
        world: The processes that share the work; each of them calls this.
        view: Shows the progress.

    Returns:
        The results in the order of the records; in processes other than the first, only those of that process.

    Raises:
        PagesumError: ``folder`` holds results of other settings or data, or the model cannot be run.
    """
    settings = system.settings
    done: dict[str, Result] = {}
    if folder:
        done = read_run(folder, view.progress.warn)
        refuse_to_mix(folder, done.values(), settings)
        _refuse_other_references(folder, records, done)
    world.wait()  # until all have read, before any writes
    own = [batch for batch in batches(records, system.batch_size)[world.rank :: world.size] if _missing(batch, done)]
    left = sum(len(_missing(batch, done)) for batch in own)
    view.resumed([done[record.id] for record in records if record.id in done], left)

    writer = ResultsWriter(shard_path(folder, world.rank)) if folder else None
    light = [metric for metric in metrics if not metric.heavy]
    fresh: list[Result] = []
    with ScoringPool(light, processes) as pool:
        collector = _Collector(writer, {metric.name: metric.signature for metric in light}, fresh, view.scored)
        for batch in own:
            missing = _missing(batch, done)
            for record, result in zip(batch, results_of(system, batch), strict=True):
                if record.id in missing:
                    collector.add(result, pool.submit(result.pair(record.texts)))
            collector.check()
    collector.check()
    if writer:
        writer.close()
    world.wait()
    if world.rank > 0:
        return fresh
    results = {**done, **{result.id: result for result in fresh}}
    if folder and world.size > 1:
        results = read_run(folder, view.progress.warn)
    sources = {record.id: record.texts for record in records}
    scored = score_results([results[record.id] for record in records], metrics, sources, processes, view.rescored)
    if folder:
        finish_run(folder, [*scored, *(result for name, result in results.items() if name not in sources)])
    return scored


def batches(records: Sequence[Record], size: int) -> list[list[Record]]:
    """Group records of about the same length.

    The longest come first, so that a lack of memory shows at once. The others are shuffled, so that the scores and the
    speed so far are representative at any time.
    """
    longest_first = sorted(records, key=lambda record: -sum(1 for one in record.documents for _ in words(one)))
    longest, *others = [longest_first[start : start + size] for start in range(0, len(records), size)]
    random.Random(0).shuffle(others)
    return [longest, *others]


def _missing(batch: Sequence[Record], done: dict[str, Result]) -> set[str]:
    return {record.id for record in batch if record.id not in done}


def results_of(system: System, batch: Sequence[Record]) -> list[Result]:
    """The results of documents that are summarized together, or one by one where memory does not suffice."""
    try:
        return system.results(batch)
    except PagesumError:
        if len(batch) == 1:
            raise
    # Memory may suffice for one at a time, now that the error is gone: it held everything the batch had taken.
    return [result for record in batch for result in system.results([record])]


class PageSystem:
    """A model of this program.

    Args:
        summarizer: The model of the request.
        request: How summaries are generated.
    """

    def __init__(self, summarizer: "PageSummarizer", request: RunRequest) -> None:
        self._summarizer = summarizer
        self._request = request
        self.batch_size = request.batch_size or default_batch_size(summarizer.model.device.type)

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Everything that a prediction depends on besides its document."""
        summarizer, request = self._summarizer, self._request
        return {
            **request.data,
            "model": request.model,
            "weights": weights_hash(checkpoint_folder(request.model, weights=True)),
            "dtype": summarizer.model.number_format,
            **asdict(summarizer.paging(request.paging)),
            **asdict(summarizer.generation(self._generation)),
            "batch_size": self.batch_size,
            **({USES_REFERENCE: True} if summarizer.model.needs_reference else {}),
            "pagesum": __version__,
        }

    @property
    def _generation(self) -> GenerationOptions:
        """The options without those that only other systems, or another model for chapters, use."""
        return supported(self._request.generation, self._summarizer.model.offers)

    def results(self, batch: Sequence[Record]) -> list[Result]:
        """Summarize records, with the pages' confidences."""
        cut: list[Pages] = []
        needs_reference = self._summarizer.model.needs_reference
        summaries = self._summarizer.summarize_batch(
            [record.documents for record in batch],
            paging=self._request.paging,
            generation=self._generation,
            on_pages=cut.append,
            references=[record.summary for record in batch] if needs_reference else (),
        )
        return [
            self._result(record, summary, [page.text for page in pages.pages])
            for record, summary, pages in zip(batch, summaries, cut, strict=True)
        ]

    def _result(self, record: Record, summary: Summary, pages: Sequence[str]) -> Result:
        """The result of a summary, with the texts of its pages."""
        return Result(
            id=record.id,
            prediction=summary.text,
            reference=record.summary,
            page_confidences=tuple(page.confidence for page in summary.pages),
            sentences=paged_sentences(summary, pages),
            seconds=sum(summary.seconds.values()),
            settings=self.settings,
            reference_sentences=record.summary_sentences,
        )


def default_batch_size(device: str) -> int:
    """Number of documents at a time on a type of device."""
    return 1 if device == "cpu" else 8


def weights_hash(folder: Path) -> str:
    """A digest of the weights in a checkpoint's folder."""
    digest = hashlib.sha256()
    for file in sorted([*folder.glob("*.safetensors"), *folder.glob("*.bin")]):
        with open(file, "rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


def _refuse_other_references(folder: Path, records: Sequence[Record], done: dict[str, Result]) -> None:
    for record in records:
        earlier = done.get(record.id)
        both = (record.summary, record.summary_sentences)
        if earlier and (earlier.reference, earlier.reference_sentences) != both:
            raise PagesumError(
                f"{folder / FILE}: {record.id} has another reference there than in the data",
                "give another --output",
            )


class _Collector:
    """Collects scores from any thread and saves the results."""

    def __init__(
        self,
        writer: ResultsWriter | None,
        scoring: dict[str, str],
        results: list[Result],
        on_scored: Callable[[Result], None],
    ) -> None:
        self._writer = writer
        self._scoring = scoring
        self._results = results
        self._on_scored = on_scored
        self._lock = Lock()
        self._error: BaseException | None = None

    def add(self, result: Result, scores: Future[dict[str, Score]]) -> None:
        """Save the result after it is scored."""
        scores.add_done_callback(partial(self._scored, result))

    def check(self) -> None:
        """Raise an error of another thread."""
        if self._error:
            raise self._error

    def _scored(self, result: Result, scores: Future[dict[str, Score]]) -> None:
        with self._lock:
            try:
                finished = result.with_scores(scores.result(), self._scoring)
                if self._writer:
                    self._writer.append(finished)
                self._results.append(finished)
                self._on_scored(finished)
            except BaseException as error:  # a thread's own exceptions are lost
                self._error = self._error or error
