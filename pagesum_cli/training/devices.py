"""Processes, devices and memory of a training run."""

import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import torch
from transformers import TrainingArguments

from ..errors import PagesumError
from ..models.checkpoints import pick_device, pick_dtype
from .checkpoints import CHECKPOINTS
from .settings import Settings


def training_arguments(run: Path, settings: Settings, device: str, *, dry: bool = False) -> TrainingArguments:
    """The arguments of Transformers' trainer. Joins the other processes if there are any.

    Args:
        run: The run's folder.
        settings: Of the run.
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        dry: Neither validate nor write.

    Raises:
        PagesumError: There is no such device, or ``accumulate`` cannot be shared by the processes.
    """
    target = pick_device(device)
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    if settings.accumulate % processes:
        raise PagesumError(
            f"accumulate {settings.accumulate} micro-batches in {processes} processes, expected a multiple",
            f"--accumulate {processes * math.ceil(settings.accumulate / processes)}",
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


def memory_in_use(device: torch.device) -> int:
    """Bytes in use: of the GPU, otherwise of the process."""
    if device.type == "cuda":
        return torch.cuda.memory_reserved(device)
    return psutil.Process().memory_info().rss


def peak_memory(device: torch.device) -> int:
    """Maximum of the bytes in use so far: of the GPU, otherwise of the process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@contextmanager
def memory_advice(settings: Settings, device: torch.device) -> Iterator[None]:
    """Turn a lack of memory into advice."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise PagesumError(
            f"out of memory with {settings.batch} document(s) at a time on {device}",
            "--batch 1 with a larger --accumulate, --set gradient_checkpointing=true, or shorter or fewer parts "
            "(page_tokens, max_pages)",
        ) from error
