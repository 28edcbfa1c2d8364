"""Many documents, one summary each: what there is to do, what an earlier run has done, and where results go."""

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .documents.document import Document
from .documents.read import STANDARD_INPUT, kind_of, read_file
from .errors import PagesumError

LEDGER = ".pagesum.jsonl"
NAME_LENGTH = 100


@dataclass(frozen=True)
class Job:
    """One summary to be made: of a file, or of one record in it.

    Attributes:
        label: the path as the user gave it, with ``#id`` for a record.
        names: what the output may be called, without its ending: the shortest first.
        read: gives the documents to summarize together.
        digest: of the input's bytes; None where they are not known beforehand (standard input).
    """

    label: str
    names: tuple[str, ...]
    read: Callable[[], list[Document]]
    digest: str | None


def jobs_of(paths: Sequence[str], password: str | None, on_problem: Callable[[str, PagesumError], None]) -> list[Job]:
    """One job a file; one a record where a file holds records.

    Args:
        paths: the files, or ``-``.
        password: of encrypted PDFs.
        on_problem: is called with the path and the reason for each file of records that cannot be read, and each record
            in it that cannot be used.
    """
    jobs: list[Job] = []
    for path in paths:
        if path != STANDARD_INPUT and kind_of(path) == "records":
            try:
                jobs += _record_jobs(path, on_problem)
            except PagesumError as error:
                on_problem(path, error)
        else:
            jobs.append(Job(path, _names(path), lambda path=path: read_file(path, password=password), _digest(path)))
    return jobs


def output_names(jobs: Sequence[Job]) -> list[str]:
    """A name for each job's output: the shortest of its names that no other job could mean; letter case does not tell.

    ``a/paper.pdf`` alone is ``paper``; beside ``a/paper.txt`` it is ``paper.pdf``, beside ``b/paper.pdf`` it is
    ``a-paper.pdf``.
    """
    chosen = [0] * len(jobs)
    while True:
        meant: dict[str, list[int]] = {}
        for i, job in enumerate(jobs):
            meant.setdefault(job.names[chosen[i]].casefold(), []).append(i)
        stuck = [i for same in meant.values() if len(same) > 1 for i in same if chosen[i] + 1 < len(jobs[i].names)]
        if not stuck:
            break
        for i in stuck:
            chosen[i] += 1
    names: list[str] = []
    taken: set[str] = set()
    for i, job in enumerate(jobs):
        name, number = job.names[chosen[i]], 1
        while name.casefold() in taken:
            number += 1
            name = f"{job.names[chosen[i]]}-{number}"
        taken.add(name.casefold())
        names.append(name)
    return names


class OutputFolder:
    """A folder of results that knows which of them it holds already.

    Before a result is put in place, a line in the folder's ``.pagesum.jsonl`` says what it was made from (a digest of
    the input and of the settings) and what it holds (a digest of it). So a result that is there is

    - *done*, where a line tells of the same input, settings and content;
    - *outdated*, where a line tells of its content, but of another input or other settings: it is made anew;
    - *not ours* (or edited since), where no line tells of its content: it is left alone, and the job fails.

    Args:
        folder: is made where it is not there.
        settings: everything that the results depend on beside the input.

    Raises:
        PagesumError: the folder cannot be made or written to.
    """

    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        self._folder = Path(folder)
        self._settings = _sha(json.dumps(settings, sort_keys=True).encode())
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PagesumError(f"{folder}: expected a folder: {error.strerror}", "name another --output-dir") from error
        check_writable(str(self._folder / LEDGER))
        self._made: dict[str, set[tuple[str, str, str]]] = {}  # name → digests of input, settings and content
        _end_last_line(self._folder / LEDGER)
        for name, *digests in _read_lines(self._folder / LEDGER):
            self._made.setdefault(name, set()).add(tuple(digests))

    def is_done(self, name: str, digest: str | None) -> bool:
        """Whether the result ``name`` of the input ``digest`` is there.

        Raises:
            PagesumError: a file of that name is there that is not ours.
        """
        try:
            content = _sha((self._folder / name).read_bytes())
        except FileNotFoundError:
            return False
        made = self._made.get(name, set())
        if not any(was == content for _, _, was in made):
            raise PagesumError(
                f"{self._folder / name} is there, and was not written by pagesum or was edited since",
                "move it away, or name another --output-dir",
            )
        return digest is not None and (digest, self._settings, content) in made

    def wrote(self, path: str) -> bool:
        """Whether a file is one of the results, as where the folder lies in one that is summarized."""
        own = os.path.realpath(os.path.dirname(path)) == os.path.realpath(self._folder)
        return own and os.path.basename(path) in self._made

    def write(self, name: str, digest: str | None, text: str) -> None:
        """Put a result in place, all of it or nothing."""
        digests = (digest or "", self._settings, _sha(text.encode("utf-8", "replace")))
        with open(self._folder / LEDGER, "a", encoding="utf-8") as ledger:
            ledger.write(json.dumps([name, *digests]) + "\n")
        self._made.setdefault(name, set()).add(digests)
        write_file(str(self._folder / name), text)


