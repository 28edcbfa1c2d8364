"""A folder of results that knows which ones it already holds."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import PagesumError, explained
from ..files import (
    append,
    check_not_input,
    check_writable,
    inputs_among,
    locked,
    make_folder,
    write_file,
)
from .jobs import Job, OnProblem, digest_of, output_names

LEDGER = ".pagesum.jsonl"


class OutputFolder:
    """A folder of results that knows which ones it already holds.

    Before a result is written, a line in the folder's ``.pagesum.jsonl`` records digests of its
    input, of the settings and of its content. An existing result is

    - *done* if a line has the same input, settings and content;
    - *outdated* if a line has its content, but another input or other settings: it is made again;
    - *not ours*, or edited since, if no line has its content: it is left alone, and the job fails.

    Args:
        folder: The folder, made if it does not exist.
        settings: Everything that the results depend on besides the input.
        force: Replace files that are not ours.
    """

    def __init__(self, folder: str, settings: dict[str, Any], *, force: bool = False) -> None:
        self._force = force
        self._folder = make_folder(folder, "--output-dir")
        self._settings = digest_of(json.dumps(settings, sort_keys=True).encode())
        check_writable(str(self._folder / LEDGER))
        # name → digests of input, settings and content
        self._made: dict[str, set[tuple[str, str, str]]] = {}
        self._read()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing results into the folder; raises ``PagesumError`` where
        one does.
        """
        with locked(self._folder, "--output-dir"):
            self._read()
            yield

    def _ledger(self) -> Iterator[Any]:
        """The ledger's lines; one that an interruption left incomplete is skipped."""
        with contextlib.suppress(FileNotFoundError), open(self._folder / LEDGER, "rb") as file:
            for line in file:
                with contextlib.suppress(ValueError, RecursionError):
                    yield json.loads(line)

    def _read(self) -> None:
        for line in self._ledger():
            match line:
                case [str(name), str(digest), str(settings), str(content)]:
                    self._made.setdefault(name, set()).add((digest, settings, content))

    def is_done(self, name: str, digest: str | None) -> bool:
        """Whether the result ``name`` of the input ``digest`` exists."""
        return (digest, self._settings, self._content(name)) in self._made.get(name, ())

    def _content(self, name: str) -> str | None:
        """Digest of the content of a result; None if there is none."""
        try:
            content = digest_of((self._folder / name).read_bytes())
        except FileNotFoundError:
            return None
        if not self._force and not any(
            written == content for _, _, written in self._made.get(name, set())
        ):
            message = (
                f"{self._folder / name} exists, but was not written by pagesum or was edited since"
            )
            raise PagesumError(
                message, "move it away, name another --output-dir, or replace it with --force"
            )
        return content

    def pending(
        self, jobs: Sequence[Job], inputs: Sequence[str], suffix: str, on_problem: OnProblem
    ) -> tuple[dict[Job, str], int]:
        """The jobs that are not done, with the names of their results, and the number of those that
        are.
        """
        todo: dict[Job, str] = {}
        done = 0
        names = [name + suffix for name in output_names(jobs)]
        read = set(inputs_among((str(self._folder / name) for name in names), inputs))
        for job, name in zip(jobs, names, strict=True):
            try:
                if self.is_done(name, job.digest):
                    done += 1
                else:
                    check_not_input([str(self._folder / name)], read)
                    todo[job] = name
            except Exception as failure:
                on_problem(job.label, explained(failure))
        return todo, done

    def wrote(self, path: str) -> bool:
        """Whether a file is one of the results, in case the folder is inside one that is
        summarized.
        """
        own = os.path.realpath(os.path.dirname(path)) == os.path.realpath(self._folder)
        return own and os.path.basename(path) in self._made

    def write(self, name: str, digest: str | None, text: str) -> None:
        """Write a result, all of it or nothing."""
        self._content(name)
        digests = (digest or "", self._settings, digest_of(text.encode("utf-8", "replace")))
        # the line before it may be incomplete
        append(self._folder / LEDGER, f"\n{json.dumps([name, *digests])}")
        self._made.setdefault(name, set()).add(digests)
        write_file(self._folder / name, text)

    def finish(self, *, complete: bool = True) -> None:
        """Do what is left when results are written: nothing here."""
