"""Several processes: every family and task trains in two, and everything that is trained has a
gradient.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.training.data import load_data
from pagesum_cli.training.job import SETTINGS, Job, check_job
from pagesum_cli.training.run import load_start, train
from pagesum_cli.training.settings import Settings, load_settings, toml_of
from pagesum_cli.training.watcher import Watcher

SHAPE = {
    "window": 16,
    "kernel": 8,
    "stride": 6,
    "max_source_positions": 256,
    "local_layers": 1,
    "segment_layers": 1,
}
TOPDOWN: dict[str, Any] = {
    "init": "{bart}",
    "architecture": "topdown",
    "source_tokens": 120,
    "model": SHAPE,
}
COPYING: dict[str, Any] = {"source_tokens": 100}

CASES: dict[str, dict[str, Any]] = {
    "pages": {},
    "global": {"decoding": "global"},
    "dpp": {"layers": 2, "model": {"dpp": True, "dpp_pages": "uniform"}},
    "dpp-global": {"layers": 2, "decoding": "global", "model": {"dpp": True}},
    "extractive": {"task": "extractive", "architecture": "extractive"},
    "extractive-head": {"init_encoder": "{bart}", "task": "extractive", "trainable": "head"},
    "topdown": TOPDOWN,
    "topdown-pages": {**TOPDOWN, "decoding": "pages", "gradient_checkpointing": True},
    "topdown-oracle": {**TOPDOWN, "model": {**SHAPE, "pooling": "oracle", "update": "concat"}},
    "topdown-tagger": {**TOPDOWN, "architecture": "topdown-tagger"},
    "topdown-adapool": {
        **TOPDOWN,
        "model": {**SHAPE, "pooling": "adaptive"},
        "tagger": "{topdown-tagger}",
    },
    "pointer-generator": {**COPYING, "model": {"coverage_vector": True, "coverage_loss": 1.0}},
    "copy-transformer": {**COPYING, "model": {"dpp": True}},
    "conv-seq2seq": COPYING,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("processes")


@pytest.fixture
def chosen(
    folder: Path, toy_records: Callable[..., list[dict]], settings: Callable[..., Settings]
) -> Any:
    """The settings of a case; what they start from is trained before."""
    data = folder / "toy.jsonl"
    data.write_text(
        "".join(json.dumps(record) + "\n" for record in toy_records(20)), encoding="utf-8"
    )

    def trained(name: str) -> Path:
        if not (folder / name).exists():
            values = {"layers": 2} if name == "bart" else filled(CASES[name])
            train(
                Job(
                    (str(data),),
                    folder / name,
                    settings(epochs=1, **values),
                    device="cpu",
                    cache=folder / "cache",
                )
            )
        return folder / name

    def filled(values: dict[str, Any]) -> dict[str, Any]:
        names = {
            name: value[1:-1]
            for name, value in values.items()
            if isinstance(value, str) and value[0] == "{"
        }
        return {**values, **{name: str(trained(start)) for name, start in names.items()}}

    def make(name: str) -> Settings:
        values = filled(CASES[name])
        if CASES[name] is COPYING or "coverage_vector" in str(values) or name == "copy-transformer":
            values = {**values, "architecture": name, "layers": 2}
        return settings(updates=2, batch=2, accumulate=4, validate_every=99, **values)

    return make


@pytest.mark.parametrize("name", CASES)
def test_all_that_is_trained_has_a_gradient(
    name: str, chosen: Callable[[str], Settings], folder: Path
) -> None:
    job = Job(
        (str(folder / "toy.jsonl"),),
        folder / "none",
        chosen(name),
        device="cpu",
        cache=folder / "cache",
    )
    start = load_start(job)
    examples = load_data(job, start.plan(job.settings), Watcher()).train
    start.model.train()
    start.task.loss(
        start.model, start.task.collate([examples[0]], start.model.config.pad_token_id)
    ).backward()
    trained = {name: one for name, one in start.model.named_parameters() if one.requires_grad}
    assert trained
    assert [name for name, one in trained.items() if one.grad is None] == []


def test_a_process_may_begin_when_the_first_one_writes(
    chosen: Callable[[str], Settings], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = folder / "begun"
    output.mkdir()
    (output / SETTINGS).touch()
    job = Job((str(folder / "toy.jsonl"),), output, chosen("pages"), device="cpu")
    with pytest.raises(PagesumError, match="holds another run"):
        check_job(job)
    monkeypatch.setenv("RANK", "1")
    check_job(job)


@pytest.mark.slow
def test_every_family_trains_in_two_processes(
    chosen: Callable[[str], Settings], folder: Path
) -> None:
    for name in CASES:
        (folder / f"{name}.toml").write_text(toml_of(chosen(name)), encoding="utf-8")
    launcher = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
    ]
    done = subprocess.run(
        [*launcher, __file__, str(folder), *CASES], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    for name in CASES:
        assert (folder / "runs" / name / "checkpoints" / "checkpoint-2").exists(), name


if __name__ == "__main__":  # one of the processes
    root = Path(sys.argv[1])
    for case in sys.argv[2:]:
        read = load_settings(config=root / f"{case}.toml")
        train(
            Job(
                (str(root / "toy.jsonl"),),
                root / "runs" / case,
                read,
                device="cpu",
                cache=root / "cache",
            )
        )
