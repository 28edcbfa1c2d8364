"""The original program's own training runs, step by step, through this program's data path and trainer."""

import json
import sys
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from pagesum_cli.model.checkpoints import load_model
from pagesum_cli.training.prepare import Plan, prepared
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.start import shape
from pagesum_cli.training.trainer import Batches, PageSumTrainer, training_arguments

REFERENCE = Path(__file__).parents[3] / "shared" / "reference"
RUNS = ("adam", "adafactor", "adam_clip", "adam_checkpointing", "adam_multi_doc")

pytestmark = pytest.mark.skipif(not REFERENCE.is_dir(), reason="the original program's numbers are not here")


class AsRecorded(Batches):
    """The micro-batches of the original run."""

    recorded: list[list[int]]

    def order(self, epoch: int) -> list[list[int]]:
        return self.recorded[5 * epoch : 5 * epoch + 5]


@pytest.mark.parametrize("name", RUNS)
def test_follows_the_original_program(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The toy pages are shorter than a user may ask for.
    monkeypatch.setattr(sys.modules["pagesum_cli.locality.cut"], "LEAST_PAGE_TOKENS", 1)
    recorded = json.loads((REFERENCE / "train" / "train.json").read_text())[name]
    theirs = recorded["settings"]
    settings = Settings(
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
    backend = word_tokenizer()
    plan = Plan(
        backend.to_str(), settings.locality, settings.num_pages, None, settings.page_tokens, settings.target_tokens
    )
    splits = {}
    for split in ("train", "val"):
        folder = tmp_path / "data" / split
        folder.mkdir(parents=True)
        for number, document in enumerate(recorded[f"{split}_documents"]):
            (folder / f"{number}.json").write_text(json.dumps(document))
        asked = {"train": "train", "val": "validation"}[split]
        splits[split] = prepared(str(tmp_path / "data"), asked, plan, root=tmp_path / "cache")

    model, _ = load_model(str(REFERENCE / "ref-a"), device="cpu", dtype="float32")
    shape(model, settings)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, pad_token="<pad>")
    batches = AsRecorded(len(splits["train"]), settings)
    batches.recorded = recorded["batch_order"]
    seen: list[tuple[float, list[float]]] = []

    class Recording(PageSumTrainer):
        def _get_grad_norm(self, model, grad_norm=None):
            losses = [loss.item() for loss in self.micro_losses]
            norm = super()._get_grad_norm(model, grad_norm)
            seen.append((float(norm), losses))
            return norm

    run = tmp_path / "run"
    run.mkdir()
    arguments = training_arguments(run, settings, "cpu", dry=True)
    trainer = Recording(model, tokenizer, arguments, settings, run, splits["train"], splits["val"], batches=batches)
    trainer.train()
    validation = trainer.evaluate()["eval_loss"]

    # The fifth micro-batch of each epoch is left over.
    losses = [loss for place, loss in enumerate(recorded["micro_batch_losses"]) if place % 5 != 4]
    assert [loss for _, pair in seen for loss in pair] == pytest.approx(losses, rel=2e-6)
    rates = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()][: len(recorded["updates"])]
    assert [rate["learning_rate"] for rate in rates] == pytest.approx([u["lr"] for u in recorded["updates"]], rel=1e-9)
    norms = [min(norm, settings.clip or norm) for norm, _ in seen]
    assert norms == pytest.approx([u["grad_norm_used"] for u in recorded["updates"]], rel=2e-6)
    assert validation == pytest.approx(recorded["val_loss_after"], rel=2e-6)
    final = model.state_dict()
    for key, expected in torch.load(REFERENCE / "train" / f"{name}.bin", weights_only=True).items():
        # The gradients of these are rounding noise, which Adam scales up to whole steps.
        if key in final and key != "lin.bias" and not key.endswith("k_proj.bias"):
            torch.testing.assert_close(final[key], expected, rtol=0, atol=5e-5, msg=key)


def word_tokenizer() -> Tokenizer:
    """A word ``wN`` is token N, ``.`` is 4."""
    words = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, ".": 4} | {f"w{number}": number for number in range(5, 1000)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer
