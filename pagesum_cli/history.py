"""Summaries to be looked at again: the newest ones, kept in the user's state folder, and those in a JSON file."""

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from .errors import PagesumError
from .summary import Summary

KEPT = 10
"""Summaries that are kept; an older one goes when a newer one comes."""


def history_folder() -> Path:
    """The folder of the summaries, which may not be there yet."""
    return user_state_path("pagesum", appauthor=False) / "history"


def remember(summary: Summary) -> bool:
    """Keep a summary, readable by the user only.

    Returns:
        Whether it is kept: a full disk or a home that cannot be written must not stop a summary.
    """
    folder = history_folder()
    name = f"{time.time_ns():020d}-{os.getpid()}.json"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Files made this way are the user's own (mode 600), and nobody ever sees one half written.
        handle, path = tempfile.mkstemp(dir=folder, suffix=".new")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                json.dump(summary.to_json(), file, ensure_ascii=False)
            os.replace(path, folder / name)
        except OSError:
            os.unlink(path)
            raise
        for old in _kept(folder)[KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def recall(number: int = 1) -> Summary:
    """A summary that was kept.

    Args:
        number: 1 for the newest, 2 for the one before it …

    Raises:
        PagesumError: there is no such summary, or it cannot be read.
    """
    kept = _kept(history_folder())
    if not kept:
        raise PagesumError(
            "no summary has been kept on this machine yet", "pagesum inspect FILE summarizes a file and draws it"
        )
    if number > len(kept):
        raise PagesumError(f"{len(kept)} summaries are kept, not {number}", f"--last takes 1 to {len(kept)}")
    path = kept[number - 1]
    try:
        return Summary.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise PagesumError(f"{path}: cannot be read ({error})", "remove the file, or name a file to inspect") from error


def saved_in(path: str, stdin: bytes | None = None) -> list[dict[str, Any]] | None:
    """The JSON objects of a file that ``summarize --format json`` or ``jsonl`` may have written.

    Args:
        path: of the file; ``-`` for standard input.
        stdin: what standard input holds, where the path is ``-``.

    Returns:
        None where the file is something else: documents, or records of documents.
    """
    if stdin is None and not path.lower().endswith((".json", ".jsonl")):
        return None
    try:
        text = (Path(path).read_bytes() if stdin is None else stdin).decode("utf-8-sig")
        start = text.lstrip()[:1]
        if start != "{":
            return None
        try:
            objects = [json.loads(text)]
        except json.JSONDecodeError:
            objects = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError):
        return None  # whoever reads it as a document says what is wrong with it
    ours = all(isinstance(one, dict) and ("schema" in one or {"pages", "sentences"} <= one.keys()) for one in objects)
    return objects if ours else None


def read_saved(path: str, objects: Sequence[dict[str, Any]]) -> list[Summary]:
    """The summaries that JSON objects hold.

    Args:
        path: where they come from.
        objects: see :func:`saved_in`.

    Raises:
        PagesumError: one holds no summary, or one of another schema.
    """
    try:
        return [Summary.from_json(one) for one in objects]
    except ValueError as error:
        raise PagesumError(
            f"{path}: {error}", "inspect draws what pagesum summarize --format json of this version wrote"
        ) from error


def _kept(folder: Path) -> list[Path]:
    """The summaries, newest first."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return sorted((path for path in folder.iterdir() if path.suffix == ".json"), reverse=True)
    return []
