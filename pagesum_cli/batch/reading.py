"""Reading files, and reading them while PyTorch is imported: in another process, as both keep Python's lock."""

import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import perf_counter

from ..documents.document import Document
from ..documents.formats import kind_of
from ..documents.notes import unread
from ..documents.read import read_file
from ..errors import PagesumError, explained
from ..processes import end_with_parent
from .worker import Talk

SHOWN_PROBLEMS = 5
"""Number of unusable records that are reported one by one."""

OnFile = Callable[[int], None]
"""Called with the number of each file, from 1 on, when it is begun."""


@dataclass(frozen=True)
class Reading:
    """The documents of some files.

    Attributes:
        documents: The documents of all files, in order.
        seconds: Time that reading took.
        problems: A line for each record that cannot be used.
    """

    documents: list[Document]
    seconds: float
    problems: list[str]


def read_files(paths: Sequence[str], password: str | None, talk: Talk, locality: str = "auto") -> Reading:
    """Read files, in order, and warn of records that cannot be used.

    Raises:
        PagesumError: One cannot be read.
    """
    with _progress(talk, len(paths)) as on_file:
        reading = _read(paths, password, on_file, locality)
    return _reported(reading, talk)


def start_reading(
    paths: Sequence[str], password: str | None, talk: Talk, locality: str = "auto"
) -> Callable[[], Reading]:
    """Begin to read files; returns a function that waits for the documents, or raises what reading raised.

    Only PDFs take long enough for a process of their own, and only before PyTorch is imported is it safe and cheap to
    fork one; other files are read at once.

    Raises:
        PagesumError: A file that is read at once cannot be read.
    """
    if sys.platform != "linux" or "torch" in sys.modules or not all(kind_of(path) == "pdf" for path in paths):
        reading = read_files(paths, password, talk, locality)
        return lambda: reading
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(receiver, sender, paths, password), daemon=True)
    process.start()
    sender.close()

    def wait() -> Reading:
        with _progress(talk, len(paths)) as on_file:
            try:
                while isinstance(result := receiver.recv(), int):
                    on_file(result)
            except EOFError:  # it was killed, for memory perhaps
                result = _read(paths, password, on_file)
            finally:
                process.join()
        if isinstance(result, Reading):
            return _reported(result, talk)
        raise result

    return wait


def _send(receiver: Connection, sender: Connection, paths: Sequence[str], password: str | None) -> None:
    receiver.close()  # the parent's end, inherited
    end_with_parent()
    try:
        sender.send(_read(paths, password, sender.send))
    except PagesumError as error:
        sender.send(error)
    except MemoryError as error:
        sender.send(explained(error))
    except Exception:  # the first process reads again, and reports it with its traceback
        return


def _read(paths: Sequence[str], password: str | None, on_file: OnFile, locality: str = "auto") -> Reading:
    began = perf_counter()
    documents: list[Document] = []
    problems: list[str] = []
    for number, path in enumerate(paths, 1):
        on_file(number)
        documents += read_file(path, password=password, on_problem=problems.append, locality=locality)
    return Reading(documents, perf_counter() - began, problems)


def _reported(reading: Reading, talk: Talk) -> Reading:
    for problem in reading.problems[:SHOWN_PROBLEMS]:
        talk.warn(problem)
    if len(reading.problems) > SHOWN_PROBLEMS:
        talk.warn(f"{len(reading.problems) - SHOWN_PROBLEMS} more records were left out")
    for note in unread(reading.documents):
        talk.warn(note)
    return reading


@contextmanager
def _progress(talk: Talk, files: int) -> Iterator[OnFile]:
    with talk.progress("reading files") as bar:
        yield lambda number: bar.update("reading files", number, files)
