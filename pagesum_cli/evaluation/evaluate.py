"""An evaluation as a whole: options → records → results → scores."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from ..batch.talk import Talk
from ..datasets.record import Record
from ..errors import PagesumError, UsageError
from ..files import locked, make_folder, write_file
from ..models.catalog import Unreachable
from ..system import available_cores
from . import report
from .baselines import baseline_row, lengths_of, reference_rows
from .efficiency import Bucket, efficiency_of
from .metrics.base import Score
from .options import EvaluationOptions
from .report import ComparisonReport, Evaluation, PublishedRow, Row, Significance
from .results import Result, check_same_settings, read_results
from .scoring import World, joined_world
from .summaries import Check, Data, OpenSystem, Session, checked, completed, read

PublishedRows = Callable[[EvaluationOptions, str, Sequence[Result], Talk], Sequence[PublishedRow]]
"""Rows of a paper's table; gets the options, the data set's name, the results, and what warns the
user.
"""


def evaluate(
    options: EvaluationOptions,
    progress: Talk,
    open_system: OpenSystem | None = None,
    published: PublishedRows | None = None,
) -> Evaluation | None:
    """Summarize and score a data set, or score given summaries; None in every process but the
    first, if several do.
    """
    given = options
    options = completed(options, progress)
    folder = make_folder(options.output.output) if options.output.output else None
    data = read(options, progress)
    with joined_world() as world, _locked(folder, world):
        if (options.runs_model or options.system.systems) and world.size > 1 and folder is None:
            raise UsageError(
                "several processes need a common place for their results", "add --output DIR"
            )
        session = _session(options, data, folder, world, progress)
        if options.system.predictions:
            results = session.of_texts()
        elif options.system.from_results:
            results = session.of_results()
        else:
            results = session.generated(given.paging)
        systems: dict[str, list[Result]] = {}
        missing: dict[str, str] = {}
        if given.system.systems:
            assert open_system
            by_id = session.records
            # Given summaries are scored by their own references.
            records = [
                replace(by_id[one.id], summary=one.reference) for one in results if one.id in by_id
            ]
            records = data.scored if options.runs_model else records
            systems, missing = _of_systems(given, session, records, open_system)
        if world.rank > 0:
            return None
        return replace(_evaluation(given, results, systems, session, published), missing=missing)


def _of_systems(
    given: EvaluationOptions,
    session: Session,
    records: Sequence[Record],
    open_system: OpenSystem,
) -> tuple[dict[str, list[Result]], dict[str, str]]:
    """The results of other systems by name; and of those that cannot be reached, the reasons: the
    others are scored without them.
    """
    found: dict[str, list[Result]] = {}
    missing: dict[str, str] = {}
    for name in given.system.systems:
        try:
            system = session.opened_system(name, given, open_system)
        except Unreachable as error:
            missing[name] = error.message
        else:
            found[name] = session.of_system(name, system, records)
    return found, missing


def _locked(folder: Path | None, world: World) -> AbstractContextManager[None]:
    """Keep other commands from writing into the folder of the results."""
    return locked(folder) if folder and world.rank == 0 else nullcontext()


def check(options: EvaluationOptions, progress: Talk) -> Check:
    """Count what a data set holds and what would be cut, without loading a model."""
    options = completed(options, progress)
    data = read(options, progress)
    return checked(options, data, progress, len(data.records))


def compare(options: EvaluationOptions, progress: Talk) -> ComparisonReport:
    """Compare two results files, or two folders with those of several runs each, on the same
    documents.
    """
    assert options.system.compare
    paths = options.system.compare
    session = _session(options, Data([]), None, World(), progress)
    runs = [_runs_in(path, session) for path in paths]
    first, second = (_averaged(path, own) for path, own in zip(paths, runs, strict=True))
    _check_same_kind([*first.values(), *second.values()])
    _check_same_documents(paths[0], first, second)
    _check_same_documents(paths[1], second, first)
    _check_same_references(first, second)
    pair = list(first.values()), [second[identity] for identity in first]
    names = ("first", "second")
    scores = {
        name: [result.scores for result in own] for name, own in zip(names, pair, strict=True)
    }
    formats = dict.fromkeys(str(own[0].settings.get("dtype", "")) for own in pair)
    tests = report.significance_of(scores, options.scores.resamples)
    return ComparisonReport(
        _system_of(pair[0], paths[0]),
        _system_of(pair[1], paths[1]),
        len(first),
        _signature(session, "+".join(filter(None, formats))),
        {test.metric: test.comparison for test in tests},
        (_spread_of(runs[0]), _spread_of(runs[1])),
    )


_Run = Mapping[str, Result]  # the results of a run by the names of their documents


def _runs_in(path: Path, session: Session) -> list[_Run]:
    """The runs in a file or a folder, with the requested scores."""
    runs: list[_Run] = []
    for file in sorted(path.glob("*/results.jsonl")) if path.is_dir() else [path]:
        results = read_results(file, session.progress.warn)
        check_same_settings(file, results)
        runs.append({result.id: result for result in session.score(results, file)})
    return runs


def _spread_of(runs: Sequence[_Run]) -> dict[str, float]:
    return report.spread_of([[result.scores for result in run.values()] for run in runs])


def _check_same_kind(results: Sequence[Result]) -> None:
    if len({result.uses_reference for result in results}) > 1:
        raise PagesumError(
            "only one of the files depends on the reference summaries",
            "compare two systems, or bounds",
        )


def _check_same_documents(path: Path, own: _Run, other: _Run) -> None:
    if alone := [identity for identity in own if identity not in other]:
        raise PagesumError(
            f"{path}: {len(alone)} of {len(own)} documents are not in the other file, the "
            f"first is {alone[0]!r}",
            "compare results on the same documents",
        )


def _check_same_references(first: _Run, second: _Run) -> None:
    for identity, result in first.items():
        if result.reference != second[identity].reference:
            raise PagesumError(
                f"{identity} has different references in the two files",
                "compare results on the same data",
            )


def _averaged(path: Path, runs: Sequence[_Run]) -> dict[str, Result]:
    """The results of the first run, each with the means of the scores that its document has in all
    runs.
    """
    if not runs:
        message = f"{path}: expected */results.jsonl, one for each run, found none"
        raise PagesumError(message, "name a file or such a folder")
    if any(run.keys() != runs[0].keys() for run in runs):
        raise PagesumError(
            f"{path}: the runs have different documents", "compare results on the same documents"
        )
    return {
        identity: replace(one, scores=report.mean_scores([run[identity].scores for run in runs]))
        for identity, one in runs[0].items()
    }


EVALUATION, COMPARISON = "evaluation.json", "comparison.json"


def save(result: Evaluation | ComparisonReport, folder: Path) -> None:
    """Write ``evaluation.json`` or ``comparison.json`` into a folder."""
    name = COMPARISON if isinstance(result, ComparisonReport) else EVALUATION
    text = json.dumps(result.to_json(), indent=2, ensure_ascii=False)
    write_file(make_folder(folder) / name, f"{text}\n")


def _session(
    options: EvaluationOptions, data: Data, folder: Path | None, world: World, progress: Talk
) -> Session:
    with progress.loading("loading the metrics"):
        # The first process computes metrics with models, after all summaries are there.
        metrics = options.scores.request(options.model.device).make(heavy=world.rank == 0)
    processes = options.scores.processes or max(1, available_cores() // world.size)
    return Session(options, data, folder, metrics, processes, world, progress)


def _evaluation(
    options: EvaluationOptions,
    results: Sequence[Result],
    others: dict[str, list[Result]],
    session: Session,
    published: PublishedRows | None,
) -> Evaluation:
    system, settings, wanted = options.system, results[0].settings, options.scores
    data = options.data.data or str(
        settings.get("data") or system.references or system.from_results
    )
    model = (
        system.predictions.name if system.predictions else _system_of(results, system.from_results)
    )
    by_system = _by_system(model, results, others)
    scores = {name: _shown_scores(own, session) for name, own in by_system.items()}
    baselines = _baselines(options, results, session)
    rows = {
        name: _row(name, own, scores[name], session.progress) for name, own in by_system.items()
    }
    baseline_length = wanted.baseline_length if wanted.baselines else ""
    reference_words = sum(len(result.reference.split()) for result in results)
    from_paper: Sequence[PublishedRow] = ()
    if published and wanted.table:
        from_paper = published(options, data, results, session.progress)
    return Evaluation(
        data=data,
        model=model,
        n=len(results),
        signature=_signature(session, str(settings.get("dtype", "")), baseline_length),
        system=rows[model],
        baselines=baselines,
        systems={name: row for name, row in rows.items() if name != model},
        significance=_significance(rows, scores, wanted.resamples),
        reference_words=reference_words / len(results),
        left_out=_left_out(options, session.data),
        published=from_paper,
        command=options.command,
        efficiency=_efficiency(by_system, session.progress) if wanted.efficiency else {},
    )


def _by_system(
    model: str, results: Sequence[Result], others: Mapping[str, Sequence[Result]]
) -> dict[str, Sequence[Result]]:
    """All results by the name of their system; a BART can be there twice, read page by page and as
    Transformers does.
    """
    by_system: dict[str, Sequence[Result]] = {model: results}
    for name, own in others.items():
        by_system[f"{name} (Transformers)" if name == model else name] = own
    return by_system


def _shown_scores(results: Sequence[Result], session: Session) -> list[dict[str, Score]]:
    """The scores that were requested, of each result."""
    columns = [column for metric in session.metrics for column in metric.columns]
    return [
        {column: result.scores[column] for column in columns if column in result.scores}
        for result in results
    ]


def _significance(
    rows: Mapping[str, Row], scores: Mapping[str, list[dict[str, Score]]], resamples: int
) -> list[Significance]:
    """Tests of the systems, and of what uses the references: it is no system to compare with, but
    two that both use them can be compared.
    """
    tests: list[Significance] = []
    for is_bound in (False, True):
        group = {name: scores[name] for name in rows if rows[name].uses_reference == is_bound}
        tests += report.significance_of(group, resamples)
    return tests


def _left_out(options: EvaluationOptions, data: Data) -> int:
    """The records that are not scored: without documents, or, where summaries are written, without
    a reference.
    """
    without = sum(not record.summary for record in data.records)
    return data.left_out + (without if options.runs_model else 0)


def _signature(session: Session, dtype: str, baseline_length: str = "") -> str:
    signatures = (metric.signature for metric in session.metrics)
    return report.full_signature(
        signatures, baseline_length, dtype, session.options.scores.resamples
    )


def _efficiency(
    by_system: Mapping[str, Sequence[Result]], progress: Talk
) -> dict[str, Sequence[Bucket]]:
    found = {name: efficiency_of(results) for name, results in by_system.items()}
    for name in (name for name, buckets in found.items() if not buckets):
        progress.warn(f"{name}: its results have no figures on time and memory")
    return {name: buckets for name, buckets in found.items() if buckets}


def _baselines(
    options: EvaluationOptions, results: Sequence[Result], session: Session
) -> dict[str, Row]:
    names, by_id = options.scores.baselines, session.records
    records = [by_id[result.id] for result in results] if names else []
    rule = options.scores.baseline_length
    lengths = lengths_of(rule, [result.prediction for result in results], records) if names else []
    with session.progress.progress("baselines") as bar:
        rows = reference_rows(session.metrics, results)
        for number, name in enumerate(names):
            bar.update(f"baseline {name}", number, len(names))
            rows[name] = baseline_row(
                name, records, lengths, session.metrics_without_pages, session.processes
            )
    return rows


def _row(
    name: str, results: Sequence[Result], scores: Sequence[dict[str, Score]], progress: Talk
) -> Row:
    row = report.row_of(scores, (result.prediction for result in results))
    if row.empty:
        progress.warn(f"{name}: {row.empty} of {len(results)} predictions are empty and score 0")
    cut = [result.cut_tokens for result in results if result.cut_tokens]
    if cut:
        progress.warn(
            f"{name}: {len(cut)} of {len(results)} documents are truncated, {sum(cut):,} tokens "
            "not read"
        )
    uses_reference = results[0].uses_reference
    if uses_reference:
        progress.warn(
            f"{name} uses the reference summaries: it is a bound, not a system to compare with"
        )
    return replace(row, cut_documents=len(cut), cut_tokens=sum(cut), uses_reference=uses_reference)


def _system_of(results: Sequence[Result], path: Path | None) -> str:
    settings = results[0].settings
    return str(settings.get("model") or settings.get("predictions") or path)
