"""``pagesum check --judge``."""

import json
from pathlib import Path

import pytest
from editing.server import serving
from models.causal import tiny_language_models
from typer.testing import CliRunner

from pagesum_cli.cli.app import app
from pagesum_cli.errors import UsageError

SOURCE = (
    "The mill burned down in 1861. Its owner, Ada Lind, rebuilt it within two years. The town paid "
    "a third of the cost, which was 900 crowns."
)
DRAFT = "Within two years of the fire, Lind had the mill rebuilt. The town bore most of the cost.\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "mill.txt").write_text(SOURCE)
    (tmp_path / "draft.txt").write_text(DRAFT)
    return str(tmp_path / "draft.txt"), str(tmp_path / "mill.txt")


def reply(message: str) -> str:
    claim = message.partition("<claim>\n")[2]
    return '{"numbers": [1]}' if claim.startswith("Within") else '{"numbers": [2]}'


def test_the_judge_is_shown_beside_each_claim(files: tuple[str, str]) -> None:
    with serving(reply) as server:
        result = CliRunner().invoke(app, ["check", *files, "--judge", server.name])
    assert result.exit_code == 1
    assert "supported, as fake reads the passages" in result.stdout
    assert "contradicted, as fake reads the passages" in result.stdout
    assert "as fake reads the passages: 1 supported, 1 contradicted" in result.stdout


def test_json_and_html_have_the_judge(files: tuple[str, str], tmp_path: Path) -> None:
    with serving(reply) as server:
        options = ["--judge", server.name, "--format"]
        found = CliRunner().invoke(app, ["check", *files, *options, "json"])
        page = CliRunner().invoke(app, ["check", *files, *options, "html"])
    first, second = (claim["judgement"] for claim in json.loads(found.stdout)["claims"])
    assert (first["answer"], first["model"]) == ("supported", "fake")
    assert first["passage"]["text"] in SOURCE
    assert second["answer"] == "contradicted"
    assert "contradicted, as fake reads the passages" in page.stdout


def test_another_machine_needs_permission(files: tuple[str, str]) -> None:
    result = CliRunner().invoke(app, ["check", *files, "--judge", "https://example.org/v1#m"])
    assert isinstance(result.exception, UsageError)
    assert "--allow-network" in str(result.exception.hint)


def test_a_model_that_quotes_cannot_judge(files: tuple[str, str]) -> None:
    result = CliRunner().invoke(app, ["check", *files, "--judge", "mini"])
    assert isinstance(result.exception, UsageError)
    assert result.exception.message.startswith("--judge mini: expected a language model")


def test_a_server_that_does_not_answer_is_named(files: tuple[str, str]) -> None:
    with serving(lambda message: 500) as server:
        result = CliRunner().invoke(app, ["check", *files, "--judge", server.name])
    assert "fake did not judge 2 of the claims" in result.stderr
    assert "not proven" in result.stdout


def test_a_model_on_this_disk_judges(files: tuple[str, str], tmp_path: Path) -> None:
    folder = tiny_language_models.save(tmp_path / "llama", max_position_embeddings=4096)
    result = CliRunner().invoke(app, ["check", *files, "--judge", str(folder)])
    assert result.exit_code in (0, 1)
    assert "as llama reads the passages: " in result.stdout
