"""An evaluation as a whole: options → records → results → scores."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..batch.worker import Talk
from ..datasets.named import DATA_SETS, check_data, read_data, read_texts
from ..datasets.record import Record
from ..errors import PagesumError, UsageError
from ..files import make_folder, safe_name, write_file
from ..models.catalog import checkpoint_folder, settings_of
from ..options import PagingOptions, supported
from .baselines import baseline_row, lengths_of, reference_rows
from .check import SAMPLE, Check, check_records
from .metrics.base import Metric, Score
from .options import EvaluationOptions
from .progress import RunProgress
from .published import (
    PAPER,
    TOP_DOWN,
    compared_rows,
    data_set_of,
    fill_in_from_paper,
    matching_tables,
    named_table,
    table_numbers,
    top_down_tables,
)
from .report import (
    ComparisonReport,
    Evaluation,
    PublishedRow,
    Row,
    comparison_of,
    full_signature,
    row_of,
    significance_of,
)
from .results import USES_REFERENCE, Result, finish_run, read_results, read_run, refuse_mixed, refuse_to_mix
from .scoring import available_cores, score_results
from .world import World, joined_world

if TYPE_CHECKING:
    from .run import System

SHOWN_PROBLEMS = 5
SYSTEMS = "systems"
"""The folder of other systems' results, in the output folder."""
DTYPE = "float32"
"""Number format of the weights: a lower precision can change which summary beam search finds."""


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
    given = options
    for name in options.system.systems:
        with progress.loading(f"checking {name}"):
            from .systems import check_system

            check_system(name, given.generation)
    options = _completed(options, progress)
    folder = make_folder(options.output.output) if options.output.output else None
    data = _read(options, progress)
    with joined_world() as world:
        if (options.runs_model or options.system.systems) and world.size > 1 and folder is None:
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
            results = _run(options, given.paging, data, folder, scoring, world)
        records = _scored(data) if options.runs_model else _records_of(results, scoring)
        # The paper's settings are not those of other systems.
        systems = {name: _run_system(name, given, records, folder, scoring, world) for name in options.system.systems}
        return _evaluation(given, results, systems, scoring) if world.rank == 0 else None


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
    bounds = [
        path for path, ids in zip((first, second), both, strict=True) if any(one.uses_reference for one in ids.values())
    ]
    if len(bounds) == 1:
        raise PagesumError(
            f"{bounds[0]}: results that depend on the reference summaries, unlike those of the other file",
            "compare systems that do not read them, or bounds",
        )
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
    formats = [str(one[0].settings.get("dtype", "")) for one in pair]
    return ComparisonReport(
        _system_of(pair[0], first),
        _system_of(pair[1], second),
        len(common),
        full_signature((metric.signature for metric in metrics), dtype="+".join(dict.fromkeys(filter(None, formats)))),
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

    @property
    def without_pages(self) -> "Scoring":
        """The metrics for systems that have no page confidences."""
        return replace(self, metrics=[metric for metric in self.metrics if metric.needs != "sentences"])

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
    model, paging = options.model.model if options.runs_model else None, options.paging
    if model and paging.locality == "auto":
        paging = paging.changed(locality=settings_of(checkpoint_folder(model, weights=False)).get("locality"))
    paging, generation = fill_in_from_paper(options.data.data, model, paging, options.generation, progress)
    if options.reads_documents:
        system = options.system
        needs_summaries = not (system.references or system.from_results or system.check)
        check_data(options.data, paging.locality, summaries=needs_summaries)
    return replace(options, paging=paging, generation=generation)


def _read(options: EvaluationOptions, progress: Talk) -> Data:
    problems: list[str] = []
    if not options.reads_documents:
        return Data([])
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


def _run(
    options: EvaluationOptions, given: PagingOptions, data: Data, folder: Path | None, scoring: Scoring, world: World
) -> list[Result]:
    """The results of a model; of two, if a book's chapters have one of their own, which gets the given paging."""
    progress, name = scoring.progress, options.model.model
    if world.rank == 0:
        _report(_check(options, data, progress, SAMPLE), progress)
    with progress.loading(f"loading {name}"):
        from ..summarizer import PageSummarizer
        from .run import PageSystem, RunRequest

        device = world.device(options.model.device)
        summarizer = PageSummarizer.from_pretrained(name, device=device, dtype=options.model.dtype or DTYPE)
    if getattr(summarizer.model.config, "untrained_confidence", False):
        progress.warn(f"{name} is a plain BART: its page confidences are untrained and mean nothing")
    dtype, own = summarizer.model.number_format, supported(options.generation, summarizer.model.offers)
    beams = summarizer.generation(own).beams or 1
    if dtype != DTYPE and summarizer.model.generates and beams > 1:
        progress.warn(
            f"{dtype} is less precise than {DTYPE}, the default of eval: "
            f"with {beams} beams, another summary can win, and scores change"
        )
    request = RunRequest(name, options.paging, options.generation, options.batch.batch_size, _origin(options))
    scored = _scored(data)
    _warn_without_reference(len(data.records), len(scored), progress)
    system = PageSystem(summarizer, request)
    if options.recursion.recursive:
        from .books import BookSystem

        chapters, other = summarizer, options.recursion.chapter_model
        if other and other != name:
            with progress.loading(f"loading {other}"):
                chapters = PageSummarizer.from_pretrained(other, device=device, dtype=options.model.dtype or DTYPE)
        system = BookSystem(summarizer, request, chapters, given if chapters is not summarizer else options.paging)
    return _results(system, scored, folder, scoring, world)


def _run_system(
    name: str, options: EvaluationOptions, records: list[Record], folder: Path | None, scoring: Scoring, world: World
) -> list[Result]:
    """The results of another system on the same documents, kept in a folder of its own."""
    from .run import RunRequest
    from .systems import TransformersSystem

    with scoring.progress.loading(f"loading {name}"):
        generation, batch_size = options.generation, options.batch.batch_size
        request = RunRequest(name, generation=generation, batch_size=batch_size, data=_origin(options))
        system = TransformersSystem(request, world.device(options.model.device), options.model.dtype or DTYPE)
    if not system.has_length:
        scoring.progress.warn(f"{name} states no length of its summaries: Transformers ends them after 20 tokens")
    own = folder / SYSTEMS / safe_name(name) if folder else None
    return _results(system, records, own, scoring.without_pages, world, name)


def _results(
    system: "System", records: list[Record], folder: Path | None, scoring: Scoring, world: World, name: str = ""
) -> list[Result]:
    from .run import run

    prefix = f"{name}: " if name else ""
    with scoring.progress.progress(f"{prefix}summarizing") as bar:
        view = RunProgress(scoring.progress, bar, name)
        try:
            return run(records, system, scoring.metrics, folder, scoring.processes, world, view)
        except KeyboardInterrupt:
            bar.stop()
            kept = f"are in {folder}; the same command continues from there" if folder else "are lost without --output"
            scoring.progress.note(f"{prefix}{view.done} of {len(records)} documents {kept}")
            raise


def _origin(options: EvaluationOptions) -> dict[str, Any]:
    oracles = {name: True for name in ("rank_paragraphs", "chapter_summaries") if getattr(options.data, name)}
    return {
        "data": options.data.data,
        "split": options.data.split,
        **oracles,
        **({USES_REFERENCE: True} if oracles else {}),
    }


def _scored(data: Data) -> list[Record]:
    return [record for record in data.records if record.summary]


def _records_of(results: Sequence[Result], scoring: Scoring) -> list[Record]:
    """The records of given summaries, with the references that these are scored by; none without the data."""
    return [replace(scoring.records[one.id], summary=one.reference) for one in results if one.id in scoring.records]


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
    sentences: list[tuple[str, ...]] = [()] * len(pairs)
    if not references:
        pairs = [(prediction, record.summary) for (prediction, _), record in zip(pairs, records, strict=True)]
        sentences = [record.summary_sentences for record in records]
    ids = [record.id for record in records] or [str(number) for number in range(1, len(pairs) + 1)]
    settings = {"predictions": str(predictions)}
    results = [
        Result(identity, prediction, reference, settings=settings, reference_sentences=given)
        for identity, (prediction, reference), given in zip(ids, pairs, sentences, strict=True)
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
    own, name = str(results[0].settings.get("data") or "") if results else "", options.data.data or ""
    if not options.reads_documents and name and own in DATA_SETS and data_set_of(own) != data_set_of(name):
        raise PagesumError(f"{path} holds results on {own}, not on {name}", "leave --data out")
    if options.reads_documents and (lacking := [one.id for one in results if one.id not in scoring.records]):
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


def _evaluation(
    options: EvaluationOptions, results: Sequence[Result], others: dict[str, list[Result]], scoring: Scoring
) -> Evaluation:
    system, progress = options.system, scoring.progress
    data = options.data.data or str(results[0].settings.get("data") or system.references or system.from_results)
    names, rule = options.scores.baselines, options.scores.baseline_length
    records = [scoring.records[one.id] for one in results] if names else []
    lengths = lengths_of(rule, [one.prediction for one in results], records) if names else []
    baselines: dict[str, Row] = {}
    with progress.progress("baselines") as bar:
        baselines.update(reference_rows(scoring.metrics, results))
        for place, name in enumerate(names):
            bar.update(f"baseline {name}", place, len(names))
            baselines[name] = baseline_row(name, records, lengths, scoring.without_pages.metrics, scoring.processes)
    model = system.predictions.name if system.predictions else _system_of(results, system.from_results)
    by_system = {model: results, **{_distinct(name, model): one for name, one in others.items()}}
    columns = [column for metric in scoring.metrics for column in metric.columns]
    scores = {name: [_columns(one, columns) for one in by_system[name]] for name in by_system}
    rows = {name: _row(name, by_system[name], scores[name], progress) for name in by_system}
    # What uses the reference is no system to compare with; but two that both use it can be compared.
    groups = [{name: scores[name] for name in rows if rows[name].uses_reference == one} for one in (False, True)]
    return Evaluation(
        data=data,
        model=model,
        n=len(results),
        signature=full_signature(
            (metric.signature for metric in scoring.metrics),
            rule if names else "",
            str(results[0].settings.get("dtype", "")),
        ),
        system=rows.pop(model),
        baselines=baselines,
        systems=rows,
        significance=[test for group in groups for test in significance_of(group)],
        reference_words=sum(len(one.reference.split()) for one in results) / len(results),
        published=_published(options, data, results, progress) if options.scores.table else (),
        command=options.command,
    )


def _published(
    options: EvaluationOptions, data: str, results: Sequence[Result], progress: Talk
) -> Sequence[PublishedRow]:
    """A paper's rows of the table that is named, or of those that match."""
    paper, number = named_table(options.scores.table or "")
    config = settings_of(checkpoint_folder(options.model.model, weights=False)) if options.runs_model else {}
    if paper != PAPER:
        split = options.data.split
        matching = top_down_tables(data, split, config) if paper == TOP_DOWN else table_numbers(data, paper, split)
        numbers = [number] if number else matching
        return compared_rows(data, numbers, len(results), options.scores.tokenize, progress, paper)
    paging = options.paging
    if paging.locality == "auto":
        own = DATA_SETS[data].locality if data in DATA_SETS else None
        paging = paging.changed(locality=results[0].settings.get("locality", own))
    decoding = config.get("decoding", "pages")
    numbers = [number] if number else matching_tables(data, paging, options.scores.metric_names, decoding)
    return compared_rows(data, numbers, len(results), options.scores.tokenize, progress)


def _distinct(name: str, model: str) -> str:
    """A system's name in the table: a BART can be there twice, read page by page and as Transformers does."""
    return name if name != model else f"{name} (Transformers)"


def _columns(result: Result, columns: Sequence[str]) -> dict[str, Score]:
    return {column: result.scores[column] for column in columns if column in result.scores}


def _row(name: str, results: Sequence[Result], scores: Sequence[dict[str, Score]], progress: Talk) -> Row:
    row = row_of(scores, (one.prediction for one in results))
    if row.empty:
        progress.warn(f"{name}: {row.empty} of {len(results)} predictions are empty and score 0")
    cut = [one.cut_tokens for one in results if one.cut_tokens]
    if cut:
        progress.warn(f"{name}: {len(cut)} of {len(results)} documents are cut, {sum(cut):,} tokens not read")
    uses_reference = results[0].uses_reference
    if uses_reference:
        progress.warn(f"{name} reads what the reference summaries say: a bound, and no system to compare with")
    return replace(row, cut_documents=len(cut), cut_tokens=sum(cut), uses_reference=uses_reference)


def _system_of(results: Sequence[Result], path: Path | None) -> str:
    settings = results[0].settings
    return str(settings.get("model") or settings.get("predictions") or path)


def _warn_without_reference(documents: int, with_reference: int, progress: Talk) -> None:
    if not with_reference:
        raise PagesumError("none of the documents has a reference", "see docs/eval.md for the data formats")
    if with_reference < documents:
        number = documents - with_reference
        progress.warn(f"without a reference, and left out: {number} document{'s' * (number > 1)}")
