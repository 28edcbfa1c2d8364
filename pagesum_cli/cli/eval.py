"""``pagesum eval``: documents with references → summaries → scores that can be published."""

import shlex
from collections.abc import Iterator
from typing import Any

import typer

from ..datasets.named import DataRequest
from ..evaluation.options import (
    AnnotationOptions,
    BatchOptions,
    EvaluationOptions,
    OutputOptions,
    ScoreOptions,
    SystemOptions,
    refuse_idle_flags,
)
from ..evaluation.world import launched_world
from ..files import check_new, make_folder, write_file
from ..options import GenerationOptions, ModelOptions, PagingOptions, RecursionOptions
from . import console, options

WITHOUT_EFFECT = {"output", "output_format", "quiet", "debug", "processes", "help"}
"""Flags that do not affect the scores."""

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
@options.with_flags
def evaluate(
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
    given: options.Given,
) -> None:
    """Summarize a data set and score the summaries; or score given summaries; or compare two systems.

    The table states which ROUGE-L it shows (Lsum, the one papers report). It also has confidence intervals and the
    command that gives the same scores.
    """
    refuse_idle_flags(given.flags)
    if annotation.annotate or annotation.annotations:
        annotation.check()
        return _annotate(annotation, messages.talk) if annotation.annotate else _annotated(annotation, output)
    request = EvaluationOptions(
        data, system, scores, paging, model, batch, generation, output, recursion, given.flags, _command(given)
    )
    talk = console.Talk(quiet=messages.quiet or launched_world().rank > 0)
    if request.runs_model and not system.compare:
        used = options.GenerationOptions() if system.systems else generation  # other systems may use what it cannot
        options.check_models(talk, model, recursion, paging, used)
    from ..evaluation.evaluate import check, compare, evaluate, save
    from ..views.evaluation import check_view, written

    if system.compare:
        _show(written(compare(request, talk), output.output_format))
    elif system.check:
        _show(check_view(check(request, talk)))
    elif evaluation := evaluate(request, talk):
        try:
            if output.output:
                save(evaluation, output.output)
        finally:  # a full disk does not take the scores away
            _show(written(evaluation, output.output_format))


def _annotate(annotation: AnnotationOptions, talk: console.Talk) -> None:
    """Write the sheets into a folder, and the key beside it."""
    from ..evaluation.results import read_results
    from ..lab import best_worst
    from ..lab.annotation import Sheet, key_json, make_sheet, sheet_csv
    from ..views.annotation import annotation_page, best_worst_page

    assert annotation.annotate
    systems = {name: read_results(path, talk.warn) for name, path in annotation.systems.items()}
    count, seed = annotation.documents, annotation.seed
    sheet: Sheet | best_worst.PairSheet
    if annotation.protocol == "best-worst":
        sheet = best_worst.make_pairs(systems, count, seed)
        what = f"{len(sheet.items)} pairs of summaries"
        contents = (best_worst_page(sheet), best_worst.pairs_csv(sheet), best_worst.pairs_key_json(sheet))
    else:
        sheet = make_sheet(systems, count, seed, references=annotation.references_as_system)
        what = f"{len(sheet.entries)} summaries"
        contents = (annotation_page(sheet), sheet_csv(sheet), key_json(sheet))
    folder, key = annotation.annotate, annotation.key_file
    files = dict(zip((folder / "sheet.html", folder / "sheet.csv", key), contents, strict=True))
    check_new(map(str, files), force=annotation.force)
    make_folder(folder, "--annotate")
    for path, content in files.items():
        write_file(path, content, overwrite=annotation.force)
    count = len(sheet.documents)
    if count < annotation.documents:
        talk.warn(f"{count} documents, all of which every system has a summary; {annotation.documents} were requested")
    console.data(
        f"{what} of {count} out of {sheet.available} documents by {', '.join(sheet.systems)}, "
        f"seed {sheet.seed}\n{folder}: one sheet for each annotator, sheet.html or sheet.csv\n"
        f"{key}: the key; keep it from them"
    )


def _annotated(annotation: AnnotationOptions, output: OutputOptions) -> None:
    """Show what annotators found."""
    from ..lab import best_worst
    from ..lab.annotation import read_annotations, read_key, report_of
    from ..lab.sheets import protocol_of
    from ..views.annotation import annotations_written, best_worst_written

    assert annotation.key
    if protocol_of(annotation.key) == "best-worst":
        pairs = best_worst.read_pairs_key(annotation.key)
        judgements = [best_worst.read_judgements(path, pairs) for path in annotation.annotations]
        return _show(best_worst_written(best_worst.best_worst_report(pairs, judgements), output.output_format))
    sheet = read_key(annotation.key)
    report = report_of(sheet, [read_annotations(path, sheet) for path in annotation.annotations])
    _show(annotations_written(report, output.output_format))


def _show(view: Any) -> None:
    if isinstance(view, str):
        console.data(view)
    else:
        console.show(view)


def _command(given: options.Given) -> str:
    """The command line that gives the same scores."""

    def words() -> Iterator[str]:
        for name, flag in given.flags.items():
            value = given.values[name]
            if name not in WITHOUT_EFFECT and value is True:
                yield flag
            elif name not in WITHOUT_EFFECT:
                for part in value if isinstance(value, tuple) else [value]:
                    yield from (flag, str(part))

    return shlex.join(["pagesum", "eval", *words()])
