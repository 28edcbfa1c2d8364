"""An evaluation as a whole: options → records → results → scores."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..batch.worker import Talk
from ..datasets.named import DATA_SETS, check_data, read_data, read_texts
from ..datasets.record import Record
from ..errors import PagesumError, UsageError
from ..files import make_folder, write_file
from ..models.catalog import checkpoint_folder, settings_of
from .baselines import baseline_row, lengths_of
from .check import SAMPLE, Check, check_records
from .metrics.base import Metric
from .options import EvaluationOptions
from .progress import RunProgress
from .published import fill_in_from_paper, published_rows
from .report import ComparisonReport, Evaluation, comparison_of, full_signature, row_of
from .results import Result, finish_run, read_results, read_run, refuse_mixed, refuse_to_mix
from .scoring import available_cores, score_results
from .world import World, joined_world

SHOWN_PROBLEMS = 5


def evaluate(options: EvaluationOptions, progress: Talk) -> Evaluation | None:
    """Summarize and score a data set, or score given summaries.

    Args:
        options: See :class:`~.options.EvaluationOptions`.
        progress: Gets notes, warnings and progress.

    Returns:
        The scores; None in every process but the first, if several share the work.

    Raises:
        PagesumError: Something cannot be read, written or run.
        UsageError: Options do not fit the data or the model.
    """
    options = _completed(options, progress)
    folder = make_folder(options.output.output) if options.output.output else None
    data = _read(options, progress)
    with joined_world() as world:
        if options.runs_model and world.size > 1 and folder is None:
            raise UsageError("several processes need a common place for their results", "give --output DIR")
        with progress.loading("loading the metrics"):
            # The first process computes metrics with models, after all summaries are there.
            metrics = options.scores.request(options.model.device).make(heavy=world.rank == 0)
        cores = options.scores.processes or max(1, available_cores() // world.size)
        scoring = Scoring(metrics, cores, {record.id: record for record in data.records}, progress)
        if options.system.predictions:
            results = _given(options, data, folder, scoring)
        elif options.system.from_results:
            results = _again(options, folder, scoring)
        else:
            results = _run(options, data, folder, scoring, world)
        return _evaluation(options, results, scoring) if world.rank == 0 else None


def check(options: EvaluationOptions, progress: Talk) -> Check:
    """Count what a data set holds and what would be cut, without loading a model.

    Raises:
        PagesumError: The data cannot be read, or there is no such model.
    """
    options = _completed(options, progress)
    data = _read(options, progress)
    return _check(options, data, progress, len(data.records))


def compare(options: EvaluationOptions, progress: Talk) -> ComparisonReport:
    """Compare two results files on the same documents.

    Args:
        options: With ``system.compare``.
        progress: Gets warnings and progress.

    Raises:
        PagesumError: A file cannot be read, or they are not about the same documents.
    """
    assert options.system.compare
    first, second = options.system.compare
    metrics = options.scores.request(options.model.device).make()
    scoring = Scoring(metrics, options.scores.processes or available_cores(), {}, progress)
    both = []
    for path in (first, second):
        results = read_results(path, progress.warn)
        refuse_mixed(path, results)
        both.append({one.id: one for one in scoring.score(results, path)})
    common = [identity for identity in both[0] if identity in both[1]]
    for path, results_by_id in zip((first, second), both, strict=True):
        if alone := [identity for identity in results_by_id if identity not in set(common)]:
            raise PagesumError(
                f"{path}: {len(alone)} of {len(results_by_id)} documents are not in the other file, the first is "
                f"{alone[0]!r}",
                "compare results on the same documents",
            )
    for identity in common:
        if both[0][identity].reference != both[1][identity].reference:
            raise PagesumError(
                f"{identity} has different references in the two files", "compare results on the same data"
            )
    pair = [[one[identity] for identity in common] for one in both]
    return ComparisonReport(
        _system_of(pair[0], first),
        _system_of(pair[1], second),
        len(common),
        full_signature(metric.signature for metric in metrics),
        comparison_of(*([one.scores for one in results] for results in pair)),
    )


def save(evaluation: Evaluation, folder: Path) -> None:
    """Write ``evaluation.json`` into a folder.

    Raises:
        OSError: It cannot be written.
    """
    write_file(folder / "evaluation.json", f"{json.dumps(evaluation.to_json(), indent=2, ensure_ascii=False)}\n")


@dataclass(frozen=True)
class Data:
    """The records of a data set, and the number of those that could not be used."""

    records: list[Record]
    left_out: int = 0


@dataclass(frozen=True)
class Scoring:
    """Metrics and their inputs.

    Attributes:
        metrics: The metrics.
        processes: Number of scoring processes.
        records: The records of the data set, by id; empty without one.
        progress: Gets notes, warnings and progress.
    """

    metrics: Sequence[Metric]
    processes: int
    records: dict[str, Record]
    progress: Talk

    def score(self, results: Sequence[Result], path: Path) -> list[Result]:
        """Results with the scores of all metrics.

        Raises:
            PagesumError: There are none.
        """
        if not results:
            raise PagesumError(f"{path}: no results", "a results.jsonl holds one JSON object a line")
        sources = {one.id: self.records[one.id].texts for one in results if one.id in self.records}
        with self.progress.progress("scoring") as bar:
            return score_results(
                results,
                self.metrics,
                sources,
                self.processes,
                lambda done: bar.update("scoring", done, len(results)),
            )


def _completed(options: EvaluationOptions, progress: Talk) -> EvaluationOptions:
    """The options with the model's locality or the paper's, and the paper's settings for a checkpoint without any."""
    data, model, paging = options.data.data, options.model.model, options.paging
    own = settings_of(checkpoint_folder(model, weights=False)).get("locality") if options.runs_model else None
    if paging.locality == "auto" and (own or "auto") != "auto":
        paging = paging.changed(locality=own)
    elif paging.locality == "auto" and data in DATA_SETS:
        paging = paging.changed(locality=DATA_SETS[data].locality)
    if not options.runs_model or data not in DATA_SETS:
        return replace(options, paging=paging)
    paging, generation = fill_in_from_paper(data, model, paging, options.generation, progress)
    return replace(options, paging=paging, generation=generation)


