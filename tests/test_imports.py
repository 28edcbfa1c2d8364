"""Imports go one way, and what must start quickly imports nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pagesum_cli"
HEAVY = {"torch", "transformers"}

# Each room, and the rooms whose code it may import, at module level or in a function.
BASE = {"errors", "version", "documents", "locality", "summary", "tokenization"}
MAY_IMPORT = {
    "errors": set(),
    "version": set(),
    "summary": set(),
    "documents": {"errors"},
    "locality": {"documents", "errors"},
    "marks": set(),
    "tokenization": {"errors", "locality", "marks"},
    "surface": {"errors", "documents"},
    "decoding": {"errors"},
    "model": {"decoding", "errors", "marks"},
    "history": {"errors", "summary"},
    "provenance": {"documents", "locality", "summary"},
    "jobs": {"documents", "errors"},
    "views": {"documents", "locality", "summary", "errors", "evaluation", "analysis", "provenance", "version"},
    "summarizer": BASE | {"marks", "model", "surface"},
    "training": BASE | {"marks", "model", "summarizer", "surface", "evaluation", "decoding"},
    "evaluation": BASE | {"model", "summarizer", "provenance", "jobs", "analysis"},
    "analysis": BASE | {"model", "summarizer", "provenance", "evaluation"},
}
TYPER = {"cli"}
RICH = {"cli", "views"}
LIGHT = [
    "documents",
    "locality",
    "views",
    "summary.py",
    "errors.py",
    "jobs.py",
    "marks.py",
    "tokenization.py",
    "provenance.py",
]


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path):
    """Full names of everything that a module imports, wherever in it."""
    package = ["pagesum_cli", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def rooms_imported(path):
    return {name.split(".")[1] for name in imported(path) if name.startswith("pagesum_cli.")}


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_rooms_below_it(room):
    wrong = {
        str(path.relative_to(PACKAGE)): sorted(beyond)
        for path in modules()
        if room_of(path) == room and (beyond := rooms_imported(path) - MAY_IMPORT[room] - {room})
    }
    assert wrong == {}


def test_every_room_has_its_place_in_the_order():
    rooms = {room_of(path) for path in modules()} - {"__init__", "__main__", "cli"}
    assert rooms <= MAY_IMPORT.keys()


@pytest.mark.parametrize(("library", "rooms"), [("typer", TYPER), ("rich", RICH)])
def test_only_these_rooms_know_the_library(library, rooms):
    users = {room_of(path) for path in modules() if any(name.split(".")[0] == library for name in imported(path))}
    assert users <= rooms


def test_click_is_not_imported():
    # Newer versions of Typer do not depend on it.
    assert not [path for path in modules() if any(name.split(".")[0] == "click" for name in imported(path))]


@pytest.mark.parametrize("place", LIGHT)
def test_light_rooms_never_import_torch(place):
    paths = [PACKAGE / place] if place.endswith(".py") else sorted((PACKAGE / place).rglob("*.py"))
    assert not {
        str(path): heavy for path in paths if (heavy := {name.split(".")[0] for name in imported(path)} & HEAVY)
    }


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["summarize", "--help"], ["pages", "{file}", "--model", "{model}"], ["models"]],
)
def test_commands_that_need_no_model_load_neither_torch_nor_transformers(arguments, letter, tiny_checkpoint):
    arguments = [argument.format(file=letter, model=tiny_checkpoint) for argument in arguments]
    code = f"import sys; from pagesum_cli.cli.app import run; code = run({arguments!r}); "
    code += f"print(code, sorted({HEAVY!r} & sys.modules.keys()), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"
