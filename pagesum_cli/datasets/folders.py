"""Forms of data sets that are folders of several files → entries, which should be records."""

import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import PagesumError
from ..files import open_packed
from .formats import record_of_lines

HIGHLIGHT = "@highlight"
"""The line before each sentence of the summary in a .story file."""

Problem = Callable[[str], None]


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


def numbered(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """The original program's folder: a file for each record, in the order of their numbers."""
    files = sorted((one for one in (folder / name).glob("*.json") if one.stem.isdigit()), key=lambda one: int(one.stem))
    return _from_json_files(((file, file.stem) for file in files), on_problem) if files else None


def pair(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """Multi-News and WikiCatSum: a cluster a line, and its summary on the same line of the other file."""
    # WikiCatSum's train.bow.src and train.bow.tgt hold bags of words for topic models.
    sides = [
        sorted(one for one in folder.glob(f"{name}*{side}*") if ".bow." not in one.name) for side in ("src", "tgt")
    ]
    return _from_pair(sides[0][0], sides[1][0], on_problem) if all(sides) else None


def govreport(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """GovReport: lists of ids, and a file for each report."""
    lists = sorted(one for depth in ("", "*/") for one in folder.glob(f"{depth}split_ids/*_{name}.ids"))
    files = (
        (ids.parent.parent / part / f"{identity}.json", f"{part}-{identity}")
        for ids in lists
        for part in [ids.name.split("_")[0]]
        for identity in (line.decode("utf-8", "replace").strip() for line in byte_lines(ids))
    )
    return _from_json_files(files, on_problem) if lists else None


def stories(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """CNN/DailyMail as See et al. (2017) prepare it: a .story file for each article, named by the SHA-1 of its URL.

    The split is a folder of them, or a list of URLs (``all_test.txt``, also in ``url_lists``) beside one or several
    folders of them (``cnn/stories``, ``dailymail/stories``).
    """
    files = sorted((folder / name).glob("*.story"))
    if files:
        return _from_stories(files, on_problem)
    lists = [one for place in (folder, folder / "url_lists") for one in sorted(place.glob(f"*_{name}*.txt"))]
    lists = [one for one in lists if one.stem == f"all_{name}"][:1] or lists  # the others are parts of it
    places = [folder, *(one for depth in ("*/", "*/stories/") for one in sorted(folder.glob(depth)))]
    places = [place for place in places if next(place.glob("*.story"), None)]
    urls = (line.strip() for one in lists for line in byte_lines(one))
    names = (f"{sha1(url, usedforsecurity=False).hexdigest()}.story" for url in urls if url)
    found = (
        next((place / one for place in places if (place / one).is_file()), places[0] / one) for one in names if places
    )
    return _from_stories(found, on_problem) if lists and places else None


def _from_stories(files: Iterable[Path], on_problem: Problem) -> Iterator[Entry]:
    for file in files:
        try:
            text, *highlights = file.read_text(encoding="utf-8").split(HIGHLIGHT)
        except (OSError, ValueError) as error:
            on_problem(f"{file}: cannot be read, left out ({error})")
        else:
            value = {"id": file.stem, "article": text, "highlights": [one.strip() for one in highlights]}
            yield Entry(value, file.stem, str(file), str(file))


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


def byte_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file. Only ``\n`` ends a line: texts hold other separators."""
    with open_packed(path) as stream:
        for line in stream:
            yield line.removesuffix(b"\n")
