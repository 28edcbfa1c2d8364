"""The files of a language model that a new model reads with: GGUF, and ids on the hub."""

import json
import shutil
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from tokenizers import Tokenizer

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.locality import paginate
from pagesum_cli.models.base import PageModel
from pagesum_cli.models.extractive.language_model import LanguageModelExtractor
from pagesum_cli.models.extractive.model import ExtractiveModel
from pagesum_cli.models.warm_start import from_encoder
from pagesum_cli.models.weights import read_weights
from pagesum_cli.options import PagingOptions
from pagesum_cli.tokenization import PageTokenizer
from pagesum_cli.training.job import Job, check_job
from pagesum_cli.training.settings import load_settings

gguf = pytest.importorskip("gguf")

LABELS = '{"id": "1", "title": "A", "sentences": [["", "Rye grows."]], "quoted": [0]}\n' * 4
HEADS, KEY_HEADS = 4, 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama as Transformers saves it; no number of its configuration is a default."""
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("llama")
    tokenizer = tiny.byte_level(tiny.TEXTS)
    tokenizer.save(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=tokenizer.vocab_size,
        hidden_size=24,
        intermediate_size=40,
        num_hidden_layers=4,
        num_attention_heads=HEADS,
        num_key_value_heads=KEY_HEADS,
        max_position_embeddings=512,
        rms_norm_eps=3e-4,
        rope_parameters={"rope_type": "default", "rope_theta": 5000.0},
        bos_token_id=tiny.START,
        eos_token_id=tiny.END,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def write(
    folder: Path,
    path: Path,
    architecture: str = "llama",
    without: Iterable[str] = (),
    extra: Iterable[str] = (),
    scaling: bool = False,
    tokenizer: bool = True,
) -> Path:
    """Write the model of a folder as llama.cpp does: rows of queries and keys in its own order."""
    given = json.loads((folder / "config.json").read_text())
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_context_length(given["max_position_embeddings"])
    writer.add_embedding_length(given["hidden_size"])
    writer.add_block_count(given["num_hidden_layers"])
    writer.add_feed_forward_length(given["intermediate_size"])
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(given["rms_norm_eps"])
    writer.add_rope_freq_base(given["rope_parameters"]["rope_theta"])
    writer.add_rope_dimension_count(given["hidden_size"] // HEADS)
    writer.add_vocab_size(given["vocab_size"])
    if scaling:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(4.0)
    if tokenizer:
        add_tokenizer(writer, given, PageTokenizer.load(folder).backend)
    for name, tensor in read_weights(folder).items():
        for theirs, ours in tiny.GGUF_NAMES.items():
            name = name.replace(theirs, ours)
        for part, heads in (("attn_q", HEADS), ("attn_k", KEY_HEADS)):
            if part in name:
                halves = tensor.view(heads, 2, -1, tensor.shape[1])
                tensor = halves.transpose(1, 2).reshape(tensor.shape)
        if name not in without:
            writer.add_tensor(name, tensor.contiguous().numpy())
    for name in extra:
        writer.add_tensor(name, torch.ones(3).numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def add_tokenizer(writer: Any, given: dict[str, Any], backend: Tokenizer) -> None:
    tokens = [backend.id_to_token(number) for number in range(given["vocab_size"])]
    merges = json.loads(backend.to_str())["model"]["merges"]
    control, normal = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_token_types([control if token in tiny.SPECIAL else normal for token in tokens])
    writer.add_bos_token_id(given["bos_token_id"])
    writer.add_eos_token_id(given["eos_token_id"])


def start(name: Path | str) -> tuple[PageModel, PageTokenizer]:
    return from_encoder(str(name), LanguageModelExtractor, scoring_layers=1)


@torch.no_grad()
def states(model: PageModel, tokenizer: PageTokenizer) -> torch.Tensor:
    """The states of the sentences of a document."""
    assert isinstance(model, LanguageModelExtractor)
    paragraphs = tuple(Paragraph(text) for text in tiny.TEXTS)
    document = Document("a.txt", (Section("Fields", paragraphs, found_by="outline"),))
    options = PagingOptions(page_tokens=100).filled(100, None, 100, "auto", None)
    pages = tokenizer.encode_pages(paginate([document], options, tokenizer), 100)
    return model.eval().encode(model.batch([pages])).states


@pytest.mark.parametrize("name", ["model.gguf", "sha256-0123"])
def test_a_gguf_file_gives_the_same_states_as_the_folder(
    name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    found, own = start(write(folder, tmp_path / name))
    expected, tokenizer = start(folder)
    given, known = found.config.to_dict(), expected.config.to_dict()
    # a float32 number in the file
    assert given.pop("norm_epsilon") == pytest.approx(known.pop("norm_epsilon"))
    assert given == known
    assert given["eos_token_id"] == tiny.END
    for text in tiny.TEXTS:
        assert own.pieces(f" {text}") == tokenizer.pieces(f" {text}")
    of_file, of_folder = states(found, own), states(expected, tokenizer)
    assert of_file.shape[0] > len(tiny.TEXTS)
    torch.testing.assert_close(of_file, of_folder, atol=1e-6, rtol=1e-6)
    assert not list(temporary.iterdir())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"architecture": "qwen2"}, "holds a 'qwen2' model, expected one like Llama"),
        ({"architecture": "rwkv6"}, "cannot be converted: GGUF model with architecture rwkv6"),
        ({"scaling": True}, "unsupported kind of rotary positions: llama.rope.scaling"),
        ({"extra": ["rope_freqs.weight"]}, "holds unknown weights: rope_freqs.weight"),
        ({"extra": ["blk.0.attn_q.bias"]}, "holds unknown weights: blk.0.attn_q.bias"),
        ({"tokenizer": False}, "has no tokenizer"),
        ({"without": ["blk.2.ffn_up.weight"]}, "lacks weights: blk.2.ffn_up.weight"),
    ],
)
def test_a_gguf_file_of_another_model_is_refused_before_it_is_converted(
    changes: dict[str, Any],
    message: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pagesum_cli.models.gguf._convert", None)
    with pytest.raises(PagesumError, match=message) as caught:
        start(write(folder, tmp_path / "other.gguf", **changes))
    assert str(tmp_path / "other.gguf") in caught.value.message


def test_a_file_that_is_cut_short_is_one_line(folder: Path, tmp_path: Path) -> None:
    path = write(folder, tmp_path / "cut.gguf")
    whole = path.read_bytes()
    for size in (6, 40, len(whole) // 4, len(whole) - 1000):
        path.write_bytes(whole[:size])
        with pytest.raises(PagesumError, match=r"cut\.gguf cannot be converted: ") as caught:
            start(path)
        assert "\n" not in caught.value.message


def test_what_is_no_gguf_file_is_refused_before_anything_is_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, good = tmp_path / "a.gguf", write(folder, tmp_path / "good.gguf")
    other.write_text("no such thing")

    def check(path: Path) -> None:
        settings = load_settings("quotes", flags={"init_encoder": str(path)})
        check_job(Job((str(tmp_path / "labels.jsonl"),), tmp_path / "run", settings))

    (tmp_path / "labels.jsonl").write_text(LABELS)
    check(good)
    for function in (check, start):
        with pytest.raises(PagesumError, match=r"a\.gguf is not a GGUF file"):
            function(other)
        with pytest.raises(PagesumError, match=r"b\.gguf: no such file"):
            function(tmp_path / "b.gguf")
    monkeypatch.setattr(
        "pagesum_cli.errors.find_spec", lambda name: None if name == "gguf" else find_spec(name)
    )
    for function in (check, start):
        with pytest.raises(PagesumError, match=r"^gguf is not installed$") as caught:
            function(good)
        assert caught.value.hint is not None
        assert "'.[causal]'" in caught.value.hint


def test_only_the_task_quotes_starts_from_a_gguf_file(folder: Path, tmp_path: Path) -> None:
    path = write(folder, tmp_path / "model.gguf")
    with pytest.raises(UsageError, match=r"model\.gguf: a GGUF file, which only the task quotes"):
        from_encoder(str(path), ExtractiveModel)


def test_an_id_of_the_hub_and_its_weights_are_left_there_if_it_is_not_like_llama(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub's library is replaced by one that has downloaded the model: tests have no network."""
    asked = []

    def download(repository: str, *, revision: str | None, allow_patterns: list[str]) -> str:
        asked.append((repository, revision, "*.safetensors" in allow_patterns))
        return str(tmp_path / repository)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.chdir(tmp_path)
    shutil.copytree(folder, tmp_path / "somebody/llama")
    settings = load_settings("quotes", flags={"init_encoder": "somebody/llama@v1"})
    (tmp_path / "labels.jsonl").write_text(LABELS)
    check_job(Job((str(tmp_path / "labels.jsonl"),), tmp_path / "run", settings))
    found, own = start("somebody/llama@v1")
    assert asked == [("somebody/llama", "v1", False), ("somebody/llama", "v1", True)]
    torch.testing.assert_close(states(found, own), states(*start(folder)))
    (tmp_path / "somebody/other").mkdir()
    (tmp_path / "somebody/other/config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(PagesumError, match="holds a 'gpt2' model, expected one like Llama"):
        start("somebody/other@v2")
    assert asked[2:] == [("somebody/other", "v2", False)]
