"""Files and folders of data sets → records, one after another: memory does not grow with their
number.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ..documents.guard.damage import reason_of
from ..documents.guard.reading import stream
from ..documents.input import Input
from ..documents.model import Document
from ..documents.readers.formats import SEARCHED, is_transcript, kind_of
from ..errors import PagesumError, require_package
from ..files import open_packed, pieces_of, read_all, unpacked_limit
from .folders import LEVELS, Entry, Problem, booksum, govreport, numbered, pair, stories
from .formats import Units, columns_of, form_of, record_of, units_of
from .record import Record

SPLIT_NAMES = {
    "test": ("test",),
    "validation": ("validation", "valid", "val", "dev"),
    "train": ("train", "training"),
}
"""The names of each split's files and folders."""

# bytes of a line above which it is not read: a record is a document, not a library
LINE_LIMIT = 64 * 1024 * 1024
# records of which one must have a text and, where needed, a summary: a file may begin otherwise
CHECKED = 5
ROWS = 16  # rows of a Parquet file that are in memory at a time
RECORDS_LIMIT = 100_000  # records of a file that are read together, as the documents of one summary
EXAMPLE = (
    'a record is {"id": "1", "text": "…", "summary": "…"} on one line; see docs/input.md '
    "for other forms"
)


class NoSplit(PagesumError):
    """A folder has no such split."""


class SeveralSets(PagesumError):
    """A folder holds several data sets, and none is named."""


def read_path(
    path: str | Path,
    split: str = "test",
    units: Units = "sentences",
    on_problem: Problem = lambda message: None,
    part: str = "",
    given: bytes | None = None,
) -> Iterator[Record]:
    """Read the records of a file, or of a split (``test``, ``validation`` or ``train``) of a
    folder.

    Args:
        path: A file of records (JSON Lines or JSON, also .gz or .xz; Parquet), or a folder in one
            of these forms, tried so: ``test/0.json …`` (the original program); ``test.src`` and
            ``test.tgt`` (Multi-News, WikiCatSum); ``split_ids/*_test.ids`` beside ``crs/`` and
            ``gao/`` (GovReport); .story files (CNN/DailyMail); the lists of BookSum;
            ``fd_test.json`` or ``tms_test.json`` (SummScreen); ``test.jsonl``, ``.txt`` or
            ``.json``. The form of each record is recognized, see :data:`~.formats.FORMS`.
        units: What the entries of an ``article`` list are.
        on_problem: Called with one line for each record that cannot be used; the others are read.
        part: Which of the data sets of a release, see :data:`PARTS`; empty for the only or the
            first one.
        given: The content of the file, which is not opened.
    """
    arguments = {"split": split, "units": units, "part": part}
    yield from stream(f"{__name__}:records_of", Record, str(path), arguments, on_problem, given)


def records_of(
    path: str, split: str, units: Units, part: str, on_problem: Problem, given: bytes | None = None
) -> Iterator[Record]:
    """Read records in this process; see :func:`read_path`."""
    entries = (
        _entries(_of_units(Path(path), units), split, on_problem, part)
        if given is None
        else _of_data(given, path, on_problem)
    )
    yield from records_among(entries, units, on_problem)


def records_among(entries: Iterable[Entry], units: Units, on_problem: Problem) -> Iterator[Record]:
    """The entries that are records; each other one is reported in a line."""
    for entry in entries:
        try:
            yield _record_of(entry, units)
        except PagesumError as error:
            on_problem(f"{entry.where}: {error.message}, left out")


def _record_of(entry: Entry, units: Units) -> Record:
    """An entry as a record; PagesumError for any that is none."""
    try:
        return record_of(entry.value, entry.number, units, entry.source)
    except (PagesumError, MemoryError):
        raise
    except Exception as failure:
        message = f"expected a record, found something else ({reason_of(failure)})"
        raise PagesumError(message, EXAMPLE) from failure


def check_path(
    path: str | Path, split: str, units: Units, *, summaries: bool, part: str = ""
) -> None:
    """Check the first records of a file or folder before time is spent: whether they have the
    expected fields.
    """
    arguments = {
        "split": split,
        "units": units,
        "part": part,
        "summaries": "required" if summaries else "",
    }
    list(stream(f"{__name__}:checks_of", bool, str(path), arguments))


def checks_of(
    path: str,
    split: str,
    units: Units,
    part: str,
    summaries: str,
    on_problem: Problem = lambda message: None,
) -> Iterator[bool]:
    """Check the first records in this process; see :func:`check_path`. Yields True if they are as
    expected.
    """
    problems: list[str] = []

    def add(message: str) -> None:
        problems.append(as_reason(message))
        if len(problems) == CHECKED:
            raise PagesumError(problems[0], EXAMPLE)

    for entry in islice(_entries(_of_units(Path(path), units), split, add, part), CHECKED):
        try:
            _record_of(entry, units)
        except PagesumError as error:
            add(f"{entry.where}: {error.message}")
            continue
        names = form_of(entry.value).summaries
        if not summaries or any(name in entry.value for name in names):
            yield True
            return
        expected = " or ".join(f'"{name}"' for name in names)
        add(f"{entry.where}: expected the summary in {expected}, found {columns_of(entry.value)}")
    raise PagesumError(
        problems[0] if problems else f"{path}: expected records, found none", EXAMPLE
    )


