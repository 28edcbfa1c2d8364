"""A folder of shards: many summaries a file, as JSON Lines or Parquet."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from ..errors import require_package
from ..files import append, write_file
from .folder import LEDGER, OutputFolder
from .jobs import Job, OnProblem, distinct

SHARD = 1000  # summaries in a full shard
COMMIT = 60.0  # seconds after which a shard is written though it is not full


class Entry(NamedTuple):
    """A summary of a shard."""

    key: str  # the label of its job
    digest: str  # of its input
    settings: str  # digest of the settings


class Shards(OutputFolder):
    """A folder of shards that knows which summaries it already holds.

    Before a shard is written, all of it or nothing, a line in the folder's ledger records what it
    holds: it is done if there are the line and the file. Of summaries with the same key, the last
    one stays; at the end of a run, shards that are not full are joined.

    Args:
        folder: The folder, made if it does not exist.
        settings: Everything that the summaries depend on besides the input.
        suffix: ``.jsonl`` or ``.parquet``.
        size: Number of summaries in a shard.
    """

    def __init__(
        self, folder: str, settings: dict[str, Any], suffix: str = ".jsonl", size: int = SHARD
    ) -> None:
        if suffix == ".parquet":
            require_package("pyarrow", "pyarrow", "data")
        self._suffix, self._size = suffix, size
        self._new: list[tuple[Entry, str]] = []  # with their lines: the next shard
        super().__init__(folder, settings)

    def _read(self) -> None:
        self._shards: dict[str, list[Entry]] = {}
        self._last, self._began = -1, monotonic()
        for line in self._ledger():
            with contextlib.suppress(TypeError, KeyError):
                self._shards[line["shard"]] = [Entry(*entry) for entry in line["holds"]]
                self._last = line["number"]
        self._shards = {
            name: own for name, own in self._shards.items() if (self._folder / name).is_file()
        }
        self._live = {
            entry.key: (name, entry) for name, own in self._shards.items() for entry in own
        }

    def pending(
        self, jobs: Sequence[Job], inputs: Sequence[str], suffix: str, on_problem: OnProblem
    ) -> tuple[dict[Job, str], int]:
        """The jobs that are not done, with their keys, and the number of those that are."""
        done = {entry for _, entry in self._live.values()}
        keys = zip(jobs, distinct(job.label for job in jobs), strict=True)
        todo = {
            job: key
            for job, key in keys
            if Entry(key, job.digest or "", self._settings) not in done
        }
        return todo, len(jobs) - len(todo)

    def wrote(self, path: str) -> bool:
        """Whether a file is one of the shards."""
        return (
            os.path.basename(path) in self._shards
            and Path(path).resolve().parent == self._folder.resolve()
        )

    def write(self, name: str, digest: str | None, text: str) -> None:
        """Add the summary of a key to the next shard."""
        self._add(Entry(name, digest or "", self._settings), text)
        if monotonic() - self._began > COMMIT:
            self._commit()

    def _add(self, entry: Entry, line: str) -> None:
        self._new.append((entry, line))
        if len(self._new) >= self._size:
            self._commit()

    def _commit(self) -> None:
        """Write the next shard."""
        self._began = monotonic()
        if not self._new:
            return
        self._last += 1
        # somebody else's
        while (self._folder / (name := f"part-{self._last:05}{self._suffix}")).exists():
            self._last += 1
        own = [entry for entry, _ in self._new]
        append(
            self._folder / LEDGER,
            f"\n{json.dumps({'shard': name, 'number': self._last, 'holds': own})}\n",
        )
        write_file(
            self._folder / name, self._packed([line for _, line in self._new]), overwrite=False
        )
        self._new = []
        self._shards[name] = own
        self._live.update((entry.key, (name, entry)) for entry in own)

    def _packed(self, lines: Sequence[str]) -> str | bytes:
        if self._suffix != ".parquet":
            return "".join(lines)
        from pyarrow import Table, parquet

        rows = [{**json.loads(line), "json": line.rstrip("\n")} for line in lines]
        columns = {
            name: [row[name] for row in rows] for name in ("model", "title", "summary", "json")
        }
        table = Table.from_pydict({"id": [row["settings"]["id"] for row in rows], **columns})
        parquet.write_table(table, data := BytesIO())
        return data.getvalue()

    def finish(self, *, complete: bool = True) -> None:
        """Write the last shard; in a complete run, join those that hold less than they could with
        those after them.
        """
        self._commit()
        for name in [name for name in self._shards if not self._held(name)]:
            self._remove(name)
        names = list(self._shards)
        full = [self._held(name) == len(self._shards[name]) == self._size for name in names]
        moved = names[full.index(False) :] if complete and not all(full) else []
        if moved and moved == names[-1:] and self._held(names[-1]) == len(self._shards[names[-1]]):
            return
        for name in moved:
            for entry, line in zip(
                self._shards[name], self._lines(self._folder / name), strict=True
            ):
                if self._live[entry.key][0] == name:
                    self._add(entry, line)
        self._commit()
        for name in moved:
            self._remove(name)

    def _held(self, name: str) -> int:
        """Number of summaries of a shard that no later one replaces."""
        return sum(self._live[entry.key][0] == name for entry in self._shards[name])

    def _remove(self, name: str) -> None:
        (self._folder / name).unlink()
        del self._shards[name]

    def _lines(self, path: Path) -> Iterator[str]:
        if self._suffix != ".parquet":
            yield from (f"{line}\n" for line in path.read_text(encoding="utf-8").split("\n")[:-1])
            return
        from pyarrow import parquet

        yield from (
            f"{line}\n" for line in parquet.read_table(path, columns=["json"])["json"].to_pylist()
        )
