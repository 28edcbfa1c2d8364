"""Teaching a checkpoint that plans which sentences to say."""

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from pagesum_cli.errors import UsageError
from pagesum_cli.marks import FIRST_RANK
from pagesum_cli.model.checkpoints import load_model
from pagesum_cli.model.modeling import LENGTH_LOSS, PageRows
from pagesum_cli.summarizer import PageSummarizer
from pagesum_cli.training import mini
from pagesum_cli.training.run import Job, example, train
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.trainer import Collator

Make = Callable[..., Settings]
TELLING, OTHER = ([f"w{number}" for number in numbers] for numbers in (range(6, 12), range(6)))
"""Words of the page that a toy summary says, and of the others."""


def sentence(chance: random.Random, words: list[str]) -> str:
    return " ".join(chance.choices(words, k=12)).capitalize() + "."


def toy_record(number: int) -> dict:
    chance = random.Random(number)
    told = chance.randrange(3)
    bodies = [" ".join(sentence(chance, TELLING if n == told else OTHER) for _ in range(4)) for n in range(3)]
    sections = [{"heading": f"w{n}", "text": body} for n, body in enumerate(bodies)]
    return {
        "id": f"d{number}",
        "sections": sections,
        "summary": bodies[told],
    }


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "toy.jsonl"
    path.write_text("".join(json.dumps(toy_record(number)) + "\n" for number in range(60)), encoding="utf-8")
    return path


@pytest.fixture
def checkpoint(encoder: Path, tmp_path: Path) -> Path:
    """A checkpoint that plans, its judge untrained."""
    torch.manual_seed(0)
    recipe = replace(mini.Recipe.read(), data=())
    mini.export(mini.new_model(encoder, recipe), recipe, tmp_path, encoder, tmp_path / "checkpoint")
    return tmp_path / "checkpoint"


@pytest.fixture
def choosing(settings: Make, checkpoint: Path) -> Settings:
    return settings(
        init=str(checkpoint), page_tokens=72, dropout=-1.0, accumulate=1, epochs=16, warmup=20, learning_rate=0.01,
        target_tokens=64, max_length=62, clip=1.0,
    )  # fmt: skip


