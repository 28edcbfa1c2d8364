"""``pagesum eval``: documents with references → summaries → scores that can be published."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import typer

from ..datasets.named import DataRequest
from ..errors import UsageError
from ..evaluation.options import BatchOptions, EvaluationOptions, OutputOptions, ScoreOptions, SystemOptions
from ..evaluation.world import launched_world
from ..files import check_new, make_folder, write_file
from ..lab.options import AnnotationOptions
from ..options import GenerationOptions, ModelOptions, PagingOptions, RecursionOptions
from . import console, options

WITHOUT_EFFECT = {"output", "output_format", "quiet", "debug", "processes", "help"}
"""Flags that do not affect the scores."""

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
@options.with_flags
def evaluate(
    ctx: typer.Context,
    data: DataRequest,
    system: SystemOptions,
    scores: ScoreOptions,
    paging: PagingOptions,
    model: ModelOptions,
    batch: BatchOptions,
    generation: GenerationOptions,
    recursion: RecursionOptions,
    output: OutputOptions,
    annotation: AnnotationOptions,
    messages: options.MessageOptions,
) -> None:
    """Summarize a data set and score the summaries; or score given summaries; or compare two systems.

    The table states which ROUGE-L it shows (Lsum, the one papers report). It also has confidence intervals and the
    command that gives the same scores.
    """
    given = _given(ctx)
    if annotation.is_asked_for:
        annotation.check(given)
        return _annotate(annotation, messages.talk) if annotation.annotate else _annotated(annotation, output)
    if idle := next((given[name.name] for name in fields(annotation) if name.name in given), None):
        raise UsageError(f"{idle} does nothing by itself", "it goes with --annotate DIR or --annotations FILE")
    request = EvaluationOptions(
        data, system, scores, paging, model, batch, generation, output, recursion, given, _command(ctx, given)
    )
    from ..lab.published import check_table, rows_beside

    if scores.table:
        check_table(scores.table, data.data)
    talk = console.Talk(quiet=messages.quiet or launched_world().rank > 0)
    if request.runs_model and not system.compare:
        options.check_model(model.model, paging.page_tokens, generation.max_length)
        if recursion.chapter_model:
            options.check_model(recursion.chapter_model, paging.page_tokens)
    from ..evaluation.evaluate import check, compare, evaluate, save
    from ..views.evaluation import check_view, written

    if system.compare:
        _show(written(compare(request, talk), output.output_format))
    elif system.check:
        _show(check_view(check(request, talk)))
    elif evaluation := evaluate(request, talk, _checked_systems(request, talk), rows_beside):
        try:
            if output.output:
                save(evaluation, output.output)
        finally:  # a full disk does not take the scores away
            _show(written(evaluation, output.output_format))


def _checked_systems(request: EvaluationOptions, talk: console.Talk) -> Any:
    """What opens other systems, each of which was checked; None without any."""
    for name in request.system.systems:
        with talk.loading(f"checking {name}"):
            from ..lab.systems import check_system, open_system

            check_system(name, request.generation)
    return open_system if request.system.systems else None


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
    contents = (sheet_page(sheet), sheet.to_csv(), sheet.to_key())
    folder, key = annotation.annotate, annotation.key_file
    files = dict(zip((folder / "sheet.html", folder / "sheet.csv", key), contents, strict=True))
    check_new(map(str, files), force=annotation.force)
    make_folder(folder, "--annotate")
    for path, content in files.items():
        write_file(path, content, overwrite=annotation.force)
    count = len(sheet.documents)
    if count < annotation.documents:
        talk.warn(f"{count} documents, all of which every system has a summary; {annotation.documents} were asked for")
    console.data(
        f"{len(sheet.items)} {sheet.rules.unit} of {count} out of {sheet.available} documents "
        f"by {', '.join(sheet.systems)}, seed {sheet.seed}\n"
        f"{folder}: one sheet for each annotator, sheet.html or sheet.csv\n"
        f"{key}: the key; keep it from them"
    )


def _annotated(annotation: AnnotationOptions, output: OutputOptions) -> None:
    """Show what annotators found."""
    from ..lab.annotation import read_annotations, read_key, report_of
    from ..views.annotation.report import report_written

    assert annotation.key
    sheet = read_key(annotation.key)
    report = report_of(sheet, [read_annotations(path, sheet) for path in annotation.annotations])
    _show(report_written(report, output.output_format))


def _show(view: Any) -> None:
    if isinstance(view, str):
        console.data(view)
    else:
        console.show(view)


def _given(ctx: typer.Context) -> dict[str, str]:
    """The flags on the command line, by the name of their parameter."""
    return {
        parameter.name or "": parameter.opts[0]
        for parameter in ctx.command.params
        if (source := ctx.get_parameter_source(parameter.name or "")) and source.name == "COMMANDLINE"
    }


def _command(ctx: typer.Context, given: Mapping[str, str]) -> str:
    """The command line that gives the same scores."""

    def words() -> Iterator[str]:
        for name, flag in given.items():
            value = ctx.params[name]
            if name not in WITHOUT_EFFECT and value is True:
                yield flag
            elif name not in WITHOUT_EFFECT:
                for one in value if isinstance(value, (list, tuple)) else [value]:
                    yield from (flag, str(one))

    return shlex.join(["pagesum", "eval", *words()])
