"""A record of a data set as the document of ``pagesum inspect``."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from ..batch.worker import Talk
from ..datasets.named import DATA_SETS, SAMPLE, DataOptions, read_record
from ..datasets.record import Record
from ..errors import PagesumError, UsageError
from ..options import flags_of, option
from .options import FolderOptions, NetworkOptions, ReadingOptions

REFERENCE = "reference"
"""Stands for the record's own summary."""
SHOWN_PROBLEMS = 5


@dataclass(frozen=True)
class RecordOptions(DataOptions):
    """Which record of which data set."""

    id: str | None = option(None, "With --data: the id of the record to inspect.", metavar="ID")

    @property
    def label(self) -> str:
        """The data set and the id."""
        return f"{self.data}#{self.id}"

    def check(
        self, files: Sequence[str], reading: ReadingOptions, network: NetworkOptions, folders: FolderOptions
    ) -> None:
        """Check the flags of a record.

        Raises:
            UsageError: One is missing, contradicts another, or does nothing.
        """
        if not self.data:
            if flag := _given(self, [one.name for one in fields(self)]):
                raise UsageError(f"{flag} without --data", "give the data set with --data NAME")
            return
        if files:
            raise UsageError(f"--data given together with {files[0]}", "give files, or --data with --id")
        if not self.id:
            raise UsageError("--data without --id", "give the id of one of its records with --id")
        is_named = self.data in DATA_SETS
        if not is_named and (flag := _given(self, ["data_dir"])):
            raise UsageError(f"{flag} does nothing for --data {self.data}", f"it is for {', '.join(DATA_SETS)}")
        hub = ["data_config", "document_column", "summary_column"]
        if (is_named or self.data == SAMPLE) and (flag := _given(self, hub)):
            raise UsageError(f"{flag} does nothing for --data {self.data}", "it is for --data owner/name")
        flag = _given(reading, ["password"]) or _given(network, ["allow_network"])
        if flag := flag or _given(folders, ["include", "exclude"]):
            raise UsageError(f"{flag} does nothing for --data", "it is for files and folders")

    def read(self, locality: str, talk: Talk) -> Record:
        """The record; warns of records before it that cannot be used.

        Raises:
            PagesumError: There is none with this id, or the data cannot be read.
        """
        problems: list[str] = []
        try:
            with talk.progress(f"looking for {self.id}"):
                return read_record(self, self.id or "", problems.append, locality)
        except PagesumError:
            for problem in problems[:SHOWN_PROBLEMS]:  # one of them may be the record
                talk.warn(problem)
            raise


def reference_of(record: Record, label: str) -> str | Sequence[str]:
    """The author's summary of a record, by sentences if the data gives them.

    Raises:
        PagesumError: It has none.
    """
    if not record.summary.strip():
        raise PagesumError(f"{label} has no summary", "leave --summary out to make one, or give a file with one")
    return record.summary_sentences or record.summary


def _given(options: DataOptions | ReadingOptions | NetworkOptions | FolderOptions, names: Sequence[str]) -> str | None:
    """The first of these flags that has another value than its default."""
    return next(
        (
            flags_of(one)[0]
            for one in fields(options)
            if one.name in names and getattr(options, one.name) != one.default
        ),
        None,
    )
