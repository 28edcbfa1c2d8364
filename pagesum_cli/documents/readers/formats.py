"""Which reader reads which files, and the messages for files without one."""

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

from ...errors import PagesumError
from ...text.tables import table
from ..input import Input
from ..model import Document

# the ends of the names of files that are plain text to read
_TEXTS = {".asc", ".adoc", ".log", ".org"}
_ZIP = b"PK\x03\x04"
_XML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s{0,500}<(?:\?xml|svg|rss|feed|!DOCTYPE\s+(?!html))", re.IGNORECASE
)


def _table(name: str) -> Mapping[str, Any]:
    return table(__file__, "unreadable.toml")[name]


def unreadable(name: str | None, data: bytes) -> tuple[str, str] | None:
    """What a file is that there is no reader for, and what to do about it; None where it may be
    text.
    """
    found = _by_content(data) or (None if name is None else _by_name(name, data))
    if found is None and data.startswith(_ZIP):
        found = "a zip archive", "unpack"
    return found and (found[0], _table("hints").get(found[1], found[1]).format(name or "in"))


def _by_content(data: bytes) -> tuple[str, str] | None:
    if data.startswith(_ZIP):
        try:
            with ZipFile(BytesIO(data)) as archive:
                names = archive.namelist()
        except (BadZipFile, ValueError, NotImplementedError, OSError):
            return "a damaged zip archive", "download it again"
        found = (
            what
            for part, what in _table("archives").items()
            if any(one.startswith(part) for one in names)
        )
        return next(found, None)
    start = data[:64].decode("latin-1")
    return next(
        (what for magic, what in _table("beginnings").items() if start.startswith(magic)), None
    )


def _by_name(name: str, data: bytes) -> tuple[str, str] | None:
    end = os.path.splitext(name.lower())[1]
    for ends, what in _table("names").items():
        if end and end in ends.split():
            return what[0], what[1]
    if _XML.match(data[:512]) and b"<html" not in data[:4096].lower():
        return "XML of an unknown kind", "xml"
    if not re.search("[a-z]", end) or end in _TEXTS or data.startswith(_ZIP):
        return None
    return (
        f"a file of an unknown kind ({end[:20]})",
        "if it is text, pipe it: pagesum summarize - < {}",
    )


@dataclass(frozen=True)
class Format:
    """A kind of file."""

    name: str  # the kind
    suffixes: tuple[str, ...]  # the ends of the names of such files, in lower case
    # the function that reads them, as ``package.module:function``; imported when it is first needed
    reader: str
    types: tuple[str, ...] = ()  # the media types that servers give such files
    # Whether a file of such a name is read as another kind, or refused, where its content is of
    # that
    is_checked: bool = False

    def read(self, source: Input) -> list[Document]:
        """Read a file of this kind."""
        module, _, function = self.reader.partition(":")
        reader: Callable[[Input], list[Document]] = getattr(import_module(module), function)
        return reader(source)


def _own(name: str, suffixes: str, reader: str, types: str = "") -> Format:
    return Format(
        name,
        tuple(suffixes.split()),
        f"pagesum_cli.{reader}:read",
        tuple(types.split()),
        is_checked=True,
    )


FORMATS: list[Format] = [
    *(_own(name, **entry) for name, entry in table(__file__, "formats.toml").items())
]

# the formats of media types
KINDS_OF_TYPES = {media_type: one.name for one in FORMATS for media_type in one.types}
# name and content of the first file of an EPUB, and of an OpenDocument text
EPUB_TYPE = b"mimetypeapplication/epub+zip"
ODT_TYPE = b"mimetypeapplication/vnd.oasis.opendocument.text"
_WITHOUT_TYPE = ("epub", "odt")  # that are often packed without it
# beginnings of XML, in lower case
_ROOTS = {b"<office:document ": "odt", b"<fictionbook": "fictionbook"}
_LATEX = re.compile(rb"(?:\xef\xbb\xbf)?(?>(?:\s++|%[^\n]*+(?:\n|\Z))*)\\[a-zA-Z]")
"""A text whose first line that is no comment is a command."""
_LATEX_DOCUMENT = re.compile(rb"\\(?:documentclass|documentstyle|begin\{document\})")
_HEADERS = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:From [^\n]*+\n)?"
    rb"(?>(?:[A-Za-z][A-Za-z0-9-]{0,60}:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)+)\r?\n"
)
"""The headers of an e-mail, up to the empty line after them."""
_MAIL_HEADERS = frozenset(
    b"from to subject date received return-path delivered-to mime-version message-id "
    b"content-type".split()
)
# or SRT, or the lines that Whisper prints
_CAPTIONS = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:WEBVTT\b|\s{0,20}(?:\d{1,9}\s{1,9}\d[\d:.,]{4,15}|\[\d[\d:.,]{2,15}s?)"
    rb"[ \t]*-->)"
)
_SEGMENTS = re.compile(
    rb'"(?:segments|transcription|chunks|events)"\s{0,9}:\s{0,9}\[\s{0,50}\{[^\]]{0,300}'
    rb'"(?:start|offsets|timestamp|tStartMs)"'
)
# a list of these, as programs that download captions write it
_LISTED = re.compile(
    rb'(?:\xef\xbb\xbf)?\s{0,20}\[\s{0,50}\{(?=[^{}]{0,2000}"text")'
    rb'[^{}]{0,2000}"start"\s{0,9}:\s{0,9}\d'
)
SEARCHED = 1 << 22  # bytes in which the segments of Whisper's JSON begin, behind the whole text
_TEXT_FIELDS = {"text", "sections", "documents", "article", "article_text"}


