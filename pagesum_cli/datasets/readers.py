"""Files and folders of data sets → records, one after another: memory does not grow with their number."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..documents.document import Document
from ..documents.formats import Input
from ..errors import PagesumError
from ..files import open_packed, read_all, unpacked_limit
from .formats import Units, columns_of, form_of, record_of, record_of_lines, units_of
from .record import Record

SPLIT_NAMES = {"test": ("test",), "validation": ("validation", "valid", "val", "dev"), "train": ("train", "training")}
"""The names of each split's files and folders."""

LINE_LIMIT = 64 * 1024 * 1024
"""Bytes of a line above which it is not read: a record is a document, not a library."""

CHECKED = 5
"""Records of which one must have a text and, where it is needed, a summary: a file may begin with another object."""

RECORDS_LIMIT = 100_000
"""Records of a file that are read together, as the documents of one summary."""

EXAMPLE = 'a record is {"id": "1", "text": "…", "summary": "…"} on one line; see docs/input.md for other forms'

Problem = Callable[[str], None]


class NoSplit(PagesumError):
    """A folder has no such split."""


class Entry(NamedTuple):
    """A JSON value that should be a record.

    Attributes:
        value: The parsed JSON.
        number: The id if the record has none.
        where: Its place, for messages.
        source: The file.
    """

    value: Any
    number: str
    where: str
    source: str


def read_path(
    path: str | Path, split: str = "test", units: Units = "sentences", on_problem: Problem = lambda message: None
) -> Iterator[Record]:
    """Read the records of a file, or of a split of a folder.

    Args:
        path: A file of records (JSON Lines or JSON, also .gz or .xz), or a folder in one of these forms, tried in this
            order: ``test/0.json …`` (the original program); ``test.src`` and ``test.tgt`` (Multi-News, WikiCatSum);
            ``split_ids/*_test.ids`` beside ``crs/`` and ``gao/`` (GovReport); ``test.jsonl``, ``.txt`` or ``.json``.
            The form of each record is recognized, see :data:`~.formats.FORMS`.
        split: ``test``, ``validation`` or ``train``.
        units: What the entries of an ``article`` list are.
        on_problem: Called with one line for each record that cannot be used; the others are read.

    Raises:
        PagesumError: There is no such file, or the folder holds none of these.
    """
    yield from _records(_entries(Path(path), split, on_problem), units, on_problem)


def _records(entries: Iterator[Entry], units: Units, on_problem: Problem) -> Iterator[Record]:
    for entry in entries:
        try:
            yield record_of(entry.value, entry.number, units, entry.source)
        except PagesumError as error:
            on_problem(f"{entry.where}: {error.message}, left out")


def check_path(path: str | Path, split: str, units: Units, *, summaries: bool) -> None:
    """Read the first records of a file or folder and check that they have the expected fields, before time is spent.

    Args:
        path, split, units: See :func:`read_path`.
        summaries: Whether summaries are needed.

    Raises:
        PagesumError: There is no such file or split, or the first records have no text or no field for the summary; the
            message names the fields that they have.
    """
    problems: list[str] = []

    def on_problem(message: str) -> None:
        problems.append(as_reason(message))
        if len(problems) == CHECKED:
            raise PagesumError(problems[0], EXAMPLE)

    for entry in islice(_entries(Path(path), split, on_problem), CHECKED):
        try:
            record_of(entry.value, entry.number, units, entry.source)
        except PagesumError as error:
            on_problem(f"{entry.where}: {error.message}")
            continue
        names = form_of(entry.value).summaries
        if not summaries or any(name in entry.value for name in names):
            return
        expected = " or ".join(f'"{name}"' for name in names)
        on_problem(f"{entry.where}: expected the summary in {expected}, found {columns_of(entry.value)}")
    raise PagesumError(problems[0] if problems else f"{path}: expected records, found none", EXAMPLE)


def as_reason(problem: str) -> str:
    """A problem as the reason of an error: nothing else was read, so nothing was "left out"."""
    return problem.replace(", left out", "", 1)


def data_set_split(folder: Path) -> str | None:
    """The first split (test, validation, train) that a folder holds in a form of several files; None if none."""
    for split, names in SPLIT_NAMES.items():
        if any(reader(folder, name, lambda message: None) for name in names for reader in FOLDERS):
            return split
    return None


def _entries(path: Path, split: str, on_problem: Problem) -> Iterator[Entry]:
    if path.is_file():
        return _from_file(path, on_problem)
    if not path.is_dir():
        raise PagesumError(f"{path}: no such file or folder", "check the path")
    for name in SPLIT_NAMES[split]:
        for reader in (*FOLDERS, _single_file):
            if entries := reader(path, name, on_problem):
                return entries
    first = SPLIT_NAMES[split][0]
    raise NoSplit(
        f"{path}: no {split} split; expected {first}/0.json …, {first}.src with {first}.tgt, {first}.jsonl, "
        f"{first}.txt or split_ids/*_{first}.ids",
        "check the folder and --split",
    )


