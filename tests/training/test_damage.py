"""Damaged runs and caches, two runs at once, full disks: one line that names the file, and no other
result.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.files import locked
from pagesum_cli.models.tasks import Example
from pagesum_cli.training.data import States, checked_array, write_array
from pagesum_cli.training.job import Job, cut_log, read_log, read_run, unmoved
from pagesum_cli.training.prepare import Examples, prepared
from pagesum_cli.training.run import load_start, train
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.watcher import Watcher

Toy = Callable[..., Path]
Make = Callable[..., Settings]
DAMAGE = {
    "missing": lambda content: None,
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "changed": lambda content: content[:-2] + b"\x07\x07",
    "garbage": lambda content: b"\xff\x00garbage" * 9,
    "null": lambda content: b"null",
    "list": lambda content: b"[]",
    "object": lambda content: b"{}",
    "nested": lambda content: b"[" * 5000,
}


def damage(path: Path, kind: str) -> None:
    content = DAMAGE[kind](path.read_bytes())
    path.unlink()  # it may be a link to another
    if content is not None:
        path.write_bytes(content)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("finished") / "run"


@pytest.fixture
def job(finished: Path, toy: Toy, settings: Make, tmp_path: Path) -> Job:
    """A run of two updates, of which the second one can be made again."""
    chosen = settings(updates=2, checkpoint_every=1)
    data = finished.parent / "toy.jsonl"
    if not finished.exists():
        shutil.copy(toy(20), data)
        train(Job((str(data),), finished, chosen, device="cpu", cache=finished.parent / "cache"))
        shutil.rmtree(finished / "checkpoints" / "checkpoint-2")
    shutil.copytree(finished, tmp_path / "run")
    return Job(
        (str(data),),
        tmp_path / "run",
        chosen,
        device="cpu",
        cache=finished.parent / "cache",
        resume=True,
    )


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_checkpoint_is_refused_and_what_to_delete_is_said(job: Job, kind: str) -> None:
    checkpoint = job.output / "checkpoints" / "checkpoint-1"
    for path in sorted(checkpoint.iterdir()):
        content = path.read_bytes()
        damage(path, kind)
        with pytest.raises(
            PagesumError, match=f"checkpoint-1/{path.name} is missing or damaged"
        ) as caught:
            train(job)
        assert caught.value.hint is not None
        assert f"delete {checkpoint}" in caught.value.hint
        path.write_bytes(content)
    assert train(job).updates == 2


@pytest.mark.parametrize("name", ["settings.toml", "run.json"])
@pytest.mark.parametrize("kind", sorted(DAMAGE.keys() - {"missing"}))
def test_a_damaged_record_of_a_run_is_refused(job: Job, name: str, kind: str) -> None:
    damage(job.output / name, kind)
    with pytest.raises(PagesumError, match=f"{name} is missing or damaged") as caught:
        read_run(job.output)
    assert caught.value.hint is not None
    assert f"delete {job.output}" in caught.value.hint


def test_each_key_of_a_record_is_needed_and_has_its_type(job: Job) -> None:
    whole = json.loads((job.output / "run.json").read_text())
    for name in ("data", "validation", "checks"):
        for other in ({}, {name: 5}, {name: [5]}):
            values = {key: value for key, value in whole.items() if key != name}
            (job.output / "run.json").write_text(json.dumps({**values, **other}))
            with pytest.raises(PagesumError, match=r"run\.json is missing or damaged"):
                read_run(job.output)


def test_damaged_lines_of_a_log_are_left_out(tmp_path: Path) -> None:
    lines = [
        '{"update": 1, "loss": 3.0}',
        "null",
        "[]",
        "5",
        '{"update": "x"}',
        '{"update": 2}',
        "[" * 5000,
    ]
    lines += [
        '{"update": 2, "validation": 3}',
        '{"update": 2, "validation": {"loss": 1.5}}',
        '{"update": 3, "lo',
    ]
    (tmp_path / "log.jsonl").write_bytes("\n".join(lines).encode() + b"\xff")
    cut_log(tmp_path, 9)
    assert [entry["update"] for entry in read_log(tmp_path)] == [1, 2]
    (tmp_path / "log.jsonl").unlink()
    cut_log(tmp_path, 9)
    assert read_log(tmp_path) == []


def test_a_loss_that_does_not_move_is_a_warning(tmp_path: Path) -> None:
    def of(losses: list[float]) -> str | None:
        lines = [
            json.dumps({"update": number, "loss": loss}) + "\n"
            for number, loss in enumerate(losses)
        ]
        (tmp_path / "log.jsonl").write_text("".join(lines))
        return unmoved(tmp_path)

    assert "the loss did not fall (5.7000, then 5.6900)" in str(of([5.7, 5.68, 5.71, 5.69]))
    assert of([5.7, 5.2, 5.1]) is None
    assert of([]) is None


def test_another_number_of_processes_is_said(job: Job) -> None:
    checkpoint = job.output / "checkpoints" / "checkpoint-1"
    (checkpoint / "rng_state.pth").rename(checkpoint / "rng_state_0.pth")
    sums = json.loads((checkpoint / "checksums.json").read_text())
    sums["rng_state_0.pth"] = sums.pop("rng_state.pth")
    (checkpoint / "checksums.json").write_text(json.dumps(sums))
    messages: list[str] = []

    class Recorder(Watcher):
        def warn(self, message: str) -> None:
            messages.append(message)

    train(job, Recorder())
    assert "the run had another number of processes" in messages[0]


def of_toy(
    job: Job, root: Path, on_progress: Callable[[int], None] = lambda done: None
) -> Examples:
    plan = load_start(job).plan(job.settings)
    return prepared(job.data, "train", plan, root=root, on_progress=on_progress)


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_cache_is_made_again(toy: Toy, settings: Make, tmp_path: Path, kind: str) -> None:
    job, root = Job((str(toy(5)),), tmp_path, settings(), device="cpu"), tmp_path / "root"
    folder = of_toy(job, root).folder
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in before:
        damage(folder / name, kind)
        assert len(of_toy(job, root)) == 5
        assert (folder / "values.bin").read_bytes() == before["values.bin"]
        assert {path.name for path in folder.iterdir()} == before.keys()
    assert list(root.iterdir()) == [folder]


def test_a_damaged_cache_is_said(toy: Toy, settings: Make, tmp_path: Path) -> None:
    job, root = Job((str(toy(5)),), tmp_path, settings(), device="cpu"), tmp_path / "root"
    plan = load_start(job).plan(job.settings)
    folder = prepared(job.data, "train", plan, root=root).folder
    damage(folder / "values.bin", "changed")
    lines: list[str] = []
    prepared(job.data, "train", plan, root=root, on_damage=lines.append)
    assert lines == [f"{folder / 'values.bin'}: missing or damaged, train is prepared again"]


@pytest.mark.parametrize("kind", [*DAMAGE, "flipped"])
def test_a_damaged_array_of_states_is_known(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.npy"
    states = np.arange(600, dtype=np.float16).reshape(20, 30)
    write_array(path, states)
    assert (np.load(path) == states).all()  # a checksum after the end does not matter
    found = checked_array(path)
    assert found is not None
    assert (found == states).all()
    if kind == "missing":
        return
    data = bytearray(path.read_bytes())
    data[300] ^= 1
    path.write_bytes(data)
    if kind != "flipped":
        damage(path, kind)
    assert checked_array(path) is None


def test_damaged_states_are_made_again_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states, lines = States.__new__(States), list[str]()
    states.folder, states._on_damage = tmp_path, lines.append
    monkeypatch.setattr(states, "_computed", lambda example: np.ones(4, np.float16))
    example = Example([np.arange(3, dtype=np.int32)], {}, id="a")
    assert states._of(example).sum() == 4
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-70] + bytes(70))
    assert states._of(example).sum() == 4
    assert lines == [f"{path}: damaged, prepared again"]
    assert states._of(example).sum() == 4
    assert len(lines) == 1


def test_a_second_run_in_a_folder_is_refused(toy: Toy, settings: Make, tmp_path: Path) -> None:
    job = Job((str(toy(5)),), tmp_path / "run", settings(), device="cpu")
    job.output.mkdir()
    with locked(job.output), pytest.raises(PagesumError, match="another command is writing"):
        train(job)
    assert list(job.output.iterdir()) == []


def test_two_runs_prepare_the_same_data_at_once(
    toy: Toy, settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, root = Job((str(toy(5)),), tmp_path, settings(), device="cpu"), tmp_path / "root"

    def other(done: int) -> None:
        if done == 1:
            with monkeypatch.context() as patch:
                patch.setattr(os, "getpid", lambda: 1)
                of_toy(job, root)

    examples = of_toy(job, root, other)
    assert len(examples) == 5
    assert list(root.iterdir()) == [examples.folder]


def test_a_cache_that_does_not_fit_is_named(
    toy: Toy, settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pagesum_cli.training.prepare.np.savez", lambda *_, **__: full())
    with pytest.raises(OSError, match=f"{tmp_path}/root/"):
        of_toy(Job((str(toy(5)),), tmp_path, settings(), device="cpu"), tmp_path / "root")
    assert list((tmp_path / "root").iterdir()) == []
