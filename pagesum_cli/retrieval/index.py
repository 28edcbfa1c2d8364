"""The index on disk: passages of files, by their content, so that each is read once."""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ..documents.model import Document
from ..documents.read import STANDARD_INPUT
from ..documents.selection import Address
from ..errors import PagesumError
from ..files import check_size
from ..system import folder_for
from .find import add_documents
from .store import Store

PIECE = 1 << 20  # bytes that are hashed at a time

Read = Callable[[str], list[Document]]


@dataclass
class Indexed:
    """The files whose passages can be searched."""

    contents: dict[str, str] = field(default_factory=dict)  # the first file of each content
    same: dict[str, str] = field(default_factory=dict)  # files of the content of another one
    errors: dict[str, PagesumError] = field(default_factory=dict)  # of files that cannot be read


def index_path() -> Path:
    """The file of the index, which may not exist yet."""
    return folder_for("cache") / "index" / "passages.sqlite"


@contextmanager
def opened(is_kept: bool, warn: Callable[[str], None]) -> Iterator[Store]:
    """The index on disk; one in memory if nothing is to be kept, or if it cannot be."""
    store = _on_disk(warn) if is_kept else Store()
    try:
        yield store
        store.forget_missing()
    except sqlite3.Error as error:
        raise PagesumError(
            f"{index_path()}: cannot be used ({error})", "--no-index reads the files without it"
        ) from error
    finally:
        store.close()


def _on_disk(warn: Callable[[str], None]) -> Store:
    try:
        store = Store(index_path())
        store.forget_missing()
        return store
    except (OSError, sqlite3.Error) as error:
        warn(f"no index is kept: {index_path()} cannot be written ({error})")
        return Store()


def index(
    store: Store, paths: Sequence[str], read: Read, on_file: Callable[[int], None]
) -> Indexed:
    """Bring the passages of files into a store, of which only new or changed ones are read."""
    indexed = Indexed()
    for number, path in enumerate(paths, 1):
        on_file(number)
        try:
            content = _content_of(store, path, read)
        except PagesumError as error:
            indexed.errors[path] = error
            continue
        if content in indexed.contents:
            indexed.same[path] = indexed.contents[content]
        else:
            indexed.contents[content] = path
    return indexed


def _content_of(store: Store, path: str, read: Read) -> str:
    """The content of a file, whose passages are in the store then."""
    if path == STANDARD_INPUT or isinstance(path, Address):  # not kept: no file has it
        add_documents(store, path, read(path))
        return path
    try:
        check_size(path, limit=None)
        status = os.stat(path)
        real = os.path.realpath(path)
        known = store.content_of(real, status.st_mtime_ns, status.st_size)
        content = known or _digest(path)
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be read ({error.strerror})", "check the permissions"
        ) from error
    if not store.has(content):
        add_documents(store, content, read(path))
    if not known:
        store.note(real, status.st_mtime_ns, status.st_size, content)
    return content


def _digest(path: str) -> str:
    """The SHA-256 of a file, with its suffix, on which its format depends."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return f"{digest.hexdigest()} {Path(path).suffix.lower()}"