def _of_units(path: Path, units: Units) -> Path:
    """The folder in the original program's data: ``section`` has arXiv's sections, ``base`` all
    else.
    """
    if units == "sections" and (path / "section").is_dir():
        return path / "section"
    if units == "sections" and (path.name == "base" or (path / "base").is_dir()):
        message = f"{path}: the folder base holds sentences, expected the folder section beside it"
        raise PagesumError(
            message, "download the archive of arXiv again, or use --locality spatial"
        )
    return path / "base" if (path / "base").is_dir() else path


def as_reason(problem: str) -> str:
    """A problem as the reason of an error: nothing else was read, so nothing was "left out"."""
    return problem.replace(", left out", "", 1)


def data_set_split(folder: Path) -> str | None:
    """The first split (test, validation, train) that a folder holds in a form of several files;
    None if none.
    """
    for split, names in SPLIT_NAMES.items():
        if any(
            reader(folder, name, lambda message: None)
            for name in names
            for reader in (*FOLDERS, *RELEASES)
        ):
            return split
    return None


def _entries(path: Path, split: str, on_problem: Problem, part: str = "") -> Iterator[Entry]:
    if path.is_file():
        return _from_file(path, on_problem)
    if not path.is_dir():
        raise PagesumError(f"{path}: no such file or folder", "check the path")
    for name in SPLIT_NAMES[split]:
        for reader in (*FOLDERS, *([PARTS[part]] if part else RELEASES), _single_file):
            if entries := reader(path, name, on_problem):
                return entries
    first = SPLIT_NAMES[split][0]
    raise NoSplit(
        f"{path}: no {split} split; expected {first}/0.json …, {first}.src "
        f"with {first}.tgt, {first}.jsonl, "
        f"{first}.txt, split_ids/*_{first}.ids, {first}/*.story or one of the other forms in "
        f"docs/eval.md",
        "check the folder and --split",
    )


def _screenplays(
    folder: Path, name: str, on_problem: Problem, show: str = ""
) -> Iterator[Entry] | None:
    """SummScreen: ``fd_test.json`` (ForeverDreaming) or ``tms_test.json`` (TVMegaSite), both JSON
    Lines.
    """
    places = [
        folder / inside / f"{one}_{name}.json" for one in SHOWS for inside in ("", SHOWS[one])
    ]
    files = [file for file in places if file.is_file() and file.name.startswith(show)]
    if len(files) > 1:
        message = f"{folder} holds {files[0].name} and {files[1].name}, expected one of them"
        hint = f"--data summscreen-fd --data-dir {folder}, or summscreen-tms; or the folder of one"
        raise SeveralSets(message, hint)
    return _from_file(files[0], on_problem) if files else None


