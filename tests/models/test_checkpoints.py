"""Checkpoints: what loads, and what is refused in one line."""

import json
import os
import pickle
import shutil
from pathlib import Path

import pytest
import tiny
import torch
from safetensors.torch import save_file
from transformers import BartConfig, BartForConditionalGeneration, BartModel

from pagesum_cli import PageSumConfig, PageSummarizer, PageSumModel, load_model
from pagesum_cli.errors import PagesumError
from pagesum_cli.models.catalog import RANGES, fingerprint
from pagesum_cli.models.layers.transformer import ACTIVATIONS
from pagesum_cli.models.weights import pick_device, pick_dtype

SHAPE = {
    "vocab_size": 50,
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "max_position_embeddings": 40,
}


@pytest.fixture
def official(tmp_path: Path) -> Path:
    """A folder as the original program's users have it: BART's config.json and one state dict."""
    torch.manual_seed(0)
    model = PageSumModel(PageSumConfig(**SHAPE))
    weights = dict(model.state_dict())
    weights["lm_head.weight"] = weights["model.shared.weight"]
    for stack in ("encoder", "decoder"):
        weights[f"model.{stack}.embed_tokens.weight"] = weights["model.shared.weight"]
    torch.save(dict(weights), tmp_path / "model_generation.bin")
    config = {
        "model_type": "bart",
        "num_beams": 4,
        "length_penalty": 2.0,
        "early_stopping": True,
        **SHAPE,
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    return tmp_path


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    return torch.load(folder / "model_generation.bin", weights_only=True)


def refusal(folder: Path | str) -> str:
    with pytest.raises(PagesumError) as caught:
        load_model(str(folder), device="cpu")
    assert "\n" not in caught.value.message
    return f"{caught.value.message} / {caught.value.hint}"


def test_an_official_state_dict_loads_as_it_is(official: Path) -> None:
    model, tokenizer = load_model(str(official), device="cpu", dtype="float32")
    assert tokenizer is None
    assert torch.equal(model.lin.weight, weights_of(official)["lin.weight"])
    assert not model.config.untrained_confidence
    assert not model.training
    assert (model.config.generation["num_beams"], model.config.generation["length_penalty"]) == (
        4,
        2.0,
    )
    assert model.config.generation["early_stopping"] is True
    assert model.config.page_tokens == 40  # not beyond the positions


def test_what_was_loaded_can_be_saved_and_loaded(official: Path, tmp_path: Path) -> None:
    model, _ = load_model(str(official), device="cpu", dtype="float32")
    model.save_pretrained(tmp_path / "ours")
    again, _ = load_model(str(tmp_path / "ours"), device="cpu", dtype="float32")
    for (name, one), (_, other) in zip(
        model.state_dict().items(), again.state_dict().items(), strict=True
    ):
        assert torch.equal(one, other), name
    assert again.config.generation["num_beams"] == 4


@pytest.mark.parametrize("kind", [BartForConditionalGeneration, BartModel])
def test_a_bart_checkpoint_gets_a_new_confidence_layer(tmp_path: Path, kind: type) -> None:
    torch.manual_seed(0)
    kind(BartConfig(**SHAPE)).save_pretrained(tmp_path)
    first, _ = load_model(str(tmp_path), device="cpu", dtype="float32")
    second, _ = load_model(str(tmp_path), device="cpu", dtype="float32")
    assert first.config.untrained_confidence
    assert first.lin.weight.abs().sum() > 0
    assert torch.equal(first.lin.weight, second.lin.weight)


def test_arrays_in_several_files_are_put_together(official: Path) -> None:
    weights = {
        name: value.clone()
        for name, value in weights_of(official).items()
        if "embed_tokens" not in name
    }
    del weights["lm_head.weight"]
    names = sorted(weights)
    for number, part in enumerate((names[::2], names[1::2]), start=1):
        save_file(
            {name: weights[name] for name in part},
            official / f"model-0000{number}-of-00002.safetensors",
        )
    (official / "model_generation.bin").unlink()
    model, _ = load_model(str(official), device="cpu", dtype="float32")
    assert torch.equal(model.lin.weight, weights["lin.weight"])


def test_barts_vocabulary_files_are_a_tokenizer(official: Path) -> None:
    tiny.bart_vocabulary(official)
    _, tokenizer = load_model(str(official), device="cpu")
    ids = tokenizer.encode("Pages never meet.")
    assert (ids[0], ids[-1]) == (0, 2)
    assert tokenizer.decode(ids) == "Pages never meet."


def test_a_missing_checkpoint_names_what_there_is(tmp_path: Path) -> None:
    assert "neither a known model" in refusal("minni")
    assert "found no config.json" in refusal(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bart", **SHAPE}))
    assert "contains no weights" in refusal(tmp_path)
    assert "found a file" in refusal(tmp_path / "config.json")


def test_a_nearly_right_name_is_offered() -> None:
    assert "did you mean mini?" in refusal("minni")
    assert "is not on this disk" in refusal("pubmed")


def test_a_hub_id_without_a_network_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert "cannot be fetched" in refusal("nobody/nothing-of-this-name")


def test_code_in_a_checkpoint_is_not_run(official: Path, tmp_path: Path) -> None:
    witness = tmp_path / "ran"

    class Attack:
        def __reduce__(self) -> tuple:
            return os.system, (f"touch {witness}",)

    (official / "model_generation.bin").write_bytes(pickle.dumps({"model.shared.weight": Attack()}))
    assert "refused" in refusal(official)
    torch.save({"model.shared.weight": Attack()}, official / "model_generation.bin")
    assert "refused" in refusal(official)
    assert not witness.exists()


@pytest.mark.parametrize("kept", [0, 10, 0.5, 0.99])
def test_a_checkpoint_cut_short_is_refused(official: Path, kept: float) -> None:
    path = official / "model_generation.bin"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole)) if kept < 1 else int(kept)])
    assert "model_generation.bin" in refusal(official)


