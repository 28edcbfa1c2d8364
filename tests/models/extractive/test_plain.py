"""The extractive family without PyTorch computes what it computes with it."""

from pathlib import Path

import numpy as np
import pytest
import tiny
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

from pagesum_cli import PagesumError, PageSummarizer, plain_document
from pagesum_cli.documents.model import Document
from pagesum_cli.models import engine
from pagesum_cli.models.arrays import CannotRead, Rows, read_arrays
from pagesum_cli.models.extractive import model as with_torch
from pagesum_cli.models.extractive import plain
from pagesum_cli.models.extractive.model import ExtractiveModel
from pagesum_cli.models.extractive.plain import PlainModel, gelu
from pagesum_cli.models.layers.quantized import in_8_bits
from pagesum_cli.models.weights import read_tensors

TEXT = " ".join(f"Number {n} of the farms sold {n * n} sheep at the market." for n in range(40))


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "may_have_gpu", lambda: False)


def both(name: str | Path, **options: str) -> tuple[PlainModel, ExtractiveModel]:
    options = {"device": "cpu", "dtype": "float32", **options}
    light, heavy = (engine.load(str(name), **options, light=light)[0] for light in (True, False))
    assert isinstance(light, PlainModel)
    assert isinstance(heavy, ExtractiveModel)
    return light, heavy


@pytest.mark.parametrize("limits", [(1024, 512), (5, 40)])
def test_scores_of_documents_of_several_pages_are_those_of_pytorch(
    limits: tuple[int, int], tiny_extractive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "TOGETHER", limits[1])
    for module in (plain, with_torch):
        monkeypatch.setattr(module, "RUN", limits[0])
    light, heavy = both(tiny_extractive)
    summarizer = PageSummarizer.from_pretrained(str(tiny_extractive), device="cpu", light=True)
    paging = summarizer.paging(None)
    cuts = [summarizer._read(plain_text(n), paging) for n in (3, 40)]
    light_scores, heavy_scores = (
        one.scored_sentences(
            one.prepare(summarizer.tokenizer, [cut.pages for cut in cuts], 64, True)
        )
        for one in (light, heavy)
    )
    assert len(light_scores.parts) > 3
    for name in ("row", "place", "parts"):
        assert (getattr(light_scores, name) == getattr(heavy_scores, name)).all()
    assert np.abs(light_scores.scores - heavy_scores.scores).max() < 1e-4
    assert light_scores.predicted_lengths() == pytest.approx(
        heavy_scores.predicted_lengths(), rel=1e-4
    )


def plain_text(sentences: int) -> Document:
    return plain_document(" ".join(TEXT.split(". ")[:sentences]), f"{sentences}.txt")


@pytest.fixture(scope="module")
def minis() -> list[PageSummarizer]:
    return [
        PageSummarizer.from_pretrained("mini", device="cpu", dtype="float32", light=light)
        for light in (True, False)
    ]


@pytest.mark.parametrize(
    "options", [{}, {"focus": "sheep at the market"}, {"focus": "astronomy"}, {"words": 30}]
)
def test_mini_quotes_the_same_without_pytorch(
    options: dict[str, str], minis: list[PageSummarizer]
) -> None:
    light, heavy = (one.summarize_text(TEXT, **options) for one in minis)
    assert light.text == heavy.text
    assert light.settings == heavy.settings
    for one, other in zip(light.sentences, heavy.sentences, strict=True):
        assert one.source == other.source
        assert one.pages[0].confidence == pytest.approx(other.pages[0].confidence, abs=1e-3)


def test_gelu_is_pytorchs() -> None:
    values = np.linspace(-100, 100, 200_001, dtype=np.float32)
    expected = F.gelu(torch.from_numpy(values.copy())).numpy()
    assert np.abs(gelu(values.copy()) - expected).max() < 1e-5


def test_gelu_of_huge_values_is_zero_or_the_value() -> None:
    values = np.array([-1e18, -1e4, 0, 1e4, 1e18], dtype=np.float32)
    assert gelu(values.copy()).tolist() == np.maximum(values, 0).tolist()


