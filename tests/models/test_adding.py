"""``pagesum models add``: what others publish, usable by a name."""

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tiny
import torch
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, decoders, pre_tokenizers, processors
from tokenizers import models as tokenizer_models
from transformers import BartConfig, BartForConditionalGeneration

from pagesum_cli import PageSumConfig, PageSumModel, load_model
from pagesum_cli.errors import PagesumError
from pagesum_cli.models.adding import Addition
from pagesum_cli.models.catalog import BART, known_models, models_folder
from pagesum_cli.options import DEFAULTS, stored_form
from pagesum_cli.options.presets import preset_values
from pagesum_cli.tokenization import PageTokenizer

REFERENCE = Path(__file__).parents[1] / "data" / "reference"
OFFICIAL = [model for model in known_models() if model.file]
SHAPE = {
    "vocab_size": 1000, "d_model": 64, "encoder_layers": 3, "decoder_layers": 2,
    "encoder_attention_heads": 8, "decoder_attention_heads": 4, "encoder_ffn_dim": 96,
    "decoder_ffn_dim": 128, "max_position_embeddings": 256,
}  # fmt: skip
"""Of the reference checkpoints."""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer in which the word ``wN`` is token N, and a full stop is 4."""
    special = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    vocabulary = {**special, ".": 4, **{f"w{number}": number for number in range(5, 1000)}}
    backend = Tokenizer(tokenizer_models.WordLevel(vocabulary, unk_token="<unk>"))
    backend.add_special_tokens([AddedToken(token, special=True) for token in special])
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    backend.decoder = decoders.WordPiece(prefix="##", cleanup=False)
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    folder = tmp_path_factory.mktemp("words")
    backend.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture
def add(pagesum: Callable, words: Path) -> Callable:
    """Adds a reference checkpoint under a name."""

    def call(name: str, folder: str = "ref-a", *flags: str):
        file = REFERENCE / folder / "pytorch_model.bin"
        return pagesum("models", "add", name, file, "--tokenizer", words, *flags)

    return call


def records(case: str, arrays: np.lib.npyio.NpzFile, path: Path) -> Path:
    """A reference case as text: a document a page, the last one left out where it is the filler
    ``.``.
    """
    lines = []
    for number, pages in enumerate(
        zip(arrays[f"{case}/input_ids"], arrays[f"{case}/attention_mask"], strict=True)
    ):
        texts = [
            " ".join("." if token == 4 else f"w{token}" for token in ids[mask > 0][1:-1])
            for ids, mask in zip(*pages, strict=True)
        ]
        kept = texts[:-1] if texts[-1] == "." else texts
        documents = [{"name": str(page), "text": text} for page, text in enumerate(kept)]
        lines.append(json.dumps({"id": str(number), "documents": documents}))
    path.write_text("\n".join(lines))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["ref-a", "ref-b"])
def test_summaries_are_the_originals_token_for_token(
    folder: str, add: Callable, pagesum: Callable, tmp_path: Path
) -> None:
    """From the original program's files to the text on the screen; see ``tests/data/reference``."""
    assert add("arxiv", folder).code == add("mine", folder).code == 0
    facts = json.loads((REFERENCE / folder / "cases.json").read_text())
    arrays = np.load(REFERENCE / folder / "cases.npz")
    compared = 0
    for case, info in facts["cases"].items():
        texts = records(case, arrays, tmp_path / "records.jsonl")
        for setting, model in (
            ("arxiv", "arxiv"),
            ("greedy", "arxiv"),
            ("govreport", "arxiv"),
            ("defaults", "mine"),
        ):
            if setting not in info["generate"]:
                continue
            given = facts["generation_settings"][setting]
            flags = [
                "--locality",
                "document",
                "--num-pages",
                str(info["pages"]),
                "--dtype",
                "float32",
                "--as-generated",
                "--no-history",
            ]
            if given:  # the original's lengths count the start token, and the end token
                flags += [
                    "--min-length",
                    str(given["min_length"] - 1),
                    "--max-length",
                    str(given["max_length"] - 2),
                ]
                flags += ["--beams", str(given.get("num_beams", 4))]
            result = pagesum(
                "summarize", texts, "--each", "--format", "jsonl", "--model", model, *flags
            )
            assert result.code == 0, result.err
            for line, sequence in zip(
                result.out.splitlines(), info["generate"][setting]["sequences"], strict=True
            ):
                pieces = "".join(token["text"] for token in json.loads(line)["tokens"]).split()
                expected = [
                    "." if token == 4 else f"w{token}" for token in sequence[1:] if token > 3
                ]
                assert pieces == expected, (case, setting)
                compared += 1
    assert compared >= 14