def test_safetensors_cut_short_are_refused(official: Path) -> None:
    weights = {name: value.clone() for name, value in weights_of(official).items()}
    save_file(weights, official / "model.safetensors")
    whole = (official / "model.safetensors").read_bytes()
    (official / "model.safetensors").write_bytes(whole[:-100])
    assert "damaged or cut short" in refusal(official)


def test_another_shape_is_refused_by_name(official: Path) -> None:
    config = json.loads((official / "config.json").read_text())
    (official / "config.json").write_text(json.dumps({**config, "decoder_ffn_dim": 32}))
    assert "(24, 16), but config.json says (32, 16)" in refusal(official)
    (official / "config.json").write_text(json.dumps({**config, "encoder_layers": 2}))
    assert "lacks weights: model.encoder.layers.1" in refusal(official)
    (official / "config.json").write_text(json.dumps({**config, "model_type": "t5"}))
    assert "'t5' model, expected one of pagesum, bart, extractive" in refusal(official)
    (official / "config.json").write_text("[1")
    assert "cannot be read" in refusal(official)
    (official / "config.json").write_text("[" * 100_000)
    assert "cannot be read" in refusal(official)


@pytest.mark.parametrize(
    "value", [10**9, -5, True, "wide", [], {}, float("nan"), float("inf"), 1.5, 10**400]
)
@pytest.mark.parametrize(
    "name", ["encoder_layers", "d_model", "vocab_size", "encoder_attention_heads", "num_beams"]
)
def test_values_of_another_type_or_out_of_range_are_refused_by_name(
    official: Path, name: str, value: object
) -> None:
    config = json.loads((official / "config.json").read_text())
    (official / "config.json").write_text(json.dumps({**config, name: value}))
    assert f"{name} is " in refusal(official)
    assert "expected a" in refusal(official)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"encoder_attention_heads": 3},
            "d_model is 16, expected a multiple of encoder_attention_heads, 3",
        ),
        ({"eos_token_id": 60_000}, "eos_token_id is 60000, expected less than vocab_size"),
        ({"activation_function": "mish"}, "activation_function is 'mish', expected one of gelu,"),
        ({"dropout": "0.1"}, "dropout is '0.1', expected a number"),
        ({"generation": {"num_beams": 10**6}}, "num_beams is 1000000, expected at most 1000"),
        (
            {"generation": {"blocking": "word"}},
            "blocking is 'word', expected one of ngram, sentence",
        ),
        (
            {"generation": {"length_normalization": 1}},
            "length_normalization is 1, expected a string",
        ),
        ({"generation": {"coverage_penalty": -1}}, "coverage_penalty is -1, expected at least 0"),
        (
            {"generation": {"attention_temperature": 0}},
            "attention_temperature is 0, expected at least 0.01",
        ),
        (
            {"generation": {"unblocked_token_ids": [4, -1]}},
            "unblocked_token_ids is [4, -1], expected at least 0",
        ),
        (
            {"generation": {"unblocked_token_ids": 4}},
            "unblocked_token_ids is 4, expected a list of whole numbers",
        ),
        ({"scale_embedding": 1}, "scale_embedding is 1, expected true or false"),
    ],
)
def test_values_that_contradict_others_are_refused(
    official: Path, values: dict, message: str
) -> None:
    config = json.loads((official / "config.json").read_text())
    (official / "config.json").write_text(json.dumps({**config, **values}))
    assert message in refusal(official)


