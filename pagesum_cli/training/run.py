"""A training run: from documents with summaries to a folder that ``summarize --model`` loads."""

import json
import math
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from transformers import TrainingArguments, set_seed
from transformers.trainer_callback import TrainerState
from transformers.utils.logging import disable_progress_bar

from ..errors import PagesumError, UsageError
from ..evaluation.efficiency import peak_memory
from ..files import locked, naming, write_file
from ..models.layers.transformer import Layer, Stack
from ..models.tasks import Example, Task
from ..models.weights import pick_device, pick_dtype
from ..text.tables import table
from ..version import __version__
from .data import Data, LongestBatches, load_data
from .job import (
    CHECKPOINTS,
    RECORD,
    SETTINGS,
    Job,
    Result,
    best_update,
    check_job,
    check_output,
    cut_log,
    describe_intact,
    intact_checkpoint,
    is_first_process,
    publish_best,
    read_log,
    read_run,
    rotate,
    unmoved,
    update_of,
)
from .prepare import cache_root
from .settings import SCRATCH, Settings, toml_of
from .start import Start, starting_point
from .watcher import Progress, Watcher


def train(job: Job, watcher: Watcher | None = None) -> Result:
    """Train, or continue training.

    The run's folder gets ``settings.toml``, ``run.json`` (versions, data), ``log.jsonl``,
    ``tensorboard/`` and ``checkpoints/``, and, as the best so far, a model that loads by the
    folder's name, with its ``README.md``.
    """
    check_job(job)
    job.output.mkdir(parents=True, exist_ok=True)
    if not is_first_process():
        return _train(job, watcher)
    with locked(job.output):
        check_output(job)  # another run may have ended there meanwhile
        return _train(job, watcher)


def _train(job: Job, watcher: Watcher | None) -> Result:
    from .trainer import PageTrainer

    settings, output = job.settings, job.output
    disable_progress_bar()  # of writing weights; the watcher reports progress
    arguments = training_arguments(output, settings, job.device)
    is_first = arguments.process_index == 0
    watcher = watcher if watcher and is_first else Watcher()
    checkpoint = intact_checkpoint(output / CHECKPOINTS) if job.resume else None
    with arguments.main_process_first():
        start = load_start(job, checkpoint)
        data = load_data(job, start.plan(settings), watcher)
        check_updates(data, settings)
        if is_first:
            record = _record(job, data, start, arguments)
            if job.resume:
                _check_same_data(output, data)
            _write_start(output, settings, record, start)

    def report() -> None:
        card = model_card(job, _result(output, trainer.state), data, start.task)
        write_file(output / "README.md", card)

    cache = job.cache or cache_root()
    trainer = PageTrainer(
        start, data, arguments, settings, output, watcher=watcher, on_save=report, cache=cache
    )
    arguments.eval_steps = settings.validate_every or trainer.batches.updates
    arguments.save_steps = settings.checkpoint_every or arguments.eval_steps
    if is_first:
        _restore(job, checkpoint, watcher)
        if checkpoint and (checkpoint / "rng_state.pth").exists() != (arguments.world_size == 1):
            watcher.warn(
                "the run had another number of processes: "
                "dropout differs from an uninterrupted run's"
            )
    try:
        with memory_advice(settings, arguments.device):
            if checkpoint is None:
                with arguments.main_process_first():  # the others find the states on disk
                    trainer.begin()
            trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
        if is_first:
            report()
            if warning := unmoved(output):
                watcher.warn(warning)
    except OSError as error:  # of the log, TensorBoard's files or the report
        raise PagesumError(
            f"{error.filename or output} could not be written at "
            f"update {trainer.state.global_step} "
            f"({error.strerror or error}); {describe_intact(output / CHECKPOINTS)}",
            "free up disk space, then --resume",
        ) from error
    return _result(output, trainer.state)


def training_arguments(
    run: Path, settings: Settings, device: str, *, dry: bool = False
) -> TrainingArguments:
    """The arguments of Transformers' trainer. Joins the other processes if there are any."""
    target = pick_device(device)
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    if settings.accumulate % processes:
        message = (
            f"accumulate {settings.accumulate} micro-batches in {processes} processes, "
            f"expected a multiple"
        )
        raise PagesumError(
            message, f"--accumulate {processes * math.ceil(settings.accumulate / processes)}"
        )
    os.environ["TENSORBOARD_LOGGING_DIR"] = str(run / "tensorboard")
    arguments = TrainingArguments(
        output_dir=str(run / CHECKPOINTS),
        per_device_train_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulate // processes,
        num_train_epochs=settings.epochs,
        max_steps=settings.updates or -1,
        max_grad_norm=settings.clip,
        seed=settings.seed,
        use_cpu=target.type == "cpu",
        bf16=pick_dtype(settings.dtype, target) == torch.bfloat16,
        logging_steps=1,
        logging_nan_inf_filter=False,
        eval_strategy="no" if dry else "steps",
        save_strategy="no" if dry else "steps",
        metric_for_best_model="selection",
        greater_is_better=False,
        ddp_find_unused_parameters=False,
        ddp_backend="gloo" if target.type == "cpu" and processes > 1 else None,
        ddp_timeout=24 * 3600,  # the others wait while the first process tokenizes
        report_to=[],
        disable_tqdm=True,
        log_level="error",
    )
    # One process computes on one device: the other GPUs take processes of their own (torchrun).
    arguments._setup_devices  # noqa: B018
    arguments._n_gpu = min(arguments._n_gpu, 1)
    return arguments


