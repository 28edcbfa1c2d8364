"""The files below some folders: nothing else can be read."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from ..documents.guard.reading import read_data
from ..documents.model import Document, Sentence
from ..documents.read import find_files
from ..documents.sentences import all_sentences
from ..errors import PagesumError
from ..files import read_bytes
from ..text.cleaning import one_line


@dataclass(frozen=True)
class Text:
    """A document that was read, with the SHA-256 of its file."""

    document: Document
    sentences: tuple[Sentence, ...]
    digest: str


class Folders:
    """Folders whose documents can be read, with their subfolders.

    A file is known by its path in the folder, or in the one that all of them are in. Links are
    followed to files in the folders only. Hidden files are left out.
    """

    def __init__(self, folders: Sequence[str]) -> None:
        self._roots = [Path(folder).resolve() for folder in folders]
        self._base = os.path.commonpath(self._roots)
        for folder in self._roots:
            if not folder.is_dir():
                raise PagesumError(
                    f"{folder}: expected a folder, found none", "name the folder of the documents"
                )

    def files(self) -> dict[str, Path]:
        """The real path of each readable file by its name, sorted."""
        found: dict[str, Path] = {}
        for root in self._roots:
            with suppress(PagesumError):  # there is no readable file
                for path in find_files([str(root)], on_problem=lambda path, error: None):
                    real = Path(path).resolve()
                    is_inside = any(real.is_relative_to(one) for one in self._roots)
                    if is_inside and real.is_file() and "/." not in str(real)[len(self._base) :]:
                        found[_printable(os.path.relpath(path, self._base))] = real
        return dict(sorted(found.items()))

    def read(
        self, names: Sequence[str], on_file: Callable[[], None]
    ) -> tuple[list[Text], list[str]]:
        """Read files, or all files if none is named; a line for each of all that cannot be read is
        returned too.

        Raises:
            PagesumError: A file that is named, or every file, is not in the folders or cannot be
                read.
        """
        files, texts, problems = self.files(), list[Text](), list[str]()
        for name in dict.fromkeys(names or files):
            on_file()
            try:
                if name not in files:
                    raise PagesumError(
                        f"{one_line(name[:200])}: no such file in the folders",
                        "map lists the files",
                    )
                status = files[name].stat()
                texts.append(_read(name, files[name], status.st_mtime_ns, status.st_size))
            except (PagesumError, OSError) as error:
                if names:
                    raise
                problems.append(str(error))
        if not texts:
            raise PagesumError("; ".join(problems[:5]) or "the folders have no readable file")
        return texts, problems


def _printable(name: str) -> str:
    """A name as it can be sent: its bytes that are not UTF-8 as ``\\xe9``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


@lru_cache(maxsize=100)
def _read(name: str, path: Path, changed: int, size: int) -> Text:
    data = read_bytes(str(path))
    documents = read_data(data, name)
    if len(documents) != 1:
        raise PagesumError(
            f"{name}: expected a document, found {len(documents)} records",
            "save one of them as text",
        )
    document = replace(documents[0], name=name)
    return Text(document, tuple(all_sentences(document)), sha256(data).hexdigest())
