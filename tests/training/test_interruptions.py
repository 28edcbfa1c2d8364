"""Killed at any moment, out of disk, interrupted: a run continues as if nothing had happened."""

import json
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from pagesum_cli.errors import PagesumError
from pagesum_cli.training.job import Job
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import Settings, toml_of
from pagesum_cli.training.watcher import Watcher

Toy = Callable[..., Path]
Make = Callable[..., Settings]


def command(data: Path, run: Path, settings: Path, *more: str) -> list[str]:
    base = [
        sys.executable,
        "-m",
        "pagesum_cli",
        "train",
        "--output",
        str(run),
        "--device",
        "cpu",
        "--debug",
        *more,
    ]
    return base if "--resume" in more else [*base, "--data", str(data), "--config", str(settings)]


def losses(run: Path) -> list[tuple[int, object]]:
    entries = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [(entry["update"], entry.get("loss", entry.get("validation"))) for entry in entries]


def logged(run: Path) -> int:
    """The lines in the log of a run that is under way."""
    log = run / "log.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


@pytest.mark.stress
def test_killed_at_random_moments_it_ends_bit_equal(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    data = toy(40)
    # Dropout, so that the random state matters; epochs of nine updates, so that checkpoints fall
    # within them.
    chosen = settings(
        epochs=9,
        batch=2,
        dropout=0.1,
        learning_rate=0.02,
        warmup=10,
        checkpoint_every=2,
        validate_every=7,
    )
    file = tmp_path / "settings.toml"
    file.write_text(toml_of(chosen))
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run(command(data, whole, file), check=True)

    generator = random.Random(time.time_ns())
    # Random numbers of updates: by the clock, a run may not have begun, or have ended, on another
    # machine.
    for seen in sorted(generator.sample(range(1, 25), 3)):
        resume = ("--resume",) if (killed / "settings.toml").exists() else ()
        process = subprocess.Popen(command(data, killed, file, *resume), stderr=subprocess.DEVNULL)
        while process.poll() is None and logged(killed) < seen:
            time.sleep(0.002)
        time.sleep(generator.uniform(0, 0.02))
        process.kill()
        assert process.wait() == -signal.SIGKILL, "the run ended before it was killed"
    subprocess.run(command(data, killed, file, "--resume"), check=True)
    assert losses(killed) == losses(whole)
    for name in ("model.safetensors", "checkpoints/checkpoint-81/model.safetensors"):
        ours, theirs = load_file(killed / name), load_file(whole / name)
        assert ours.keys() == theirs.keys()
        assert all(torch.equal(ours[key], theirs[key]) for key in ours)
    assert sorted(path.name for path in (killed / "checkpoints").iterdir()) == sorted(
        path.name for path in (whole / "checkpoints").iterdir()
    )


@pytest.mark.stress
def test_a_second_train_ends_while_the_first_one_goes_on(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    file, run = tmp_path / "settings.toml", tmp_path / "run"
    file.write_text(toml_of(settings(epochs=5000, batch=2)))
    again, resumed = (command(toy(40), run, file, *more) for more in ((), ("--resume",)))
    first = subprocess.Popen(again, stderr=subprocess.DEVNULL)
    try:
        while first.poll() is None and not logged(run):
            time.sleep(0.01)
        others = [
            subprocess.run(
                [part for part in one if part != "--debug"], capture_output=True, text=True
            )
            for one in (again, resumed)
        ]
        before = logged(run)
        while first.poll() is None and logged(run) == before:
            time.sleep(0.01)
        assert first.poll() is None
    finally:
        first.kill()
        first.wait()
    for other in others:
        error, hint = other.stderr.splitlines()
        assert other.returncode == 1
        assert "another command is writing to this folder" in error
        assert hint.startswith("hint: ")


@pytest.mark.slow
def test_every_checkpoint_continues_bit_equal(toy: Toy, settings: Make, tmp_path: Path) -> None:
    chosen = settings(
        epochs=2, batch=2, dropout=0.1, learning_rate=0.02, warmup=10, checkpoint_every=1, keep=99
    )
    job = Job((str(toy(13)),), tmp_path / "whole", chosen, device="cpu")
    train(job)
    expected = losses(job.output)
    state = load_file(job.output / "checkpoints" / "checkpoint-6" / "model.safetensors")
    for update in (2, 3, 5):
        for later in range(update + 1, 7):
            folder = job.output / "checkpoints" / f"checkpoint-{later}"
            folder.rename(folder.with_name(f"removing-{later}"))
        train(Job(job.data, job.output, chosen, device="cpu", resume=True))
        assert losses(job.output) == expected
        ours = load_file(job.output / "checkpoints" / "checkpoint-6" / "model.safetensors")
        assert all(torch.equal(ours[key], state[key]) for key in state)


def test_ctrl_c_leaves_a_checkpoint_of_that_very_update(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    class Impatient(Watcher):
        def progress(self, progress) -> None:
            if progress.update == 3:
                signal.raise_signal(signal.SIGINT)

    job = Job((str(toy(20)),), tmp_path / "run", settings(epochs=4), device="cpu")
    with pytest.raises(KeyboardInterrupt):
        train(job, Impatient())
    kept = [path.name for path in (job.output / "checkpoints").iterdir()]
    assert "checkpoint-3" in kept or "checkpoint-4" in kept
    train(Job(job.data, job.output, job.settings, device="cpu", resume=True))
    assert [update for update, _ in losses(job.output) if update][-1] == 8


@pytest.mark.stress
@pytest.mark.parametrize(
    ("room", "message"),
    [
        # No file above 200 kB: the weights fit, Adam's state does not.
        (
            200_000,
            r"the checkpoint at update 6 could not be written .*; "
            r"the checkpoint at update 4 is intact",
        ),
        # Not even a line of the log fits.
        (100, r"run could not be written at update 5 .*; the checkpoint at update 4 is intact"),
    ],
)
def test_a_full_disk_leaves_the_checkpoint_before(
    toy: Toy, settings: Make, tmp_path: Path, room: int, message: str
) -> None:
    run = tmp_path / "run"
    job = Job((str(toy(20)),), run, settings(epochs=2), device="cpu")
    train(job)
    before = (run / "checkpoints" / "checkpoint-4" / "optimizer.pt").read_bytes()
    best = (run / "model.safetensors").read_bytes()

    longer = Job(job.data, run, settings(epochs=4), device="cpu", resume=True)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    class Full(Watcher):
        def progress(self, progress) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))

    try:
        with pytest.raises(PagesumError, match=message):
            train(longer, Full())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (run / "checkpoints" / "checkpoint-4" / "optimizer.pt").read_bytes() == before
    assert (run / "model.safetensors").read_bytes() == best
    assert not list((run / "checkpoints").glob("writing-*"))
    train(longer)
    assert losses(run)[-1][0] == 8


LAUNCHERS = {
    "torchrun": "torch.distributed.run --standalone --nproc-per-node 2",
    # On machines without GPUs, too: with --cpu, Accelerate starts one process only.
    "accelerate": "accelerate.commands.launch --multi_gpu --num_processes 2 --num_machines 1 "
    "--mixed_precision no "
    "--dynamo_backend no --main_process_port 0",
}


# Waits for Ctrl-C after the third update: it comes at any moment, but never after the last one.
PATIENT = """
import runpy, time
from pagesum_cli.training.trainer import RunCallback

end = RunCallback.on_step_end

def wait(self, args, state, control, **kwargs):
    while state.global_step == 3 and not self.interrupted:
        time.sleep(0.01)
    end(self, args, state, control, **kwargs)

RunCallback.on_step_end = wait
runpy.run_module("pagesum_cli", run_name="__main__")
"""


@pytest.mark.stress
@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_two_processes_follow_the_losses_of_one_also_after_ctrl_c(
    toy: Toy, settings: Make, tmp_path: Path, launcher: str
) -> None:
    data = toy(40)
    chosen = settings(
        epochs=10, batch=2, accumulate=4, learning_rate=0.02, warmup=10, validate_every=9
    )
    file = tmp_path / "settings.toml"
    file.write_text(toml_of(chosen))
    train(Job((str(data),), tmp_path / "one", chosen, device="cpu"))
    one = dict(losses(tmp_path / "one"))
    two = tmp_path / "two"
    launch = [sys.executable, "-m", *LAUNCHERS[launcher].split()]
    patient = tmp_path / "patient.py"
    patient.write_text(PATIENT)

    process = subprocess.Popen(
        [*launch, str(patient), *command(data, two, file)[3:]], stderr=subprocess.PIPE
    )
    while not (two / "log.jsonl").exists():
        assert process.poll() is None, process.stderr.read().decode()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode != 0
    # The launcher may end the processes before the checkpoint before the last one is removed.
    last = max(
        (two / "checkpoints").glob("checkpoint-*"),
        key=lambda path: int(path.name.rpartition("-")[2]),
    )
    assert losses(two)[-1][0] == int(last.name.partition("-")[2]) <= 3
    assert not list((two / "checkpoints").glob("writing-*"))

    resume = [*launch, "-m", *command(data, two, file, "--resume")[2:]]
    subprocess.run(resume, check=True, stderr=subprocess.PIPE)
    other = dict(losses(two))
    assert one.keys() == other.keys()
    for update, found in one.items():
        if isinstance(found, dict):
            assert other[update]["loss"] == pytest.approx(found["loss"], rel=1e-4)
        else:
            assert other[update] == pytest.approx(found, rel=1e-4)
