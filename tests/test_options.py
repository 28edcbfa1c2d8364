"""One table of options: a new row is a flag, a training setting, a checkpoint's default and a name
in Python.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pagesum_cli import options
from pagesum_cli.errors import UsageError
from pagesum_cli.options import CAPABILITIES, Options, names_of, option, refuse_idle, row_of

PACKAGE = Path(options.__file__).parents[1]

ROW = """    keep_case: float | None = option(
        None, "How much of the case is kept.", min=0.0, max=5.0, needs="text", off=0.0, own=1.0
    )
"""

CHECK = """
import sys
from types import SimpleNamespace
import torch
from pagesum_cli.cli.app import run
from pagesum_cli import PageSummarizer
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.models.catalog import settings_of
from pagesum_cli.options import GenerationOptions
from pagesum_cli.training.settings import load_settings
from pagesum_cli.training.start import shape

generating, extractive = sys.argv[1:]
summarizer = PageSummarizer.from_pretrained(generating, device="cpu")
model = summarizer.model
assert summarizer.generation().keep_case == 1.0
assert summarizer.generation(GenerationOptions(keep_case=2.0)).keep_case == 2.0
assert summarizer.summarize("letter.txt", keep_case=3.0, max_length=4).settings["keep_case"] == 3.0
model.generate(torch.tensor([[[0, 5, 2]]]), keep_case=3.0, max_length=5)
flags = {"keep_case": 4.0, "min_length": 0, "max_length": 9, "target_tokens": 9}
shape(model, load_settings(flags=flags), summarizer.tokenizer)
assert model.config.generation["keep_case"] == 4.0
model.save_pretrained("trained")
assert settings_of(__import__("pathlib").Path("trained"))["generation"]["keep_case"] == 4.0
for wrong in (
    lambda: load_settings(flags={"keep_case": 6.0}),
    lambda: GenerationOptions(keep_case=-1.0),
):
    try:
        wrong()
    except UsageError as error:
        print(error.message)
common = ["summarize", "letter.txt", "--device", "cpu", "--no-history", "--keep-case", "2"]
print(run([*common, "--model", generating]), run([*common, "--model", extractive]))
run(["eval", "--help-all"])
"""


def test_an_option_is_added_by_a_row_of_the_table(
    tmp_path: Path, tiny_checkpoint: Path, tiny_extractive: Path, letter: Path
) -> None:
    copy = tmp_path / "pagesum_cli"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("assets", "__pycache__"))
    (copy / "assets").symlink_to(PACKAGE / "assets")
    table = copy / "options" / "generation.py"
    first, rest = table.read_text().split("    early_stopping: bool | None", 1)
    table.write_text(f"{first}{ROW}    early_stopping: bool | None{rest}")
    assert letter == tmp_path / "letter.txt"
    done = subprocess.run(
        [sys.executable, "-c", CHECK, str(tiny_checkpoint), str(tiny_extractive)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for part in (
        "keep_case 6.0: expected at most 5",
        "keep-case -1.0: expected at least 0",
        "0 2",
        "--keep-case",
    ):
        assert part in done.stdout
    assert "keep-case does nothing with" in done.stderr


def test_every_number_of_the_table_has_a_range_and_every_need_a_name() -> None:
    kinds = [
        kind
        for kind in vars(options).values()
        if isinstance(kind, type) and issubclass(kind, Options)
    ]
    rows = [
        row_of(field)
        for kind in kinds
        for field in kind.__dataclass_fields__.values()
        if field.metadata
    ]
    assert {row.needs for row in rows} - {""} == CAPABILITIES.keys()
    assert all(row.min is not None for row in rows if row.max is not None)


def test_a_flag_without_effect_is_refused_with_a_hint() -> None:
    with pytest.raises(UsageError, match="--size does nothing with --all") as caught:
        refuse_idle({"all": "--all", "size": "--size"}, {"size"}, "with --all")
    assert (caught.value.hint or "").startswith("leave it out")
    refuse_idle({"all": "--all"}, {"size"}, "with --all")


def test_absurd_numbers_are_refused_where_no_maximum_is_stated() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Sizes(Options):
        size: int = option(1, "How large.", min=1)

    assert names_of(Sizes) == {"size"}
    with pytest.raises(UsageError, match="expected at most 2147483647"):
        Sizes(int("9" * 400))


@pytest.mark.parametrize("words", ["50", 2.5, True, [1]])
def test_a_number_of_another_type_is_refused(words):
    with pytest.raises(UsageError, match="expected a whole number"):
        options.GenerationOptions(words=words)


def test_the_faster_model_has_a_flag() -> None:
    assert options.ModelOptions(fast=True) == options.ModelOptions(model="mini")
    with pytest.raises(UsageError, match="--fast given together with --model"):
        options.ModelOptions(model="arxiv", fast=True)
