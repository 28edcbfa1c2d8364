"""Adapters of language models: what is learned, saved, continued and refused."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from pagesum_cli import PageSummarizer, load_model
from pagesum_cli.errors import PagesumError
from pagesum_cli.training.job import Job
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import load_settings

from . import tiny_language_models as tiny_models

TEXT = "The ash grows here. The birch stands there. The cedar falls at night. " * 3


def test_the_loss_is_that_of_all_paths_over_the_pages(tmp_path: Path) -> None:
    model: Any = load_model(str(tiny_models.save(tmp_path / "base")), device="cpu")[0]
    torch.nn.init.normal_(model.confidence.weight, std=0.3)
    ids = torch.randint(10, 300, (1, 2, 7), generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[20, 33, 41]])
    out = model(ids, labels=labels)
    pages = [model(ids[:, [page]], labels=labels).logits for page in (0, 1)]
    scores = [one[0, range(3), labels[0]] for one in pages]
    shares, stay = out.page_scores[0].softmax(-1), 0.9
    total = torch.tensor(0.0)
    for path in itertools.product((0, 1), repeat=3):
        weight = torch.tensor(1.0)
        for step, page in enumerate(path):
            before = shares[0, page] if step == 0 else float(path[step - 1] == page)
            move = stay * before + (1 - stay) * shares[step, page]
            weight = weight * move * scores[page][step].exp()
        total = total + weight
    torch.testing.assert_close(out.loss, -total.log() / 3)
    light = model(ids, labels=labels, return_logits=False)
    torch.testing.assert_close(light.loss, out.loss)
    longer = model(ids, labels=labels, return_logits=False, has_end=True)
    with_end = torch.cat([labels, torch.tensor([[model.config.eos_token_id]])], dim=1)
    torch.testing.assert_close(longer.loss, model(ids, labels=with_end).loss)


def trained(base: Path, folder: Path, resume: bool = False) -> Path:
    data = folder.parent / "data.jsonl"
    records = [{"id": str(n), "text": TEXT, "summary": f"ash and birch {n}"} for n in range(5)]
    data.write_text("".join(json.dumps(one) + "\n" for one in records))
    few = {"init": str(base), "page_tokens": 40, "target_tokens": 16, "max_length": 16}
    run = {"accumulate": 1, "updates": 3, "validate_every": 1, "keep": 9, "dropout": 0.1}
    settings = load_settings("causal-lora", flags={**few, **run, "dtype": "float32"})
    cache = folder.parent / "cache"
    train(Job((str(data),), folder, settings, device="cpu", resume=resume, cache=cache))
    return folder


def test_an_adapter_is_trained_continued_loaded_and_refused(tmp_path: Path) -> None:
    base = tiny_models.save(tmp_path / "base")
    run = trained(base, tmp_path / "run")
    checkpoints = run / "checkpoints"
    expected = load_file(checkpoints / "checkpoint-3" / "model.safetensors")
    assert all(".down." in name or ".up." in name or "confidence." in name for name in expected)
    for later in (2, 3):
        path = checkpoints / f"checkpoint-{later}"
        path.rename(path.with_name(f"removing-{later}"))
    trained(base, run, resume=True)
    found = load_file(checkpoints / "checkpoint-3" / "model.safetensors")
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    summarizer = PageSummarizer.from_pretrained(str(run), device="cpu", dtype="float32")
    own = dict(summarizer.model.named_parameters())
    best = load_file(run / "model.safetensors")
    assert all(torch.equal(own[name], best[name]) for name in best)
    tiny_models.save(base, seed=1)
    with pytest.raises(PagesumError, match=r"is an adapter of another model than .*base now is"):
        load_model(str(run), device="cpu")
