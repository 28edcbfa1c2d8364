"""``pagesum eval``: documents with references → summaries → scores that can be published."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from ..batch.cluster import ClusterOptions
from ..datasets.named import DataRequest
from ..errors import PagesumError, UsageError, require_packages
from ..evaluation.options import (
    BatchOptions,
    EvaluationOptions,
    OutputOptions,
    ScoreOptions,
    SystemOptions,
)
from ..evaluation.scoring import launched_world
from ..files import check_new, make_folder, read_bytes, write_file
from ..lab.annotation import AnnotationOptions
from ..models.catalog import BUNDLED_NAMES, Unreachable
from ..options import STORED, flags_of, names_of, refuse_idle
from . import console, options
from .help import ShortHelp

WITHOUT_EFFECT = {
    "output",
    "output_format",
    "quiet",
    "debug",
    "processes",
    "efficiency",
    *names_of(ClusterOptions),
}
"""Flags that do not affect the scores."""

_OF_SCORES = names_of(DataRequest, ScoreOptions, OutputOptions) | {"locality", "device", "systems"}
_OF_RUN = _OF_SCORES | names_of(
    options.PagingOptions, options.ModelOptions, BatchOptions, options.GenerationOptions
)
_OF_SYSTEMS = {"dtype", "batch_size", "context_tokens", "allow_network", *STORED}

MODES = {
    "labels": {"labels", "output_format"} | names_of(options.ModelOptions),
    "annotate": names_of(AnnotationOptions) - {"annotations"},
    "annotations": {"annotations", "key", "output_format"},
    "compare": names_of(ScoreOptions) - {"baseline", "baseline_length", "table", "efficiency"}
    | {"compare", "output", "output_format", "device"},
    "check": _OF_RUN - {"systems", "efficiency"}
    | {"check", "predictions", "references", "from_results"},
    "predictions": _OF_SCORES - {"efficiency"} | {"predictions", "references"},
    "from_results": _OF_SCORES | {"from_results"},
    "": _OF_RUN | names_of(options.RecursionOptions, ClusterOptions),
}
"""What ``pagesum eval`` can do, by the option that selects it, with the options that it reads; a
model is run without any of them. The first that is given counts."""

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command(
    cls=ShortHelp,
    epilog="pagesum eval --data papers.jsonl\n\n"
    "pagesum eval --data papers.jsonl --baseline lead,lexrank\n\n"
    "pagesum eval --compare a/results.jsonl b/results.jsonl",
)
@options.with_flags
def evaluate(
    data: DataRequest,
    system: SystemOptions,
    scores: ScoreOptions,
    paging: options.PagingOptions,
    model: options.ModelOptions,
    batch: BatchOptions,
    generation: options.GenerationOptions,
    recursion: options.RecursionOptions,
    output: OutputOptions,
    cluster: ClusterOptions,
    annotation: AnnotationOptions,
    messages: options.MessageOptions,
    given: options.Given,
) -> None:
    """Summarize a data set and score the summaries, score given summaries, or compare two systems.

    The table states which ROUGE-L it shows (Lsum, the one papers report). It also has confidence
    intervals and the command that reproduces the scores.
    """
    _refuse_idle_flags(given.flags)
    if annotation.annotate or annotation.annotations:
        annotation.check()
        return (
            _annotate(annotation, messages.talk)
            if annotation.annotate
            else _annotated(annotation, output)
        )
    if system.labels:
        return _compare_by_labels(system.labels, model, output, messages.talk)
    request = EvaluationOptions(
        data,
        system,
        scores,
        paging,
        model,
        batch,
        generation,
        output,
        recursion,
        cluster,
        given.flags,
        _command(given),
    )
    cluster.check()
    if cluster.engine and launched_world().size > 1:
        raise UsageError(
            "--engine given to several processes of accelerate launch", "use one of the two"
        )
    from ..lab.published import check_table, rows_beside

    if scores.table:
        check_table(scores.table, data.data)
    if scores.efficiency and output.output:
        require_packages([("matplotlib", "matplotlib", "figures")])
    talk = console.Talk(quiet=messages.quiet or launched_world().rank > 0)
    if request.runs_model and not system.compare:
        # other systems may use what it cannot
        used = options.GenerationOptions() if system.systems else generation
        options.check_models(talk, model, recursion, paging, used)
    from ..evaluation.evaluate import check, compare, evaluate, save
    from ..views.evaluation import check_view, written

    if system.compare:
        report = compare(request, talk)
        if output.output:
            save(report, output.output)
        console.show(written(report, output.output_format))
    elif system.check:
        console.show(check_view(check(request, talk)))
    elif evaluation := evaluate(request, talk, _checked_systems(request, talk), rows_beside):
        try:
            if output.output:
                save(evaluation, output.output)
                if evaluation.efficiency:
                    from ..views.figure import efficiency_figure

                    write_file(
                        output.output / "efficiency.svg", efficiency_figure(evaluation.efficiency)
                    )
        finally:  # a full disk does not take the scores away
            console.show(written(evaluation, output.output_format))
        if evaluation.missing:
            raise typer.Exit(1)


def _refuse_idle_flags(given: Mapping[str, str]) -> None:
    """Refuse flags that do nothing for what is done."""
    mode = next(mode for mode in MODES if not mode or mode in given)
    read = MODES[mode] | {"quiet", "debug"} | (_OF_SYSTEMS if "systems" in given else set())
    flags = {
        field.name: flags_of(field)[0]
        for kind in (SystemOptions, AnnotationOptions)
        for field in fields(kind)
    }
    modes = {
        name: [
            flags[mode] for mode in MODES if mode not in ("", "check", name) and name in MODES[mode]
        ]
        for name in given
    }
    hints = {
        name: f"it goes with {' or '.join(found)}"
        for name, found in modes.items()
        if found and name not in MODES[""]
    }
    refuse_idle(
        given, given.keys() - read, f"with {given[mode]}" if mode else "where a model is run", hints
    )


def _checked_systems(request: EvaluationOptions, talk: console.Talk) -> Any:
    """What opens other systems, each of which was checked; None without any.

    One that cannot be reached is reported now, and does not keep the others from being run.
    """
    system = request.system
    if not system.systems:
        return None
    from ..evaluation.systems import RunRequest
    from ..lab import endpoint

    unreachable: dict[str, Unreachable] = {}

    def opened(run: RunRequest, *others: Any) -> Any:
        if run.model in unreachable:
            raise unreachable[run.model]
        if run.model.startswith(endpoint.PREFIX):
            return endpoint.Endpoint(run, system.context_tokens, allow_network=system.allow_network)
        from ..lab.systems import open_system

        return open_system(run, *others)

    for name in system.systems:
        with talk.loading(f"checking {name}"):
            if name.startswith(endpoint.PREFIX):
                opened(RunRequest(name, generation=request.generation))
            else:
                from ..lab.systems import check_system

                try:
                    check_system(name, request.generation)
                except Unreachable as error:
                    unreachable[name] = error
                    talk.warn(f"the row of {name} will be missing: {error.message}")
    return opened


def _annotate(annotation: AnnotationOptions, talk: console.Talk) -> None:
    """Write the sheets into a folder, and the key beside it."""
    from ..evaluation.results import read_results
    from ..lab.annotation import make_sheet
    from ..views.annotation.page import sheet_page

    assert annotation.annotate
    systems = {name: read_results(path, talk.warn) for name, path in annotation.systems.items()}
    sheet = make_sheet(
        annotation.protocol,
        systems,
        annotation.documents,
        annotation.seed,
        references=annotation.references_as_system,
    )
    folder = annotation.annotate
    key = annotation.key or folder.with_name(f"{folder.name}.key.json")
    files = {
        folder / "sheet.html": sheet_page(sheet),
        folder / "sheet.csv": sheet.to_csv(),
        key: sheet.to_key(),
    }
    check_new(map(str, files), force=annotation.force)
    make_folder(folder, "--annotate")
    for path, content in files.items():
        write_file(path, content, overwrite=annotation.force)
    count = len(sheet.documents)
    if count < annotation.documents:
        talk.warn(
            f"{count} documents, all of which every system has a summary; {annotation.documents} "
            f"were requested"
        )
    console.data(
        f"{len(sheet.items)} {sheet.rules.unit} of {count} out of {sheet.available} documents "
        f"by {', '.join(sheet.systems)}, seed {sheet.seed}\n"
        f"{folder}: one sheet for each annotator, sheet.html or sheet.csv\n"
        f"{key}: the key; do not show it to them"
    )


def _annotated(annotation: AnnotationOptions, output: OutputOptions) -> None:
    """Show what annotators found."""
    from ..lab.annotation import read_annotations, read_key, report_of
    from ..views.evaluation import report_written

    assert annotation.key
    sheet = read_key(annotation.key)
    report = report_of(sheet, [read_annotations(path, sheet) for path in annotation.annotations])
    console.show(report_written(report, output.output_format))


def _compare_by_labels(
    labels: Path, model: options.ModelOptions, output: OutputOptions, talk: console.Talk
) -> None:
    """Compare a model with the bundled ones by labelled sentences."""
    options.check_model(model.model, None)
    read_bytes(str(labels))  # reported before PyTorch is imported
    from ..evaluation.labelled import label_report
    from ..views.labelled import label_report_written

    if str(labels.resolve()) in _learned_from(model.model):
        talk.warn(f"{model.model} has learned from {labels}: its share is too high")
    names = (model.model, *BUNDLED_NAMES)
    dtype = model.dtype or "auto"
    report = label_report(labels, names, talk, device=model.device, dtype=dtype)
    console.show(label_report_written(report, output.output_format))


def _learned_from(model: str) -> Sequence[str]:
    """The data of the run that made a model, if a run's folder is given."""
    from ..training.job import read_run

    try:
        return read_run(Path(model))[1]["data"]
    except PagesumError:  # no folder of a run
        return ()


def _command(given: options.Given) -> str:
    """The command line that gives the same scores."""
    words = ["pagesum", "eval"]
    for name, flag in given.flags.items():
        if name not in WITHOUT_EFFECT:
            value = given.values[name]
            values = value if isinstance(value, tuple) else [value]
            words += (
                [flag] if value is True else [word for one in values for word in (flag, str(one))]
            )
    return shlex.join(words)
