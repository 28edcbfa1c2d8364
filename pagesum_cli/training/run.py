"""A training run from data to a folder that ``summarize --model`` uses."""

import json
import math
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase, TrainingArguments, set_seed
from transformers.trainer_callback import TrainerState
from transformers.utils.logging import disable_progress_bar

from ..errors import PagesumError, UsageError
from ..evaluation.extras import needs_extra
from ..model.checkpoints import load_model
from ..model.modeling import PageSumForConditionalGeneration
from ..version import __version__
from .prepare import NAMED, Check, Example, Examples, Part, Plan, cache_root, held_out, prepared
from .settings import Settings, toml_of
from .start import freeze, starting_point
from .watcher import Progress, Watcher

SETTINGS = "settings.toml"
RECORD = "run.json"


@dataclass(frozen=True)
class Job:
    """What to train on, and where to put it.

    Attributes:
        data: a file, a folder with a training and a validation split, a known name, or a Hugging Face id.
        output: the run's folder.
        settings: see there.
        validation: a file or folder for validation; None: the data's validation split, and of a single file one
            document in twenty.
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        workers: processes that prepare data.
        cache: folder of prepared data; None: the user's cache.
        resume: continue the run that is in the folder.
    """

    data: str
    output: Path
    settings: Settings
    validation: str | None = None
    device: str = "auto"
    workers: int = 1
    cache: Path | None = None
    resume: bool = False


@dataclass(frozen=True)
class Data:
    """Prepared examples."""

    train: Examples | Part
    validation: Examples | Part
    checks: dict[str, Check]


@dataclass(frozen=True)
class Result:
    """What a run came to.

    Attributes:
        output: the run's folder.
        updates: done in all.
        best_update: which the folder's weights are from.
        scores: theirs on the validation data; none before the first validation.
    """

    output: Path
    updates: int
    best_update: int
    scores: dict[str, float]


@dataclass(frozen=True)
class Estimate:
    """What a dry run found.

    Attributes:
        parameters: of the model.
        train, validation: examples.
        updates: of the whole run.
        seconds_an_update, tokens_per_second: on the longest documents.
        seconds: of the whole run, without validation by generation.
        memory: bytes at most, on the longest documents.
        disk: bytes that the run will take.
        loss: of the two updates.
    """

    parameters: int
    train: int
    validation: int
    updates: int
    seconds_an_update: float
    tokens_per_second: float
    seconds: float
    memory: int
    disk: int
    loss: tuple[float, ...]


def train(job: Job, watcher: Watcher | None = None) -> Result:
    """Train, or continue training.

    The run's folder gets ``settings.toml``, ``run.json`` (versions, data), ``log.jsonl``, ``loss.png``,
    ``tensorboard/`` and ``checkpoints/`` and, as the best so far, a model that loads by the folder's name, with its
    ``README.md``.

    Raises:
        PagesumError: the data, the start or the folder cannot be used; the loss explodes; the disk is full.
        UsageError: settings that make no sense.
        KeyboardInterrupt: behind a checkpoint.
    """
    needs_training_extra()
    from .trainer import (
        CHECKPOINTS,
        LOG,
        PageSumTrainer,
        intact,
        latest_checkpoint,
        publish_best,
        rotate,
        training_arguments,
    )

    settings, output, watcher = job.settings, job.output, watcher or Watcher()
    disable_progress_bar()  # of writing weights; the watcher tells progress
    _check_output(job)
    output.mkdir(parents=True, exist_ok=True)
    arguments = training_arguments(output, settings, job.device)
    first = arguments.process_index == 0
    watcher = watcher if first else Watcher()
    checkpoints = output / CHECKPOINTS
    checkpoint = latest_checkpoint(checkpoints) if job.resume else None
    with arguments.main_process_first():
        model, tokenizer = _start(job, checkpoint)
        data = prepare(job, model, tokenizer, watcher)
        _check_updates(data, settings)
        if first:
            record = _record(job, data, model, arguments)
            _check_same_data(output, record, data)
            _write_start(output, settings, record, model, tokenizer)

    def report() -> None:
        write_report(job, _result(output, trainer.state), data)

    trainer = PageSumTrainer(
        model, tokenizer, arguments, settings, output, data.train, data.validation, watcher=watcher, on_save=report
    )
    arguments.eval_steps = settings.validate_every or trainer.batches.updates
    arguments.save_steps = settings.checkpoint_every or arguments.eval_steps
    if first:
        done = 0 if checkpoint is None else int(checkpoint.name.partition("-")[2])
        _cut_log(output / LOG, done)
        best = _best_update(checkpoint)
        publish_best(checkpoints, output, best)
        rotate(checkpoints, settings.keep, best)
        if job.resume:
            watcher.note(f"continuing behind update {done}" if done else "no checkpoint yet: starting anew")
    try:
        with _memory_told(settings, arguments.device):
            trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
        if first:
            report()
    except OSError as error:  # of the log, TensorBoard's files or the report
        raise PagesumError(
            f"{output} could not be written at update {trainer.state.global_step} ({error.strerror or error}); "
            f"{intact(checkpoints)}",
            "make room on the disk, then --resume",
        ) from error
    return _result(output, trainer.state)