@contextmanager
def memory_advice(settings: Settings, device: torch.device) -> Iterator[None]:
    """Turn a lack of memory into advice."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise PagesumError(
            f"out of memory with {settings.batch} document(s) at a time on {device}",
            "--batch 1 with a larger --accumulate, --set gradient_checkpointing=true, or shorter "
            "or fewer parts "
            "(page_tokens, max_pages)",
        ) from error


def load_start(job: Job, checkpoint: Path | None = None) -> Start:
    """The model that the run begins or continues with; only the parameters that the task trains
    have gradients.
    """
    set_seed(job.settings.seed)
    start = starting_point(job.settings, job.data, checkpoint)
    # in memory of its own: products can depend on how a file's lies in it
    for weight in start.model.parameters():
        weight.data = weight.data.clone()
        weight.requires_grad_(False)
    for weight in _trained_parameters(start.model, job.settings):
        weight.requires_grad_(True)
    for module in start.model.modules():  # a part that is not trained has no dropout
        if isinstance(module, Layer | Stack) and not any(
            item.requires_grad for item in module.parameters()
        ):
            module.dropout = 0.0
    return start


def _trained_parameters(model: Any, settings: Settings) -> list[torch.nn.Parameter]:
    """The parameters that the settings let training change."""
    if settings.trainable == "output":
        weights: list[torch.nn.Parameter] = model.output_parameters()
        if not weights:
            kind = model.config.model_type
            message = f"trainable = output, but a {kind} model has no head that scores sentences"
            raise UsageError(message, "trainable = all")
        return weights
    is_new = bool(settings.init_encoder) or settings.init == SCRATCH
    head_only = settings.trainable == "head" or (settings.trainable == "auto" and not is_new)
    return list(model.trainable_parameters(head_only))


def check_updates(data: Data, settings: Settings) -> int:
    """Updates of an epoch."""
    batches = math.ceil(len(data.train) / settings.batch)
    if batches < settings.accumulate:
        raise UsageError(
            f"{len(data.train)} training documents are {batches} micro-batches, fewer than "
            f"accumulate "
            f"{settings.accumulate}: there would be no update",
            f"--accumulate {batches}, or more documents",
        )
    return batches // settings.accumulate


def _record(job: Job, data: Data, start: Start, arguments: TrainingArguments) -> dict[str, Any]:
    packages = {
        name: version(name)
        for name in ("torch", "transformers", "accelerate", "tokenizers", "numpy")
    }
    config = start.model.config
    return {
        "command": sys.argv,
        "data": list(job.data),
        "validation": job.validation,
        "train_documents": len(data.train),
        "validation_documents": len(data.validation),
        # What settings.toml may leave to the starting point and the hardware.
        "task": start.task.name,
        "page_tokens": config.page_tokens,
        "num_pages": config.num_pages,
        "source_tokens": config.source_tokens,
        "dropout": config.dropout,
        "device": str(arguments.device),
        "dtype": "bfloat16" if arguments.bf16 else "float32",
        "parameters": sum(parameter.numel() for parameter in start.model.parameters()),
        "checks": {name: asdict(check) for name, check in data.checks.items()},
        "versions": {"pagesum": __version__, "python": platform.python_version(), **packages},
        "processes": int(os.environ.get("WORLD_SIZE", "1")),
    }


def _check_same_data(output: Path, data: Data) -> None:
    before = read_run(output)[1]["checks"]
    for name, check in data.checks.items():
        if before.get(name, {}).get("fingerprint") != check.fingerprint:
            message = f"the {name} data differs from the data at the start of the run in {output}"
            raise PagesumError(message, "restore it, or start a new run")


def _write_start(output: Path, settings: Settings, record: dict[str, Any], start: Start) -> None:
    """Write everything but the weights. ``settings.toml`` comes last: with it, the folder is a
    run.
    """
    with naming(output / "config.json"):
        start.model.save_config(output)
    with naming(output / "tokenizer.json"):
        start.tokenizer.save(output)
    write_file(output / RECORD, json.dumps(record, indent=2) + "\n")
    write_file(output / SETTINGS, toml_of(settings))


def _restore(job: Job, checkpoint: Path | None, watcher: Watcher) -> None:
    done, best = (
        (0, None) if checkpoint is None else (update_of(checkpoint), best_update(checkpoint))
    )
    cut_log(job.output, done)
    publish_best(job.output, best)
    rotate(job.output / CHECKPOINTS, job.settings.keep, best)
    if job.resume:
        watcher.note(
            f"continuing after update {done}"
            if done
            else "no checkpoint yet: starting from the beginning"
        )


def _result(output: Path, state: TrainerState) -> Result:
    best = state.best_global_step or 0
    scores = {
        entry["update"]: entry["validation"] for entry in read_log(output) if "validation" in entry
    }
    shown = {name: value for name, value in scores.get(best, {}).items() if name != "selection"}
    return Result(output, state.global_step, best, shown)


def model_card(job: Job, result: Result, data: Data, task: Task) -> str:
    """The run as a model card in Markdown, with the metadata that the Hugging Face hub reads."""
    settings = job.settings
    name = job.output.resolve().name
    base = settings.init_encoder or settings.init
    on_hub = f"base_model: {base}\n" if base.count("/") == 1 and not Path(base).exists() else ""
    rows = "\n".join(
        _row(entry, result.best_update) for entry in read_log(job.output) if "validation" in entry
    )
    sources = ", ".join(f"`{_name(source)}`" for source in job.data)
    return table(__file__, "card.toml")["text"].format(
        name=name,
        on_hub=on_hub,
        card=task.card.format(name=name),
        base=_name(base),
        task=task,
        sources=sources,
        train=len(data.train),
        validation=len(data.validation),
        fingerprint=data.checks["train"].fingerprint[:16],
        result=result,
        settings=settings,
        version=__version__,
        rows=rows,
        toml=toml_of(settings),
    )


def _name(where: str) -> str:
    return Path(where).name if Path(where).exists() else where


def _row(entry: dict[str, Any], best: int) -> str:
    scores = entry["validation"]
    rouge = [f"{scores[kind]:.2f}" if kind in scores else "–" for kind in ("rouge1", "rouge2")]
    selected = "selected" if entry["update"] == best else ""
    return f"| {entry['update']} | {scores['loss']:.4f} | {rouge[0]} | {rouge[1]} | {selected} |"


@dataclass(frozen=True)
class Estimate:
    """The result of a dry run."""

    parameters: int  # of the model
    # train, validation: number of examples
    train: int
    validation: int
    updates: int  # of the whole run
    may_end_early: bool  # whether the schedule or ``patience`` may end the run before
    # seconds_per_update, tokens_per_second: on the longest documents
    seconds_per_update: float
    tokens_per_second: float
    seconds: float  # of the whole run, without validation by generation
    memory: int  # peak in bytes, on the longest documents
    disk: int  # maximum bytes of the run
    loss: tuple[float, ...]  # of the two updates


def dry_run(job: Job, watcher: Watcher | None = None) -> Estimate:
    """Check data, model and memory: two updates on the longest documents. Only the data's cache is
    written.
    """
    check_job(job)
    from .trainer import PageTrainer

    settings = job.settings
    recorder = _Recorder()
    with tempfile.TemporaryDirectory() as folder:
        arguments = training_arguments(
            Path(folder),
            settings.changed({"epochs": 1, "updates": 0}, "dry run"),
            job.device,
            dry=True,
        )
        start = load_start(job)
        data = load_data(job, start.plan(job.settings), watcher or Watcher())
        updates = check_updates(data, settings)
        batches = LongestBatches(data.train.sizes, settings)
        trainer = PageTrainer(start, data, arguments, settings, batches=batches, watcher=recorder)
        with memory_advice(settings, arguments.device):
            trainer.train()
        memory = peak_memory()
    last = recorder.updates[-1]  # the first one warms up
    tokens = int(data.train.sizes.sum())
    all_updates = settings.total_updates(updates)
    validations = math.ceil(all_updates / (settings.validate_every or updates))
    # The forward pass alone is a third of an update.
    passes = 1 if start.model.keeps_states else all_updates / updates
    total = passes * tokens + validations * int(data.validation.sizes.sum()) / 3
    weights = 4 * sum(parameter.numel() for parameter in start.model.parameters())
    trained = 4 * sum(
        parameter.numel() for parameter in start.model.parameters() if parameter.requires_grad
    )
    return Estimate(
        parameters=weights // 4,
        train=len(data.train),
        validation=len(data.validation),
        updates=all_updates,
        may_end_early=settings.schedule == "plateau" or settings.patience > 0,
        seconds_per_update=last.seconds,
        tokens_per_second=last.tokens_per_second,
        seconds=total / last.tokens_per_second,
        memory=memory,
        # Each checkpoint holds the weights and, for Adam, two numbers more per trained one; one is
        # written aside.
        disk=(weights + 2 * trained * (settings.optimizer != "adafactor")) * (settings.keep + 2),
        loss=tuple(item.loss for item in recorder.updates),
    )


def example(job: Job, watcher: Watcher | None = None) -> tuple[Example, list[str], str]:
    """The first training example, its pages and its target as the model reads them, special tokens
    included.
    """
    check_job(job, writes=False)
    start = load_start(job)
    item = load_data(job, start.plan(job.settings), watcher or Watcher()).train[0]

    def text(ids: list[int]) -> str:
        return start.tokenizer.backend.decode(ids, skip_special_tokens=False)

    return item, [text(page.tolist()) for page in item.pages], text(item.arrays["target"].tolist())


class _Recorder(Watcher):
    def __init__(self) -> None:
        self.updates: list[Progress] = []

    def progress(self, progress: Progress) -> None:
        self.updates.append(progress)
