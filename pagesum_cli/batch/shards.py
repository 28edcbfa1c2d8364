"""A folder of shards: many summaries a file, as JSON Lines or Parquet."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import require_package
from ..files import append, naming, replacing
from .folder import LEDGER, OutputFolder
from .jobs import Job, OnProblem, distinct

SHARD = 1000  # summaries in a shard


class Entry(NamedTuple):
    """A line of the ledger: a summary, and its place in a shard."""

    shard: str  # the shard's name without suffix
    # start, end: where its line stands in the shard, in bytes
    start: int
    end: int
    key: str  # the label of its job
    digest: str  # of its input
    settings: str  # digest of the settings


class Shards(OutputFolder):
    """A folder of shards that knows which summaries it already holds.

    Before a summary is added to the last shard, a line in the folder's ledger records its place there. It is done once
    the shard reaches to its end; the part that an interruption leaves is cut off. Of summaries with the same key, the
    last one stays.

    Args:
        folder: The folder, made if it does not exist.
        settings: Everything that the summaries depend on besides the input.
        parquet: Whether full shards become Parquet.
        size: Number of summaries in a shard.
    """

    def __init__(self, folder: str, settings: dict[str, Any], *, parquet: bool = False, size: int = SHARD) -> None:
        if parquet:
            require_package("pyarrow", "pyarrow", "data")
        self._parquet, self._size = parquet, size
        super().__init__(folder, settings)

    def _read(self) -> None:
        places: dict[tuple[str, int], Entry] = {}
        with contextlib.suppress(FileNotFoundError), open(self._folder / LEDGER, "rb") as file:
            for line in file:
                with contextlib.suppress(ValueError, TypeError, RecursionError):
                    entry = Entry(*json.loads(line))
                    if isinstance(entry.end, int):
                        places.pop((entry.shard, entry.start), None)  # it was not finished
                        places[entry.shard, entry.start] = entry
        lengths = {shard: self._length(shard) for shard in {one.shard for one in places.values()}}
        self._entries = [one for one in places.values() if one.end <= lengths[one.shard]]
        self._live = {one.key: one for one in self._entries}
        self._shard = max(lengths, default="")
        own = [one.end for one in self._entries if one.shard == self._shard]
        self._end, self._count = max(own, default=0), len(own)
        length = lengths.get(self._shard, 0)
        if length > self._end and (self._shard, self._end) in places and self._path(self._shard).is_file():
            os.truncate(self._path(self._shard), self._end)
        elif length != self._end:
            self._shard = ""  # Parquet already, or something was added

    def _path(self, shard: str) -> Path:
        return self._folder / (f".{shard}.jsonl.part" if self._parquet else f"{shard}.jsonl")

    def _length(self, shard: str) -> int:
        if (self._folder / f"{shard}.parquet").is_file():
            return sys.maxsize
        return self._path(shard).stat().st_size if self._path(shard).is_file() else 0

    def pending(
        self, jobs: Sequence[Job], inputs: Sequence[str], suffix: str, on_problem: OnProblem
    ) -> tuple[dict[Job, str], int]:
        """The jobs that are not done, with their keys, and the number of those that are."""
        todo = {}
        for job, key in zip(jobs, distinct([job.label for job in jobs]), strict=True):
            made = self._live.get(key)
            if made is None or job.digest is None or (made.digest, made.settings) != (job.digest, self._settings):
                todo[job] = key
        return todo, len(jobs) - len(todo)

    def wrote(self, path: str) -> bool:
        """Whether a file is one of the shards."""
        own = os.path.realpath(os.path.dirname(path)) == os.path.realpath(self._folder)
        return own and any(one.shard == Path(path).stem for one in self._entries)

    def write(self, name: str, digest: str | None, text: str) -> None:
        """Add the summary of a key to the last shard, all of it or nothing."""
        if not self._shard or self._count == self._size:
            self._begin()
        data = text.encode("utf-8", "replace")
        entry = Entry(self._shard, self._end, self._end + len(data), name, digest or "", self._settings)
        append(self._folder / LEDGER, f"\n{json.dumps(entry)}")  # the line before it may be incomplete
        path = self._path(self._shard)
        with naming(path), open(path, "r+b" if self._count else "wb") as file:
            file.seek(self._end)
            file.write(data)
        self._end, self._count = entry.end, self._count + 1
        self._entries.append(entry)
        self._live[name] = entry

    def _begin(self) -> None:
        self._close()
        number = 1 + max((int(one.shard.rpartition("-")[2]) for one in self._entries), default=-1)
        while any(self._folder.glob(f"*part-{number:05}.*")):  # somebody else's
            number += 1
        self._shard, self._end, self._count = f"part-{number:05}", 0, 0

    def _close(self) -> None:
        """Turn the last shard into Parquet, if that is the format."""
        if self._parquet and self._shard and self._count:
            from pyarrow import Table, parquet

            lines = self._path(self._shard).read_bytes().decode().split("\n")[:-1]
            rows = [{**json.loads(line), "json": line} for line in lines]
            columns = {name: [str(row.get(name, "")) for row in rows] for name in ("model", "title", "summary", "json")}
            table = Table.from_pydict({"id": [row["settings"]["id"] for row in rows], **columns})
            with replacing(self._folder / f"{self._shard}.parquet") as aside:
                parquet.write_table(table, aside)
            self._path(self._shard).unlink()
        self._shard = ""

    def finish(self) -> None:
        """Drop what was made again, and finish the last shard."""
        self._drop_outdated()
        self._close()

    def _drop_outdated(self) -> None:
        """Move what is up to date out of the shards that hold something else, and remove them."""
        for shard in dict.fromkeys(one.shard for one in self._entries if self._live[one.key] is not one):
            if shard == self._shard:
                self._close()
            own = sorted((one for one in self._entries if one.shard == shard), key=lambda one: one.start)
            lines = list(self._lines(shard, own))
            for entry, line in zip(own, lines, strict=True):
                if self._live[entry.key] is entry:
                    self.write(entry.key, entry.digest, line)
            self._entries = [one for one in self._entries if one.shard != shard]
            for path in (self._path(shard), self._folder / f"{shard}.parquet"):
                path.unlink(missing_ok=True)

    def _lines(self, shard: str, entries: Sequence[Entry]) -> Iterator[str]:
        if self._path(shard).is_file():
            data = self._path(shard).read_bytes()
            yield from (data[one.start : one.end].decode() for one in entries)
        else:
            from pyarrow import parquet

            table = parquet.read_table(self._folder / f"{shard}.parquet", columns=["json"])
            yield from (f"{line}\n" for line in table["json"].to_pylist())
