"""Whole runs on a toy language."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers.trainer_pt_utils import safe_globals

from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.models.base import load_model
from pagesum_cli.training.job import Job, read_log
from pagesum_cli.training.run import dry_run, example, train
from pagesum_cli.training.settings import Settings, load_settings
from pagesum_cli.training.watcher import Watcher

Toy = Callable[..., Path]
Make = Callable[..., Settings]
Records = Callable[..., list[dict]]


class Recorder(Watcher):
    def __init__(self) -> None:
        self.messages: list[str] = []
        self.updates: list = []

    def note(self, message: str) -> None:
        self.messages.append(message)

    warn = note

    def progress(self, progress) -> None:
        self.updates.append(progress)


@pytest.mark.slow
def test_learns_a_toy_language_and_leaves_a_model_that_loads(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    data = toy(80)
    run = tmp_path / "run"
    watcher = Recorder()
    chosen = settings(
        epochs=8, learning_rate=0.03, warmup=20, label_smoothing=0.0, validate_every=25
    )
    result = train(Job((str(data),), run, chosen, device="cpu"), watcher)

    log = read_log(run)
    losses = [entry["loss"] for entry in log if "loss" in entry]
    assert losses[0] == pytest.approx(math.log(310), rel=0.1)
    assert sum(losses[-10:]) / 10 < 2.5
    assert result.updates == 9 * 8 == len(losses)
    assert watcher.updates[-1].update == watcher.updates[-1].updates == 72
    assert watcher.updates[-1].tokens_per_second > 0
    validations = {
        entry["update"]: entry["validation"]["loss"] for entry in log if "validation" in entry
    }
    assert sorted(validations) == [25, 50, 72]
    assert result.scores["loss"] == min(validations.values()) == validations[result.best_update]

    model, tokenizer = load_model(str(run), device="cpu", dtype="float32")
    best, _ = load_model(
        str(run / "checkpoints" / f"checkpoint-{result.best_update}"), device="cpu", dtype="float32"
    )
    for ours, theirs in zip(model.parameters(), best.parameters(), strict=True):
        assert torch.equal(ours, theirs)
    assert not model.config.untrained_confidence
    assert (model.config.generation["max_length"], model.config.generation["min_length"]) == (16, 2)
    assert tokenizer.decode(tokenizer.encode("ash birch")) == "ash birch"
    for file in (run / "checkpoints").rglob("*.*"):
        assert file.suffix in (".json", ".safetensors", ".pt", ".pth"), file
        if file.suffix in (".pt", ".pth"):
            with safe_globals():
                torch.load(file, weights_only=True)
    assert list((run / "tensorboard").glob("events*"))
    card = (run / "README.md").read_text()
    assert "license: unknown" in card
    assert f"| {result.best_update} | {validations[result.best_update]:.4f}" in card
    record = json.loads((run / "run.json").read_text())
    assert record["versions"]["torch"] == torch.__version__
    assert (record["train_documents"], record["validation_documents"]) == (76, 4)


def test_selects_by_rouge(toy: Toy, settings: Make, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = train(Job((str(toy(20)),), run, settings(epochs=2, select="rouge"), device="cpu"))
    found = [entry["validation"] for entry in read_log(run) if "validation" in entry]
    for scores in found:
        first, second = scores["rouge1"] / 100, scores["rouge2"] / 100
        both = 2 * first * second / (first + second) if first + second else 0
        assert scores["selection"] == pytest.approx(1 - both)
    best = min(found, key=lambda scores: scores["selection"])
    assert result.scores == {name: best[name] for name in ("loss", "rouge1", "rouge2")}


def test_keeps_the_last_and_the_best(
    toy: Toy, settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Steps from the fifth on are far too long.
    monkeypatch.setattr(
        Settings, "rate", lambda self, update, updates: 0.003 if update < 5 else 0.5
    )
    run = tmp_path / "run"
    result = train(
        Job((str(toy(8)),), run, settings(epochs=9, accumulate=1, batch=7, keep=2), device="cpu")
    )
    assert 1 <= result.best_update < 5
    kept = {folder.name for folder in (run / "checkpoints").iterdir()}
    assert kept == {f"checkpoint-{update}" for update in (result.best_update, 8, 9)}


@pytest.mark.slow
def test_starts_from_a_checkpoint_of_its_own(toy: Toy, settings: Make, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    train(Job((str(toy(20)),), first, settings(epochs=2), device="cpu"))
    finetune = load_settings(
        flags={
            "init": str(first),
            "accumulate": 2,
            "epochs": 1,
            "target_tokens": 16,
            "min_length": 1,
            "max_length": 14,
        }
    )
    train(Job((str(toy(20)),), second, finetune, device="cpu"))
    begin, _ = load_model(str(first), device="cpu", dtype="float32")
    end, _ = load_model(str(second), device="cpu", dtype="float32")
    change = (
        begin.model.shared.weight - end.model.shared.weight
    ).norm() / begin.model.shared.weight.norm()
    assert 0 < change < 0.1
    assert end.config.page_tokens == 64


def test_a_dry_run_writes_nothing_and_estimates(toy: Toy, settings: Make, tmp_path: Path) -> None:
    run = tmp_path / "run"
    estimate = dry_run(Job((str(toy(20)),), run, settings(epochs=3), device="cpu"))
    assert not run.exists()
    assert (estimate.train, estimate.validation, estimate.updates) == (19, 1, 6)
    assert len(estimate.loss) == 2
    assert estimate.seconds > 0
    assert estimate.disk > 4 * estimate.parameters


def test_shows_an_example_as_the_model_reads_it(
    toy: Toy, settings: Make, toy_records: Records, tmp_path: Path
) -> None:
    one, pages, target = example(Job((str(toy(20)),), tmp_path / "run", settings()))
    record = toy_records(20)[int(one.id[1:])]
    assert len(pages) == 3
    assert pages[0].startswith("<s> Part 1 ")
    assert pages[0].endswith(" .</s>")
    assert target == f"<s>{record['summary']}</s>"


def test_reports_problems_of_the_data(
    toy: Toy, settings: Make, toy_records: Records, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    records = toy_records(30)
    records[3]["summary"] = ""
    records[4]["sections"][0]["text"] = "word " * 200
    records[5]["summary"] = "ash " * 40
    records[6] = records[7]
    (data / "train.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    others = [*toy_records(3, seed=1), {**records[0], "id": "again"}]
    (data / "val.jsonl").write_text("".join(json.dumps(record) + "\n" for record in others))
    with open(data / "train.jsonl", "a") as file:
        file.write("no json\n")
    watcher = Recorder()
    train(
        Job((str(data),), tmp_path / "run", settings(epochs=1, num_pages=3), device="cpu"), watcher
    )
    messages = "\n".join(watcher.messages)
    assert "line 31: expected a JSON object, left out" in messages
    assert "train: 1 records without a summary are left out: d3" in messages
    assert "train: 1 documents occur more than once" in messages
    assert "records in both the training and the validation data: 1;" in messages
    assert "train: 1 parts are longer than 64 tokens and lose" in messages
    assert "train: 1 summaries are longer than 16 tokens" in messages


@pytest.mark.parametrize(
    ("values", "found", "hint"),
    [
        (
            {"accumulate": 16},
            "19 training documents are 5 micro-batches, fewer than accumulate 16",
            "--accumulate 5",
        ),
        ({"width": 33}, "width 33 is not a multiple of heads 2", "width = 256"),
    ],
)
def test_refuses_before_time_is_spent(
    toy: Toy, settings: Make, tmp_path: Path, values: dict, found: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        train(Job((str(toy(20)),), tmp_path / "run", settings(**values), device="cpu"))
    assert found in caught.value.message
    assert hint in caught.value.hint
    # So that the command, put right, may use the same folder.
    assert not list((tmp_path / "run").iterdir())


def test_refuses_lengths_beyond_the_models_positions(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    first = tmp_path / "first"
    train(Job((str(toy(20)),), first, settings(epochs=1), device="cpu"))
    for name in ("page_tokens", "target_tokens"):
        with pytest.raises(
            UsageError, match=rf"{name} 100, but the model has positions for 6\d only"
        ):
            train(
                Job(
                    (str(toy(20)),),
                    tmp_path / "run",
                    settings(init=str(first), **{name: 100}),
                    device="cpu",
                )
            )


def test_refuses_a_folder_that_is_not_empty(toy: Toy, settings: Make, tmp_path: Path) -> None:
    run = tmp_path / "run"
    job = Job((str(toy(20)),), run, settings(epochs=1), device="cpu")
    train(job)
    with pytest.raises(PagesumError, match="holds another run") as caught:
        train(job)
    assert "--resume" in caught.value.hint
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with pytest.raises(PagesumError, match="is not empty"):
        train(Job(job.data, other, job.settings, device="cpu"))
    with pytest.raises(PagesumError, match="holds no run to continue"):
        train(Job(job.data, other, job.settings, device="cpu", resume=True))


def test_refuses_missing_data(toy: Toy, settings: Make, tmp_path: Path) -> None:
    only = tmp_path / "only"
    only.mkdir()
    toy(20, name="only/train.jsonl")
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    one = toy(1, name="one.jsonl")
    for data, found in (
        (only, "no validation split"),
        (empty, "expected records, found none"),
        (one, "expected at least two"),
        ("nowhere.jsonl", "nowhere.jsonl"),
    ):
        with pytest.raises(PagesumError, match=found):
            train(Job((str(data),), tmp_path / "run", settings(), device="cpu"))


def test_a_loss_that_is_no_number_stops_before_the_weights_change(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    first = tmp_path / "first"
    train(Job((str(toy(20)),), first, settings(epochs=1), device="cpu"))
    model, tokenizer = load_model(str(first), device="cpu", dtype="float32")
    with torch.no_grad():
        model.model.shared.weight[5:] = (
            3e38  # finite, as a checkpoint's weights must be, but not what is computed with it
        )
    model.save_pretrained(tmp_path / "broken")
    tokenizer.save(tmp_path / "broken")
    job = Job(
        (str(toy(20)),),
        tmp_path / "run",
        settings(init=str(tmp_path / "broken"), epochs=1),
        device="cpu",
    )
    with pytest.raises(PagesumError, match=r"update 1: the loss is nan.*d\d"):
        train(job)
