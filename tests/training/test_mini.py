"""The bundled checkpoint's training, in miniature and for real."""

import json
import lzma
import random
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel

from pagesum_cli import load_model
from pagesum_cli.training import mini
from pagesum_cli.training.extracts import Extract

WORDS = [f"w{number}" for number in range(12)]


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    """A tiny BERT, its tokenizer using the ids of special tokens that the recipe knows."""
    torch.manual_seed(0)
    folder = tmp_path / "encoder"
    shape = {"hidden_size": 24, "num_hidden_layers": 6, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=400, max_position_embeddings=512, initializer_range=0.2, **shape)).save_pretrained(
        folder
    )
    special = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103}
    vocabulary = {**special, **{word: 110 + number for number, word in enumerate(WORDS)}, ".": 104}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    chance = random.Random(0)
    path = tmp_path / "records.jsonl.xz"
    with lzma.open(path, "wt") as file:
        for number in range(20):
            sentences = [" ".join(chance.choices(WORDS, k=12)).capitalize() + "." for _ in range(60)]
            sections = [{"heading": f"w{n}", "text": " ".join(sentences[n * 20 : n * 20 + 20])} for n in range(3)]
            record = {"id": str(number), "source": "toy", "licence": "CC0-1.0", "sections": sections}
            record["summary"] = " ".join(sentences[::15])
            file.write(json.dumps(record) + "\n")
    return path


def document() -> Extract:
    """Six sentences of ten tokens in two sections; the second and the fifth are the summary."""
    sentences = [np.arange(200 + 10 * n, 210 + 10 * n, dtype=np.uint16) for n in range(6)]
    headings = [np.array([5], dtype=np.uint16), np.array([6], dtype=np.uint16)]
    return Extract("x", "toy", sentences, np.array([0, 0, 0, 1, 1, 1]), headings, [4, 1], sentences[1])


def test_the_marked_sentence_is_the_target() -> None:
    chance = random.Random(0)
    for _ in range(20):
        example = mini.marked_example(document(), mini.FIRST[0], chance)
        (page,) = example.pages
        marked = page[page.index(mini.OPEN) + 1 : page.index(mini.CLOSE)]
        assert example.target == [*marked, mini.END]
        assert page[0] == mini.START
        assert page[-1] == mini.END


def test_targets_are_sentences_of_the_pages_and_know_their_page() -> None:
    example = mini.extract_example(document(), mini.Task(mini.extract_example, 1, 2, 40, 100), random.Random(0))
    assert len(example.pages) == 2
    sentence = document().sentences
    assert example.target == [*sentence[1].tolist(), *sentence[4].tolist(), mini.END]
    assert example.target_pages == [0] * 10 + [1] * 10 + [mini.NO_LABEL]
    for token, page in zip(example.target[:-1], example.target_pages, strict=False):
        assert token in example.pages[page]
    assert [page[1] for page in example.pages] == [5, 6]  # headings


def test_any_sentences_keep_their_order_and_their_page() -> None:
    task = mini.Task(mini.any_example, documents=1, pages=2, page_tokens=40, target_tokens=31)
    sentences = document().sentences
    whole = {tuple(sentence.tolist()) for sentence in sentences}
    for seed in range(10):
        example = mini.any_example(document(), task, random.Random(seed))
        assert len(example.target) == 31
        found = [tuple(example.target[start : start + 10]) for start in (0, 10, 20)]
        assert set(found) <= whole
        assert found == sorted(found)
        assert all(
            token in example.pages[page] for token, page in zip(example.target[:-1], example.target_pages, strict=False)
        )


@pytest.mark.slow
def test_a_short_run_becomes_a_checkpoint(encoder: Path, data: Path, tmp_path: Path) -> None:
    settings = {"data": data, "encoder": encoder, "output": tmp_path / "run", "seed": 0, "page_weight": 0.3}
    mini.train(Namespace(**settings, device="cpu", minutes=0.3, threads=1))
    steps = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert steps[-1]["loss"] < steps[0]["loss"] - 0.3
    assert {tuple(step["shape"][1:2]) for step in steps} != {(1,)}  # beyond the first task
    mini.train(Namespace(**settings, device="cpu", minutes=0.3, threads=1))  # done already: nothing is added
    assert len((tmp_path / "run" / "log.jsonl").read_text().splitlines()) == len(steps)

    mini.export(tmp_path / "run", encoder, data, tmp_path / "checkpoint")
    assert (tmp_path / "checkpoint" / "ATTRIBUTION.tsv").read_text().splitlines()[1] == "toy\t0\tCC0-1.0"
    model, tokenizer = load_model(str(tmp_path / "checkpoint"), device="cpu")
    ids = torch.tensor([tokenizer("w1 w2 w3 .")["input_ids"]])[None]
    assert model.generate(ids, max_length=8, min_length=0).sequences.shape[0] == 1
    assert model.config.page_tokens == mini.PAGE_TOKENS
