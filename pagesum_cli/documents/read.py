"""Files, folders and standard input → Documents."""

import glob
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from ..errors import PagesumError
from .document import Document

READABLE: dict[str, str] = {
    ".txt": "text",
    ".text": "text",
    ".rst": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".jsonl": "records",
    ".json": "records",
    ".jsonl.gz": "records",
    ".jsonl.xz": "records",
    ".json.gz": "records",
    ".json.xz": "records",
}
"""What a file is, by the end of its name."""

STANDARD_INPUT = "-"


def kind_of(path: str) -> str | None:
    """What a file is (``text``, ``markdown``, ``html``, ``pdf``, ``records``) by its name, or None."""
    name = os.path.basename(path).lower()
    for suffix in sorted(READABLE, key=len, reverse=True):
        if name.endswith(suffix):
            return READABLE[suffix]
    return None


def find_files(patterns: Sequence[str]) -> list[str]:
    """The files that the arguments of a command name.

    Args:
        patterns: files, folders (all readable files in them and in their folders, sorted; hidden ones are skipped),
            glob patterns, or ``-`` for standard input.

    Returns:
        Paths in the order of the arguments, each once.

    Raises:
        PagesumError: a file is missing, a folder has no readable file, or a pattern matches nothing.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        if pattern == STANDARD_INPUT:
            found[pattern] = None
        elif os.path.isdir(pattern):
            found.update(dict.fromkeys(_in_folder(pattern)))
        elif os.path.exists(pattern):
            found[pattern] = None
        elif glob.has_magic(pattern):
            found.update(dict.fromkeys(_matching(pattern)))
        else:
            raise PagesumError(f"{pattern}: no such file", "check the path; use - to read standard input")
    return list(found)


def _in_folder(folder: str) -> list[str]:
    paths = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths += [os.path.join(place, name) for name in sorted(names) if not name.startswith(".") and kind_of(name)]
    if not paths:
        suffixes = ", ".join(READABLE)
        raise PagesumError(f"{folder}: expected readable files in the folder, found none", f"readable are {suffixes}")
    return paths


def _matching(pattern: str) -> list[str]:
    paths: list[str] = []
    for path in sorted(glob.glob(pattern, recursive=True)):
        if os.path.isdir(path):
            continue
        paths.append(path)
    if not paths:
        raise PagesumError(f"{pattern}: no file matches", "check the pattern; ** stands for any folders")
    return paths


def read_file(path: str, *, password: str | None = None, stdin: BinaryIO | None = None) -> list[Document]:
    """Reads a file.

    Args:
        path: the file, or ``-`` for standard input, whose kind is told from its first bytes.
        password: of an encrypted PDF.
        stdin: where ``-`` reads from; the process' standard input by default.

    Returns:
        One document; from a file of records those of all its records, a record's documents one after another.

    Raises:
        PagesumError: the file cannot be read or has no words; says why and what to do.
    """
    if path == STANDARD_INPUT:
        data = (stdin or sys.stdin.buffer).read()
        if not data.strip():
            raise PagesumError("standard input: expected text, found nothing", "pipe a text in, or name a file")
        return [_read(data, _sniff(data), "stdin", STANDARD_INPUT, password)]
    if os.path.isdir(path):
        raise PagesumError(f"{path}: expected a file, found a folder", "name the files in it")
    kind = kind_of(path)
    if kind == "records":
        return _read_records(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise PagesumError(f"{path}: no such file", "check the path") from None
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", "check the permissions") from error
    if not data:
        raise PagesumError(f"{path}: expected text, found an empty file", "give a file that has words in it")
    return [_read(data, kind or _sniff(data), os.path.basename(path), path, password)]


def _read(data: bytes, kind: str, name: str, source: str, password: str | None) -> Document:
    if kind == "pdf" or (kind != "html" and data.startswith(b"%PDF-")):
        from .pdf import pdf_document

        return pdf_document(data, name, source, password=password)
    if kind == "html":
        from .html import html_document

        return html_document(data, name, source)
    from . import text

    if kind == "markdown":
        return text.markdown_document(text.decode(data, source), name, source)
    return text.plain_document(text.decode(data, source), name, source)


def _sniff(data: bytes) -> str:
    """What data without a name is."""
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"%pdf-" in data[:1024].lower():
        return "pdf"
    if start.startswith((b"<!doctype html", b"<html", b"<?xml", b"<head", b"<body")):
        return "html"
    lines = data[:65536].split(b"\n")
    headings = sum(
        1 for line in lines if line.lstrip(b"#")[:1] == b" " and 1 <= len(line) - len(line.lstrip(b"#")) <= 6
    )
    return "markdown" if headings else "text"


def _read_records(path: str) -> list[Document]:
    from .records import read_records

    if not Path(path).exists():
        raise PagesumError(f"{path}: no such file", "check the path")
    problems: list[str] = []
    documents = [document for record in read_records(path, problems.append) for document in record.documents]
    if not documents:
        raise PagesumError(
            problems[0] if problems else f"{path}: expected records, found none",
            'a record is {"id", "text", "summary"} on one line',
        )
    return documents
