"""Teaching a model which sentences to quote."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase

import pytest
import torch
from safetensors.torch import load_file

from pagesum_cli.models.base import PageBatch, load_model
from pagesum_cli.models.extractive.model import ExtractiveModel
from pagesum_cli.summarizer import PageSummarizer
from pagesum_cli.training.job import Job, read_log
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import Settings, load_settings
from pagesum_cli.training.start import starting_point

Make = Callable[..., Settings]
CENTRAL, OTHER = ([f"{kind}{letter}" for letter in ascii_lowercase] for kind in "ba")
"""Words of the section that a toy summary repeats, and of the others; so many that sentences
differ.
"""


def toy_record(number: int) -> dict:
    """Three sections of four sentences; the summary is one of the sections."""
    generator = random.Random(number)
    central = generator.randrange(3)

    def sentence(words: list[str]) -> str:
        return " ".join(generator.choices(words, k=12)).capitalize() + "."

    bodies = [
        " ".join(sentence(CENTRAL if n == central else OTHER) for _ in range(4)) for n in range(3)
    ]
    sections = [{"heading": f"w{n}", "text": body} for n, body in enumerate(bodies)]
    return {"id": f"d{number}", "source": "toy", "sections": sections, "summary": bodies[central]}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "toy.train.jsonl"
    path.write_text(
        "".join(json.dumps(toy_record(number)) + "\n" for number in range(60)), encoding="utf-8"
    )
    return path


@pytest.fixture
def checkpoint(settings: Make, encoder: Path, tmp_path: Path) -> Path:
    """An extractive checkpoint, its scoring layers untrained."""
    torch.manual_seed(0)
    start = starting_point(
        settings(init_encoder=str(encoder), task="extractive", page_tokens=72), []
    )
    start.model.save_pretrained(tmp_path / "checkpoint")
    start.tokenizer.save(tmp_path / "checkpoint")
    return tmp_path / "checkpoint"


@pytest.fixture
def selecting(settings: Make, checkpoint: Path) -> Settings:
    return settings(
        init=str(checkpoint), page_tokens=72, dropout=-1.0, accumulate=1, epochs=16, warmup=20,
        learning_rate=0.01, target_tokens=64, max_length=62, clip=1.0, validate_every=1000,
    )  # fmt: skip


@pytest.mark.slow
def test_a_checkpoint_learns_what_to_quote_and_nothing_else(
    selecting: Settings, data: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    result = train(Job((str(data),), run, selecting, device="cpu"))
    assert result.scores["loss"] < 0.2  # guessing how often a sentence is selected gives 0.64
    assert "binary cross entropy per sentence" in (run / "README.md").read_text()
    before, _ = load_model(selecting.init, device="cpu", dtype="float32")
    after, tokenizer = load_model(str(run), device="cpu", dtype="float32")
    ours, theirs = before.state_dict(), after.state_dict()
    changed = {name for name in ours if not torch.equal(ours[name], theirs[name])}
    assert changed == {name for name, _ in before.named_parameters() if name.startswith("scoring.")}

    summarizer = PageSummarizer(after, tokenizer, name="run")
    for number in range(1000, 1005):
        unseen = toy_record(number)
        file = tmp_path / "unseen.jsonl"
        file.write_text(json.dumps(unseen))
        assert summarizer.summarize(str(file), sentences=1).text in unseen["summary"]


@pytest.mark.slow
def test_a_run_continues_with_the_scoring_layers_alone(
    selecting: Settings, data: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    train(Job((str(data),), run, selecting.changed({"epochs": 1}, "test"), device="cpu"))
    first, _ = load_model(str(run), device="cpu", dtype="float32")
    train(
        Job((str(data),), run, selecting.changed({"epochs": 2}, "test"), device="cpu", resume=True)
    )
    second, _ = load_model(str(run), device="cpu", dtype="float32")
    assert torch.equal(first.shared.weight, second.shared.weight)
    assert not torch.equal(first.scoring.out.weight, second.scoring.out.weight)


@pytest.mark.slow
def test_selects_by_rouge_of_the_quotes(selecting: Settings, data: Path, tmp_path: Path) -> None:
    chosen = selecting.changed({"select": "rouge", "epochs": 10}, "test")
    result = train(Job((str(data),), tmp_path / "run", chosen, device="cpu"))
    assert result.scores["rouge2"] > 50  # the summary is one of three sections


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    """Data with a training and a development split, and a collection that the preset leaves out."""
    folder = tmp_path / "data"
    folder.mkdir()
    data.rename(folder / data.name)
    (folder / "xep.train.jsonl").write_text(json.dumps({**toy_record(99), "source": "xep"}) + "\n")
    (folder / "toy.dev.jsonl").write_text(
        "".join(json.dumps(toy_record(200 + n)) + "\n" for n in range(5))
    )
    return folder


@pytest.fixture
def mini(encoder: Path) -> Settings:
    small = {
        "init_encoder": str(encoder),
        "page_tokens": 72,
        "epochs": 2,
        "checkpoint_every": 6,
        "dropout": 0.1,
    }
    return load_settings("mini", flags={**small, "warmup": 5, "dtype": "float32", "keep": 9})


def assert_continues_bit_equal(job: Job) -> None:
    checkpoints = job.output / "checkpoints"
    last = load_file(checkpoints / "checkpoint-24" / "model.safetensors")
    log = read_log(job.output)
    for later in (12, 18, 24):
        (checkpoints / f"checkpoint-{later}").rename(checkpoints / f"removing-{later}")
    train(replace(job, resume=True))
    again = load_file(checkpoints / "checkpoint-24" / "model.safetensors")
    assert all(torch.equal(again[name], last[name]) for name in last)
    assert [entry.get("loss") for entry in read_log(job.output)] == [
        entry.get("loss") for entry in log
    ]


@pytest.mark.slow
def test_the_preset_mini_can_train_an_encoder_and_continues_bit_equal(
    mini: Settings, folder: Path, tmp_path: Path
) -> None:
    settings = mini.changed({"trainable": "all"}, "test")
    whole = Job((str(folder),), tmp_path / "whole", settings, device="cpu")
    result = train(whole)
    assert result.updates == 24
    record = json.loads((tmp_path / "whole" / "run.json").read_text())
    assert (record["train_documents"], record["validation_documents"]) == (60, 5)
    assert record["checks"]["train"]["excluded"] == 1
    model, _ = load_model(str(tmp_path / "whole"), device="cpu", dtype="float32")
    start = starting_point(settings, [])
    assert not torch.equal(
        start.model.encoder.layers[0].fc1.weight, model.encoder.layers[0].fc1.weight
    )
    assert_continues_bit_equal(whole)


def test_the_preset_mini_reads_each_document_once_and_continues_bit_equal(
    mini: Settings, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    compute = ExtractiveModel._states
    monkeypatch.setattr(
        ExtractiveModel, "_states", lambda *given: read.append(1) or compute(*given)
    )
    job = Job((str(folder),), tmp_path / "run", mini, device="cpu")
    assert train(job).updates == 24
    assert len(read) == 65
    start = starting_point(mini, []).model.state_dict()
    model, _ = load_model(str(job.output), device="cpu", dtype="float32")
    assert {
        name for name, value in model.state_dict().items() if not torch.equal(value, start[name])
    } == {name for name in start if name.startswith("scoring.")}
    assert_continues_bit_equal(job)
    train(
        replace(
            job, output=tmp_path / "again", settings=mini.changed({"learning_rate": 1e-4}, "test")
        )
    )
    assert len(read) == 65
    output = mini.changed({"trainable": "output", "updates": 1}, "test")
    train(replace(job, output=tmp_path / "output", settings=output))
    assert len(read) == 65
    updates = [entry for entry in read_log(job.output) if "loss" in entry]
    first, last = (sum(entry["loss"] for entry in updates[n : n + 12]) for n in (0, 12))
    assert last < first


def test_states_are_kept_in_bfloat16_too(mini: Settings, folder: Path, tmp_path: Path) -> None:
    job = Job(
        (str(folder),),
        tmp_path / "run",
        mini.changed({"dtype": "bfloat16", "updates": 1}, "test"),
        device="cpu",
    )
    assert train(job).updates == 1
    # 5 documents of the update, 5 others
    assert len(list((tmp_path / "cache").rglob("states/*/*.npy"))) == 10


def test_known_states_change_nothing(checkpoint: Path) -> None:
    model, _ = load_model(str(checkpoint), device="cpu", dtype="float32")
    first = model.config.first_control_token
    ids = torch.tensor(
        [[[6, first, first + 1, 9, 9, first + 2, 9, 7]], [[6, first, first + 2, 8, 8, 8, 8, 7]]]
    )
    batch = PageBatch(ids)
    with torch.no_grad():
        states = model.encode(batch).states
        assert torch.allclose(
            model.encode(batch).scores, model.encode(batch, states=states).scores, atol=1e-6
        )
        assert not torch.equal(
            model.encode(batch).scores, model.encode(batch, states=states + 1).scores
        )
