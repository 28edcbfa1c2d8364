"""Forms of data sets that are folders of several files → entries, which should be records."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import PagesumError
from ..files import open_packed
from .formats import record_of_lines
from .record import Record

HIGHLIGHT = "@highlight"  # the line before each sentence of the summary in a .story file
Problem = Callable[[str], None]


class Entry(NamedTuple):
    """A JSON value that should be a record."""

    value: Any  # the parsed JSON
    number: str  # the id if the record has none
    where: str  # its place, for messages
    source: str  # the file


def numbered(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """The original program's folder: a file for each record, in the order of their numbers."""
    files = sorted(
        (one for one in (folder / name).glob("*.json") if one.stem.isdigit()),
        key=lambda one: int(one.stem),
    )
    return _from_files(((file, file.stem) for file in files), on_problem) if files else None


def pair(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """Multi-News and WikiCatSum: a cluster a line, and its summary on the same line of the other
    file.
    """
    # WikiCatSum's train.bow.src and train.bow.tgt hold bags of words for topic models.
    sides = [
        sorted(one for one in folder.glob(f"{name}*{side}*") if ".bow." not in one.name)
        for side in ("src", "tgt")
    ]
    return _from_pair(sides[0][0], sides[1][0], on_problem) if all(sides) else None


def govreport(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """GovReport: lists of ids, and a file for each report."""
    lists = sorted(
        one for depth in ("", "*/") for one in folder.glob(f"{depth}split_ids/*_{name}.ids")
    )
    files = (
        (ids.parent.parent / part / f"{identity}.json", f"{part}-{identity}")
        for ids in lists
        for part in [ids.name.split("_")[0]]
        for identity in (line.decode("utf-8", "replace").strip() for line in byte_lines(ids))
    )
    return _from_files(files, on_problem) if lists else None


def stories(folder: Path, name: str, on_problem: Problem) -> Iterator[Entry] | None:
    """CNN/DailyMail as See et al. (2017) prepare it: a .story file for each article, named by the
    SHA-1 of its URL.

    The split is a folder of them, or a list of URLs (``all_test.txt``, also in ``url_lists``)
    beside one or several folders of them (``cnn/stories``, ``dailymail/stories``).
    """
    files = sorted((folder / name).glob("*.story"))
    if files:
        return _from_files(((one, one.stem) for one in files), on_problem, _story)
    lists = [
        one
        for place in (folder, folder / "url_lists")
        for one in sorted(place.glob(f"*_{name}*.txt"))
    ]
    # the others are parts of it
    lists = [one for one in lists if one.stem == f"all_{name}"][:1] or lists
    places = [
        folder,
        *(one for depth in ("*/", "*/stories/") for one in sorted(folder.glob(depth))),
    ]
    places = [place for place in places if next(place.glob("*.story"), None)]
    urls = (line.strip() for one in lists for line in byte_lines(one))
    names = (f"{sha1(url, usedforsecurity=False).hexdigest()}.story" for url in urls if url)
    found = (
        next((place / one for place in places if (place / one).is_file()), places[0] / one)
        for one in names
        if places
    )
    return (
        _from_files(((one, one.stem) for one in found), on_problem, _story)
        if lists and places
        else None
    )


def _story(file: Path) -> dict[str, Any]:
    text, *highlights = file.read_text(encoding="utf-8").split(HIGHLIGHT)
    return {"id": file.stem, "article": text, "highlights": [one.strip() for one in highlights]}


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _from_files(
    files: Iterable[tuple[Path, str]], on_problem: Problem, read: Callable[[Path], Any] = _json
) -> Iterator[Entry]:
    for file, number in files:
        try:
            value = read(file)
        except (OSError, ValueError, RecursionError) as error:
            on_problem(f"{file}: cannot be read, left out ({error})")
        else:
            yield Entry(value, number, str(file), str(file))


def _from_pair(source: Path, target: Path, on_problem: Problem) -> Iterator[Entry]:
    lengths = [sum(1 for _ in byte_lines(path)) for path in (source, target)]
    if lengths[0] != lengths[1]:
        message = (
            f"{source} has {lengths[0]} lines, {target} has {lengths[1]}; expected equal numbers"
        )
        raise PagesumError(message, "check the two files")
    for number, (cluster, summary) in enumerate(
        zip(byte_lines(source), byte_lines(target), strict=True), start=1
    ):
        where = f"{source}, line {number}"
        try:
            value = record_of_lines(cluster.decode(), summary.decode())
        except UnicodeDecodeError as error:
            place = f"byte {error.start + 1}"
            on_problem(f"{where}, or the same of {target.name}: expected UTF-8, left out ({place})")
        else:
            yield Entry(value, str(number), where, str(source))


def byte_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file. Only ``\\n`` ends a line: texts hold other separators."""
    with open_packed(path) as stream:
        for line in stream:
            yield line.removesuffix(b"\n")


LEVELS = CHAPTER, BOOK = ("chapter", "book")

# where the lists of a split may be, from the data set
FOLDERS = ("", "alignments/*/", "*-level-summary-alignments/")
TOP = ("all_chapterized_books", "finished_summaries")
"""The folders to which the lists' paths point; older lists have a path of the authors' machine
before them.
"""

WHOLE = "book_clean.txt"  # the text of a whole book, in the folder of its chapters


def booksum(
    folder: Path, name: str, on_problem: Problem, level: str = CHAPTER
) -> Iterator[Entry] | None:
    """The chapters, or the books, of a split: a record for each summary, of which there are several
    by source.

    A chapter's record has its text. A book's has its chapters as sections, and beside them the
    reference summaries of the chapters (``chapter_summaries``), of the same source as the book's
    summary where it has any, otherwise of the source that has most.
    """
    chapters = _found(folder, f"chapter_summary_aligned_{name}_split.jsonl")
    if level == CHAPTER:
        return _chapters(folder, chapters, on_problem) if chapters else None
    books = _found(folder, f"book_summaries_aligned_{name}.jsonl")
    return _books(folder, books, chapters, on_problem) if books else None


def of_chapter_summaries(record: Record) -> Record:
    """The record with the reference summaries of its chapters in place of its text: what a book
    model reads.
    """
    if not record.chapter_summaries:
        raise PagesumError('expected "chapter_summaries", found none')
    first = record.documents[0]
    kept = replace(
        first,
        sections=record.chapter_summaries,
        skipped=frozenset(),
        given=None,
        given_sentences=(),
    )
    return replace(record, documents=(kept,))


def _found(folder: Path, name: str) -> Path | None:
    return next(
        (file for inside in FOLDERS for file in sorted(folder.glob(f"{inside}{name}"))), None
    )


def _chapters(folder: Path, listed: Path, on_problem: Problem) -> Iterator[Entry]:
    for line in _lines(listed, on_problem):
        try:
            path = _path(folder, line["chapter_path"])
            identity = f"{line['bid']}/{line['source']}/{Path(line['summary_path']).stem}"
            value = {
                "id": identity,
                "sections": [{"heading": _heading(line), "text": path.read_text(encoding="utf-8")}],
                "summary": _summary(folder, line["summary_path"]),
            }
        except (KeyError, TypeError, OSError, ValueError) as error:
            on_problem(f"{listed}: a chapter cannot be read, left out ({_reason(error)})")
        else:
            yield Entry(value, identity, str(path), str(path))


def _books(
    folder: Path, listed: Path, chapters: Path | None, on_problem: Problem
) -> Iterator[Entry]:
    summaries: dict[str, dict[str, list[dict[str, Any]]]] = {}  # lines by book and source
    for line in _lines(chapters, on_problem) if chapters else ():
        summaries.setdefault(str(line.get("bid")), {}).setdefault(
            str(line.get("source")), []
        ).append(line)
    for line in _lines(listed, on_problem):
        try:
            of_book = summaries.get(str(line["bid"]), {})
            own = of_book.get(line["source"]) or max(of_book.values(), key=len, default=[])
            path = _path(folder, line["book_path"])
            identity = f"{line['bid']}-{line['source']}"
            value = {
                "id": identity,
                "title": line.get("title", ""),
                "sections": _texts(path, [one for lines in of_book.values() for one in lines]),
                "chapter_summaries": _chapter_summaries(folder, own, on_problem),
                "summary": _summary(folder, line["summary_path"]),
            }
        except (KeyError, TypeError, OSError, ValueError) as error:
            on_problem(f"{listed}: a book cannot be read, left out ({_reason(error)})")
        else:
            yield Entry(value, identity, str(path), str(path))


def _texts(whole: Path, lines: list[dict[str, Any]]) -> list[dict[str, str]]:
    names = {
        Path(line["chapter_path"]).name: _heading(line)
        for line in lines
        if not line.get("is_aggregate")
    }
    files = sorted(
        (one for one in whole.parent.glob("*.txt") if one.stem.isdigit()),
        key=lambda one: int(one.stem),
    )
    return [
        {
            "heading": names.get(file.name, "" if file == whole else file.stem),
            "text": file.read_text(encoding="utf-8"),
        }
        for file in files or [whole]
    ]


def _chapter_summaries(
    folder: Path, lines: list[dict[str, Any]], on_problem: Problem
) -> list[dict[str, str]]:
    found = []
    for line in lines:
        try:
            found.append(
                {"heading": _heading(line), "text": _summary(folder, line["summary_path"])}
            )
        except (KeyError, TypeError, OSError, ValueError) as error:
            on_problem(f"the summary of a chapter cannot be read, left out ({_reason(error)})")
    return found


def _heading(line: dict[str, Any]) -> str:
    return str(line.get("summary_id") or "")


def _summary(folder: Path, path: str) -> str:
    paragraphs = _json(_path(folder, path))["summary"]
    return " ".join(paragraphs) if isinstance(paragraphs, list) else str(paragraphs)


def _path(folder: Path, path: str) -> Path:
    """The file of a path in a list, in the data set's folder or above it; the cleaning scripts
    write to ``scripts``.
    """
    parts = Path(path).parts
    start = next((number for number, part in enumerate(parts) if part in TOP), None)
    if start is None or ".." in parts[start:]:
        raise ValueError(f"{path}: expected a path in {' or '.join(TOP)}")
    file = Path(*parts[start:])
    roots = [
        one for root in (folder, *folder.absolute().parents[:3]) for one in (root, root / "scripts")
    ]
    return next((root / file for root in roots if (root / file).is_file()), folder / file)


def _lines(file: Path, on_problem: Problem) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(byte_lines(file), start=1):
        try:
            value = json.loads(line) if line.strip() else None
        except ValueError as error:
            on_problem(f"{file}, line {number}: expected a JSON object, left out ({error})")
        else:
            if isinstance(value, dict):
                yield value


def _reason(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)
