"""Unsuitable input is reported before its summary, and a summary without a word is an error."""

import json
import shutil
from pathlib import Path

import pytest

TEXTS = Path(__file__).parents[1] / "data" / "unsuitable"
REPORT = Path(__file__).parents[2] / "docs" / "examples" / "beige_book" / "boston.txt"


@pytest.fixture
def english(tiny_extractive, tmp_path):
    """A checkpoint that says that it was trained on English."""
    folder = shutil.copytree(tiny_extractive, tmp_path / "english")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "languages": ["en"]}))
    return folder


@pytest.fixture
def silent(tiny_checkpoint, tmp_path):
    """A generating checkpoint whose first token ends the summary."""
    folder = shutil.copytree(tiny_checkpoint, tmp_path / "silent")
    config = json.loads((folder / "config.json").read_text())
    config["generation"] |= {"forced_bos_token_id": config["eos_token_id"], "min_length": 0}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def test_the_note_is_on_stderr_and_in_the_json(pagesum, english):
    result = pagesum("summarize", TEXTS / "german.txt", "--model", english, "--format", "json")
    assert result.code == 0, result.err
    (note,) = json.loads(result.out)["notes"]
    assert (
        note
        == f"german.txt is in German, but {english} was trained on English: expect a poor summary"
    )
    assert note in result.err


def test_a_saved_summary_keeps_its_notes(pagesum, english, tmp_path):
    saved, again = tmp_path / "saved.json", tmp_path / "again.json"
    assert (
        pagesum("summarize", TEXTS / "minutes.txt", "--model", english, "--output", saved).code == 0
    )
    assert pagesum("inspect", saved, "--export", again).code == 0
    assert json.loads(again.read_text())["notes"] == json.loads(saved.read_text())["notes"] != []


def test_quiet_hides_it_and_keeps_it_in_the_json(pagesum, english):
    result = pagesum(
        "summarize", TEXTS / "minutes.txt", "--model", english, "--format", "json", "--quiet"
    )
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["notes"]


def test_ordinary_text_has_no_note(pagesum, english):
    result = pagesum("summarize", REPORT, "--model", english, "--format", "json")
    assert json.loads(result.out)["notes"] == []
    assert result.err == ""


def test_the_file_of_a_cluster_is_named(pagesum, english):
    result = pagesum("inspect", REPORT, TEXTS / "minutes.txt", "--model", english)
    assert result.code == 0, result.err
    assert "minutes.txt looks like a dialogue" in result.err
    assert "boston.txt" not in result.err


def test_a_checkpoint_of_unknown_languages_says_nothing_about_them(pagesum, tiny_extractive):
    result = pagesum("summarize", TEXTS / "german.txt", "--model", tiny_extractive)
    assert (result.code, result.err.count("\n")) == (0, 2)


def test_a_summary_without_a_word_is_an_error(pagesum, silent):
    result = pagesum("summarize", REPORT, "--model", silent)
    assert (result.code, result.out) == (1, "")
    error, hint = result.err.splitlines()
    assert error == f"error: {REPORT}: {silent} ended the summary before its first word"
    assert hint.startswith("hint: --min-length")


def test_with_each_the_documents_without_a_summary_are_named(pagesum, silent, tmp_path):
    out = tmp_path / "out"
    result = pagesum(
        "summarize", "--each", REPORT, TEXTS / "minutes.txt", "--model", silent, "--output-dir", out
    )
    assert result.code == 1
    assert result.err.count("ended the summary before its first word") == 2
    assert "2 of 2 could not be summarized" in result.err
    assert not list(out.glob("*.txt"))