def write_file(path: str, text: str) -> None:
    """Write a file aside and rename it, so that there is never half of one.

    Raises:
        OSError: it cannot be written; what was there before still is.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe
        with open(target, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        return
    aside = f"{os.path.dirname(target)}/.{os.path.basename(target)[:NAME_LENGTH]}.{os.getpid()}.part"
    try:
        with open(aside, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.replace(aside, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(error, OSError):
            error.filename = path
        raise


def check_writable(path: str) -> None:
    """Refuse, before any work is done, a file that cannot be written in the end.

    Raises:
        PagesumError: it cannot.
    """
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise PagesumError(f"{path}: expected a file to write to, found a folder", "add a file name")
    if not os.path.isdir(folder):
        raise PagesumError(f"{path}: there is no folder {folder}", "make it, or write elsewhere")
    try:
        if os.path.exists(path):
            open(path, "ab").close()
        if not os.path.exists(path) or os.path.isfile(path):
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"pagesum")
    except OSError as error:
        raise PagesumError(f"{path}: cannot be written: {error.strerror}", "write elsewhere") from error


def _record_jobs(path: str, on_problem: Callable[[str, PagesumError], None]) -> Iterator[Job]:
    from .documents.records import read_records

    digest = _digest(path)
    stem = _names(path)[0]
    for record in read_records(path, lambda line: on_problem(path, PagesumError(line))):
        name = f"{stem}-{_file_name(record.id)}"
        yield Job(
            label=f"{path}#{record.id}",
            names=(name, *(f"{long}-{_file_name(record.id)}" for long in _names(path)[1:])),
            read=lambda documents=record.documents: list(documents),
            digest=_sha(f"{digest}#{record.id}".encode()),
        )


def _names(path: str) -> tuple[str, ...]:
    if path == STANDARD_INPUT:
        return ("stdin",)
    *folders, name = Path(os.path.abspath(path)).parts[1:]
    stem = re.sub(r"\.(gz|xz)$", "", name, flags=re.IGNORECASE)
    stem = stem.rpartition(".")[0] or stem
    longer = [_file_name("-".join((*folders[at:], name))) for at in range(len(folders) - 1, -1, -1)]
    return (_file_name(stem), _file_name(name), *longer)


def _file_name(text: str) -> str:
    """The text as part of a file name: no separators, nothing invisible, not too long."""
    name = re.sub(r"[^\w.,+=@ -]", "_", text).strip(" .") or "_"
    return name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 9]}-{_sha(text.encode())[:8]}"


def _digest(path: str) -> str | None:
    """Of a file's bytes; None where it is no file that can be read: reading it will tell why."""
    if path == STANDARD_INPUT:
        return None
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _end_last_line(path: Path) -> None:
    """End a line that an interruption left half written, so that the next one stands by itself."""
    if path.exists() and not path.read_bytes().endswith(b"\n"):
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n")


def _read_lines(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """The ledger's lines; a half one, left by an interruption, is passed over."""
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            with contextlib.suppress(ValueError):
                name, digest, settings, content = json.loads(line)
                yield name, digest, settings, content
