"""docs/server.json, from which the registry of MCP servers is filled."""

import json
import re
import tomllib
from pathlib import Path

import typer

from pagesum_cli import __version__
from pagesum_cli.cli import mcp

ROOT = Path(__file__).parents[2]
SERVER = json.loads((ROOT / "docs" / "server.json").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
(PACKAGE,) = SERVER["packages"]


def test_it_is_this_package_in_this_version() -> None:
    assert (PACKAGE["registryType"], PACKAGE["identifier"]) == ("pypi", PROJECT["name"])
    assert SERVER["version"] == PACKAGE["version"] == __version__


def test_the_command_is_the_verb_with_its_extra_and_folders() -> None:
    assert PROJECT["scripts"][PACKAGE["identifier"]].startswith("pagesum_cli.")
    (extra,) = PACKAGE["runtimeArguments"]
    assert (extra["name"], [extra["value"]]) == ("--with", PROJECT["optional-dependencies"]["mcp"])
    verb, folders = PACKAGE["packageArguments"]
    command = typer.main.get_command(mcp.app)
    argument = command.params[0]
    assert verb["value"] == command.name == "mcp"
    assert folders["valueHint"].upper() == argument.metavar
    assert (folders["isRequired"], folders["isRepeated"]) == (True, argument.nargs == -1)


def test_it_has_the_form_that_the_registry_expects() -> None:
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", SERVER["name"])
    assert 1 <= len(SERVER["description"]) <= 100
    assert PACKAGE["transport"] == {"type": "stdio"}
    for argument in PACKAGE["packageArguments"]:
        assert "value" in argument or "valueHint" in argument


def test_the_readme_proves_that_the_package_is_its_own() -> None:
    readme = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    assert f"<!-- mcp-name: {SERVER['name']} -->" in readme