@pytest.mark.parametrize("model", OFFICIAL, ids=lambda model: model.name)
def test_an_official_name_brings_the_papers_settings(
    model, add: Callable, pagesum: Callable, letter: Path
) -> None:
    """As its preset has them, as far as the tiny checkpoint has positions."""
    assert add(model.name).code == 0
    config = json.loads((models_folder() / model.name / "config.json").read_text())
    paper = preset_values(model.name)
    assert (config["locality"], config["num_pages"]) == (paper["locality"], paper["num_pages"])
    assert (model.locality, model.num_pages) == (paper["locality"], paper["num_pages"])
    assert config["page_tokens"] == min(paper["page_tokens"], 256)
    assert config["generation"] == {
        **stored_form(DEFAULTS),
        "num_beams": paper["beams"],
        "min_length": min(paper["min_length"], 255) + 1,
        "max_length": min(paper["max_length"], 255) + 2,
        "no_repeat_ngram_size": paper["no_repeat_ngram"],
        "length_penalty": paper["length_penalty"],
        "early_stopping": False,
        "forced_bos_token_id": 0,
        "forced_eos_token_id": 2,
    }
    cut = json.loads(pagesum("pages", letter, "--model", model.name, "--format", "json").out)
    assert (cut["locality"], len(cut["pages"])) == (paper["locality"], paper["num_pages"])


@pytest.mark.slow
def test_the_locality_of_the_checkpoint_is_that_of_auto(
    add: Callable, pagesum: Callable, report: Path, tmp_path: Path
) -> None:
    assert add("arxiv").code == add("arxiv-discourse").code == 0
    fast = ("--max-length", "5", "--beams", "1")
    for name, expected in (("arxiv", "spatial"), ("arxiv-discourse", "discourse")):
        made = [
            json.loads(
                pagesum("summarize", report, "--model", name, "--format", "json", *fast, *flags).out
            )
            for flags in ((), ("--locality", "document"))
        ]
        assert [(one["locality"], len(one["pages"])) for one in made] == [
            (expected, {"arxiv": 7, "arxiv-discourse": 8}[name]),
            ("document", {"arxiv": 7, "arxiv-discourse": 8}[name]),
        ]
        output = tmp_path / name
        scored = pagesum(
            "eval", "--data", "sample", "--limit", "1", "--model", name, *fast, "--output", output
        )
        assert scored.code == 0, scored.err
        settings = json.loads((output / "results.jsonl").read_text().splitlines()[0])["settings"]
        assert settings["locality"] == expected


@pytest.mark.slow
def test_an_added_model_works_wherever_a_model_is_named(
    add: Callable, pagesum: Callable, report: Path, tmp_path: Path
) -> None:
    added = add("mine")
    assert (added.code, added.out.split(":")[0]) == (0, "added mine, 1 MB")
    fast = ("--model", "mine", "--max-length", "9", "--beams", "1")
    assert (
        json.loads(pagesum("summarize", report, *fast, "--format", "json").out)["model"] == "mine"
    )
    assert pagesum("inspect", report, *fast).code == 0
    scored = pagesum("eval", "--data", "sample", "--limit", "1", *fast, "--format", "json")
    assert json.loads(scored.out)["model"] == "mine"
    example = pagesum("train", "--data", "sample", "--init", "mine", "--show-example",
                      "--set", "page_tokens=64", "--set", "max_length=60",
                      "--set", "target_tokens=60")  # fmt: skip
    assert example.code == 0, example.err
    entry = next(
        one
        for one in json.loads(pagesum("models", "--format", "json").out)["models"]
        if one["name"] == "mine"
    )
    assert (entry["on_disk"], entry["path"]) == (True, str(models_folder() / "mine"))
    assert str(models_folder() / "mine") in pagesum("models").out
    assert pagesum("models", "remove", "mine").code == 0
    assert list(models_folder().iterdir()) == []
    assert pagesum("models", "remove", "mine").code == 1