def test_large_logits_of_attention_do_not_overflow() -> None:
    queries, keys, values = np.random.default_rng(0).normal(0, 9, (3, 2, 7, 4)).astype(np.float32)
    expected = F.scaled_dot_product_attention(
        *(torch.from_numpy(one) for one in (queries * 2, keys, values))
    )
    found = plain.attention(queries, keys, values)
    assert np.abs(found - expected.transpose(0, 1).numpy()).max() < 1e-4


def test_weights_in_8_bits_are_the_same_numbers(tmp_path: Path) -> None:
    torch.manual_seed(0)
    weights = {"a": torch.randn(70, 64), "b": 100 * torch.randn(3, 32)}
    stored = {"c": torch.randn(5).half()}
    for name, weight in weights.items():
        stored |= in_8_bits(name, weight)
    save_file(stored, tmp_path / "model.safetensors")
    expected = read_tensors(tmp_path / "model.safetensors")
    shapes = {name: tuple(value.shape) for name, value in expected.items()}
    arrays, rows = read_arrays(tmp_path, shapes, kept=("a",))
    assert (arrays["b"] == expected["b"].float().numpy()).all()
    assert (arrays["c"] == expected["c"].float().numpy()).all()
    assert (rows["a"].all() == expected["a"].float().numpy()).all()
    assert (rows["a"][[3, 1]] == expected["a"][[3, 1]].float().numpy()).all()
    assert np.abs(rows["a"].mean() - expected["a"].float().numpy().mean(0)).max() < 1e-6


def test_rows_that_are_stored_in_full() -> None:
    values = np.arange(12, dtype=np.float16).reshape(4, 3)
    assert (Rows(values)[[2, 0]] == values[[2, 0]]).all()


@pytest.mark.parametrize(
    "change",
    [
        lambda weights: weights.pop("scoring.out.bias"),
        lambda weights: weights.update(other=torch.zeros(1)),
        lambda weights: weights["scoring.out.bias"].fill_(torch.nan),
        lambda weights: weights.update({"scoring.out.bias": torch.zeros(3)}),
        lambda weights: weights.update({"scoring.out.bias": torch.zeros(2).bfloat16()}),
    ],
)
def test_anything_unexpected_is_left_to_pytorch(
    change: object, tiny_extractive: Path, tmp_path: Path
) -> None:
    config = tiny.extractive(1, vocab_size=60).config
    weights = load_file(tiny_extractive / "model.safetensors")
    config.vocab_size = len(weights["shared.weight"])
    config.max_position_embeddings = len(weights["encoder.embed_positions.weight"]) - 2
    save_file(weights, tmp_path / "model.safetensors")
    read_arrays(tmp_path, plain.shapes_of(config), kept=())
    change(weights)  # type: ignore[operator]
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(CannotRead):
        read_arrays(tmp_path, plain.shapes_of(config), kept=())


def test_weights_that_do_not_fit_are_reported_as_ever(
    tiny_extractive: Path, tmp_path: Path, no_gpu: None
) -> None:
    for path in tiny_extractive.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"x")
    with pytest.raises(PagesumError, match="damaged or cut short"):
        PageSummarizer.from_pretrained(str(tmp_path), light=True)


@pytest.mark.parametrize(
    ("options", "is_plain"),
    [
        ({}, True),
        ({"device": "cpu"}, True),
        ({"dtype": "float32"}, True),
        ({"dtype": "bfloat16"}, False),
        ({"device": "cuda"}, False),
    ],
)
def test_which_engine_computes(options: dict[str, str], is_plain: bool, no_gpu: None) -> None:
    assert engine.is_plain(**{"device": "auto", "dtype": "auto", **options}) == is_plain


def test_a_gpu_is_looked_for_without_pytorch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.sys, "platform", "linux")
    monkeypatch.setattr(engine.shutil, "which", lambda name: None)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(engine, "GPU_FILES", (str(tmp_path / "nvidiactl"),))
    assert not engine.may_have_gpu()
    (tmp_path / "nvidiactl").touch()
    assert engine.may_have_gpu()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert not engine.may_have_gpu()
