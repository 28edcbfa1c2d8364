"""Imports go down from layer to layer, and what must start quickly imports nothing heavy."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "pagesum_cli"
HEAVY = {"torch", "transformers"}
NOT_AT_START = HEAVY | {"rouge_score", "datasets", "nltk", "filelock"}
CHECKER = "pagesum_cli.summary.check.checker"
"""Imported where a claim is judged: a quote needs none."""

# Layers from the ground up; a package imports only packages of its own layer or lower ones.
LAYERS = (
    ("version", "errors", "system"),
    ("options", "files", "text", "chat"),
    ("documents", "datasets"),
    ("locality",),
    ("tokenization", "decoding"),
    ("summary", "quoting"),
    ("retrieval", "editing"),
    ("models", "judging"),
    ("shapes",),
    ("proving", "rewriting", "summarizer", "recursive"),
    ("batch",),
    ("evaluation", "training"),
    ("lab",),
    ("views",),
    ("server",),
    ("cli",),
)

# Exactly which packages each package imports, at module level or in a function.
ARROWS = {
    "version": "",
    "errors": "",
    "system": "",
    "options": "errors",
    "files": "errors system",
    "text": "",
    "chat": "errors",
    "documents": "errors files system text",
    "datasets": "documents errors files options text",
    "locality": "documents errors options",
    "tokenization": "errors locality text",
    "decoding": "",
    "summary": "documents errors files locality system text tokenization version",
    "quoting": "documents locality options text",
    "retrieval": "documents errors files summary system text version",
    "editing": "chat errors files system",
    "models": "datasets decoding documents editing errors locality options quoting retrieval "
    "summary system text tokenization",
    "judging": "chat documents editing errors retrieval summary text",
    "proving": "decoding documents locality shapes summary text",
    "rewriting": "chat documents errors locality options proving summarizer summary text",
    "summarizer": "decoding documents errors locality models options proving summary text "
    "tokenization version",
    "shapes": "documents locality options quoting retrieval summary text",
    "recursive": "documents errors locality options shapes summarizer summary system",
    "batch": "datasets documents editing errors files locality models options recursive rewriting "
    "shapes summarizer summary system text tokenization version",
    "lab": "batch chat datasets documents errors evaluation locality models options summarizer "
    "text tokenization version",
    "evaluation": "batch datasets documents errors files locality models options "
    "recursive summarizer summary system text version",
    "training": "datasets documents errors evaluation files models "
    "options system text tokenization version",
    "views": "datasets documents errors evaluation files lab locality quoting retrieval summary "
    "text training version",
    "server": "documents errors files locality options retrieval summarizer "
    "summary text version views",
    "cli": "batch chat datasets documents editing errors evaluation files judging lab models "
    "options retrieval rewriting server summary system text training version views",
}
LIBRARIES = {"typer": {"cli"}, "rich": {"cli", "views"}}
OF_SYSTEMS = {"resource", "fcntl", "select", "pwd", "grp", "ctypes", "msvcrt", "winreg"} | {
    *("psutil", "filelock", "platformdirs"),
}
OF_POSIX = {"sched_getaffinity", "killpg", "fork", "getuid", "sysconf", "O_DIRECTORY"} | {
    *("pthread_sigmask", "SIGXCPU", "SIGKILL", "SIGALRM", "setitimer"),
}
"""Of ``os`` and ``signal``, what some system lacks."""
LIGHT = (
    "documents datasets locality quoting retrieval text views options files errors summary "
    "tokenization batch/jobs.py"
)


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def package_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Full names of everything that a module imports, wherever in it."""
    package = ["pagesum_cli", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def test_the_arrows_between_packages_are_exactly_these() -> None:
    arrows: dict[str, set[str]] = {
        package_of(path): set() for path in modules() if not path.stem.startswith("__")
    }
    for path in modules():
        if package_of(path) in arrows:
            names = (name.split(".") for name in imported(path) if name.startswith("pagesum_cli."))
            arrows[package_of(path)] |= {name[1] for name in names} - {package_of(path)}
    assert {package: " ".join(sorted(targets)) for package, targets in arrows.items()} == ARROWS


def test_no_arrow_goes_up() -> None:
    layer = {package: number for number, packages in enumerate(LAYERS) for package in packages}
    assert layer.keys() == ARROWS.keys()
    up = [
        (package, one)
        for package, targets in ARROWS.items()
        for one in targets.split()
        if layer[one] > layer[package]
    ]
    assert up == []


def test_no_module_imports_itself_in_a_circle() -> None:
    names = {
        ".".join(("pagesum_cli", *path.relative_to(PACKAGE).with_suffix("").parts)): path
        for path in modules()
    }
    arrows = {
        name: {
            target
            for one in imported(path)
            for target in (one, one.rpartition(".")[0])
            if target in names
        }
        - {name}
        for name, path in names.items()
    }
    waiting = dict(arrows)
    while leaves := [name for name, targets in waiting.items() if not targets & waiting.keys()]:
        for name in leaves:
            del waiting[name]
    assert waiting == {}


@pytest.mark.parametrize("library", LIBRARIES)
def test_only_these_packages_know_the_library(library: str) -> None:
    users = {
        package_of(path)
        for path in modules()
        if any(name.split(".")[0] == library for name in imported(path))
    }
    assert users == LIBRARIES[library]


def texts(path: Path) -> Iterator[str]:
    """The texts in a module's code, docstrings apart."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in statements:
            yield from [node.value] if isinstance(node.value, str) else []


def attributes_of_os(path: Path) -> set[str]:
    """What a module uses of ``os`` and ``signal``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("os", "signal")
    }


