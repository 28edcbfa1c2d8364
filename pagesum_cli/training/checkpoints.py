"""The files of a run: its log, its checkpoints, its best weights."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..files import write_file

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
