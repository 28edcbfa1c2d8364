"""Presets, the user's file and flags."""

import tomllib
from pathlib import Path

import pytest

from pagesum_cli.errors import UsageError
from pagesum_cli.training.settings import NAMES, Settings, load_settings, preset_text, toml_of, value_of

PAPER = {  # locality, pages, target, least, most, optimizer, batch, accumulate, checkpointing
    "arxiv": ("spatial", 7, 400, 100, 350, "adam", 1, 16, False),
    "arxiv-discourse": ("discourse", 8, 400, 100, 350, "adam", 1, 16, False),
    "pubmed": ("spatial", 7, 400, 150, 400, "adam", 1, 16, False),
    "govreport": ("spatial", 20, 1024, 500, 900, "adafactor", 2, 8, True),
    "multinews": ("document", 7, 400, 150, 400, "adam", 1, 16, False),
}


@pytest.mark.parametrize("name", PAPER)
def test_presets_are_the_papers(name: str) -> None:
    found = load_settings(name)
    assert (
        found.locality,
        found.num_pages,
        found.target_tokens,
        found.min_length,
        found.max_length,
        found.optimizer,
        found.batch,
        found.accumulate,
        found.gradient_checkpointing,
    ) == PAPER[name]
    assert (found.page_tokens, found.beams, found.no_repeat_ngram, found.length_penalty) == (1024, 4, 3, 2.0)
    assert (found.epochs, found.validate_every, found.label_smoothing) == (10, 1000, 0.1)
    assert found.rate(1) == pytest.approx(2e-3 * 10000**-1.5)
    assert found.rate(10000) == pytest.approx(2e-3 / 100)
    assert found.rate(40000) == pytest.approx(2e-3 / 200)


def test_flags_go_over_the_file_and_the_file_over_the_preset(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("epochs = 3\nbatch = 2\n")
    found = load_settings("pubmed", file, {"batch": 4})
    assert (found.epochs, found.batch, found.accumulate) == (3, 4, 16)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "mini"])  # its settings are of other kinds
def test_settings_survive_being_written(name: str) -> None:
    settings = load_settings(name, flags={"init": 'a "b" \\ ü😀', "decoder_layers": [0, 2]})
    assert Settings().changed(tomllib.loads(toml_of(settings)), "file") == settings


@pytest.mark.parametrize(
    ("values", "found", "hint"),
    [
        ({"leraning_rate": 1e-3}, "no setting 'leraning_rate'", "did you mean learning_rate?"),
        ({"epochs": "3"}, "epochs '3', expected a whole number", ""),
        ({"epochs": True}, "epochs True, expected a whole number", ""),
        ({"epochs": 0}, "epochs 0, expected at least 1", ""),
        ({"learning_rate": float("nan")}, "learning_rate nan", ""),
        ({"learning_rate": 3.0}, "expected above 0 and below 1", ""),
        ({"label_smoothing": 1.0}, "expected below 1", ""),
        ({"optimizer": "adma"}, "expected one of adam, adafactor", "did you mean adam?"),
        ({"decoder_layers": 3}, "expected a list of numbers", "[0, 2, 5]"),
        ({"min_length": 90, "max_length": 80}, "min_length 90 is above max_length 80", ""),
    ],
)
def test_refuses_what_makes_no_sense(values: dict, found: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings("finetune", flags=values)
    assert found in caught.value.message
    assert hint in (caught.value.hint or "")


def test_unknown_presets_and_forms_are_refused() -> None:
    with pytest.raises(UsageError, match="no preset 'pubmd'") as caught:
        preset_text("pubmd")
    assert caught.value.hint == "did you mean pubmed?"
    with pytest.raises(UsageError, match="expected name=value"):
        value_of("epochs")


def test_values_are_read_as_typed() -> None:
    assert value_of("epochs=3") == ("epochs", 3)
    assert value_of("init = facebook/bart-base") == ("init", "facebook/bart-base")
    assert value_of("gradient_checkpointing=true") == ("gradient_checkpointing", True)
