"""Recipes in miniature: every command of the papers' tables runs."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pagesum_cli.lab.miniature import small_command
from pagesum_cli.lab.reproduce import all_items


def made(pagesum: Callable[..., Any], name: str, folder: Path) -> dict[str, Any]:
    """The merged table of an item in miniature."""
    result = pagesum("reproduce", name, "--small", "--output", folder)
    assert result.code == 0, result.out
    path = folder / "small" / "runs" / name.replace(":", "-") / "table.json"
    table: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return table


def test_a_table_is_made_with_tiny_data_and_models(
    pagesum: Callable[..., Any], tmp_path: Path
) -> None:
    table = made(pagesum, "pagesum:10", tmp_path)
    assert table["is_miniature"]
    assert table["missing"] == []
    kinds = {row["data"]: [] for row in table["rows"]}
    for row in table["rows"]:
        kinds[row["data"]].append(row["kind"])
    assert set(kinds) == {"arxiv", "pubmed", "govreport", "multinews"}
    assert all({"published", "ours"} == set(own) for own in kinds.values())


@pytest.mark.slow
def test_a_model_is_trained_and_evaluated_in_miniature(
    pagesum: Callable[..., Any], tmp_path: Path
) -> None:
    table = made(pagesum, "pagesum:4", tmp_path)
    assert table["missing"] == []
    systems = {row["system"] for row in table["rows"] if row["kind"] == "ours"}
    assert systems >= {"multinews", "multinews-spatial", "allenai-PRIMERA-multinews"}


def test_training_in_miniature_keeps_what_a_recipe_sets(tmp_path: Path) -> None:
    words = ("train", "--preset", "multinews-pg-covloss-dpp", "--init", "before", "--output", "o")
    small = small_command(words, tmp_path)
    assert small[: len(words)] == words
    assert small.count("--init") == 1
    assert "model.embedding_width=8" in small
    words = ("train", "--preset", "topdown-pubmed-window-32", "--output", "o")
    small = small_command(words, tmp_path)
    assert small[small.index("--init") + 1] == str(tmp_path / "checkpoints" / "bart")
    assert "model.local_layers=1" in small


def test_nothing_in_miniature_is_from_the_hub(tmp_path: Path) -> None:
    for item in all_items().values():
        for line in item.commands:
            words = small_command(tuple(line.split()), tmp_path)
            for flag, value in pairwise(words):
                if flag in ("--system", "--embeddings"):
                    assert value.startswith(str(tmp_path))
                if flag == "--metric-model":
                    assert "{file:" in value or str(tmp_path) in value


@pytest.mark.stress
@pytest.mark.parametrize("paper", ["pagesum", "dpp-attention", "top-down"])
def test_every_table_and_figure_is_made_in_miniature(
    pagesum: Callable[..., Any], tmp_path: Path, paper: str
) -> None:
    items = {name: item for name, item in all_items().items() if name.startswith(f"{paper}:")}
    assert len(items) >= 6
    for name, item in items.items():
        table = made(pagesum, name, tmp_path)
        if item.commands:
            assert table["is_miniature"], name
            assert table["missing"] == [], name
