"""Reading files, and reading them while PyTorch is imported."""

import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import BinaryIO

from ..documents.addressed import addressed
from ..documents.guard.reading import read_file
from ..documents.model import Document
from ..documents.notes import unread
from ..documents.read import STANDARD_INPUT
from ..errors import PagesumError, together
from ..files import read_all
from ..system import next_of, no_interruptions
from .talk import Talk

SHOWN_PROBLEMS = 5  # number of unusable records and files that are reported one by one


@dataclass(frozen=True)
class Reading:
    """The documents of some files."""

    documents: list[Document]
    seconds: float
    problems: list[str]


@dataclass(frozen=True)
class Source:
    """What is read."""

    paths: Sequence[str]  # the files
    # The arguments of the command. A file that they do not name, but a folder or a pattern, is left
    # out if it cannot be read, unless none can
    named: Collection[str]
    password: str | None = None  # opens encrypted files
    locality: str = "auto"  # how the documents will be cut
    stdin: BinaryIO | None = None  # where ``-`` reads from; the process' standard input by default


def read_files(source: Source, talk: Talk) -> Reading:
    """Read files, in order, and warn of records that cannot be used and of files of folders that
    cannot be read.
    """
    return start_reading(source, talk)()


def start_reading(source: Source, talk: Talk) -> Callable[[], Reading]:
    """Begin to read files; returns a function that waits for the documents, or raises what reading
    raised.

    Another process reads, and a thread of this one waits for it: what is imported meanwhile keeps
    Python's lock.
    """
    if STANDARD_INPUT in source.paths:
        data = read_all(source.stdin or sys.stdin.buffer, "standard input")
        source = replace(source, stdin=BytesIO(data))
    results: SimpleQueue[int | Reading | BaseException] = SimpleQueue()

    def read() -> None:
        try:
            results.put(_read(source, results.put))
        except BaseException as error:
            results.put(error)

    with no_interruptions():
        Thread(target=read, daemon=True).start()

    def wait() -> Reading:
        with talk.progress("reading files") as bar:
            while isinstance(result := next_of(results), int):
                bar.update("reading files", result - 1, len(source.paths))
        if isinstance(result, BaseException):
            raise result
        for problem in result.problems[:SHOWN_PROBLEMS]:
            talk.warn(problem)
        if len(result.problems) > SHOWN_PROBLEMS:
            talk.warn(
                f"{len(result.problems) - SHOWN_PROBLEMS} more records or files were left out"
            )
        for note in (*unread(result.documents), *addressed(result.documents)):
            talk.warn(note)
        return result

    return wait


def _read(source: Source, on_file: Callable[[int], None]) -> Reading:
    began = perf_counter()
    documents: list[Document] = []
    problems: list[str] = []
    errors: list[PagesumError] = []
    must_be_read = False
    for number, path in enumerate(source.paths, 1):
        on_file(number)
        try:
            documents += read_file(
                path,
                password=source.password,
                stdin=source.stdin,
                on_problem=problems.append,
                locality=source.locality,
            )
        except PagesumError as error:
            errors.append(error)
            must_be_read = must_be_read or path in source.named
    if errors and (must_be_read or not documents):
        raise together(errors)
    problems += [f"not read: {error.message}" for error in errors]
    return Reading(documents, perf_counter() - began, problems)