def _read(options: EvaluationOptions, progress: Talk) -> Data:
    problems: list[str] = []
    if not options.data.data:
        return Data([])
    system = options.system
    needs_summaries = not (system.references or system.from_results or system.check)
    check_data(options.data, options.paging.locality, summaries=needs_summaries)
    try:
        records = read_data(options.data, problems.append, options.paging.locality)
    finally:
        for problem in problems[:SHOWN_PROBLEMS]:
            progress.warn(problem)
        if len(problems) > SHOWN_PROBLEMS:
            progress.warn(f"{len(problems) - SHOWN_PROBLEMS} more records were left out")
    return Data(records, len(problems))


def _check(options: EvaluationOptions, data: Data, progress: Talk, sample: int) -> Check:
    with progress.progress("checking the data"):
        return check_records(
            data.records,
            data.left_out,
            options.model.model,
            options.paging,
            options.generation.max_length,
            sample,
        )


def _report(check: Check, progress: Talk) -> None:
    lines = check.lines()
    progress.note("; ".join(f"{label}: {lines[label]}" for label in ("documents", "words", "parts")))
    for label, count in (("duplicate texts", check.duplicates), ("cut documents", check.cut)):
        if count:
            progress.warn(f"{label}: {lines[label]}")


def _run(options: EvaluationOptions, data: Data, folder: Path | None, scoring: Scoring, world: World) -> list[Result]:
    """The results of a model."""
    progress, name = scoring.progress, options.model.model
    if world.rank == 0:
        _report(_check(options, data, progress, SAMPLE), progress)
    with progress.loading(f"loading {name}"):
        from ..summarizer import PageSummarizer
        from .run import RunRequest, run

        device = world.device(options.model.device)
        summarizer = PageSummarizer.from_pretrained(name, device=device, dtype=options.model.dtype)
    if getattr(summarizer.model.config, "untrained_confidence", False):
        progress.warn(f"{name} is a plain BART: its page confidences are untrained and mean nothing")
    origin = {"data": options.data.data, "split": options.data.split}
    request = RunRequest(name, options.paging, options.generation, options.batch.batch_size, origin)
    scored = [record for record in data.records if record.summary]
    _warn_without_reference(len(data.records), len(scored), progress)
    with progress.progress("summarizing") as bar:
        view = RunProgress(progress, bar)
        try:
            return run(scored, summarizer, request, scoring.metrics, folder, scoring.processes, world, view)
        except KeyboardInterrupt:
            bar.stop()
            kept = f"are in {folder}; the same command continues from there" if folder else "are lost without --output"
            progress.note(f"{view.done} of {len(scored)} documents {kept}")
            raise