def test_only_one_module_knows_operating_systems() -> None:
    for path in modules():
        if path == PACKAGE / "system.py":
            continue
        names = {name.split(".")[0] for name in imported(path)} & OF_SYSTEMS
        if path.parent == PACKAGE / "documents" / "pdf":
            names -= {"ctypes"}  # PDFium's own calls
        assert names == set(), path
        assert not [text for text in texts(path) if text.startswith("/proc")], path
        assert not attributes_of_os(path) & OF_POSIX, path


def test_click_is_not_imported() -> None:
    # Typer carries its own.
    assert not [
        path for path in modules() if any(name.split(".")[0] == "click" for name in imported(path))
    ]


@pytest.mark.parametrize("place", LIGHT.split())
def test_light_packages_never_import_torch(place: str) -> None:
    path = PACKAGE / place
    paths = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    assert not {
        str(path): heavy
        for path in paths
        if (heavy := {name.split(".")[0] for name in imported(path)} & HEAVY)
    }


def loaded(*command_lines: list[str]) -> str:
    """The exit codes of command lines in one process, and the heavy libraries that they loaded."""
    code = f"import sys; from pagesum_cli.cli.app import run; codes = map(run, {command_lines!r}); "
    code += (
        f"print(*codes, sorted({NOT_AT_START | {CHECKER}!r} & sys.modules.keys()), file=sys.stderr)"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["summarize", "--help"],
        ["pages", "{file}", "--model", "{model}"],
        ["models"],
        ["find", "harvest", "{file}", "--no-index"],
    ],
)
def test_commands_that_need_no_model_load_neither_torch_nor_transformers(
    arguments: list[str], letter: Path, tiny_checkpoint: Path
) -> None:
    assert (
        loaded([argument.format(file=letter, model=tiny_checkpoint) for argument in arguments])
        == "0 []\n"
    )


def test_a_model_is_added_without_transformers(tiny_checkpoint: Path) -> None:
    assert loaded(["models", "add", "tiny", str(tiny_checkpoint), "--quiet"]) == "0 ['torch']\n"


@pytest.mark.parametrize("verb", ["summarize", "inspect"])
def test_summaries_are_made_without_transformers(
    verb: str, letter: Path, tiny_checkpoint: Path
) -> None:
    arguments = [verb, str(letter), "--model", str(tiny_checkpoint), "--no-history", "--quiet"]
    found = loaded(arguments)  # nltk, too, if words that the model made up have opposites
    assert found.startswith("0 ")
    assert CHECKER in found
    assert "transformers" not in found


def test_mini_needs_no_pytorch_on_a_cpu(letter: Path, tmp_path: Path) -> None:
    made = str(tmp_path / "summary.json")
    common = ["--fast", "--device", "cpu", "--no-history", "--quiet"]
    summarize = ["summarize", str(letter), *common, "--output", made]
    focus = ["summarize", str(letter), *common, "--focus", "What is it about?"]
    inspect, check = ["inspect", str(letter), *common], ["check", made, str(letter), "--quiet"]
    assert loaded(summarize, focus, inspect, check) == f"0 0 0 0 {[CHECKER]}\n"
