"""What a training run is asked for, and its files: log, checkpoints, best weights. Imported without
torch.
"""

import json
import os
import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..datasets.named import SAMPLE
from ..datasets.readers import NoSplit, SeveralSets
from ..errors import PagesumError, require_packages
from ..files import damage, locked, write_file
from ..models.catalog import folder_on_disk, is_hub_id, unknown_model
from ..models.gguf import PACKAGES as GGUF_PACKAGES
from ..models.gguf import check_gguf_file, is_gguf
from ..system import LOCK
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
    return json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))[
        "best_global_step"
    ]


def intact_checkpoint(checkpoints: Path) -> Path | None:
    """The last checkpoint, which must have all its files as they were written."""
    latest = latest_checkpoint(checkpoints)
    if latest and (name := damage(latest)):
        message = (
            f"{latest / name} is missing or damaged, so the run cannot be continued from there"
        )
        hint = (
            f"delete {latest}; --resume then continues after the checkpoint before it, or "
            f"begins again"
        )
        raise PagesumError(message, hint)
    return latest


def describe_intact(checkpoints: Path) -> str:
    """What is left where something cannot be written."""
    latest = latest_checkpoint(checkpoints)
    return (
        f"the checkpoint at update {update_of(latest)} is intact"
        if latest
        else "there is no checkpoint before it"
    )


def publish_best(run: Path, best: int | None) -> None:
    """Make the best checkpoint's weights those of the run's folder, atomically and without a copy
    where possible.
    """
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
    aside.unlink(missing_ok=True)  # where both are links to one file, it is still there


def rotate(checkpoints: Path, keep: int, best: int | None) -> None:
    """Remove all but the last ``keep`` checkpoints and the best one, and what an interruption left
    half done.
    """
    for left in (*checkpoints.glob("writing-*"), *checkpoints.glob("removing-*")):
        shutil.rmtree(left, ignore_errors=True)
    for old in sorted(checkpoints.glob("checkpoint-*"), key=update_of)[:-keep]:
        if update_of(old) != best:
            # Renamed first, so that a half removed one is never taken for a checkpoint.
            shutil.rmtree(
                old.rename(checkpoints / f"removing-{update_of(old)}"), ignore_errors=True
            )


def read_log(run: Path) -> Sequence[dict[str, Any]]:
    """The entries of a run's log: updates (``loss`` …) and validations (``validation``); not lines
    that are damaged.
    """
    entries = []
    log = run / LOG
    for line in (
        log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else ()
    ):
        try:
            entry = json.loads(line)
            if entry["update"] >= 0 and entry.get("validation", entry)["loss"] is not None:
                entries.append(entry)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue
    return entries


def cut_log(run: Path, update: int) -> None:
    """Remove what was logged after an update, and lines that cannot be read."""
    if (run / LOG).exists():
        write_file(
            run / LOG,
            "".join(json.dumps(one) + "\n" for one in read_log(run) if one["update"] <= update),
        )


def unmoved(run: Path) -> str | None:
    """A warning if the loss of a run's last updates is not lower than that of its first ones by a
    hundredth.
    """
    losses = [entry["loss"] for entry in read_log(run) if "loss" in entry]
    few = max(1, len(losses) // 10)
    first, last = sum(losses[:few]) / few, sum(losses[-few:]) / few
    advice = "more updates, a shorter warmup or another learning_rate may help"
    return (
        f"the loss did not fall ({first:.4f}, then {last:.4f}): {advice}"
        if last > 0.99 * first
        else None
    )


def read_run(output: Path) -> tuple[Settings, dict[str, Any]]:
    """The settings and the record of a run that is to be continued."""
    path = output / SETTINGS
    if not path.exists():
        raise PagesumError(
            f"{output} holds no run to continue", "leave out --resume, or check --output"
        )
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        if lacking := {field.name for field in fields(Settings)} - values.keys():
            raise KeyError(*lacking)
        settings = Settings().changed(values, str(path))
        path = output / RECORD
        record = json.loads(path.read_text(encoding="utf-8"))
        prints = [check["fingerprint"] for check in record["checks"].values()]
        if not all(
            isinstance(text, str) for text in (*record["data"], record["validation"] or "", *prints)
        ):
            raise TypeError
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"{path} is missing or damaged, so the run cannot be continued"
        hint = (
            f"delete {output} and train again; --init {output} with another --output starts "
            f"from its best weights"
        )
        raise PagesumError(message, hint) from error
    return settings, record


@dataclass(frozen=True)
class Job:
    """What to train on, and where to put it."""

    # files, folders with a training and a validation split, known names, or Hugging Face ids
    data: tuple[str, ...]
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
    needed = [
        (name.lower(), name, "train") for name in ("Transformers", "Accelerate", "TensorBoard")
    ]
    if any(
        not Path(name).exists() and name != SAMPLE for name in (*job.data, job.validation or SAMPLE)
    ):
        needed.append(("pyarrow", "pyarrow", "data"))  # for the Hugging Face hub
    base = job.settings.init_encoder or job.settings.init
    starts_from_gguf = bool(job.settings.init_encoder) and is_gguf(base)
    if starts_from_gguf:
        needed += GGUF_PACKAGES
    require_packages(needed)
    if writes and is_first_process():  # which may be writing when another one begins
        if job.output.is_dir():
            with locked(job.output):  # no other run is writing there
                pass
        check_output(job)
    if starts_from_gguf:
        check_gguf_file(Path(base))
    elif base != SCRATCH and folder_on_disk(base) is None and not is_hub_id(base):
        raise unknown_model(base)
    settings = job.settings
    form: Any = {
        "locality": settings.locality,
        "chapter_summaries": settings.chapter_summaries,
        "data_set": settings.data_set,
    }
    try:
        check_split(job.data, "train", **form)
        if not holds_out(job.data, job.validation):
            others = [job.validation] if job.validation else job.data
            check_split(others, "validation", **form)
    except NoSplit as error:
        error.hint = "put train and validation data there, use one file, or add --validation FILE"
        raise
    except SeveralSets as error:
        error.hint = "--set data_set=NAME, such as summscreen-tms; or the folder of one of them"
        raise


def is_first_process() -> bool:
    """Whether this process is the first, or the only one, of those that train together."""
    return os.environ.get("RANK", "0") == "0"


def check_output(job: Job) -> None:
    """Check that the run's folder is new, or holds a run to continue."""
    output = job.output
    parent = next(folder for folder in (output, *output.absolute().parents) if folder.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise PagesumError(f"{output}: cannot be made in {parent}", "--output another folder")
    is_run = (output / SETTINGS).exists()
    if job.resume and not is_run:
        raise PagesumError(
            f"{output} holds no run to continue", "leave out --resume, or check --output"
        )
    if is_run and not job.resume:
        raise PagesumError(
            f"{output} holds another run",
            "--resume continues it; --output another folder starts again",
        )
    if not is_run and output.exists() and any(path.name != LOCK for path in output.iterdir()):
        raise PagesumError(
            f"{output} is not empty, expected a new folder for the run", "--output another folder"
        )