def test_it_learns_which_sentences_to_say_and_nothing_else(choosing: Settings, data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = train(Job(str(data), run, choosing, device="cpu"))
    assert result.scores["loss"] < 0.2  # guessing how often a sentence is said gives 0.64
    assert "binary cross entropy a sentence" in (run / "README.md").read_text()
    before, _ = load_model(choosing.init, device="cpu", dtype="float32")
    after, tokenizer = load_model(str(run), device="cpu", dtype="float32")
    assert after.config.plans
    ours, theirs = before.state_dict(), after.state_dict()
    changed = {name for name in ours if not torch.equal(ours[name], theirs[name])}
    assert changed == {name for name, _ in before.named_parameters() if name.startswith("judge.")}

    unseen = toy_record(1000)
    file = tmp_path / "unseen.jsonl"
    file.write_text(json.dumps(unseen))
    summary = PageSummarizer(after, tokenizer, name="run").summarize(str(file))
    said = [one.text.strip() in unseen["summary"] for one in summary.sentences]
    assert sum(said) >= 3 > len(said) - sum(said)


def test_a_run_continues_with_the_judge_alone(choosing: Settings, data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    train(Job(str(data), run, choosing.changed({"epochs": 1}, "test"), device="cpu"))
    first, _ = load_model(str(run), device="cpu", dtype="float32")
    train(Job(str(data), run, choosing.changed({"epochs": 2}, "test"), device="cpu", resume=True))
    second, _ = load_model(str(run), device="cpu", dtype="float32")
    assert torch.equal(first.model.shared.weight, second.model.shared.weight)
    assert not torch.equal(first.judge.out.weight, second.judge.out.weight)


def test_best_by_rouge_needs_no_summary_written_freely(choosing: Settings, data: Path, tmp_path: Path) -> None:
    wanted = choosing.changed({"select": "rouge"}, "test")
    result = train(Job(str(data), tmp_path / "run", wanted, device="cpu"))
    assert result.scores["rouge2"] > 50  # three pages, one of which is said


def test_examples_hold_what_is_to_be_judged(choosing: Settings, data: Path, tmp_path: Path) -> None:
    one, _, _ = example(Job(str(data), tmp_path / "run", choosing, device="cpu"))
    assert len(one.salience) == 12
    assert one.salience[:, 2].any()
    for page, place, chosen, worth in one.salience.tolist():
        assert mini.FIRST_MARK + FIRST_RANK <= one.pages[page][place] < mini.FIRST_MARK + FIRST_RANK + 7
        is_telling = one.pages[page][place + 2] >= 116  # w6
        assert chosen <= is_telling  # one may add nothing to the others
        assert (worth > 900) == is_telling
    batch = Collator(pad=0)([one, replace(one, salience=one.salience[:3])])
    assert batch["salience"].shape == (15, 5)
    assert batch["salience"][12:, 0].tolist() == [1, 1, 1]
    assert float(batch["salience"][:, 4].max()) <= 1


@torch.no_grad()
def test_the_loss_is_binary_cross_entropy_over_sentences(checkpoint: Path) -> None:
    model, _ = load_model(str(checkpoint), device="cpu", dtype="float32")
    page = [mini.START, mini.FIRST_MARK, *([mini.FIRST_MARK + FIRST_RANK, 110, 111] * 3), mini.END]
    ids = torch.tensor([[page, page]])
    salience = torch.tensor([[0, 0, 2, 1, 0.5], [0, 1, 5, 0, 0.25]])
    loss = model(ids, torch.ones_like(ids), salience=salience).loss
    states = model.model.encode(ids[0], torch.ones_like(ids[0], dtype=torch.bool))
    marks = torch.stack([states[page, place] for page in (0, 1) for place in (2, 5, 8)])
    parts = torch.tensor([0] * 3 + [1] * 3)  # each page is the first one of its document
    judgements = model.judge(marks, torch.zeros_like(parts), parts)
    judged = judgements[[0, 4], :2].sigmoid().double().numpy()
    wanted = salience[:, 3:].double().numpy()
    by_hand = -(wanted * np.log(judged) + (1 - wanted) * np.log(1 - judged)).mean()
    assert float(loss) == pytest.approx(by_hand, rel=1e-4)
    rows = PageRows.of(ids, None)
    assert float(model.judge_losses(states, rows, salience[:0])["salience"]) == 0
    labels = torch.tensor([[110] * 30 + [mini.END, mini.NO_LABEL]])
    both = model(ids, torch.ones_like(ids), salience=salience, labels=labels).loss
    ratio = 30 / float(judgements[:, 2].mean().exp())
    assert float(both - loss) == pytest.approx(LENGTH_LOSS * (ratio - 1 - math.log(ratio)), rel=1e-3)


def test_the_length_learns_from_what_the_judge_sees_and_changes_nothing_in_it(checkpoint: Path) -> None:
    model, _ = load_model(str(checkpoint), device="cpu", dtype="float32")
    ids = torch.tensor([[[mini.START, mini.FIRST_MARK, *([mini.FIRST_MARK + FIRST_RANK, 110, 111] * 3), mini.END]]])
    rows = PageRows.of(ids, None)
    states = model.model.encode(rows.input_ids, rows.mask)
    losses = model.judge_losses(states, rows, torch.tensor([[0, 0, 2, 1, 0.5]]), torch.tensor([50]))
    losses["length"].backward()
    changed = {
        name for name, parameter in model.named_parameters() if parameter.grad is not None and parameter.grad.any()
    }
    assert changed == {"judge.length.weight", "judge.length.bias"}


@torch.no_grad()
def test_long_documents_do_not_count_for_all(checkpoint: Path) -> None:
    model, _ = load_model(str(checkpoint), device="cpu", dtype="float32")
    mark = mini.FIRST_MARK + FIRST_RANK
    pages = [[mini.START, mini.FIRST_MARK, *([mark, 110 + b, 120] * 4), mini.END] for b in range(2)]
    ids = torch.tensor(pages)[:, None]
    long = [[0, 0, place, 1, 0.5] for place in (2, 5, 8, 11)]
    short = [[1, 0, 2, 0, 0.0]]
    one, other, both = (
        float(model(ids, torch.ones_like(ids), salience=torch.tensor(rows)).loss)
        for rows in (long, short, [*long, *short])
    )
    assert both == pytest.approx((2 * one + other) / 3, rel=1e-5)


def test_a_checkpoint_that_does_not_plan_cannot_learn_choosing(settings: Make, data: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot learn choosing"):
        train(Job(str(data), tmp_path / "run", settings(learn="choosing"), device="cpu"))


def test_a_checkpoint_that_plans_can_learn_to_write(choosing: Settings, data: Path, tmp_path: Path) -> None:
    wanted = choosing.changed({"learn": "writing", "epochs": 1, "learning_rate": 2e-3}, "test")
    train(Job(str(data), tmp_path / "run", wanted, device="cpu"))
    before, _ = load_model(choosing.init, device="cpu", dtype="float32")
    after, _ = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert not after.config.plans
    assert not torch.equal(before.model.shared.weight, after.model.shared.weight)
