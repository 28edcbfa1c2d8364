"""Reading files in another process: what all of the program calls."""

import atexit
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, BinaryIO, TypeVar

from ... import system
from ...errors import PagesumError
from ...files import FILE_LIMIT, check_size, read_all, read_bytes
from .. import read
from ..boxes import are_packed
from ..model import Document
from ..readers import formats
from ..selection import Address
from .damage import naming_damage
from .protocol import Frames, Limits, encoded, send
from .start import started

START = 60.0  # seconds in which a process must start
_T = TypeVar("_T")
IDLE = 4  # maximum number of processes that wait for the next file


class CannotStart(Exception):
    """No process can be started: the file is read in this one."""


@dataclass(frozen=True)
class Request:
    """What is read."""

    name: str  # what errors call it
    # the function to call, as ``package.module:function``; None for ``documents.read.read_file``
    function: str | None
    arguments: dict[str, Any]  # its arguments, as JSON has them
    # number of bytes of the file, on which the limits depend; None for a file to be fetched
    size: int | None
    content: bytes | None = None  # the bytes of the file, if it is not to be opened
    is_stream: bool = False  # whether each item has limits of its own


class Process:
    """A process that reads one file at a time."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        try:
            self._process = started()
        except (OSError, ValueError) as error:
            raise CannotStart(repr(error)) from error
        assert self._process.stdin
        assert self._process.stdout
        self._requests = self._process.stdin.fileno()
        self._answers = Frames(system.pipe_with_deadlines(self._process.stdout.fileno()))
        self._watch = system.Watch(self._process)
        _running.add(self)
        try:
            self._answers.next(100, monotonic() + START)
        except BaseException as error:
            self.end()
            if isinstance(error, EOFError | TimeoutError | ValueError):
                raise CannotStart(repr(error)) from error
            raise

    def send(self, request: Request) -> None:
        """Send a request; an error is left to the answers."""
        content = request.content
        head = {
            **vars(request),
            "content": None,
            "has_content": content is not None,
            "folder": _current_folder(),
        }
        with contextlib.suppress(OSError):
            send(self._requests, encoded(head))
            if content is not None:
                send(self._requests, content)

    def allow(self, limits: Limits) -> None:
        """Set what the process may take from now on."""
        self._limits, self._deadline = limits, monotonic() + limits.wall
        self._watch.allow(limits.memory << 20, limits.processor)

    def next(self, name: str) -> tuple[str, Any]:
        """The kind of the next part of an answer, and its value; raises PagesumError, with the
        name, where there is none.
        """
        from msgspec import convert  # while the process begins

        limits = self._limits
        self._watch.is_awaited = True
        try:
            answer = json.loads(self._answers.next(limits.memory << 20, self._deadline))
        except TimeoutError:
            raise PagesumError(
                f"{name}: reading it takes more than {limits.wall:,.0f} s", limits.hint
            ) from None
        except EOFError:
            raise self._ended(name) from None
        finally:
            self._watch.is_awaited = False
        return convert(answer, tuple[str, Any])

    def _ended(self, name: str) -> PagesumError:
        status = self.end()
        limit = self._watch.reason(status)
        if limit:
            return self._limits.exceeded(name, limit)
        return self._limits.crashed(name, status)

    def rest(self) -> None:
        """Wait for the next request."""
        self._watch.rest()
        _idle.append(self)

    def end(self) -> int:
        """End the process; returns its status, which is below zero for a signal."""
        _running.discard(self)
        self._watch.end()
        self._process.kill()
        status = self._process.wait()
        self._answers.pipe.close()
        with self._process:
            return status


_idle: list[Process] = []
_running: set[Process] = set()


def _items(
    request: Request, item_type: type[_T], on_problem: Callable[[str], None]
) -> Iterator[_T]:
    """What a process answers that is idle, or new."""
    process = _idle_or_new()
    is_reusable = False
    try:
        process.send(request)
        from msgspec import convert  # while the process begins

        limits, number = Limits.of(request.size), 1
        process.allow(limits)
        while True:
            name = f"{request.name}, record {number:,}" if request.is_stream else request.name
            kind, value = process.next(name)
            if kind == "item":
                yield _checked(value, item_type, request.name)
                number += 1
                process.allow(limits)
            elif kind == "problem":
                on_problem(convert(value, str))
            elif kind == "progress":
                process.allow(limits)
            elif kind == "size":
                limits = Limits.of(convert(value, int | None))
                process.allow(limits)
            elif kind == "memory":
                raise limits.exceeded(name, "memory")
            else:
                is_reusable = True
                if kind == "error":
                    raise _error(*convert(value, tuple[str, str, str | None, str]))
                is_reusable = convert(value, bool)
                return
    except ValueError as error:  # msgspec's and json's, too
        raise PagesumError(
            f"{request.name}: its reader does not answer as it should ({error})"
        ) from error
    finally:
        if is_reusable and len(_idle) < IDLE:
            process.rest()
        else:
            process.end()


def _idle_or_new() -> Process:
    with contextlib.suppress(IndexError):  # of a list that another thread has emptied
        while True:
            process = _idle.pop()
            if process.owner == os.getpid():  # not inherited by a fork
                return process
    return Process()


def stop_reading() -> None:
    """Give up the files that are being read, in whichever thread: its reader ended."""
    for process in _running.difference(_idle):
        process.end()


@atexit.register
def _end_all() -> None:
    for process in list(_running):
        if process.owner == os.getpid():
            process.end()


def _error(kind: str, message: str, hint: str | None, trace: str) -> PagesumError:
    kinds: list[type[PagesumError]] = [PagesumError, *PagesumError.__subclasses__()]
    error = next((known for known in kinds if known.__name__ == kind), PagesumError)(message, hint)
    if trace:
        error.add_note(trace)  # for --debug
    return error


def _current_folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it has been removed
        return None


MAX_PAGES, MAX_WORDS = 1_000_000, 1 << 32  # numbers of pages and words that no file has
RECORD = 16_000_000  # bytes on which the limits of a record depend in a file of more
_SHIPPED = frozenset(formats.FORMATS)


def read_file(
    path: str,
    *,
    password: str | None = None,
    stdin: BinaryIO | None = None,
    given: bytes | None = None,
    on_problem: Callable[[str], None] = lambda message: None,
    locality: str = "auto",
) -> list[Document]:
    """Read a file in another process; see ``documents.read.read_file``. What takes too much raises
    PagesumError.
    """
    content = _piped(path, stdin) if given is None else given
    arguments = {"password": password, "locality": locality}
    kind = formats.kind_of(path)
    if any(one.name == kind and one not in _SHIPPED for one in formats.FORMATS):
        _log(path, "its reader was registered here")
    else:
        name = "standard input" if path == read.STANDARD_INPUT else path
        is_address = isinstance(path, Address)
        limit = None if kind == "records" else FILE_LIMIT  # records are read one by one
        given_to = {**arguments, "path": path, "is_address": is_address}
        try:
            size = None if is_address else _size(path, content, limit)
            request = Request(name, None, given_to, size, content)
            return list(_items(request, Document, on_problem))
        except CannotStart as reason:
            _log(path, f"no other process can be started ({reason})")
    with naming_damage(path):
        return read.read_file(path, given=content, on_problem=on_problem, **arguments)  # type: ignore[arg-type]


def read_data(data: bytes, name: str, *, password: str | None = None) -> list[Document]:
    """Read content in another process; its format is that of the name's extension, else it is
    detected.
    """
    return read_file(name, password=password, given=data)


def stream(
    function: str,
    kind: type[_T],
    path: str,
    arguments: Mapping[str, Any],
    on_problem: Callable[[str], None] = lambda message: None,
    given: bytes | None = None,
) -> Iterator[_T]:
    """What a function yields that reads a file, or the files of a folder, in another process; each
    item has limits.

    ``function`` is ``package.module:function``, called with path, ``on_problem``, the arguments
    and, where the file is not to be opened, its content as ``given``; ``kind`` is the type of what
    it yields.
    """
    # not line by line
    is_whole = path.lower().removesuffix(".gz").removesuffix(".xz").endswith(".json")
    is_file = given is not None or os.path.isfile(path)
    size = _size(path, given, None) if is_file else RECORD
    size = size if is_whole else min(size, RECORD)
    request = Request(path, function, {**arguments, "path": path}, size, given, is_stream=True)
    try:
        yield from _items(request, kind, on_problem)
    except CannotStart as reason:
        _log(path, f"no other process can be started ({reason})")
        from pkgutil import resolve_name

        content = {} if given is None else {"given": given}
        with naming_damage(path):
            yield from resolve_name(function)(path, on_problem=on_problem, **arguments, **content)


def _checked(value: Any, item_type: type[_T], name: str) -> _T:
    from msgspec import convert

    try:
        item = convert(value, item_type)
        for document in (item,) if isinstance(item, Document) else getattr(item, "documents", ()):
            _check(document)
    except ValueError as error:
        message = (
            f"{name}: the process that reads it returned something other than its text ({error})"
        )
        raise PagesumError(message, "--debug shows more; please report it") from error
    return item


def _check(document: Document) -> None:
    """Check what types do not tell: offsets and pages in their order, and no more than there can
    be.
    """
    pages = [page for section in document.sections for page in section.pdf_pages]
    pages += [page for part in document.left_out for page in part.pdf_pages]
    if pages and not 1 <= min(pages) <= max(pages) <= MAX_PAGES:
        raise ValueError("numbers of pages")
    for section in document.sections:
        for paragraph in section.paragraphs:
            offsets = [0, *(offset for offset, _ in paragraph.page_starts), len(paragraph.text)]
            if offsets != sorted(offsets):
                raise ValueError("offsets of pages")
            if not are_packed(paragraph.line_boxes, MAX_PAGES):
                raise ValueError("boxes of lines")
            units = [0, *paragraph.line_ends, len(paragraph.text)]
            if units != sorted(units) or not 0 <= paragraph.body <= len(paragraph.text):
                raise ValueError("offsets of units")
    if any(not 0 <= part.words <= MAX_WORDS for part in document.left_out):
        raise ValueError("numbers of words")
    if not document.sections or not document.skipped | document.listed <= set(
        range(len(document.sections))
    ):
        raise ValueError("numbers of sections")


def _log(path: str, reason: str) -> None:
    # shown with --debug
    logging.getLogger("pagesum_cli").warning("%s: read in this process: %s", path, reason)


def _piped(path: str, stdin: BinaryIO | None) -> bytes | None:
    """The content of a file that only this process can read: of its standard input, or of a
    pipe.
    """
    if path == read.STANDARD_INPUT:
        return read_all(stdin or sys.stdin.buffer, "standard input")
    is_special = not os.path.isfile(path) and not os.path.isdir(path) and os.path.exists(path)
    return read_bytes(path) if is_special else None


def _size(path: str, content: bytes | None, limit: int | None) -> int:
    """Bytes of what is read; refuses a file that is too large, see ``files.check_size``."""
    if content is not None:
        return len(content)
    try:
        return check_size(path, limit)
    except (OSError, ValueError):  # which reading it reports
        return 0