def test_weights_of_every_form_are_the_same_model(
    add: Callable, pagesum: Callable, words: Path, tmp_path: Path
) -> None:
    source = REFERENCE / "ref-a" / "pytorch_model.bin"
    weights = torch.load(source, weights_only=True)
    save_file(
        {name: value.clone() for name, value in weights.items()}, tmp_path / "alone.safetensors"
    )
    folder = tmp_path / "folder"
    shutil.copytree(REFERENCE / "ref-a", folder)
    shutil.copy(words / "tokenizer.json", folder)
    assert add("bin").code == 0
    flags = ("--config", REFERENCE / "ref-a" / "config.json", "--tokenizer", words)
    assert pagesum("models", "add", "tensors", tmp_path / "alone.safetensors", *flags).code == 0
    assert pagesum("models", "add", "folder", folder).code == 0  # all of it lies beside the weights
    states = [
        load_model(name, device="cpu", dtype="float32")[0].state_dict()
        for name in ("bin", "tensors", "folder")
    ]
    for name in states[0]:
        assert all(torch.equal(state[name], weights[name]) for state in states), name


def test_a_number_format_is_kept(pagesum: Callable, words: Path, tmp_path: Path) -> None:
    weights = torch.load(REFERENCE / "ref-a" / "pytorch_model.bin", weights_only=True)
    torch.save({name: value.bfloat16() for name, value in weights.items()}, tmp_path / "half.bin")
    flags = ("--config", REFERENCE / "ref-a" / "config.json", "--tokenizer", words)
    assert pagesum("models", "add", "half", tmp_path / "half.bin", *flags).code == 0
    model = load_model("half", device="cpu", dtype="bfloat16")[0]
    assert torch.equal(model.lin.weight, weights["lin.weight"].bfloat16())
    size = sum(value.numel() for value in model.state_dict().values())
    assert (models_folder() / "half" / "model.safetensors").stat().st_size < 2.2 * size


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda weights: weights.pop("model.encoder.layers.0.fc1.weight"),
            "lacks weights: model.encoder.layers.0.fc1",
        ),
        (lambda weights: weights.update(extra=torch.ones(1)), "holds unknown weights: extra"),
        (
            lambda weights: weights.update({"lin.weight": torch.ones(1, 3)}),
            "is (1, 3), but config.json says (1, 64)",
        ),
        (
            lambda weights: (weights.pop("lin.weight"), weights.pop("lin.bias")),
            "no confidence layer (lin.weight)",
        ),
        (lambda weights: weights.update({"lin.bias": torch.tensor([float("nan")])}), "not finite"),
    ],
)
def test_other_weights_are_refused_in_one_line(
    change: Callable, message: str, pagesum: Callable, words: Path, tmp_path: Path
) -> None:
    weights = torch.load(REFERENCE / "ref-a" / "pytorch_model.bin", weights_only=True)
    change(weights)
    torch.save(weights, tmp_path / "model_spatial.bin")
    shutil.copy(REFERENCE / "ref-a" / "config.json", tmp_path)
    result = pagesum("models", "add", "arxiv", tmp_path / "model_spatial.bin", "--tokenizer", words)
    assert result.code == 1
    assert message in result.err
    assert result.err.count("error:") == result.err.count("hint:") == 1
    assert not (models_folder() / "arxiv").exists()


def test_a_tokenizer_that_happens_to_lie_beside_an_official_file_is_not_taken(
    words: Path, tmp_path: Path
) -> None:
    shutil.copy(words / "tokenizer.json", tmp_path)
    addition = Addition("arxiv", tmp_path / "model_spatial.bin")
    assert (addition.config_file, addition.tokenizer_folder) == (BART / "config.json", BART)
    shutil.copy(REFERENCE / "ref-a" / "config.json", tmp_path)
    assert (addition.config_file, addition.tokenizer_folder) == (tmp_path / "config.json", tmp_path)


def test_a_checkpoint_of_another_size_without_its_configuration_is_refused(
    pagesum: Callable, tmp_path: Path
) -> None:
    shutil.copy(REFERENCE / "ref-a" / "pytorch_model.bin", tmp_path / "model_spatial.bin")
    result = pagesum("models", "add", "arxiv", tmp_path / "model_spatial.bin")
    assert "error: the checkpoint" in result.err
    assert "lacks weights: model.decoder.layers.10" in result.err
    assert "--config FILE" in result.err


