"""Where a run can begin."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import BartConfig, BartForConditionalGeneration, BertConfig, BertModel

from pagesum_cli.errors import PagesumError
from pagesum_cli.model.checkpoints import load_model
from pagesum_cli.training.run import Job, train
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.start import starting_point

Toy = Callable[..., Path]
Make = Callable[..., Settings]
SHAPE = {"vocab_size": 40, "max_position_embeddings": 64}


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    folder = tmp_path / "bert"
    config = BertConfig(hidden_size=16, num_hidden_layers=4, num_attention_heads=2, intermediate_size=32, **SHAPE)
    torch.manual_seed(0)
    BertModel(config).save_pretrained(folder)
    letters = [letter for plain in "abcdefghijklmnopq" for letter in (plain, f"##{plain}")]
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", "part", *letters]))
    return folder


def test_begins_with_a_bert_like_encoder(bert: Path, toy: Toy, settings: Make, tmp_path: Path) -> None:
    wanted = settings(init_encoder=str(bert), epochs=1)
    model, tokenizer = starting_point(wanted, "")
    assert len(model.model.encoder.layers) == 4
    assert len(model.model.decoder.layers) == 3
    last = model.model.encoder.layers[3].fc1.weight
    assert torch.equal(model.model.decoder.layers[2].fc1.weight, last)
    assert tokenizer.backend_tokenizer.encode("part a").ids == [2, 5, 6, 3]
    train(Job(str(toy(20)), tmp_path / "run", wanted, device="cpu"))
    trained, loaded = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert trained.config.bos_token_id == trained.config.decoder_start_token_id == loaded.bos_token_id == 2


def test_begins_with_a_bart(toy: Toy, settings: Make, tmp_path: Path) -> None:
    first = tmp_path / "first"
    train(Job(str(toy(20)), first, settings(epochs=1), device="cpu"))
    _, tokenizer = load_model(str(first), device="cpu")
    config = BartConfig(
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        **{**SHAPE, "vocab_size": len(tokenizer)},
    )
    bart = tmp_path / "bart"
    BartForConditionalGeneration(config).save_pretrained(bart)
    with pytest.raises(PagesumError, match="has no tokenizer"):
        starting_point(settings(init=str(bart)), "")
    tokenizer.save_pretrained(bart)
    train(Job(str(toy(20)), tmp_path / "run", settings(init=str(bart), epochs=1, max_length=14), device="cpu"))
    model, _ = load_model(str(tmp_path / "run"), device="cpu")
    assert not model.config.untrained_confidence


def test_refuses_a_tokenizer_of_another_model(toy: Toy, settings: Make, tmp_path: Path) -> None:
    first = tmp_path / "first"
    train(Job(str(toy(20)), first, settings(epochs=1), device="cpu"))
    text = (first / "config.json").read_text()
    assert '"bos_token_id": 0' in text
    (first / "config.json").write_text(text.replace('"bos_token_id": 0', '"bos_token_id": 3'))
    with pytest.raises(PagesumError, match=r"puts tokens 0 and 2 around a text, config.json says 3 and 2"):
        starting_point(settings(init=str(first)), "")


def test_refuses_what_is_no_encoder(toy: Toy, settings: Make, bert: Path, tmp_path: Path) -> None:
    with pytest.raises(PagesumError, match="holds no BERT-like encoder"):
        starting_point(settings(init_encoder=str(bert), decoder_layers=[9]), "")
    first = tmp_path / "first"
    train(Job(str(toy(20)), first, settings(epochs=1), device="cpu"))
    with pytest.raises(PagesumError, match=r"has no \[CLS\] and \[SEP\]"):
        starting_point(settings(init_encoder=str(first)), "")
