"""The summaries to be made of the files and data sets that a command names."""

import hashlib
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock

from ..datasets.formats import Units
from ..datasets.readers import as_reason, data_set_split, holds_records, read_path
from ..datasets.record import Record
from ..documents.guard.reading import read_file
from ..documents.model import Document
from ..documents.read import STANDARD_INPUT, find_files
from ..documents.selection import Selection
from ..errors import PagesumError, explained
from ..files import check_size, read_all, safe_name
from ..system import name_key

OnProblem = Callable[[str, PagesumError], None]
STDIN_NAME = "standard input"
PASSED = 64  # records that are kept for a thread which asks for them a little later


@dataclass(frozen=True)
class Job:
    """One summary to be made: of a file, or of one record in it."""

    label: str  # the path as the user gave it, with ``#id`` for a record
    names: tuple[str, ...]  # possible names of the output without suffix, the shortest first
    read: Callable[[], list[Document]]  # reads the documents to be summarized together
    # digest of the input's bytes; None if they are not known beforehand (a pipe)
    digest: str | None


def jobs_of(
    paths: Sequence[str], password: str | None, on_problem: OnProblem, units: Units = "sentences"
) -> list[Job]:
    """One job per file; one per record of files of records and of data set folders, see
    :func:`is_data_set`.
    """
    jobs: list[Job] = []
    for path in paths:
        try:
            jobs += _jobs_of_path(path, password, on_problem, units)
        except Exception as failure:
            on_problem(path, explained(failure))
    return jobs


def _jobs_of_path(
    path: str, password: str | None, on_problem: OnProblem, units: Units
) -> Iterator[Job]:
    given = read_all(sys.stdin.buffer, STDIN_NAME) if path == STANDARD_INPUT else None
    if holds_records(STDIN_NAME, given) if given else is_data_set(path):
        yield from _record_jobs(path, units, on_problem, given)
    else:
        digest = _digest(path) if given is None else digest_of(given)
        yield Job(
            path, _names(path), partial(read_file, path, password=password, given=given), digest
        )


def inputs_of(
    arguments: Sequence[str],
    selection: Selection,
    on_problem: OnProblem,
    on_skipped: Callable[[str], None] = lambda line: None,
) -> list[str]:
    """The files that arguments name, each once; a data set folder stands for itself."""
    paths: dict[str, None] = {}
    for argument in arguments:
        try:
            is_folder = os.path.isdir(argument) and is_data_set(argument)
            found = (
                [argument]
                if is_folder
                else find_files([argument], selection, on_problem, on_skipped)
            )
            paths.update(dict.fromkeys(found))
        except Exception as failure:
            on_problem(argument, explained(failure))
    return list(paths)


def is_data_set(path: str) -> bool:
    """Whether a path is a folder of a data set, or a file of records."""
    if os.path.isdir(path):
        return data_set_split(Path(path)) is not None
    return holds_records(path)


def output_names(jobs: Sequence[Job]) -> list[str]:
    """A name for each job's output: the shortest of its names that no other job shares; case is
    ignored.

    ``a/paper.pdf`` alone is ``paper``; beside ``a/paper.txt`` it is ``paper.pdf``, beside
    ``b/paper.pdf`` it is ``a-paper.pdf``.
    """
    shared = Counter(name for job in jobs for name in {name_key(name) for name in job.names})
    shortest = (
        next((name for name in job.names if shared[name_key(name)] == 1), job.names[0])
        for job in jobs
    )
    return distinct(shortest)


def distinct(names: Iterable[str]) -> list[str]:
    """Names with a number added to those that stood before, as records with the same id do; case is
    ignored.
    """
    numbers: Counter[str] = Counter()
    found: list[str] = []
    for base in names:
        name = base
        while name_key(name) in numbers:
            numbers[name_key(base)] += 1
            name = f"{base}-{numbers[name_key(base)]}"
        numbers[name_key(name)] = 1
        found.append(name)
    return found


class Records:
    """The records of a path, which are read again, one after another: memory does not grow with
    their number.
    """

    def __init__(self, path: str, units: Units, given: bytes | None) -> None:
        self._arguments = (path, units, given)
        self._rest: Iterator[Record] = iter(())
        self._next = sys.maxsize  # number of the record that is read next
        # the last ones that were read and not asked for
        self._passed: dict[int, Record | None] = {}
        self._lock = Lock()

    def __reduce__(self) -> tuple[type["Records"], tuple[str, Units, bytes | None]]:
        return Records, self._arguments

    def all(self, on_problem: Callable[[str], None] = lambda line: None) -> Iterator[Record]:
        """Read all records from the first on."""
        path, units, given = self._arguments
        name, split = (path, data_set_split(Path(path))) if given is None else (STDIN_NAME, None)
        for record in read_path(name, split or "test", units, on_problem, given=given):
            if given is not None:
                record = replace(
                    record, documents=tuple(replace(one, source=path) for one in record.documents)
                )
            yield record

    def documents(self, number: int, digest: str) -> list[Document]:
        """The documents of a record; numbers that grow, or nearly, as threads ask for them, are
        read in one pass.
        """
        with self._lock:
            if number < self._next and number not in self._passed:
                self._rest, self._next = self.all(), 0
            while self._next <= number:
                self._passed[self._next] = next(self._rest, None)
                self._passed.pop(self._next - PASSED, None)
                self._next += 1
            record = self._passed.pop(number, None)
        if record is None or _digest_of_record(record) != digest:
            self._next = sys.maxsize
            raise PagesumError(
                f"{self._arguments[0]} has changed since it was scanned",
                "run the command again",
            )
        return list(record.documents)


def _digest_of_record(record: Record) -> str:
    return digest_of(repr(record.documents).encode("utf-8", "replace"))


def _record_jobs(
    path: str, units: Units, on_problem: OnProblem, given: bytes | None
) -> Iterator[Job]:
    problems: list[str] = []
    records, number = Records(path, units, given), -1
    for number, record in enumerate(records.all(problems.append)):
        digest = _digest_of_record(record)
        names = tuple(f"{name}-{safe_name(record.id)}" for name in _names(path))
        yield Job(f"{path}#{record.id}", names, partial(records.documents, number, digest), digest)
    if number < 0 and not problems:
        problems = [f"{path}: expected records, found none"]
    for line in problems:
        on_problem(path, PagesumError(as_reason(line)))


def _names(path: str) -> tuple[str, ...]:
    if path == STANDARD_INPUT:
        return ("stdin",)
    *folders, name = Path(os.path.abspath(path)).parts[1:]
    stem = re.sub(r"\.(gz|xz)$", "", name, flags=re.IGNORECASE)
    stem = stem.rpartition(".")[0] or stem
    longer = [safe_name("-".join((*folders[at:], name))) for at in range(len(folders) - 1, -1, -1)]
    return (safe_name(stem), safe_name(name), *longer)


def _digest(path: str) -> str | None:
    """Digest of a file's bytes; None for pipes, and for what cannot be read, which reading it
    reports.
    """
    if not os.path.isfile(path):
        return None
    try:
        check_size(path)
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, PagesumError):
        return None


def digest_of(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
