"""Answers kept on disk, so that an interrupted run resumes."""

import contextlib
import hashlib
import json
from pathlib import Path

from ..files import write_file
from ..system import folder_for

VERSION = 2  # of the files


class Answers:
    """Answers by model and message, which has the guide and the sentences.

    Args:
        model: Its name.
        folder: Where they are kept, readable by the user only; by default in the user's cache.
    """

    def __init__(self, model: str, folder: Path | None = None) -> None:
        default = folder_for("cache") / "editor"
        self._model, self._folder = model, folder or default

    def get(self, message: str) -> str | None:
        """The answer to a message; None where there is none."""
        with contextlib.suppress(OSError, ValueError):
            return self._path(message).read_text(encoding="utf-8")
        return None

    def keep(self, message: str, answer: str) -> None:
        """Keep an answer; a full disk or a read-only home is no error."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(self._path(message), answer, private=True)

    def _path(self, message: str) -> Path:
        known = json.dumps([VERSION, self._model, message])
        return self._folder / hashlib.sha256(known.encode()).hexdigest()
