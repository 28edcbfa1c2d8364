"""BookSum (Kryściński et al. 2021): books and chapters with their summaries; and books as their chapters' summaries."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import PagesumError
from .folders import Entry, Problem, byte_lines
from .record import Record

LEVELS = CHAPTER, BOOK = ("chapter", "book")

FOLDERS = ("", "alignments/*/", "*-level-summary-alignments/")
"""Where the lists of a split may be, from the folder of the data set."""

TOP = ("all_chapterized_books", "finished_summaries")
"""The folders to which the lists' paths point; older lists have a path of the authors' machine before them."""

WHOLE = "book_clean.txt"
"""The text of a whole book, in the folder of its chapters."""


def booksum(folder: Path, name: str, on_problem: Problem, level: str = CHAPTER) -> Iterator[Entry] | None:
    """The chapters, or the books, of a split: a record for each summary, of which there are several by source.

    A chapter's record has its text. A book's has its chapters as sections, and beside them the reference summaries of
    the chapters (``chapter_summaries``), of the same source as the book's summary where it has any, otherwise of the
    source that has most.

    Args:
        folder: The root of the repository, with ``all_chapterized_books`` and ``finished_summaries``.
        name: The split as the lists name it: ``test``, ``train``, ``val``.
        on_problem: Called with one line for each summary whose files cannot be read.
        level: ``chapter`` or ``book``.
    """
    chapters = _found(folder, f"chapter_summary_aligned_{name}_split.jsonl")
    if level == CHAPTER:
        return _chapters(folder, chapters, on_problem) if chapters else None
    books = _found(folder, f"book_summaries_aligned_{name}.jsonl")
    return _books(folder, books, chapters, on_problem) if books else None


def of_chapter_summaries(record: Record) -> Record:
    """The record with the reference summaries of its chapters in place of its text: what a book model reads."""
    if not record.chapter_summaries:
        raise PagesumError('expected "chapter_summaries", found none')
    first = record.documents[0]
    kept = replace(first, sections=record.chapter_summaries, skipped=frozenset(), given=None, given_sentences=())
    return replace(record, documents=(kept,))


def _found(folder: Path, name: str) -> Path | None:
    return next((file for inside in FOLDERS for file in sorted(folder.glob(f"{inside}{name}"))), None)


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


def _books(folder: Path, listed: Path, chapters: Path | None, on_problem: Problem) -> Iterator[Entry]:
    summaries: dict[str, dict[str, list[dict[str, Any]]]] = {}  # lines by book and source
    for line in _lines(chapters, on_problem) if chapters else ():
        summaries.setdefault(str(line.get("bid")), {}).setdefault(str(line.get("source")), []).append(line)
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
    names = {Path(line["chapter_path"]).name: _heading(line) for line in lines if not line.get("is_aggregate")}
    files = sorted((one for one in whole.parent.glob("*.txt") if one.stem.isdigit()), key=lambda one: int(one.stem))
    return [
        {"heading": names.get(file.name, "" if file == whole else file.stem), "text": file.read_text(encoding="utf-8")}
        for file in files or [whole]
    ]


def _chapter_summaries(folder: Path, lines: list[dict[str, Any]], on_problem: Problem) -> list[dict[str, str]]:
    found = []
    for line in lines:
        try:
            found.append({"heading": _heading(line), "text": _summary(folder, line["summary_path"])})
        except (KeyError, TypeError, OSError, ValueError) as error:
            on_problem(f"the summary of a chapter cannot be read, left out ({_reason(error)})")
    return found


def _heading(line: dict[str, Any]) -> str:
    return str(line.get("summary_id") or "")


def _summary(folder: Path, path: str) -> str:
    paragraphs = json.loads(_path(folder, path).read_text(encoding="utf-8"))["summary"]
    return " ".join(paragraphs) if isinstance(paragraphs, list) else str(paragraphs)


def _path(folder: Path, path: str) -> Path:
    """The file of a path in a list, in the data set's folder or above it; the cleaning scripts write to ``scripts``."""
    parts = Path(path).parts
    start = next((number for number, part in enumerate(parts) if part in TOP), None)
    if start is None or ".." in parts[start:]:
        raise ValueError(f"{path}: expected a path in {' or '.join(TOP)}")
    file = Path(*parts[start:])
    roots = [one for root in (folder, *folder.absolute().parents[:3]) for one in (root, root / "scripts")]
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