def test_code_is_not_run(pagesum: Callable, tmp_path: Path) -> None:
    class Attack:
        def __reduce__(self) -> tuple:
            return os.system, (f"touch {tmp_path / 'ran'}",)

    torch.save({"model.shared.weight": Attack()}, tmp_path / "model.bin")
    assert (
        "holds more than weights" in pagesum("models", "add", "pubmed", tmp_path / "model.bin").err
    )
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("mini", "{file}"), 2, "mini is the name of a bundled model"),
        (("a/b", "{file}"), 2, "'a/b' cannot be a name"),
        ((".hidden", "{file}"), 2, "cannot be a name"),
        (("arxiv", "nowhere.bin"), 1, "nowhere.bin: no such file"),
        (("arxiv", "{file}", "--config", "nowhere.json"), 1, "found no nowhere.json"),
        (("arxiv", "{text}"), 1, "or is damaged: refused"),
        (
            ("arxiv", "{file}"),
            1,
            "BART's tokenizer has 50,265 tokens, the weights in {file} have 1,000",
        ),
    ],
)
def test_what_cannot_be_added_is_said_in_one_line(
    arguments: tuple[str, ...], code: int, message: str, pagesum: Callable, letter: Path
) -> None:
    names = {"file": REFERENCE / "ref-a" / "pytorch_model.bin", "text": letter}
    result = pagesum("models", "add", *(argument.format(**names) for argument in arguments))
    assert result.code == code
    assert message.format(**names) in result.err
    assert result.err.count("error:") == 1
    assert not models_folder().exists()


def test_an_existing_model_is_replaced_only_with_force(add: Callable) -> None:
    assert add("mine", "ref-a").code == 0
    before = load_model("mine", device="cpu", dtype="float32")[0].lin.weight
    refused = add("mine", "ref-b")
    assert refused.code == 1
    assert "the model mine exists" in refused.err
    assert torch.equal(load_model("mine", device="cpu", dtype="float32")[0].lin.weight, before)
    assert add("mine", "ref-b", "--force").code == 0
    assert not torch.equal(load_model("mine", device="cpu", dtype="float32")[0].lin.weight, before)
    assert [path.name for path in models_folder().iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("stop", "code"),
    [(KeyboardInterrupt(), 130), (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 1)],
)
@pytest.mark.parametrize("has_other", [False, True])
def test_ctrl_c_and_a_full_disk_leave_what_was_there_before(
    stop: BaseException, code: int, has_other: bool, add: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of the folder's files is the one that does not fit any more."""
    if has_other:
        assert add("mine", "ref-b").code == 0
    before = sorted((path.name, path.stat().st_size) for path in models_folder().rglob("*"))

    def save(self: PageTokenizer, folder: Path) -> None:
        assert (folder / "model.safetensors").stat().st_size
        raise stop

    with monkeypatch.context() as patch:
        patch.setattr(PageTokenizer, "save", save)
        result = add("mine", "ref-a", "--force")
    assert result.code == code
    assert (
        code == 130
        or f"{models_folder() / 'mine'}: cannot be written (No space left on device)" in result.err
    )
    assert sorted((path.name, path.stat().st_size) for path in models_folder().rglob("*")) == before


def test_a_known_model_that_is_not_there_names_the_one_command(
    pagesum: Callable, letter: Path
) -> None:
    result = pagesum("summarize", letter, "--model", "arxiv")
    assert (
        "its file model_spatial.bin is linked at https://github.com/yixinL7/PageSum" in result.err
    )
    assert "then: pagesum models add arxiv model_spatial.bin" in result.err


def test_a_plain_bart_can_have_a_name_of_its_own(pagesum: Callable, tmp_path: Path) -> None:
    torch.manual_seed(0)
    tiny.bart_vocabulary(tmp_path)
    shape = {name: value for name, value in SHAPE.items() if name != "vocab_size"}
    BartForConditionalGeneration(BartConfig(vocab_size=400, **shape)).save_pretrained(tmp_path)
    assert pagesum("models", "add", "plain", tmp_path).code == 0
    assert load_model("plain", device="cpu")[0].config.untrained_confidence
    assert pagesum("models", "add", "arxiv", tmp_path).code == 1


def test_an_extractive_model_can_be_added(
    pagesum: Callable, tiny_extractive: Path, letter: Path
) -> None:
    assert pagesum("models", "add", "short", tiny_extractive).code == 0
    quoted = [
        pagesum("summarize", letter, "--model", name).out
        for name in ("short", str(tiny_extractive))
    ]
    assert quoted[0] == quoted[1] != ""


def test_the_bundled_configuration_is_that_of_bart_large() -> None:
    """Known facts: BART-large has 406,291,456 parameters, and "Hello world" is 31414 232."""
    config = PageSumConfig.from_dict(json.loads((BART / "config.json").read_text()))
    with torch.device("meta"):
        model = PageSumModel(config)
    assert (
        sum(one.numel() for name, one in model.named_parameters() if not name.startswith("lin."))
        == 406_291_456
    )
    tokenizer = PageTokenizer.load(BART)
    assert tokenizer.encode("Hello world") == [0, 31414, 232, 2]
    assert tokenizer.vocab_size == config.vocab_size
    with pytest.raises(PagesumError, match="no model 'bart'"):
        load_model("bart")