def _given(options: EvaluationOptions, data: Data, folder: Path | None, scoring: Scoring) -> list[Result]:
    """The results of summaries in a file."""
    predictions, references, records = options.system.predictions, options.system.references, data.records
    assert predictions
    pairs = read_texts(predictions, references or predictions)
    if records and len(records) != len(pairs):
        raise PagesumError(
            f"{predictions} has {len(pairs)} lines, --data has {len(records)} documents; expected equal numbers",
            "leave --data out, or give the same documents in the same order",
        )
    if not references:
        pairs = [(prediction, record.summary) for (prediction, _), record in zip(pairs, records, strict=True)]
    ids = [record.id for record in records] or [str(number) for number in range(1, len(pairs) + 1)]
    settings = {"predictions": str(predictions)}
    results = [
        Result(identity, prediction, reference, settings=settings)
        for identity, (prediction, reference) in zip(ids, pairs, strict=True)
        if reference
    ]
    _warn_without_reference(len(pairs), len(results), scoring.progress)
    if folder:
        refuse_to_mix(folder, read_run(folder, scoring.progress.warn).values(), settings)
    scored = scoring.score(results, predictions)
    if folder:
        finish_run(folder, scored)
    return scored


def _again(options: EvaluationOptions, folder: Path | None, scoring: Scoring) -> list[Result]:
    """The results of a file, with the requested scores."""
    path = options.system.from_results
    assert path
    results = read_results(path, scoring.progress.warn)
    refuse_mixed(path, results)
    if options.scores.baselines and (lacking := [one.id for one in results if one.id not in scoring.records]):
        raise PagesumError(
            f"--data lacks {len(lacking)} of the {len(results)} documents of {path}, the first is {lacking[0]!r}",
            "give the data of the results",
        )
    earlier = read_run(folder, scoring.progress.warn) if folder else {}
    if folder and results:
        refuse_to_mix(folder, earlier.values(), results[0].settings)
    scored = scoring.score(results, path)
    if folder:
        finish_run(folder, {**earlier, **{one.id: one for one in scored}}.values())
    return scored


def _evaluation(options: EvaluationOptions, results: Sequence[Result], scoring: Scoring) -> Evaluation:
    system, progress = options.system, scoring.progress
    data = options.data.data or str(results[0].settings.get("data") or system.references or system.from_results)
    names, rule = options.scores.baselines, options.scores.baseline_length
    records = [scoring.records[one.id] for one in results] if names else []
    lengths = lengths_of(rule, [one.prediction for one in results], records) if names else []
    without_pages = [metric for metric in scoring.metrics if metric.needs != "sentences"]
    baselines = {}
    with progress.progress("baselines") as bar:
        for place, name in enumerate(names):
            bar.update(f"baseline {name}", place, len(names))
            baselines[name] = baseline_row(name, records, lengths, without_pages, scoring.processes)
    columns = [column for metric in scoring.metrics for column in metric.columns]
    scores = [{column: one.scores[column] for column in columns if column in one.scores} for one in results]
    own = row_of(scores, (one.prediction for one in results))
    if own.empty:
        progress.warn(f"{own.empty} of {len(results)} predictions are empty and score 0")
    return Evaluation(
        data=data,
        model=system.predictions.name if system.predictions else _system_of(results, system.from_results),
        n=len(results),
        signature=full_signature((metric.signature for metric in scoring.metrics), rule if names else ""),
        system=own,
        baselines=baselines,
        reference_words=sum(len(one.reference.split()) for one in results) / len(results),
        published=published_rows(data, len(results), options.scores.tokenize, progress) if options.scores.table else {},
        command=options.command,
    )


def _system_of(results: Sequence[Result], path: Path | None) -> str:
    settings = results[0].settings
    return str(settings.get("model") or settings.get("predictions") or path)


def _warn_without_reference(documents: int, with_reference: int, progress: Talk) -> None:
    if not with_reference:
        raise PagesumError("none of the documents has a reference", "see docs/eval.md for the data formats")
    if with_reference < documents:
        progress.warn(f"{documents - with_reference} documents without a reference are left out")
