"""Any exception as an error that a user can read; packages that are not installed, and how to
install them.
"""

import ast
import errno
import tomllib
from pathlib import Path

import pytest

from pagesum_cli.errors import PagesumError, explained, install_hint, require_package

ROOT = Path(__file__).parents[1]


class OutOfMemoryError(RuntimeError):
    """Has the name of PyTorch's, for a GPU."""


@pytest.mark.parametrize(
    ("failure", "message", "hint"),
    [
        (PagesumError("as it is", "do this"), "as it is", "do this"),
        (
            OSError(errno.ENOSPC, "No space left on device", "a.txt"),
            "a.txt: No space left on device",
            "free up disk space",
        ),
        (
            OSError(errno.EPERM, "Operation not permitted", b"a.txt"),
            "a.txt: Operation not permitted",
            None,
        ),
        (MemoryError(), "out of memory", "--page-tokens"),
        (
            OutOfMemoryError("CUDA out of memory. Tried to allocate"),
            "out of memory",
            "--page-tokens",
        ),
        (
            RuntimeError("DefaultCPUAllocator: can't allocate memory"),
            "out of memory",
            "--page-tokens",
        ),
        (KeyError("x"), "unexpected KeyError: 'x'", "--debug"),
        (OSError("without a number"), "unexpected OSError: without a number", "--debug"),
    ],
)
def test_every_exception_has_a_message_and_most_a_hint(failure, message, hint):
    error = explained(failure)
    assert error.message == message
    assert hint in error.hint if hint else error.hint is None
    assert error is failure or error.__cause__ is failure


def test_a_missing_package_is_named_with_the_command_that_installs_it_in_a_clone() -> None:
    require_package("json", "json", "data")
    with pytest.raises(PagesumError, match="Nowhere is not installed") as caught:
        require_package("no_such_package", "Nowhere", "data")
    assert caught.value.hint == "pip install -c constraints.txt '.[data]' in the clone of pagesum"


def test_a_folder_of_the_name_is_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no_such_package").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PagesumError, match="is not installed"):
        require_package("no_such_package", "Nowhere", "data")


def test_every_extra_that_is_named_exists() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    named = set()
    for path in (ROOT / "pagesum_cli").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "require_package":
                named |= {one.value for one in node.args[-1:] if isinstance(one, ast.Constant)}
    assert named >= {"data", "figures", "metrics"}
    assert named <= set(extras)
    for extra in named:
        assert f"'.[{extra}]'" in install_hint(extra)
