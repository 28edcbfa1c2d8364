"""What the README and the docs show is what the program does now."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DRAWN = {"architecture.svg"}
"""Pictures that show nothing of the program."""


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script ``docs/make.py``."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    return import_module("make")


@pytest.mark.slow
def test_pictures_and_outputs_are_up_to_date(make: Any, programs: Path) -> None:
    assert [str(path.relative_to(ROOT)) for path, _ in make.differing(programs)] == [], (
        "run python docs/make.py --write"
    )


def test_every_picture_is_made_by_the_script(make: Any) -> None:
    pictures = {path.name for path in (ROOT / "docs" / "images").iterdir()} - DRAWN
    assert pictures == {*make.SESSIONS, make.PICTURE.name}


def test_the_screenshot_shows_the_example_page(make: Any) -> None:
    page = make.PAGE.read_text(encoding="utf-8")
    assert make.text_in(make.PICTURE) == make.digest_of(page), "run python docs/make.py --write"


def test_outputs_are_replaced_and_commands_without_one_stay(make: Any) -> None:
    class Terminal:
        def run(self, command: str) -> str:
            return f"\x1b[1m{command}\x1b[0m  \n\nnew\n"

    page = (
        "```console\n$ a\n```\n\n```console\n$ b\nold\n\nold\n\n$ c\n$ "
        "d\nold\n```\n\n```bash\n$ e\nold\n```\n"
    )
    assert make.with_outputs(page, Terminal()) == (
        "```console\n$ a\n```\n\n```console\n$ b\nb\n\nnew\n\n$ c\n$ "
        "d\nd\n\nnew\n```\n\n```bash\n$ e\nold\n```\n"
    )


def test_what_a_picture_says_is_its_text_whatever_its_style_and_the_length_of_its_bars(
    make: Any,
) -> None:
    texts = [
        f'<svg a="{n}"><style>b{n}</style><text>a&#160;&lt; {"█" * n}  </text></svg>'
        for n in (1, 3)
    ]
    assert make.text_of(texts[0]) == make.text_of(texts[1])
    assert make.text_of(texts[0]).split() == ["a", "<", "█"]


def test_ci_runs_the_two_commands_of_the_readme_as_they_are_typed() -> None:
    commands = [
        line for line in README.splitlines() if line.startswith("pip install -c constraints.txt")
    ]
    assert commands == [
        "pip install -c constraints.txt . && pagesum summarize docs/examples/paper.pdf "
        "--locality discourse",
        "pip install -c constraints.txt -e '.[test]' && pytest",
    ]
    ran = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert all(f"({command})" in ran for command in commands)
    assert re.search(r"git clone --depth 1\b", README)