def test_every_activation_has_a_name_in_the_ranges() -> None:
    assert RANGES["activation_function"][1].choices == tuple(ACTIVATIONS)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused_by_name(official: Path, value: float) -> None:
    weights = weights_of(official)
    weights["model.encoder.layers.0.fc1.weight"][3, 2] = value
    torch.save(weights, official / "model_generation.bin")
    assert "model.encoder.layers.0.fc1.weight holds values that are not finite" in refusal(official)
    (official / "model_generation.bin").unlink()
    save_file({name: one.clone() for name, one in weights.items()}, official / "model.safetensors")
    assert "model.encoder.layers.0.fc1.weight holds values that are not finite" in refusal(official)


def test_weights_of_another_kind_are_refused(official: Path) -> None:
    weights = weights_of(official)
    name = "model.encoder.layers.0.fc1.weight"
    torch.save({**weights, name: weights[name].int()}, official / "model_generation.bin")
    assert f"{name} is torch.int32, expected floating point" in refusal(official)
    torch.save(
        {**weights, name: torch.zeros(1).expand(1 << 20, 1 << 20)},
        official / "model_generation.bin",
    )
    assert f"{name} is not stored in full" in refusal(official)


@pytest.mark.parametrize(
    "tokenizer",
    [
        "{}",
        "[" * 1000,
        '{"version": "1.0", "added_tokens": [], "model": {"type": "WordPiece", '
        '"unk_token": "[UNK]", "continuing_subword_prefix": "##", '
        '"max_input_chars_per_word": 100, "vocab": {}}}',
        '{"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Split", '
        '"pattern": {"Regex": "("}, "behavior": "Removed", "invert": false}, '
        '"model": {"type": "BPE", "vocab": {}, "merges": []}}',
    ],
)
def test_a_broken_tokenizer_is_one_line(official: Path, tokenizer: str) -> None:
    (official / "tokenizer.json").write_text(tokenizer)
    with pytest.raises(PagesumError, match="the tokenizer") as caught:
        load_model(str(official), device="cpu", dtype="float32")
    assert "\n" not in caught.value.message