def _numbered(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """The original program's folder: a file for each record, in the order of their numbers."""
    files = sorted((one for one in (folder / name).glob("*.json") if one.stem.isdigit()), key=lambda one: int(one.stem))
    return _from_json_files(((file, file.stem) for file in files), on_problem) if files else None


def _pair(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """Multi-News and WikiCatSum: a cluster a line, and its summary on the same line of the other file."""
    # WikiCatSum's train.bow.src and train.bow.tgt hold bags of words for topic models.
    sides = [
        sorted(one for one in folder.glob(f"{name}*{side}*") if ".bow." not in one.name) for side in ("src", "tgt")
    ]
    return _from_pair(sides[0][0], sides[1][0], on_problem) if all(sides) else None


def _govreport(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """GovReport: lists of ids, and a file for each report."""
    lists = sorted(one for depth in ("", "*/") for one in folder.glob(f"{depth}split_ids/*_{name}.ids"))
    files = (
        (ids.parent.parent / part / f"{identity}.json", f"{part}-{identity}")
        for ids in lists
        for part in [ids.name.split("_")[0]]
        for identity in (line.decode("utf-8", "replace").strip() for line in byte_lines(ids))
    )
    return _from_json_files(files, on_problem) if lists else None


def _single_file(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    files = (
        folder / f"{name}{suffix}{packing}" for suffix in (".jsonl", ".txt", ".json") for packing in ("", ".gz", ".xz")
    )
    file = next((file for file in files if file.is_file()), None)
    return _from_file(file, on_problem) if file else None


FOLDERS = (_numbered, _pair, _govreport)
"""The forms of folders that consist of several files: folder and name of the split → entries, None if it has none."""


def _from_json_files(files: Iterator[tuple[Path, str]], on_problem: Problem) -> Iterator[Entry]:
    for file, number in files:
        try:
            value = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            on_problem(f"{file}: cannot be read, left out ({error})")
        else:
            yield Entry(value, number, str(file), str(file))


def _from_pair(source: Path, target: Path, on_problem: Problem) -> Iterator[Entry]:
    lengths = [sum(1 for _ in byte_lines(path)) for path in (source, target)]
    if lengths[0] != lengths[1]:
        raise PagesumError(
            f"{source} has {lengths[0]} lines, {target} has {lengths[1]}; expected equal numbers", "check the two files"
        )
    for number, (cluster, summary) in enumerate(zip(byte_lines(source), byte_lines(target), strict=True), start=1):
        where = f"{source}, line {number}"
        try:
            value = record_of_lines(cluster.decode(), summary.decode())
        except UnicodeDecodeError as error:
            on_problem(f"{where}, or the same of {target.name}: expected UTF-8, left out ({error})")
        else:
            yield Entry(value, str(number), where, str(source))


def _from_file(path: Path, on_problem: Problem) -> Iterator[Entry]:
    """JSON Lines; or a whole file of JSON, which holds a list of records or one record."""
    with open_packed(path) as stream:
        start = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        is_json = path.name.lower().removesuffix(".gz").removesuffix(".xz").endswith(".json")
        if start != b"[" and not (is_json and not is_json_lines(path)):
            stream.seek(0)
            yield from _from_lines(stream, path, on_problem)
            return
    with open_packed(path, unpacked_limit(path)) as stream:
        try:
            value = json.loads(read_all(stream, str(path)).decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise PagesumError(f"{path}: expected JSON, found something else ({error})", "see docs/input.md") from error
    for number, one in enumerate(value if isinstance(value, list) else [value], start=1):
        yield Entry(one, str(number), f"{path}, record {number}", str(path))


def is_json_lines(path: Path) -> bool:
    """Whether the first line is a JSON object of its own."""
    with open_packed(path) as stream:
        if not stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return False
        stream.seek(0)
        lines = iter(lambda: stream.readline(LINE_LIMIT), b"")
        first = next(line for line in lines if line.strip(b"\xef\xbb\xbf \t\r\n"))
    try:
        return isinstance(json.loads(first.decode("utf-8-sig")), dict)
    except (ValueError, RecursionError):
        return False


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
                on_problem(f"{where}: expected a JSON object, left out ({error})")
            else:
                yield Entry(value, str(number), where, str(path))


def byte_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file. Only ``\\n`` ends a line: texts hold other separators.

    Raises:
        PagesumError: The file cannot be read.
    """
    with open_packed(path) as stream:
        for line in stream:
            yield line.removesuffix(b"\n")


def _from_bytes(data: bytes, name: str, on_problem: Problem) -> Iterator[Entry]:
    """JSON Lines, or a JSON list of records, that did not come from a file of that name."""
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        yield from _from_lines(BytesIO(data), Path(name), on_problem)
        return
    try:
        values = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise PagesumError(f"{name}: expected JSON, found something else ({error})", "see docs/input.md") from error
    for number, one in enumerate(values, start=1):
        yield Entry(one, str(number), f"{name}, record {number}", name)


def read(source: Input) -> list[Document]:
    """The documents of all records of a file, one after another: a reader of ``documents.formats``.

    Raises:
        PagesumError: The file cannot be read, has no record that can be used, or more than can be read together.
    """
    problems: list[str] = []
    if source.given is not None:
        entries = _from_bytes(source.given, source.name, problems.append)
    else:
        _check_unpacked(source.path)
        entries = _entries(Path(source.path), "test", problems.append)
    records = list(islice(_records(entries, units_of(source.locality), problems.append), RECORDS_LIMIT + 1))
    if len(records) > RECORDS_LIMIT:
        raise PagesumError(
            f"{source.path}: more than {RECORDS_LIMIT:,} records for one summary", "summarize --each makes one for each"
        )
    if not records:
        reason = as_reason(problems[0]) if problems else f"{source.path}: expected records, found none"
        raise PagesumError(reason, EXAMPLE)
    for problem in problems:
        source.on_problem(problem)
    documents = [(record, document) for record in records for document in record.documents]
    names = Counter(document.name for _, document in documents)
    return [
        replace(document, name=f"{record.id} {document.name}") if names[document.name] > 1 else document
        for record, document in documents
    ]


def _check_unpacked(path: str) -> None:
    """Refuse a packed file that unpacks to too much, before its records are kept."""
    if limit := unpacked_limit(path):
        with open_packed(path, limit) as stream:
            while stream.read(1 << 20):
                pass