def dry_run(job: Job, watcher: Watcher | None = None) -> Estimate:
    """Check data, model and memory: two updates on the longest documents. Nothing is written but the data's cache.

    Raises:
        PagesumError, UsageError: what :func:`train` would raise before it begins.
    """
    needs_training_extra()
    from .trainer import Batches, PageSumTrainer, most_memory, training_arguments

    class Longest(Batches):
        updates = 2

        def order(self, epoch: int) -> list[list[int]]:
            longest = np.argsort(-data.train.sizes, kind="stable").tolist()
            size = self.settings.batch
            wanted = 2 * self.settings.accumulate * size
            taken = (longest * math.ceil(wanted / len(longest)))[:wanted]
            return [taken[start : start + size] for start in range(0, wanted, size)]

    settings, watcher = job.settings, watcher or Watcher()
    _check_output(job)
    seen = _Updates()
    with tempfile.TemporaryDirectory() as folder:
        arguments = training_arguments(Path(folder), settings.changed({"epochs": 1}, "dry run"), job.device, dry=True)
        model, tokenizer = _start(job, None)
        data = prepare(job, model, tokenizer, watcher)
        updates = _check_updates(data, settings)
        trainer = PageSumTrainer(
            model, tokenizer, arguments, settings, None, data.train, data.validation,
            Longest(len(data.train), settings), seen,
        )  # fmt: skip
        with _memory_told(settings, arguments.device):
            trainer.train()
        memory = most_memory(arguments.device)
    last = seen.done[-1]  # the first one warms up
    tokens = int(data.train.sizes.sum())
    validations = math.ceil(settings.epochs * updates / (settings.validate_every or updates))
    # Forward alone is a third of an update.
    whole = settings.epochs * tokens + validations * int(data.validation.sizes.sum()) / 3
    weights = 4 * sum(parameter.numel() for parameter in model.parameters())
    return Estimate(
        parameters=weights // 4,
        train=len(data.train),
        validation=len(data.validation),
        updates=settings.epochs * updates,
        seconds_an_update=last.seconds,
        tokens_per_second=last.tokens_per_second,
        seconds=whole / last.tokens_per_second,
        memory=memory,
        # Each checkpoint holds the weights and, for Adam, two numbers more a weight; one is written aside.
        disk=weights * (3 if settings.optimizer == "adam" else 1) * (settings.keep + 2),
        loss=tuple(one.loss for one in seen.done),
    )


def example(job: Job, watcher: Watcher | None = None) -> tuple[Example, list[str], str]:
    """The first training example, its pages and its target as the model sees them, special tokens included."""
    model, tokenizer = _start(job, None)
    data = prepare(job, model, tokenizer, watcher or Watcher())
    one = data.train[0]
    return one, [tokenizer.decode(page) for page in one.pages], tokenizer.decode(one.target)


def needs_training_extra() -> None:
    """Makes sure that what training needs is installed.

    Raises:
        PagesumError: it is not; the hint says how to install it.
    """
    for module, what in (("accelerate", "Accelerate"), ("tensorboard", "TensorBoard"), ("matplotlib", "Matplotlib")):
        needs_extra(module, what, "train")


