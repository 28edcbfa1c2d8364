"""A toy language, and models that learn it in seconds."""

import json
import os
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from string import ascii_lowercase

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertModel

from pagesum_cli.training.settings import Settings

os.environ.setdefault("OMP_NUM_THREADS", "1")
torch.set_num_threads(1)

WORDS = (  # noqa: SIM905
    "ash birch cedar date elm fig gum hazel iris jade kelp lime moss "
    "nut oak palm reed sage teak yew"
).split()


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
    return lambda count, name="toy.jsonl", seed=0: write_records(
        tmp_path / name, make_records(count, seed)
    )


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


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    """A tiny BERT that knows w0 to w11, aa to az and ba to bz; special tokens have the ids that
    mini's recipe knows.
    """
    torch.manual_seed(0)
    folder = tmp_path / "encoder"
    shape = {
        "hidden_size": 24,
        "num_hidden_layers": 6,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    BertModel(
        BertConfig(vocab_size=1100, max_position_embeddings=512, initializer_range=0.2, **shape)
    ).save_pretrained(folder)
    special = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103}
    words = {f"w{number}": 110 + number for number in range(12)}
    words |= {
        f"{kind}{letter}": 200 + n
        for n, (kind, letter) in enumerate(product("ab", ascii_lowercase))
    }
    vocabulary = {**special, **words, ".": 1012}
    vocabulary |= {
        f"x{number}": number for number in range(1100) if number not in vocabulary.values()
    }
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 102), ("[CLS]", 101))
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