def kind_of(path: str) -> str | None:
    """The name of a file's format by the end of its name; None where there is no reader for it."""
    name = os.path.basename(path).lower()
    return next((one.name for one in FORMATS if name.endswith(one.suffixes)), None)


def sniffed(data: bytes) -> str:
    """The name of the format of data without a name."""
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<?xml", b"<head", b"<body")):
        return "html"
    if start.startswith(b"<!--") and b"<html" in start:
        return "html"
    if _LATEX.match(data[:65536]) and _LATEX_DOCUMENT.search(data[: 1 << 20]):
        return "latex"
    if headers := _HEADERS.match(data[:65536]):
        names = {line.partition(b":")[0].lower() for line in headers[0].splitlines()}
        if len(names & _MAIL_HEADERS) > 2 and b"from" in names:
            return "mbox" if start.startswith(b"from ") else "mail"
    if is_transcript(data):
        return "transcript"
    if _is_record(data):
        return "records"
    return "markdown" if re.search(rb"^#{1,6} ", data[:65536], re.MULTILINE) else "text"


def _certain(data: bytes) -> str | None:
    """The format of XML by its root, or of a zip archive by its entries: an EPUB or an
    OpenDocument text has its type first, or an EPUB its container somewhere.
    """
    if not data.startswith(_ZIP):
        start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        is_xml = start.startswith((b"<?xml", *_ROOTS))
        return next((kind for root, kind in _ROOTS.items() if is_xml and root in start), None)
    if ODT_TYPE in data[:256]:
        return "odt"
    if EPUB_TYPE in data[:256] or b"META-INF/container.xml" in data:
        return "epub"
    name = data[30 : 30 + int.from_bytes(data[26:28], "little")]  # of the first file
    if name.lower().endswith(b".fb2"):
        return "fictionbook"
    return "docx" if b"word/document" in data else None


def is_transcript(data: bytes) -> bool:
    """Whether data is WebVTT, SRT or Whisper's text or JSON."""
    if _LISTED.match(data):
        return True
    if data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _SEGMENTS.search(data, 0, SEARCHED) is not None
    return _CAPTIONS.match(data) is not None


def _is_record(data: bytes) -> bool:
    if not data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    line = data[: data.find(b"\n", data.find(b"{"))] if b"\n" in data[data.find(b"{") :] else data
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and not _TEXT_FIELDS.isdisjoint(value)


def _kind_of_text(data: bytes) -> str:
    """The format of a file whose name says that it is text."""
    if is_transcript(data):
        return "transcript"
    return "records" if _is_record(data) else "text"


def format_of(source: Input) -> Format:
    """The format of a file, by its name, else by its content; raises PagesumError if there is no
    reader for it.
    """
    kind = source.kind or kind_of(source.path)
    if kind == "records" and source.path.lower().endswith(".json") and is_transcript(source.data):
        kind = "transcript"
    known = next((one for one in FORMATS if one.name == kind), None)
    if known is not None and (not known.is_checked or kind in ("records", "transcript")):
        return known
    name = None if kind else source.name
    if b"%pdf-" in source.mapped[:1024].lower():
        kind = "pdf"
    elif found := _certain(source.data):
        kind = found
    elif kind not in _WITHOUT_TYPE and (other := unreadable(name, source.data)):
        readable = ", ".join(one.suffixes[0] for one in FORMATS)
        raise PagesumError(
            f"{source.path}: expected a document ({readable}), found {other[0]}", other[1]
        )
    if kind == "text":
        kind = _kind_of_text(source.data)
    kind = kind or sniffed(source.data)
    return next(one for one in FORMATS if one.name == kind)