def prepare(
    job: Job, model: PageSumForConditionalGeneration, tokenizer: PreTrainedTokenizerBase, watcher: Watcher
) -> Data:
    """The job's data as token ids, checked; see :func:`~pagesum_cli.training.prepare.prepared`.

    Raises:
        PagesumError: there is no such data, or a split is missing.
    """
    settings, config = job.settings, model.config
    plan = Plan(
        tokenizer=tokenizer.backend_tokenizer.to_str(),
        locality=settings.locality,
        num_pages=config.num_pages,
        max_pages=None if config.num_pages else settings.max_pages or None,
        page_tokens=config.page_tokens,
        target_tokens=settings.target_tokens,
        first_mark=config.first_mark,
        sentence_ends=tuple(config.sentence_ends) if config.plans else None,
    )

    def split(data: str, name: str) -> Examples:
        def told(done: int) -> None:
            watcher.preparing(name, done)

        examples = prepared(data, name, plan, root=job.cache or cache_root(), workers=job.workers, on_progress=told)
        watcher.checked(name, examples.check)
        return examples

    try:
        whole = split(job.data, "train")
    except PagesumError as error:
        hint = "put train and validation data there, or give one file" if Path(job.data).is_dir() else error.hint
        raise type(error)(error.message, hint) from error
    checks = {"train": whole.check}
    train: Examples | Part = whole
    validation: Examples | Part
    if job.validation is not None:
        validation = split(job.validation, "validation")
    elif Path(job.data).is_file():
        train, validation = held_out(whole)
        watcher.note(f"{len(validation)} of {len(whole)} documents are for validation, {len(train)} for training")
    else:
        try:
            validation = split(job.data, "validation")
        except PagesumError as error:
            raise PagesumError(error.message, "put a validation split there, or give --validation FILE") from error
    if isinstance(validation, Examples):
        checks["validation"] = validation.check
    both = np.intersect1d(train.digests, validation.digests)
    if len(both):
        watcher.warn(f"{len(both)} documents are in both the training and the validation data: scores will flatter")
    for name, check in checks.items():
        for message in complaints(name, check, plan):
            watcher.warn(message)
    return Data(train, validation, checks)


def complaints(split: str, check: Check, plan: Plan) -> list[str]:
    """What is wrong with a split's data, one line each."""

    def some(ids: list[str], number: int) -> str:
        return ", ".join(ids) + (" …" if number > NAMED else "")

    lines = [*check.problems]
    if check.unreadable > len(lines):
        lines.append(f"{split}: {check.unreadable} records in all could not be read")
    if check.without_summaries:
        lines.append(
            f"{split}: {check.without_summaries} records without a summary are left out: "
            f"{some(check.without_summary, check.without_summaries)}"
        )
    if check.not_texts:
        lines.append(f"{split}: {check.not_texts} documents hold few letters: {some(check.not_text, check.not_texts)}")
    if check.repeated:
        lines.append(f"{split}: {check.repeated} documents were there before in the same data")
    if check.dropped_words:
        most, more = (plan.num_pages, "num_pages") if plan.num_pages else (plan.max_pages, "max_pages, 0 for no limit,")
        lines.append(
            f"{split}: {check.dropped_records} documents have more than {most} pages: {check.dropped_words} words "
            f"({check.dropped_words / check.words:.0%} of all) are not read; a greater {more} reads more"
        )
    if check.truncated_words:
        lines.append(
            f"{split}: {check.truncated_pages} pages are longer than {plan.page_tokens} tokens and lose "
            f"{check.truncated_words} words ({check.truncated_words / check.words:.0%} of all)"
        )
    if check.cut_targets and plan.sentence_ends is None:
        lines.append(
            f"{split}: {check.cut_targets} summaries are longer than {plan.target_tokens} tokens and lose "
            f"{check.cut_target_tokens} tokens ({check.cut_target_tokens / check.target_tokens:.0%})"
        )
    return lines


def write_report(job: Job, result: Result, data: Data) -> None:
    """Draw the loss curve and write the model card."""
    from .report import draw_losses, model_card
    from .trainer import LOG

    draw_losses(job.output / LOG, job.output / "loss.png")
    (job.output / "README.md").write_text(model_card(job, result, data), encoding="utf-8")


class _Updates(Watcher):
    """Remembers all updates."""

    def __init__(self) -> None:
        self.done: list[Progress] = []

    def progress(self, progress: Progress) -> None:
        self.done.append(progress)


