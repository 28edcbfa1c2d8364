"""``pagesum mcp``: what is said before the server starts."""

from pathlib import Path
from typing import Any

import pytest

from pagesum_cli import errors


def test_the_missing_package_is_one_line(
    pagesum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "is_installed", lambda module: False)
    result = pagesum("mcp", tmp_path)
    assert (result.code, result.out) == (1, "")
    assert (
        result.err
        == "error: mcp is not installed\nhint: pip install -c constraints.txt '.[mcp]' in the "
        "clone of pagesum\n"
    )


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["nowhere"], "expected a folder"),
        ([".", "--model", "nothing"], "nothing"),
        ([], "Missing argument"),
    ],
)
def test_wrong_arguments(
    pagesum: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], shown: str
) -> None:
    monkeypatch.setattr(errors, "is_installed", lambda module: True)
    monkeypatch.chdir(tmp_path)
    result = pagesum("mcp", *arguments)
    assert result.code in (1, 2)
    assert shown in result.err
