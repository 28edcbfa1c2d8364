"""``pagesum eval``: documents with references → summaries → scores that can be published."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import typer

from ..datasets.named import DataRequest
from ..evaluation.options import BatchOptions, EvaluationOptions, OutputOptions, ScoreOptions, SystemOptions
from ..evaluation.world import launched_world
from ..options import GenerationOptions, ModelOptions, PagingOptions
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
    output: OutputOptions,
    messages: options.MessageOptions,
) -> None:
    """Summarize a data set and score the summaries; or score given summaries; or compare two systems.

    The table states which ROUGE-L it shows (Lsum, the one papers report). It also has confidence intervals and the
    command that gives the same scores.
    """
    given = _given(ctx)
    request = EvaluationOptions(
        data, system, scores, paging, model, batch, generation, output, given, _command(ctx, given)
    )
    talk = console.Talk(quiet=messages.quiet or launched_world().rank > 0)
    if request.runs_model and not system.compare:
        options.check_model(model.model, paging.page_tokens, generation.max_length)
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
