"""Records of a data set, one JSON object a line → Documents."""

import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import PagesumError
from .document import Document, Section
from .text import one_line, paragraphs_of

LINE_LIMIT = 256 * 1024 * 1024
"""Bytes of a line above which it is not read: a record is a document, not a library."""


@dataclass(frozen=True)
class Record:
    """One document (or cluster of documents) of a data set and its summary.

    Attributes:
        id: as the record says, else the number of its line.
        documents: at least one.
        summary: the author's summary; empty where the record has none.
        extra: everything else that the record says (source, licence …).
    """

    id: str
    documents: tuple[Document, ...]
    summary: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


def read_records(path: str | Path, on_problem: Callable[[str], None] | None = None) -> Iterator[Record]:
    """The records of a JSON Lines file (or a JSON file that holds a list of them), in order.

    A record is ``{"id", "sections": [{"heading", "text"}] | "documents": [{"name", "text"}] | "text", "summary"}``.
    The file may be packed (.gz, .xz). Memory does not grow with the number of records of JSON Lines.

    Args:
        path: the file.
        on_problem: is called with one line of text for each record that cannot be used; the others are read on.

    Raises:
        PagesumError: the file cannot be read, or is broken in its packing.
    """
    path = str(path)
    problem = on_problem or (lambda message: None)
    try:
        with open_packed(path) as stream:
            if _suffix(path) == ".json":
                yield from _from_json(stream.read(), path, problem)
            else:
                yield from _from_lines(stream, path, problem)
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise PagesumError(f"{path}: expected a packed file, found a broken one ({error})", "pack it again") from error
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror or error})") from error


def open_packed(path: str) -> BinaryIO:
    """The bytes of a file, unpacked where its name ends in .gz or .xz."""
    if path.lower().endswith(".gz"):
        return gzip.open(path, "rb")
    if path.lower().endswith(".xz"):
        return lzma.open(path, "rb")
    return open(path, "rb")


def _suffix(path: str) -> str:
    lowered = path.lower().removesuffix(".gz").removesuffix(".xz")
    return Path(lowered).suffix


def _from_lines(stream: BinaryIO, path: str, problem: Callable[[str], None]) -> Iterator[Record]:
    number = 0
    while line := stream.readline(LINE_LIMIT):
        number += 1
        if len(line) == LINE_LIMIT and not line.endswith(b"\n"):
            problem(f"{path}, line {number}: longer than {LINE_LIMIT >> 20} MB, left out")
            while (line := stream.readline(LINE_LIMIT)) and not line.endswith(b"\n"):
                pass
            continue
        if line.strip():
            yield from _records(line, f"{path}, line {number}", str(number), path, problem)


def _from_json(data: bytes, path: str, problem: Callable[[str], None]) -> Iterator[Record]:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        # Some name JSON Lines .json: then every line is an object of its own.
        lines = [line for line in data.splitlines() if line.strip()]
        if len(lines) > 1 and lines[0].lstrip()[:1] == b"{" and lines[0].rstrip()[-1:] == b"}":
            for number, line in enumerate(data.splitlines(), start=1):
                if line.strip():
                    yield from _records(line, f"{path}, line {number}", str(number), path, problem)
            return
        raise PagesumError(
            f"{path}: expected JSON, found something else ({error})", "see the records format in the documentation"
        ) from error
    values = value if isinstance(value, list) else [value]
    for number, one in enumerate(values, start=1):
        yield from _checked(one, f"{path}, record {number}", str(number), path, problem)


def _records(line: bytes, where: str, number: str, path: str, problem: Callable[[str], None]) -> Iterator[Record]:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        problem(f"{where}: expected a JSON object, left out ({error})")
        return
    yield from _checked(value, where, number, path, problem)


def _checked(value: Any, where: str, number: str, path: str, problem: Callable[[str], None]) -> Iterator[Record]:
    try:
        yield record_from(value, number, path)
    except PagesumError as error:
        problem(f"{where}: {error.message}, left out")


def record_from(value: Any, number: str = "1", source: str = "") -> Record:
    """One JSON object → Record.

    Raises:
        PagesumError: it is not a record or has no words.
    """
    if not isinstance(value, dict):
        raise PagesumError(f"expected a JSON object, found {type(value).__name__}")
    identity = one_line(str(value["id"])) if value.get("id") not in (None, "") else number
    title = one_line(_text(value, "title")) if isinstance(value.get("title"), str) else ""
    if isinstance(value.get("sections"), list):
        sections = [_section(one) for one in value["sections"]]
        documents = [Document(identity, tuple(sections), title=title, source=source)]
    elif isinstance(value.get("documents"), list):
        documents = [_part(one, f"{identity}/{place}", source) for place, one in enumerate(value["documents"], start=1)]
    elif isinstance(value.get("text"), str):
        documents = [Document(identity, (Section("", paragraphs_of(value["text"])),), title=title, source=source)]
    else:
        raise PagesumError(
            'expected "sections", "documents" or "text", found ' + (", ".join(map(repr, list(value)[:8])) or "nothing")
        )
    documents = [_with_words(one) for one in documents]
    documents = [one for one in documents if one.sections]
    if not documents:
        raise PagesumError("expected text, found none")
    summary = one_line(_text(value, "summary")) if value.get("summary") is not None else ""
    known = ("id", "title", "sections", "documents", "text", "summary")
    return Record(identity, tuple(documents), summary, {key: one for key, one in value.items() if key not in known})


def _with_words(document: Document) -> Document:
    sections = tuple(one for one in document.sections if one.paragraphs or one.heading)
    if not any(section.paragraphs for section in sections):
        sections = ()
    return Document(document.name, sections, title=document.title, source=document.source)


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key, "")
    if isinstance(found, list) and all(isinstance(one, str) for one in found):
        found = "\n\n".join(found)
    if not isinstance(found, str):
        raise PagesumError(f'expected "{key}" to be text, found {type(found).__name__}')
    return found


def _section(value: Any) -> Section:
    if not isinstance(value, dict):
        raise PagesumError(f'expected each of "sections" to be an object, found {type(value).__name__}')
    heading = one_line(_text(value, "heading")) if value.get("heading") else ""
    level = value.get("level")
    level = level if isinstance(level, int) and 1 <= level <= 9 else 1
    return Section(heading, paragraphs_of(_text(value, "text")), level, "outline" if heading else "fallback")


def _part(value: Any, name: str, source: str) -> Document:
    if isinstance(value, str):
        value = {"text": value}
    if not isinstance(value, dict):
        raise PagesumError(f'expected each of "documents" to be an object, found {type(value).__name__}')
    name = one_line(str(value.get("name") or name))
    if isinstance(value.get("sections"), list):
        return Document(name, tuple(_section(one) for one in value["sections"]), source=source)
    return Document(name, (Section("", paragraphs_of(_text(value, "text"))),), source=source)