def test_a_hub_id_may_name_a_revision_and_the_commit_is_in_the_settings(
    tiny_extractive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letter: Path
) -> None:
    """The hub's library is replaced by one that has downloaded the checkpoint: tests have no
    network.
    """
    commit = "0123456789abcdef0123456789abcdef01234567"
    snapshot = tmp_path / "models--somebody--model" / "snapshots" / commit
    shutil.copytree(tiny_extractive, snapshot)
    asked = []

    def download(repository: str, *, revision: str | None, allow_patterns: list[str]) -> str:
        asked.append((repository, revision))
        return str(snapshot)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    summarizer = PageSummarizer.from_pretrained(
        "somebody/model@v1.0", device="cpu", dtype="float32"
    )
    assert asked == [("somebody/model", "v1.0")]
    settings = summarizer.summarize(letter).settings
    assert (settings["model"], settings["revision"]) == ("somebody/model@v1.0", commit)
    assert fingerprint("somebody/model") == ["somebody/model", commit]
    assert (
        "revision"
        not in PageSummarizer.from_pretrained(str(tiny_extractive)).summarize(letter).settings
    )


def test_unknown_weights_and_other_things_are_refused(official: Path) -> None:
    torch.save(
        {**weights_of(official), "model.extra": torch.ones(1)}, official / "model_generation.bin"
    )
    assert "holds unknown weights: model.extra" in refusal(official)
    torch.save({"model": weights_of(official)}, official / "model_generation.bin")
    assert "not a state dict" in refusal(official)
    torch.save({}, official / "model_generation.bin")
    assert "lacks weights" in refusal(official)


@pytest.mark.parametrize("rows", [49, 51])
def test_the_number_of_tokens_is_that_of_the_weights(official: Path, rows: int) -> None:
    """Released checkpoints have 50 264 or 50 265 tokens, whatever their config.json says."""
    weights = weights_of(official)
    for name in [
        name
        for name in weights
        if name.endswith(("shared.weight", "embed_tokens.weight", "lm_head.weight"))
    ]:
        weights[name] = torch.randn(rows, 16)
    weights["final_logits_bias"] = torch.zeros(1, rows)
    torch.save(weights, official / "model_generation.bin")
    model, _ = load_model(str(official), device="cpu", dtype="float32")
    assert model.config.vocab_size == rows
    assert (
        model(
            torch.ones(1, 1, 4, dtype=torch.long),
            decoder_input_ids=torch.ones(1, 2, dtype=torch.long),
        ).logits.shape[-1]
        == rows
    )


def test_two_checkpoints_in_one_folder_are_refused(official: Path) -> None:
    shutil.copy(official / "model_generation.bin", official / "model_ranking.bin")
    assert "several weight files (model_generation.bin, model_ranking.bin)" in refusal(official)


def test_devices_and_formats() -> None:
    assert pick_device("cpu").type == "cpu"
    if not torch.cuda.is_available():
        with pytest.raises(PagesumError, match="no device 'cuda' on this machine"):
            pick_device("cuda")
    assert pick_dtype("float16", torch.device("cpu")) == torch.float16
    assert pick_dtype("auto", torch.device("cpu")) in (torch.float32, torch.bfloat16)
    assert pick_dtype("auto", torch.device("mps")) == torch.float32


@pytest.mark.parametrize(
    ("features", "maker", "expected"),
    [
        ({"amx_tile", "avx512_bf16"}, "GenuineIntel", torch.bfloat16),
        ({"avx512_bf16"}, "AuthenticAMD", torch.bfloat16),
        ({"avx512_bf16"}, "GenuineIntel", torch.float32),  # slower in bfloat16 without AMX
        (set(), "AuthenticAMD", torch.float32),
    ],
)
def test_the_faster_format_of_a_processor(
    features: set[str], maker: str, expected: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    for feature in ("amx_tile", "avx512_bf16"):
        monkeypatch.setattr(f"torch.cpu._is_{feature}_supported", lambda f=feature: f in features)
    monkeypatch.setattr("pagesum_cli.system.processor_maker", lambda: maker)
    assert pick_dtype("auto", torch.device("cpu")) == expected