def _single_file(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    files = (
        folder / f"{name}{suffix}{packing}"
        for suffix in (".jsonl", ".txt", ".json")
        for packing in ("", ".gz", ".xz")
    )
    file = next((file for file in files if file.is_file()), None)
    return _from_file(file, on_problem) if file else None


# the two parts of SummScreen, and their folders
SHOWS = {"fd": "ForeverDreaming", "tms": "TVMegaSite"}
FOLDERS = (numbered, pair, govreport, stories)
"""The forms of folders that consist of several files: folder and name of the split → entries, None
if it has none.
"""

# those that hold several data sets, of which the only one is read, or the first
RELEASES = (booksum, _screenplays)
PARTS = {
    **{show: partial(_screenplays, show=show) for show in SHOWS},
    **{level: partial(booksum, level=level) for level in LEVELS},
}
"""One data set of these."""


def _from_file(path: Path, on_problem: Problem) -> Iterator[Entry]:
    if path.name.lower().endswith(".parquet"):
        yield from _from_parquet(path)
        return
    with open_packed(path) as stream:
        start = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        is_json = path.name.lower().removesuffix(".gz").removesuffix(".xz").endswith(".json")
        if start != b"[" and not (is_json and not next(first_is_object(path))):
            stream.seek(0)
            yield from _from_lines(stream, path, on_problem)
            return
    with open_packed(path) as stream:
        yield from _of_json(read_all(stream, str(path), unpacked_limit(path)), str(path))


def _from_parquet(path: Path) -> Iterator[Entry]:
    require_package("pyarrow", "pyarrow", "data")
    from pyarrow import parquet

    number = 0
    try:
        for batch in parquet.ParquetFile(path).iter_batches(batch_size=ROWS):
            for row in batch.to_pylist():
                number += 1
                value = {name: one for name, one in row.items() if one is not None}
                yield Entry(value, str(number), f"{path}, row {number}", str(path))
    except MemoryError:
        raise
    except Exception as error:  # pyarrow fails in any way on a broken file
        where = f"damage after row {number}" if number else "something else"
        message = f"{path}: expected Parquet, found {where} ({reason_of(error)})"
        raise PagesumError(message, "write it again") from error


def _of_data(data: bytes, name: str, on_problem: Problem) -> Iterator[Entry]:
    is_list = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    return _of_json(data, name) if is_list else _from_lines(BytesIO(data), Path(name), on_problem)


def _of_json(data: bytes, name: str) -> Iterator[Entry]:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise PagesumError(
            f"{name}: expected JSON, found something else ({error})", "see docs/input.md"
        ) from error
    for number, one in enumerate(value if isinstance(value, list) else [value], start=1):
        yield Entry(one, str(number), f"{name}, record {number}", name)


def holds_records(path: str, given: bytes | None = None) -> bool:
    """Whether a file is one of records: by its name, or because the first line of a text is a JSON
    object.
    """
    if given is not None:
        return any(stream(f"{__name__}:first_is_object", bool, path, {}, given=given))
    kind = kind_of(path)
    is_readable = os.path.isfile(path) and os.access(path, os.R_OK)  # a pipe can be read only once
    is_text = kind in ("text", None) and is_readable
    if kind == "records" and is_readable and path.lower().endswith(".json"):
        with open(path, "rb") as file:
            return not is_transcript(file.read(SEARCHED))
    return kind == "records" or (
        is_text and any(stream(f"{__name__}:first_is_object", bool, path, {}))
    )


def first_is_object(
    path: str | Path, on_problem: Problem = lambda message: None, given: bytes | None = None
) -> Iterator[bool]:
    """Yield in this process whether the first line is a JSON object of its own."""
    with open_packed(path) if given is None else BytesIO(given) as stream:
        is_object = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
        stream.seek(0)
        lines = iter(lambda: stream.readline(LINE_LIMIT), b"")
        first = (
            next((line for line in lines if line.strip(b"\xef\xbb\xbf \t\r\n")), b"")
            if is_object
            else b""
        )
    try:
        yield is_object and isinstance(json.loads(first.decode("utf-8-sig")), dict)
    except (ValueError, RecursionError):
        yield False


def _from_lines(stream: BinaryIO, path: Path, on_problem: Problem) -> Iterator[Entry]:
    number = 0
    while line := stream.readline(LINE_LIMIT):
        number += 1
        where = f"{path}, line {number}"
        if len(line) == LINE_LIMIT and not line.endswith(b"\n"):
            on_problem(f"{where}: longer than {LINE_LIMIT >> 20} MB, left out")
            while (line := stream.readline(LINE_LIMIT)) and not line.endswith(b"\n"):
                pass
        elif line.strip():
            try:
                value = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError) as error:
                on_problem(f"{where}: expected a JSON object, left out ({_reason(error)})")
            else:
                yield Entry(value, str(number), where, str(path))


def _reason(error: Exception) -> str:
    """Why a line is not JSON, with the place in it."""
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start + 1}"
    return (
        f"{error.msg} at character {error.colno}"
        if isinstance(error, json.JSONDecodeError)
        else str(error)
    )


def read(source: Input) -> list[Document]:
    """The documents of all records of a file, one after another: a reader of
    ``documents.formats``.
    """
    problems: list[str] = []
    if source.given is None:
        if limit := unpacked_limit(source.path):
            with open_packed(source.path) as stream:
                for _ in pieces_of(stream, source.path, limit):  # refuses what unpacks to more
                    pass
        entries = _entries(Path(source.path), "test", problems.append)
    else:
        entries = _of_data(source.given, source.path, problems.append)
    records = list(
        islice(
            records_among(entries, units_of(source.locality), problems.append), RECORDS_LIMIT + 1
        )
    )
    if len(records) > RECORDS_LIMIT:
        message = f"{source.path}: more than {RECORDS_LIMIT:,} records for one summary"
        raise PagesumError(message, "summarize --each makes a summary of each")
    if not records:
        reason = (
            as_reason(problems[0]) if problems else f"{source.path}: expected records, found none"
        )
        raise PagesumError(reason, EXAMPLE)
    for problem in problems:
        source.on_problem(problem)
    documents = [(record, document) for record in records for document in record.documents]
    names = Counter(document.name for _, document in documents)
    return [
        replace(document, name=f"{record.id} {document.name}")
        if names[document.name] > 1
        else document
        for record, document in documents
    ]
