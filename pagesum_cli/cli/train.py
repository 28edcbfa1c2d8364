"""``pagesum train``: documents with summaries → a model."""

import os
import shlex
from dataclasses import Field, dataclass, field, fields, make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import UsageError
from ..options import DEVICES, Options, hints_of, names_of, option, refuse_idle, row_of
from ..training.settings import DEFAULT, FLAGS, Settings, load_settings, preset_text, value_of
from . import console
from .help import ShortHelp
from .options import Given, MessageOptions, with_flags

if TYPE_CHECKING:
    from ..training.run import Job
    from ..training.watcher import Watcher

LOOK = "Look before training"
LABELS = "labels"  # the preset that learns from labelled sentences

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@dataclass(frozen=True)
class RunOptions(Options, panel="Data"):
    """Data, folder and starting point of a run."""

    data: tuple[str, ...] = option(
        (),
        "File of records, folder with splits, or data set by name; can be given several times.",
        metavar="DATA",
        brief="Files of records, folders or data sets.",
    )
    labels: tuple[str, ...] = option(
        (),
        "File of labelled sentences (see pagesum label), from which the bundled reader learns what "
        f"to quote: --data FILE with --preset {LABELS}. Can be given several times.",
        metavar="FILE",
        brief="Files of labelled sentences.",
    )
    output: Path | None = option(
        None,
        "Folder for the run: a new one, or with --resume an existing one.",
        metavar="DIR",
        flags=("-o",),
        brief="Folder for the run, which is a model.",
    )
    validation: str | None = option(
        None,
        "Validation data. Default: the data's own split; for files without one, "
        "one document in twenty.",
        metavar="DATA",
        brief="Validation data.",
    )
    workers: int | None = option(
        None, "Number of processes that tokenize. Default: one per core.", min=1
    )
    cache: Path | None = option(
        None, "Folder where prepared data is kept for other runs.", metavar="DIR"
    )
    preset: str | None = option(
        None,
        f"Settings by name. Default: {DEFAULT}. See --show-preset.",
        metavar="NAME",
        panel="Start",
        brief="Settings by name; see --show-preset.",
    )
    config: Path | None = option(
        None, "TOML file of settings that override the preset's.", metavar="FILE", panel="Start"
    )
    resume: bool = option(
        False,
        "Continue the run in --output after its last checkpoint.",
        panel="Start",
        brief="Continue a run.",
    )
    assignments: tuple[str, ...] = option(
        (),
        "Any other setting; can be given several times.",
        metavar="NAME=VALUE",
        flags=("--set",),
        panel="Training",
        brief="Any other setting.",
    )
    device: str = option(
        "auto",
        "Device; auto uses a GPU if there is one.",
        choices=DEVICES,
        panel="Model",
        brief="auto, cpu, cuda or mps.",
    )
    show_preset: str | None = option(
        None, "Print a preset and exit.", metavar="NAME", panel=LOOK, brief="Print a preset."
    )
    show_example: bool = option(
        False, "Print one example as the model reads it and exit.", panel=LOOK
    )
    dry_run: bool = option(
        False,
        "Check data, model and memory; print an estimate of time and disk space and exit.",
        panel=LOOK,
        brief="Check everything and estimate the time.",
    )


def _flag_of(setting: Field[Any]) -> tuple[str, Any, Any]:
    kind = hints_of(Settings)[setting.name]
    row = row_of(setting)
    row = replace(row, metavar="NAME" if kind is str else row.metavar)
    return setting.name, kind | None, field(default=None, metadata={"row": row})


SettingFlags: Any = make_dataclass(
    "SettingFlags",
    [
        _flag_of(setting)
        for setting in fields(Settings)
        if setting.metadata and row_of(setting).panel
    ],
    bases=(Options,),
    frozen=True,
)
"""The settings that have flags of their own; None where a flag is not given."""


