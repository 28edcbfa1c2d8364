"""``pagesum train``: documents with summaries → a model."""

import math
import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import UsageError
from . import console, options

if TYPE_CHECKING:
    from ..training.prepare import Check
    from ..training.run import Job
    from ..training.watcher import Progress, Validation, Watcher

BUNDLED = "mini"
DATA = "Data"
START = "Start"
TRAINING = "Training"
LOOK = "Look before"

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


def _text(*names: str, help: str, panel: str, metavar: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar, show_default=False)


def _flag(*names: str, help: str, panel: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, show_default=False)


@app.command()
def train(
    data: Annotated[
        str | None,
        _text("--data", panel=DATA, metavar="DATA", help="File of records, folder with splits, or data set by name."),
    ] = None,
    output: Annotated[
        Path | None, _text("--output", "-o", panel=DATA, metavar="DIR", help="The run's folder: a new one.")
    ] = None,
    validation: Annotated[
        str | None,
        _text(
            "--validation",
            panel=DATA,
            metavar="DATA",
            help="Default: the data's own split; of a file, one document in twenty.",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        _text("--preset", panel=START, metavar="NAME", help="Settings by name. Default: finetune. See --show-preset."),
    ] = None,
    config: Annotated[
        Path | None, _text("--config", panel=START, metavar="FILE", help="Settings in TOML, over the preset's.")
    ] = None,
    init: Annotated[
        str | None,
        _text(
            "--init",
            panel=START,
            metavar="NAME",
            help="Begin with: a bundled name, a folder or hub id (PageSum or BART), or scratch.",
        ),
    ] = None,
    init_encoder: Annotated[
        str | None,
        _text("--init-encoder", panel=START, metavar="NAME", help="Begin with a BERT-like encoder: folder or hub id."),
    ] = None,
    resume: Annotated[
        bool, _flag("--resume", panel=START, help="Continue the run in --output behind its last checkpoint.")
    ] = False,
    locality: Annotated[
        str | None, _text("--locality", panel=TRAINING, metavar="|".join(options.LOCALITIES), help="What a page is.")
    ] = None,
    page_tokens: Annotated[
        int | None, options.number("--page-tokens", least=0, panel=TRAINING, help="Tokens of a page; 0: the model's.")
    ] = None,
    num_pages: Annotated[
        int | None,
        options.number(
            "--num-pages", least=0, panel=TRAINING, help="Exactly so many pages, as in the paper; 0: the model's."
        ),
    ] = None,
    target_tokens: Annotated[
        int | None, options.number("--target-tokens", least=4, panel=TRAINING, help="Tokens of a summary at most.")
    ] = None,
    epochs: Annotated[
        int | None, options.number("--epochs", least=1, panel=TRAINING, help="Passes over the data.")
    ] = None,
    batch: Annotated[
        int | None, options.number("--batch", least=1, panel=TRAINING, help="Documents computed at a time.")
    ] = None,
    accumulate: Annotated[
        int | None,
        options.number("--accumulate", least=1, panel=TRAINING, help="Batches of an update, over all processes."),
    ] = None,
    learning_rate: Annotated[
        float | None, options.number("--learning-rate", least=0, above=True, panel=TRAINING, help="Of the schedule.")
    ] = None,
    select: Annotated[
        str | None,
        _text("--select", panel=TRAINING, metavar="loss|rouge", help="What the kept weights are best at."),
    ] = None,
    seed: Annotated[int | None, options.number("--seed", least=0, panel=TRAINING, help="Of everything random.")] = None,
    set_: Annotated[
        list[str] | None,
        _text("--set", panel=TRAINING, metavar="NAME=VALUE", help="Any other setting; can be given several times."),
    ] = None,
    device: options.Device = "auto",
    dtype: Annotated[
        str | None,
        _text(
            "--dtype", panel=options.MODEL, metavar="auto|float32|bfloat16", help="Of products; weights stay float32."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        options.number("--workers", least=1, panel=DATA, help="Processes that tokenize. Default: one a core."),
    ] = None,
    cache: Annotated[
        Path | None, _text("--cache", panel=DATA, metavar="DIR", help="Where tokenized data is kept for other runs.")
    ] = None,
    show_preset: Annotated[
        str | None, _text("--show-preset", panel=LOOK, metavar="NAME", help="Print a preset, and stop.")
    ] = None,
    show_example: Annotated[
        bool, _flag("--show-example", panel=LOOK, help="Print one example as the model will see it, and stop.")
    ] = False,
    dry_run: Annotated[
        bool, _flag("--dry-run", panel=LOOK, help="Check data, model and memory; estimate time and disk, and stop.")
    ] = False,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Train a model on documents with summaries, or fine-tune one.

    The run's folder is a model: pagesum summarize --model DIR. Several GPUs:
    torchrun --nproc-per-node N -m pagesum_cli train …
    """
    from ..training.settings import DEFAULT, load_settings, preset_text, value_of

    if show_preset is not None:
        console.data(preset_text(show_preset).rstrip("\n"))
        return
    named = {
        "init": init,
        "init_encoder": init_encoder,
        "locality": locality,
        "page_tokens": page_tokens,
        "num_pages": num_pages,
        "target_tokens": target_tokens,
        "epochs": epochs,
        "batch": batch,
        "accumulate": accumulate,
        "learning_rate": learning_rate,
        "select": select,
        "seed": seed,
        "dtype": dtype,
    }
    flags = {name: value for name, value in named.items() if value is not None}
    flags |= dict(value_of(text) for text in set_ or [])
    if output is None and not show_example:
        raise UsageError("no --output: expected a folder for the run", "for example --output run")
    if init is not None and init_encoder is not None:
        raise UsageError("--init given together with --init-encoder", "give the one or the other")
    talk = console.Talk(quiet=quiet)
    if preset == BUNDLED:
        others = {
            "--config": config,
            "--init": init,
            "--validation": validation,
            "--workers": workers,
            "--cache": cache,
        }
        others |= {"--show-example": show_example or None, "--dry-run": dry_run or None}
        given = [name for name, value in others.items() if value is not None]
        _train_bundled(data, init_encoder, output, device, flags, given, resume, talk)
        return
    data, validation = _absolute(data), _absolute(validation)
    if resume:
        settings, data, validation = _of_run(output, preset, config, flags, data, validation)
    else:
        settings = load_settings(preset or DEFAULT, config, flags)
    if data is None:
        raise UsageError("no --data: expected documents with summaries", "for example --data mine.jsonl")
    with talk.loading("Loading"):
        from ..training import run
    run.needs_training_extra()
    job = run.Job(
        data=data,
        output=output or Path("run"),
        settings=settings,
        validation=validation,
        device=device,
        workers=workers or os.cpu_count() or 1,
        cache=cache,
        resume=resume,
    )
    with _watching(talk) as watcher:
        if show_example:
            console.data(_example(job, watcher))
        elif dry_run:
            console.data(_estimate(run.dry_run(job, watcher)))
        else:
            _train(job, watcher)


def _train_bundled(
    data: str | None,
    encoder: str | None,
    output: Path | None,
    device: str,
    flags: dict[str, Any],
    others: list[str],
    resume: bool,
    talk: console.Talk,
) -> None:
    """The bundled checkpoint's own recipe, which has other tasks and a loop of its own."""
    hint = "for example --data DIR --init-encoder MINILM --output RUN"
    if data is None or encoder is None:
        raise UsageError(f"preset {BUNDLED} without --data or --init-encoder: expected a folder each", hint)
    changes = {name: value for name, value in flags.items() if name != "init_encoder"}
    with talk.loading("Loading"):
        from ..training import mini
    others += [
        f"--{name.replace('_', '-')}" for name in changes if name not in ("seed", "steps", "locality", "page_tokens")
    ]
    if others:
        raise UsageError(
            f"preset {BUNDLED} knows no {', '.join(others)}",
            "it takes --seed, --locality, --page-tokens and --set steps=N",
        )
    if not resume and output.exists() and any(output.iterdir()):
        raise UsageError(f"{output} is not empty, expected a new folder", "--resume continues the run in it")
    recipe = mini.Recipe.read(**changes)
    with talk.progress("preparing the data") as bar:

        def told(line: dict[str, float]) -> None:
            losses = " · ".join(f"{name} {line[name]:.2f}" for name in ("words", "pages", "salience") if name in line)
            bar.update(f"step {line['step']} of {recipe.steps} · {losses}", line["step"], recipe.steps)

        mini.train(recipe, Path(data), Path(encoder), output, device=device, on_step=told)
    talk.note(f"pagesum summarize --model {shlex.quote(str(output))} FILE uses it")


def _train(job: "Job", watcher: "Watcher") -> None:
    from ..training import run

    if int(os.environ.get("RANK", "0")):
        run.train(job)
        return
    try:
        result = run.train(job, watcher)
    except KeyboardInterrupt:
        if (job.output / run.SETTINGS).exists():
            watcher.note(f"pagesum train --resume --output {shlex.quote(str(job.output))} continues")
        raise
    watcher.note(f"best at update {result.best_update} of {result.updates}: {_scores(result.scores)}")
    watcher.note(f"pagesum summarize --model {shlex.quote(str(job.output))} FILE uses it")


def _absolute(data: str | None) -> str | None:
    """A path that still leads there when the run is continued from another folder; names stay names."""
    return str(Path(data).resolve()) if data is not None and Path(data).exists() else data


def _of_run(
    output: Path | None,
    preset: str | None,
    config: Path | None,
    flags: dict[str, Any],
    data: str | None,
    validation: str | None,
) -> tuple[Any, str, str | None]:
    """The settings and data of a run that is to be continued.

    Raises:
        UsageError: there is none, or what is given differs from what the run began with.
    """
    import json
    import tomllib

    from ..training.settings import Settings

    try:
        began = Settings().changed(tomllib.loads((output / "settings.toml").read_text(encoding="utf-8")), str(output))
        record = json.loads((output / "run.json").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"{output} holds no run to continue", "leave out --resume, or check --output") from error
    given = began.changed(flags, "flags")
    differ = [name for name in flags if name != "epochs" and getattr(given, name) != getattr(began, name)]
    for name, value, before in (("data", data, record["data"]), ("validation", validation, record["validation"])):
        differ += [name] if value is not None and value != before else []
    if preset is not None or config is not None or differ:
        what = ", ".join([*differ, *(["preset"] if preset else []), *(["config"] if config else [])])
        raise UsageError(
            f"--resume continues with the run's own settings, but {what} is given anew",
            "leave it out (epochs can be raised), or start a new run",
        )
    return given, record["data"], record["validation"]


def _watching(talk: console.Talk) -> Any:
    """Tells what happens on stderr; draws progress on a terminal only."""
    import sys

    from rich import progress
    from rich.console import Group
    from rich.text import Text

    from ..training.watcher import Watcher

    class Bars(progress.Progress):
        lines: tuple[str, ...] = ()

        def get_renderables(self) -> Iterator[Any]:
            yield self.make_tasks_table(self.tasks)
            yield Group(*(Text(line, style="dim", no_wrap=True, overflow="ellipsis") for line in self.lines))

    class Display(Watcher):
        """A bar, and below it the numbers of the last update and of the last validation."""

        def __init__(self) -> None:
            self.shown = not talk.quiet and sys.stderr.isatty()
            self.last = self.validation = ""
            self.now: tuple[str, int, int | None] = ("Starting", 0, None)
            self.before = self.now

        def __enter__(self) -> "Display":
            self.bars = Bars(
                progress.TextColumn("{task.description}", markup=False),
                progress.BarColumn(bar_width=None),
                progress.TaskProgressColumn(),
                console=console.stderr(),
                transient=True,
                expand=True,
            )
            self.task = self.bars.add_task("", total=None)
            self._show(*self.now)
            if self.shown:
                self.bars.start()
            return self

        def __exit__(self, *_: object) -> None:
            if self.shown:
                self.bars.stop()

        def note(self, message: str) -> None:
            self._say(talk.note, message)

        def warn(self, message: str) -> None:
            self._say(talk.warn, message)

        def _say(self, say: Callable[[str], None], message: str) -> None:
            """Write a line above the bar."""
            self.__exit__()
            say(message)
            self.__enter__()

        def preparing(self, split: str, done: int) -> None:
            self._show(f"Preparing {split}: {done} documents", 0, None)

        def checked(self, split: str, check: "Check") -> None:
            self.note(_counts(split, check))

        def progress(self, progress: "Progress") -> None:
            self.last = _numbers(progress)
            text = f"update {progress.update} of {progress.updates} · {_time(progress.seconds_left)} left"
            self._show(text, progress.update, progress.updates)

        def validating(self, done: int, batches: int) -> None:
            if done == 0:
                self.before = self.now
            self._show("validating", done, batches)

        def validated(self, validation: "Validation") -> None:
            best = ", the best so far" if validation.best else ""
            self.validation = f"validation at update {validation.update}: {_scores(validation.scores)}{best}"
            if not self.shown:
                talk.note(self.validation)
            self._show(*self.before)

        def stopping(self) -> None:
            # Within a signal handler: nothing is written here, the next drawing shows it.
            self.validation = "stopping behind this update, with a checkpoint; Ctrl-C again ends at once"
            self.bars.lines = (self.last, self.validation)

        def _show(self, text: str, done: int, total: int | None) -> None:
            self.now = (text, done, total)
            self.bars.lines = tuple(line for line in (self.last, self.validation) if line)
            self.bars.update(self.task, description=text, completed=done, total=total)

    return Display()


def _numbers(progress: "Progress") -> str:
    return " · ".join(
        (
            f"epoch {progress.epoch:.2f}",
            f"loss {progress.loss:.3f}",
            f"lr {progress.learning_rate:.1e}",
            f"{progress.tokens_per_second:,.0f} tokens/s",
            _size(progress.memory),
        )
    )


def _scores(scores: dict[str, float]) -> str:
    names = {"loss": "loss", "rouge1": "ROUGE-1", "rouge2": "ROUGE-2"}
    return ", ".join(f"{names[name]} {value:.{4 if name == 'loss' else 2}f}" for name, value in scores.items())


def _counts(split: str, check: "Check") -> str:
    most = f"{check.pages / check.used:.1f} pages a document (at most {check.most_pages})"
    sizes = f"{check.page_tokens / check.pages:.0f} tokens a page, {check.target_tokens / check.used:.0f} a summary"
    return f"{split}: {check.used} of {check.records} records used, {most}, {sizes}"


def _example(job: "Job", watcher: "Watcher") -> str:
    from ..training.run import example

    one, pages, target = example(job, watcher)
    parts = [f"document {one.id}: {len(pages)} pages"]
    for number, (ids, text) in enumerate(zip(one.pages, pages, strict=True)):
        parts.append(f"page {number}, {len(ids)} tokens:\n{text}")
    parts.append(f"target, {len(one.target)} tokens:\n{target}")
    return "\n\n".join(parts)


def _estimate(found: Any) -> str:
    rows = {
        "documents": f"{found.train} for training, {found.validation} for validation",
        "parameters": f"{found.parameters:,}",
        "updates": f"{found.updates:,}",
        "loss": ", ".join(f"{loss:.3f}" for loss in found.loss) + " in two updates on the longest documents",
        "an update": f"{_time(found.seconds_an_update)} on the longest documents",
        "speed": f"{found.tokens_per_second:,.0f} tokens/s",
        "the whole run": f"about {_time(found.seconds)}",
        "memory": _size(found.memory),
        "disk": f"at most {_size(found.disk)}",
    }
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items())


def _size(size: float) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{math.ceil(size / 2**20)} MiB"


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
