"""What a training run is asked for, and its files: log, checkpoints, best weights. Imported without torch."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..datasets.readers import NoSplit
from ..errors import PagesumError, require_package
from ..files import write_file
from ..models.catalog import folder_on_disk, is_hub_id, unknown_model
from .prepare import check_split, holds_out
from .settings import SCRATCH, Settings

SETTINGS = "settings.toml"
RECORD = "run.json"
LOG = "log.jsonl"
WEIGHTS = "model.safetensors"
CHECKPOINTS = "checkpoints"


def latest_checkpoint(checkpoints: Path) -> Path | None:
    """The last complete checkpoint of a run."""
    return max(checkpoints.glob("checkpoint-*"), key=update_of, default=None)


def update_of(checkpoint: Path) -> int:
    """The update after which a checkpoint was written."""
    return int(checkpoint.name.partition("-")[2])


def best_update(checkpoint: Path) -> int | None:
    """The update with the best weights so far, as a checkpoint knows it."""
    return json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))["best_global_step"]


def describe_intact(checkpoints: Path) -> str:
    """What is left where something cannot be written."""
    latest = latest_checkpoint(checkpoints)
    return f"the checkpoint at update {update_of(latest)} is intact" if latest else "there is no checkpoint before it"


def publish_best(run: Path, best: int | None) -> None:
    """Make the best checkpoint's weights those of the run's folder, atomically and without a copy where possible."""
    weights = run / CHECKPOINTS / f"checkpoint-{best}" / WEIGHTS
    if best is None or not weights.exists():
        return
    aside = run / f"{WEIGHTS}.writing"
    aside.unlink(missing_ok=True)
    try:
        os.link(weights, aside)
    except OSError:  # a file system without links
        shutil.copyfile(weights, aside)
    os.replace(aside, run / WEIGHTS)


def rotate(checkpoints: Path, keep: int, best: int | None) -> None:
    """Remove all but the last ``keep`` checkpoints and the best one, and what an interruption left half done."""
    for left in (*checkpoints.glob("writing-*"), *checkpoints.glob("removing-*")):
        shutil.rmtree(left, ignore_errors=True)
    for old in sorted(checkpoints.glob("checkpoint-*"), key=update_of)[:-keep]:
        if update_of(old) != best:
            # Renamed first, so that a half removed one is never taken for a checkpoint.
            shutil.rmtree(old.rename(checkpoints / f"removing-{update_of(old)}"), ignore_errors=True)


def flush(folder: Path) -> None:
    """Wait until all files of a folder are on the disk."""
    for path in folder.iterdir():
        handle = os.open(path, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_log(run: Path) -> Sequence[dict[str, Any]]:
    """The entries of a run's log: updates (``loss`` …) and validations (``validation``), in order."""
    return [json.loads(line) for line in (run / LOG).read_text(encoding="utf-8").splitlines()]


def cut_log(run: Path, update: int) -> None:
    """Remove what was logged after an update, and a line that was not written to its end."""
    log = run / LOG
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
    write_file(log, "".join(kept))


@dataclass(frozen=True)
class Job:
    """What to train on, and where to put it."""

    data: tuple[str, ...]  # files, folders with a training and a validation split, known names, or Hugging Face ids
    output: Path  # the run's folder
    settings: Settings  # of the run
    # Data for validation; None: the data's validation split, and of files, one document in twenty
    validation: str | None = None
    device: str = "auto"  # ``auto``, ``cpu``, ``cuda`` or ``mps``
    workers: int = 1  # processes that prepare data
    cache: Path | None = None  # folder of prepared data; None: the user's cache
    resume: bool = False  # continue the run in the folder


@dataclass(frozen=True)
class Result:
    """The result of a run."""

    output: Path
    updates: int
    best_update: int
    scores: dict[str, float]


def check_job(job: Job, *, writes: bool = True) -> None:
    """Check what can be checked before a model is loaded and data is prepared."""
    for name in ("Transformers", "Accelerate", "TensorBoard"):
        require_package(name.lower(), name, "train")
    if writes:
        check_output(job)
    base = job.settings.init_encoder or job.settings.init
    if base != SCRATCH and folder_on_disk(base) is None and not is_hub_id(base):
        raise unknown_model(base)
    locality, chapters = job.settings.locality, job.settings.chapter_summaries
    try:
        check_split(job.data, "train", locality, chapter_summaries=chapters)
        if not holds_out(job.data, job.validation):
            others = [job.validation] if job.validation else job.data
            check_split(others, "validation", locality, chapter_summaries=chapters)
    except NoSplit as error:
        error.hint = "put train and validation data there, give one file, or give --validation FILE"
        raise


def check_output(job: Job) -> None:
    """Check that the run's folder is new, or holds a run to continue."""
    output = job.output
    parent = next(folder for folder in (output, *output.absolute().parents) if folder.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise PagesumError(f"{output}: cannot be made in {parent}", "--output another folder")
    is_run = (output / SETTINGS).exists()
    if job.resume and not is_run:
        raise PagesumError(f"{output} holds no run to continue", "leave out --resume, or check --output")
    if is_run and not job.resume:
        raise PagesumError(f"{output} holds another run", "--resume continues it; --output another folder starts again")
    if not is_run and output.exists() and any(output.iterdir()):
        raise PagesumError(f"{output} is not empty, expected a new folder for the run", "--output another folder")
