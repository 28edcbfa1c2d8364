"""Reading files in another process: what all of the program calls."""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, TypeVar

from ...errors import PagesumError
from ...files import read_all, read_bytes
from .. import read
from ..addresses import Address
from ..boxes import are_packed
from ..model import Document
from ..readers import formats
from .child import function_of
from .process import CannotStart, Request, items_of

MAX_PAGES, MAX_WORDS = 1_000_000, 1 << 32
"""Numbers of pages and words that no file has."""

RECORD = 16_000_000
"""Bytes on which the limits of a record depend in a file of more."""

_SHIPPED = frozenset(formats.FORMATS)
_T = TypeVar("_T")


def read_file(
    path: str,
    *,
    password: str | None = None,
    stdin: BinaryIO | None = None,
    given: bytes | None = None,
    on_problem: Callable[[str], None] = lambda message: None,
    locality: str = "auto",
) -> list[Document]:
    """Read a file in another process; see :func:`pagesum_cli.documents.read.read_file`.

    Raises:
        PagesumError: The file cannot be read, has no words, takes too much memory or time, or crashes the process that
            reads it; the hint says what to do.
    """
    content = _piped(path, stdin) if given is None else given
    arguments = {"password": password, "locality": locality}
    kind = formats.kind_of(path)
    if any(one.name == kind and one not in _SHIPPED for one in formats.FORMATS):
        _log(f"{path}: read in this process: its reader was registered here")
        return read.read_file(path, given=content, on_problem=on_problem, **arguments)  # type: ignore[arg-type]
    request = Request(
        name="standard input" if path == read.STANDARD_INPUT else path,
        function=None,
        arguments={**arguments, "path": path, "is_address": isinstance(path, Address)},
        size=None if isinstance(path, Address) else _size(path, content),
        content=content,
    )
    try:
        return list(_items(request, Document, on_problem))
    except CannotStart as reason:
        _log(f"{path}: read in this process: no other one can be started ({reason})")
    return read.read_file(path, given=content, on_problem=on_problem, **arguments)  # type: ignore[arg-type]


def read_data(data: bytes, name: str, *, password: str | None = None) -> list[Document]:
    """Read the content of a file in another process; see :func:`pagesum_cli.documents.read.read_data`."""
    return read_file(name, password=password, given=data)


def stream(
    function: str,
    kind: type[_T],
    path: str,
    arguments: Mapping[str, str],
    on_problem: Callable[[str], None] = lambda message: None,
) -> Iterator[_T]:
    """What a function yields that reads a file, or the files of a folder, in another process; each item has limits.

    Args:
        function: The function, as ``package.module:function``; called with path, ``on_problem`` and the arguments.
        kind: The type of what it yields.
        path: The file or folder.
        arguments: Other arguments.
        on_problem: Called with each line about a part of the file that cannot be used.

    Raises:
        PagesumError: What the function raises; or an item takes too much memory or time, or crashes the process.
    """
    is_whole = path.lower().removesuffix(".gz").removesuffix(".xz").endswith(".json")  # not line by line
    size = _size(path, None) if os.path.isfile(path) else RECORD
    size = size if is_whole else min(size, RECORD)
    request = Request(path, function, {**arguments, "path": path}, size, is_stream=True)
    try:
        yield from _items(request, kind, on_problem)
    except CannotStart as reason:
        _log(f"{path}: read in this process: no other one can be started ({reason})")
        yield from function_of(function)(path, on_problem=on_problem, **arguments)


def _items(request: Request, kind: type[_T], on_problem: Callable[[str], None]) -> Iterator[_T]:
    from msgspec import ValidationError, convert

    for value in items_of(request, on_problem):
        try:
            item = convert(value, kind)
            for document in (item,) if isinstance(item, Document) else getattr(item, "documents", ()):
                _check(document)
        except (ValidationError, _Unlikely) as error:
            message = f"{request.name}: the process that reads it gave something else than its text ({error})"
            raise PagesumError(message, "--debug shows more; please report it") from error
        yield item


class _Unlikely(ValueError):
    """Numbers of a document do not fit together."""


def _check(document: Document) -> None:
    """Check what types do not tell: offsets and pages in their order, and no more than there can be."""
    pages = [page for section in document.sections for page in section.pdf_pages]
    pages += [page for part in document.left_out for page in part.pdf_pages]
    if pages and not 1 <= min(pages) <= max(pages) <= MAX_PAGES:
        raise _Unlikely("numbers of pages")
    for section in document.sections:
        for paragraph in section.paragraphs:
            offsets = [0, *(offset for offset, _ in paragraph.page_starts), len(paragraph.text)]
            if offsets != sorted(offsets):
                raise _Unlikely("offsets of pages")
            if not are_packed(paragraph.line_boxes, MAX_PAGES):
                raise _Unlikely("boxes of lines")
    if any(not 0 <= part.words <= MAX_WORDS for part in document.left_out):
        raise _Unlikely("numbers of words")
    if not document.sections or not document.skipped | document.listed <= set(range(len(document.sections))):
        raise _Unlikely("numbers of sections")


def _piped(path: str, stdin: BinaryIO | None) -> bytes | None:
    """The content of a file that only this process can read: of its standard input, or of a pipe."""
    if path == read.STANDARD_INPUT:
        return read_all(stdin or sys.stdin.buffer, "standard input")
    is_special = not os.path.isfile(path) and not os.path.isdir(path) and os.path.exists(path)
    return read_bytes(path) if is_special else None


def _size(path: str, content: bytes | None) -> int:
    if content is not None:
        return len(content)
    try:
        return os.path.getsize(path)
    except (OSError, ValueError):  # which reading it reports
        return 0


def _log(message: str) -> None:
    logging.getLogger("pagesum_cli").warning("%s", message)  # shown with --debug