@contextmanager
def _memory_told(settings: Settings, device: torch.device) -> Iterator[None]:
    """Turn a lack of memory into advice."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise PagesumError(
            f"out of memory with {settings.batch} document(s) at a time on {device}",
            "--batch 1 with a larger --accumulate, --set gradient_checkpointing=true, or shorter or fewer pages "
            "(page_tokens, max_pages)",
        ) from error


def _start(job: Job, checkpoint: Path | None) -> tuple[PageSumForConditionalGeneration, PreTrainedTokenizerBase]:
    set_seed(job.settings.seed)
    if checkpoint is not None:
        model, tokenizer = load_model(str(checkpoint), device="cpu", dtype="float32")
        if tokenizer is None:
            raise PagesumError(f"{checkpoint} has no tokenizer, so it is no checkpoint of this program")
    else:
        model, tokenizer = starting_point(job.settings, job.data)
    for weight in model.parameters():  # in memory of its own: products can depend on how a file's lies in it
        weight.data = weight.data.clone()
    freeze(model)
    return model, tokenizer


def _check_output(job: Job) -> None:
    output = job.output
    if output.exists() and not output.is_dir():
        raise PagesumError(f"{output} is a file where a folder is expected", "--output another folder")
    there = output.is_dir() and any(output.iterdir())
    if job.resume:
        if not (output / SETTINGS).exists():
            raise PagesumError(f"{output} holds no run to continue", "leave out --resume, or check --output")
        return
    if (output / SETTINGS).exists():
        raise PagesumError(f"{output} holds another run", "--resume continues it; --output another folder starts anew")
    if there:
        raise PagesumError(f"{output} is not empty, expected a new folder for the run", "--output another folder")


def _check_updates(data: Data, settings: Settings) -> int:
    """The updates of an epoch."""
    batches = math.ceil(len(data.train) / settings.batch)
    if batches < settings.accumulate:
        raise UsageError(
            f"{len(data.train)} training documents are {batches} micro-batches, fewer than accumulate "
            f"{settings.accumulate}: there would be no update",
            f"--accumulate {batches}, or more documents",
        )
    return batches // settings.accumulate


def _record(
    job: Job, data: Data, model: PageSumForConditionalGeneration, arguments: TrainingArguments
) -> dict[str, Any]:
    packages = ("torch", "transformers", "accelerate", "tokenizers", "numpy")
    return {
        "command": sys.argv,
        "data": job.data,
        "validation": job.validation,
        "train_documents": len(data.train),
        "validation_documents": len(data.validation),
        # What settings.toml may leave to the starting point and the hardware.
        "page_tokens": model.config.page_tokens,
        "num_pages": model.config.num_pages,
        "dropout": model.config.dropout,
        "device": str(arguments.device),
        "dtype": "bfloat16" if arguments.bf16 else "float32",
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "checks": {name: asdict(check) for name, check in data.checks.items()},
        "versions": {
            "pagesum": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in packages},
        },
        "processes": int(os.environ.get("WORLD_SIZE", "1")),
    }


def _check_same_data(output: Path, record: dict[str, Any], data: Data) -> None:
    path = output / RECORD
    if not path.exists():
        return
    before = json.loads(path.read_text(encoding="utf-8"))["checks"]
    for name, check in data.checks.items():
        if before.get(name, {}).get("fingerprint") != check.fingerprint:
            raise PagesumError(
                f"the {name} data is not that with which the run in {output} began", "restore it, or start a new run"
            )


def _write_start(
    output: Path,
    settings: Settings,
    record: dict[str, Any],
    model: PageSumForConditionalGeneration,
    tokenizer: PreTrainedTokenizerBase,
) -> None:
    """All that the folder needs but the weights. ``settings.toml`` comes last: with it, the folder is a run."""
    model.config.save_pretrained(output)
    model.generation_config.save_pretrained(output)
    tokenizer.save_pretrained(output)
    (output / RECORD).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    aside = output / f"{SETTINGS}.writing"
    aside.write_text(toml_of(settings), encoding="utf-8")
    os.replace(aside, output / SETTINGS)


def _result(output: Path, state: TrainerState) -> Result:
    from .trainer import LOG

    best = state.best_global_step or 0
    scores = {entry["update"]: entry["validation"] for entry in read_log(output / LOG) if "validation" in entry}
    found = {name: value for name, value in scores.get(best, {}).items() if name != "selection"}
    return Result(output, state.global_step, best, found)


def _cut_log(log: Path, update: int) -> None:
    """Forget what was logged behind an update, and a line that was not written to its end."""
    if not log.exists():
        return
    kept = []
    for line in log.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry["update"] <= update:
            kept.append(line + "\n")
    aside = log.with_suffix(".writing")
    aside.write_text("".join(kept), encoding="utf-8")
    os.replace(aside, log)


def _best_update(checkpoint: Path | None) -> int | None:
    if checkpoint is None:
        return None
    return json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))["best_global_step"]


def read_log(log: Path) -> Sequence[dict[str, Any]]:
    """The entries of a run's log: updates (``loss`` …) and validations (``validation``), in order."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
