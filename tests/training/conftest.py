"""A toy language, and models that learn it in seconds."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from pagesum_cli.training.settings import Settings

os.environ.setdefault("OMP_NUM_THREADS", "1")
torch.set_num_threads(1)

WORDS = "ash birch cedar date elm fig gum hazel iris jade kelp lime moss nut oak palm reed sage teak yew".split()  # noqa: SIM905


def make_records(count: int, seed: int = 0) -> list[dict]:
    """Documents of three sections; the summary is what follows "note" in one of them."""
    chance = random.Random(seed)
    records = []
    for number in range(count):
        picked = chance.sample(WORDS, 2)
        place = chance.randrange(3)
        sections = []
        for section in range(3):
            text = " ".join(chance.choices(WORDS, k=8))
            if section == place:
                text = f"{text} note {' '.join(picked)}"
            sections.append({"heading": f"Part {section + 1}", "text": f"{text} ."})
        records.append({"id": f"d{number}", "sections": sections, "summary": " ".join(picked)})
    return records


def write_records(path: Path, records: list[dict]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def toy_records() -> Callable[..., list[dict]]:
    return make_records


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes toy records to a file; prepared data is kept beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return lambda count, name="toy.jsonl", seed=0: write_records(tmp_path / name, make_records(count, seed))


SCRATCH = {
    "init": "scratch",
    "vocabulary": 310,
    "width": 32,
    "layers": 1,
    "heads": 2,
    "locality": "discourse",
    "page_tokens": 64,
    "target_tokens": 16,
    "max_length": 14,
    "min_length": 1,
    "dropout": 0.0,
    "batch": 4,
    "accumulate": 2,
    "validate_every": 0,
    "beams": 1,
    "dtype": "float32",
}


@pytest.fixture
def settings() -> Callable[..., Settings]:
    """Settings of a tiny model from scratch, with other values where given."""
    return lambda **values: Settings().changed({**SCRATCH, **values}, "test")