@app.command(
    cls=ShortHelp,
    epilog="pagesum train --data papers/ --output my-model\n\n"
    "pagesum train --data papers/ --output my-model --dry-run\n\npagesum "
    "train --output my-model --resume",
)
@with_flags
def train(run: RunOptions, settings: SettingFlags, messages: MessageOptions, given: Given) -> None:
    """Train a model on documents with summaries, or fine-tune one.

    The run's folder is a model: pagesum summarize --model DIR. Several GPUs:
    torchrun --nproc-per-node N -m pagesum_cli train …
    """
    if run.show_preset is not None:
        shown = names_of(MessageOptions) | {"show_preset"}
        refuse_idle(given.flags, given.flags.keys() - shown, "with --show-preset")
        console.data(preset_text(run.show_preset).rstrip("\n"))
        return
    flags = {name: value for name, value in vars(settings).items() if value is not None}
    flags |= dict(value_of(text) for text in run.assignments)
    job = _job(run, flags)
    talk = messages.talk
    from ..training.job import check_job

    check_job(job, writes=not run.show_example)  # before PyTorch is imported
    with talk.loading("Loading"):
        from ..training.run import dry_run, example
        from ..views.training import TrainingDisplay, estimate_view, example_view
    with TrainingDisplay(talk.note, talk.warn, None if talk.quiet else console.stderr()) as display:
        if run.show_example:
            console.data(example_view(*example(job, display)))
        elif run.dry_run:
            console.data(estimate_view(dry_run(job, display)))
        else:
            _train(job, display)


def _job(run: RunOptions, flags: dict[str, Any]) -> "Job":
    """The job that the command line describes."""
    if run.output is None and not run.show_example:
        raise UsageError("no --output: expected a folder for the run", "for example --output run")
    if flags.get("init") and flags.get("init_encoder"):
        raise UsageError("--init given together with --init-encoder", "use one or the other")
    if run.labels and run.data:
        raise UsageError("--labels given together with --data", "use one or the other")
    output = run.output or Path("run")
    data = tuple(map(_absolute, run.data or run.labels))
    validation = None if run.validation is None else _absolute(run.validation)
    if run.resume:
        given = {"data": data, "validation": validation, "preset": run.preset, "config": run.config}
        settings, data, validation = _of_run(output, flags, given)
    else:
        default = LABELS if run.labels else DEFAULT
        settings = load_settings(run.preset or default, run.config, flags)
    if not data:
        raise UsageError(
            "no --data: expected documents with summaries", "for example --data mine.jsonl"
        )
    from ..training.job import Job

    return Job(
        data,
        output,
        settings,
        validation,
        run.device,
        run.workers or os.cpu_count() or 1,
        run.cache,
        run.resume,
    )


def _train(job: "Job", watcher: "Watcher") -> None:
    from ..training import run
    from ..training.job import SETTINGS
    from ..views.training import draw_curves, scores_line

    if int(os.environ.get("RANK", "0")):
        run.train(job)
        return
    name = shlex.quote(str(job.output))
    try:
        result = run.train(job, watcher)
    except KeyboardInterrupt:
        if (job.output / SETTINGS).exists():
            watcher.note(f"pagesum train --resume --output {name} continues")
        raise
    watcher.note(
        f"best at update {result.best_update} of {result.updates}: {scores_line(result.scores)}"
    )
    watcher.note(draw_curves(job.output))
    watcher.note(f"pagesum summarize --model {name} FILE uses it")


def _absolute(data: str) -> str:
    """A path that is still valid when the run is continued from another folder; names stay
    names.
    """
    return str(Path(data).resolve()) if Path(data).exists() else data


def _of_run(
    output: Path, flags: dict[str, Any], given: dict[str, Any]
) -> tuple[Settings, tuple[str, ...], str | None]:
    """The settings and data of a run that is to be continued."""
    from ..training.job import read_run

    began, record = read_run(output)
    data = tuple(record["data"])
    settings = began.changed(flags, FLAGS)
    differ = [
        name
        for name in flags
        if name not in ("epochs", "updates") and _value(settings, name) != _value(began, name)
    ]
    before = {"data": data, "validation": record["validation"], "preset": None, "config": None}
    differ += [name for name, value in given.items() if value and value != before[name]]
    if differ:
        message = (
            f"--resume continues with the run's own settings, but {', '.join(differ)} is "
            f"given again"
        )
        raise UsageError(
            message, "leave it out (epochs and updates can be raised), or start a new run"
        )
    return settings, data, record["validation"]


def _value(settings: Settings, name: str) -> Any:
    """The value of a setting, or of a field of ``model``."""
    name, _, inner = name.partition(".")
    value = getattr(settings, name)
    return value.get(inner) if inner else value
