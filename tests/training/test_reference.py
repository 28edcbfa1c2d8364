"""The original program's own training runs, step by step, through this program's data path and
trainer.
"""

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from pagesum_cli.models.pagesum import PageSumModel
from pagesum_cli.models.tasks import Abstractive, Plan
from pagesum_cli.options import PagingOptions
from pagesum_cli.tokenization import PageTokenizer
from pagesum_cli.training.data import Batches, Data
from pagesum_cli.training.job import read_log
from pagesum_cli.training.prepare import Examples, prepared
from pagesum_cli.training.run import training_arguments
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.start import Start, shape
from pagesum_cli.training.trainer import PageTrainer

REFERENCE = Path(__file__).parents[1] / "data" / "reference"
RUNS = ("adam", "adafactor", "adam_clip", "adam_checkpointing", "adam_multi_doc")


class RecordedBatches(Batches):
    """The micro-batches of the original run."""

    recorded: list[list[int]]

    def order(self, epoch: int) -> list[list[int]]:
        return self.recorded[5 * epoch : 5 * epoch + 5]


class RecordingTrainer(PageTrainer):
    """Remembers the gradient's norm and the micro-batches' losses of each update."""

    def _get_grad_norm(self, model, grad_norm=None):
        losses = [loss.item() for loss in self.micro_losses]
        norm = super()._get_grad_norm(model, grad_norm)
        self.seen.append((float(norm), losses))
        return norm


@pytest.mark.parametrize("name", RUNS)
def test_follows_the_original_program(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The toy pages are shorter than a user may ask for.
    monkeypatch.setattr(import_module("pagesum_cli.locality.paginate"), "MIN_PAGE_TOKENS", 1)
    recorded = json.loads((REFERENCE / "train.json").read_text())[name]
    settings = settings_of(recorded["settings"])
    tokenizer = PageTokenizer(word_tokenizer())
    train, validation = (
        examples_of(recorded, split, settings, tokenizer, tmp_path) for split in ("train", "val")
    )
    model = PageSumModel.from_pretrained(REFERENCE / "ref-a", device="cpu", dtype="float32")
    shape(model, settings, tokenizer)
    batches = RecordedBatches(len(train), settings)
    batches.recorded = recorded["batch_order"]
    run = tmp_path / "run"
    run.mkdir()
    start, data = Start(model, tokenizer, Abstractive()), Data(train, validation, {})
    arguments = training_arguments(run, settings, "cpu", dry=True)
    trainer = RecordingTrainer(start, data, arguments, settings, run, batches=batches)
    trainer.seen = []
    trainer.train()
    validation_loss = trainer.evaluate()["eval_loss"]

    # The fifth micro-batch of each epoch is left over.
    losses = [loss for place, loss in enumerate(recorded["micro_batch_losses"]) if place % 5 != 4]
    assert [loss for _, pair in trainer.seen for loss in pair] == pytest.approx(losses, rel=5e-6)
    rates = [entry["learning_rate"] for entry in read_log(run) if "learning_rate" in entry]
    assert rates == pytest.approx([update["lr"] for update in recorded["updates"]], rel=1e-9)
    norms = [min(norm, settings.clip or norm) for norm, _ in trainer.seen]
    assert norms == pytest.approx(
        [update["grad_norm_used"] for update in recorded["updates"]], rel=1e-5
    )
    assert validation_loss == pytest.approx(recorded["val_loss_after"], rel=2e-6)
    stored = np.load(REFERENCE / "train_parameters.npz")
    final = model.state_dict()
    ours = np.concatenate([samples(final[key]) for key in stored["names"].tolist()])
    np.testing.assert_allclose(ours, stored[name], rtol=0, atol=5e-5)


def settings_of(theirs: dict) -> Settings:
    return Settings(
        locality="document" if theirs["page_type"] == "multi_doc" else "spatial",
        num_pages=theirs["num_pages"],
        page_tokens=theirs["page_max_len"],
        target_tokens=theirs["tgt_max_len"],
        max_length=theirs["gen_max_len"],
        optimizer=theirs["optim"],
        learning_rate=theirs["max_lr"],
        warmup=theirs["warmup_steps"],
        label_smoothing=theirs["smooth"],
        clip=float(theirs["grad_norm"]),
        dropout=0.0,
        batch=theirs["batch_size"],
        accumulate=theirs["accumulate_step"],
        epochs=theirs["epoch"],
        gradient_checkpointing=theirs["gradient_checkpointing"],
        dtype="float32",
    )


def examples_of(
    recorded: dict, split: str, settings: Settings, tokenizer: PageTokenizer, tmp_path: Path
) -> Examples:
    folder = tmp_path / "data" / split
    folder.mkdir(parents=True)
    for number, document in enumerate(recorded[f"{split}_documents"]):
        (folder / f"{number}.json").write_text(json.dumps(document))
    paging = PagingOptions(locality=settings.locality, num_pages=settings.num_pages)
    # shorter than the options allow
    object.__setattr__(paging, "page_tokens", settings.page_tokens)
    plan = Plan(Abstractive(), tokenizer.backend.to_str(), None, paging, settings.target_tokens)
    name = {"train": "train", "val": "validation"}[split]
    return prepared([str(tmp_path / "data")], name, plan, root=tmp_path / "cache")


def samples(parameter: torch.Tensor) -> np.ndarray:
    flat = parameter.flatten().numpy()
    return flat[np.unique(np.linspace(0, len(flat) - 1, 32).astype(int))]


def word_tokenizer() -> Tokenizer:
    """A word ``wN`` is token N, ``.`` is 4."""
    words = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, ".": 4} | {
        f"w{number}": number for number in range(5, 1000)
    }
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer
