"""Every command and every Python example of the documentation works as it is, without a network."""

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TESTED = {"architecture.md", "library.md", "scale.md"}
"""Pages whose Python blocks are run by tests of their own, ``test_scale.py`` for example."""

OTHERS = {"contributing.md", "experiments.md"}
"""Pages with flags of other programs."""

OTHER_COMMANDS = re.compile(
    r"python (tests/|docs/make)|git clone|accelerate|torchrun|tensorboard|"
    r"tests/bench|pip |curl |uvx? "
)
"""Lines with flags of other programs."""

FAST = re.compile(r"pagesum (pages|models|analyze|check)\b|--check$|--show-preset")
"""Commands that load no model."""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def commands() -> list[object]:
    """The commands without those whose output is shown: ``test_outputs.py`` runs these."""
    shown: dict[str, str] = {}
    compared = set()
    for page in PAGES:
        lines = "".join(blocks(page, "console")).splitlines()
        for line, following in pairwise([*lines, ""]):
            if line.startswith("$ "):
                shown.setdefault(line[2:], page.name)
                if following and not following.startswith("$ "):
                    compared.add(line[2:])
    return [
        pytest.param(
            command, id=f"{page}: {command}", marks=() if FAST.search(command) else pytest.mark.slow
        )
        for command, page in shown.items()
        if command not in compared
    ]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the examples in their place."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    return tmp_path


def run(words: list[str], folder: Path, *programs: Path) -> subprocess.CompletedProcess[str]:
    variables = {
        **os.environ,
        "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
        "HF_HUB_OFFLINE": "1",
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    return subprocess.run(
        words, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", commands())
def test_the_command_works(command: str, clone: Path, programs: Path) -> None:
    done = run(["bash", "-o", "pipefail", "-c", command], clone, programs)
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr
    assert done.stdout or "--output" in command or ">" in command


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        pytest.param(code, id=page.name)
        for page in PAGES
        if page.name not in TESTED
        for code in blocks(page, "python")
    ],
)
def test_the_python_example_works(code: str, clone: Path) -> None:
    done = run([sys.executable, "-c", code], clone)
    assert done.returncode == 0, done.stderr
    assert done.stdout or "assert " in code


def test_presets_and_verbs_are_documented() -> None:
    from pagesum_cli.cli.app import VERBS
    from pagesum_cli.evaluation.baselines import BASELINES
    from pagesum_cli.evaluation.metrics.registry import METRICS
    from pagesum_cli.training.settings import NAMES
    from pagesum_cli.views.formats import FORMATS

    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for verb in VERBS:
        assert f"pagesum {verb}" in text
    for name in (*NAMES, *METRICS):
        assert f"`{name}`" in text
    for name in (*BASELINES, *FORMATS):
        assert name in text


def test_every_flag_in_the_documentation_exists() -> None:
    import typer

    from pagesum_cli.cli.app import VERBS, app

    top: object = typer.main.get_command(app)
    known = {name for parameter in top.params for name in parameter.opts}  # type: ignore[attr-defined]
    for verb in VERBS:
        command = top.get_command(None, verb)  # type: ignore[attr-defined]
        for one in [command, *getattr(command, "commands", {}).values()]:
            known |= {
                name
                for parameter in one.params
                for name in (*parameter.opts, *parameter.secondary_opts)
            } | {"--help"}
    for page in [*PAGES, ROOT / "pagesum_cli" / "assets" / "mini" / "README.md"]:
        for line in page.read_text(encoding="utf-8").splitlines():
            if page.name not in OTHERS and not OTHER_COMMANDS.search(line):
                assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)) <= known, (
                    f"{page.name}: {line}"
                )
