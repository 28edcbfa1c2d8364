"""Summaries made before: the latest ones, those of an unfinished book's chapters, and those saved
as JSON.
"""

import contextlib
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import PagesumError, UsageError
from ..files import append, read_bytes, write_file
from ..system import folder_for
from .summary import Summary

KEPT = 10  # number of summaries, and of unfinished books, that are kept


def history_folder() -> Path:
    """The folder of the summaries, which may not exist yet."""
    return folder_for("state") / "history"


LATEST = "-latest.json"  # end of the name of the one summary that is kept without a history


def remember(summary: Summary, *, history: bool = True) -> None:
    """Keep a summary, readable by the user only; a full disk or a read-only home is no error.

    Without ``history``, it takes the place of the one that was kept before.
    """
    folder = history_folder()
    name = f"{time.time_ns():020d}-{os.getpid()}{'.json' if history else LATEST}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(folder / name, json.dumps(summary.to_json(), ensure_ascii=False), private=True)
        replaced = [path for path in folder.glob(f"*{LATEST}") if path.name != name]
        for old in (*replaced, *_kept(folder)[KEPT:]):
            old.unlink(missing_ok=True)


def forget() -> int:
    """Remove all summaries that are kept, and those of unfinished books; returns their number."""
    folder = history_folder()
    kept = [*_kept(folder), *folder.with_name("books").glob("*.jsonl")]
    for path in kept:
        path.unlink(missing_ok=True)
    return len(kept)


def recall(number: int = 1) -> Summary:
    """Read a summary that was kept."""
    kept = _kept(history_folder())
    if not kept:
        raise PagesumError(
            "no summary is kept on this machine",
            "pagesum inspect FILE summarizes a file; pagesum summarize keeps its latest summary",
        )
    if number > len(kept):
        count = "one summary is" if len(kept) == 1 else f"{len(kept)} summaries are"
        raise UsageError(
            f"--last {number}, but {count} kept",
            f"summarize --history, or history = true in the configuration file, keeps {KEPT}",
        )
    path = kept[number - 1]
    try:
        return Summary.from_json(_parsed(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        raise PagesumError(
            f"{path}: cannot be read ({error})", "remove the file, or name a file to inspect"
        ) from error


class KeptChapters:
    """The summaries of an unfinished book's chapters, in the user's state folder, so that nothing
    is computed twice.

    One JSON Lines file for each book; a line that an interruption left incomplete is skipped. A
    full disk or a read-only home is no error.
    """

    def __init__(self, key: str) -> None:
        self._path = history_folder().with_name("books") / f"{key}.jsonl"

    def read(self) -> dict[int, Summary]:
        """The summaries by the chapter's number."""
        kept: dict[int, Summary] = {}
        with contextlib.suppress(OSError):
            for line in self._path.read_text(encoding="utf-8", errors="replace").splitlines():
                with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
                    entry = _parsed(line)
                    kept[int(entry["chapter"])] = Summary.from_json(entry["summary"])
        return kept

    def add(self, number: int, summary: Summary) -> None:
        """Keep the summary of a chapter, readable by the user only."""
        line = json.dumps({"chapter": number, "summary": summary.to_json()}, ensure_ascii=False)
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.touch(mode=0o600)
            append(self._path, f"\n{line}")  # the line before it may be incomplete

    def remove(self) -> None:
        """Remove the file of this book, which is done, and those of the oldest unfinished books."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
            books = sorted(
                self._path.parent.glob("*.jsonl"),
                key=lambda path: path.stat().st_mtime,
                reverse=True,
            )
            for old in books[KEPT:]:
                old.unlink(missing_ok=True)


def saved_in(path: str, stdin: bytes | None = None) -> list[dict[str, Any]] | None:
    """Read what ``summarize`` may have written, from a file or standard input; None for anything
    else.
    """
    if stdin is None and not path.lower().endswith((".json", ".jsonl")):
        return None
    try:
        text = (read_bytes(path) if stdin is None else stdin).decode("utf-8-sig")
        if not text.lstrip().startswith("{"):
            return None
        try:
            objects = [_parsed(text)]
        except json.JSONDecodeError:
            objects = [_parsed(line) for line in text.splitlines() if line.strip()]
    except (PagesumError, ValueError, RecursionError):
        return None  # reading it as a document will report the error
    known = (
        isinstance(one, dict) and ("schema" in one or {"pages", "sentences"} <= one.keys())
        for one in objects
    )
    return objects if all(known) else None


def read_saved(path: str, objects: Sequence[dict[str, Any]]) -> list[Summary]:
    """Make summaries of the JSON objects in a file; see :func:`saved_in`."""
    try:
        return [Summary.from_json(one) for one in objects]
    except ValueError as error:
        raise PagesumError(
            f"{path}: {error}", "inspect reads the output of pagesum summarize --format json"
        ) from error


def _parsed(text: str) -> Any:
    """JSON whose texts can be written as UTF-8: half a surrogate pair becomes a question mark."""
    value = json.loads(text)
    if "\\ud" in text.lower():
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value


def _kept(folder: Path) -> list[Path]:
    """The files of the summaries, latest first."""
    return sorted(folder.glob("*.json"), reverse=True)
