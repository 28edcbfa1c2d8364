"""Files that there is no reader for: what they are, and what to do about it."""

import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

_TEXTS = {".asc", ".adoc", ".log", ".org", ".srt", ".vtt"}
"""The ends of the names of files that are plain text to read."""

_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OUTLOOK = "__substg1.0_".encode("utf-16-le")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_XML = re.compile(rb"\A(?:\xef\xbb\xbf)?\s{0,500}<(?:\?xml|svg|rss|feed|!DOCTYPE\s+(?!html))", re.IGNORECASE)


@cache
def _table(name: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = tomllib.loads((Path(__file__).parent / "unreadable.toml").read_text("utf-8"))[name]
    return table


def unreadable(name: str | None, data: bytes) -> tuple[str, str] | None:
    """What a file is that there is no reader for, and what to do about it; None where it may be text."""
    found = _by_content(data) or (None if name is None else _by_name(name, data))
    if found is None and data.startswith(_ZIP):
        found = "a zip archive", "unpack"
    return found and (found[0], _table("hints").get(found[1], found[1]).format(name or "in"))


def _by_content(data: bytes) -> tuple[str, str] | None:
    if data.startswith(_OLE):
        if _ENCRYPTED in data[: 1 << 20] or _ENCRYPTED in data[-(1 << 20) :]:
            return "an encrypted Office document", "save a copy without a password"
        if _OUTLOOK in data[: 1 << 20]:
            return "an Outlook e-mail", "mail"
        return "an old Office document (.doc, .xls, .ppt)", "docx"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a picture", "ocr"
    if data[4:8] == b"ftyp":
        return "a film or a sound", "transcript"
    if data[60:68] == b"BOOKMOBI":
        return "a Kindle book", "epub"
    if data.startswith(_ZIP):
        try:
            with ZipFile(BytesIO(data)) as archive:
                names = archive.namelist()
        except (BadZipFile, ValueError, NotImplementedError, OSError):
            return "a damaged zip archive", "download it again"
        found = (what for part, what in _table("archives").items() if any(one.startswith(part) for one in names))
        return next(found, None)
    start = data[:64].decode("latin-1")
    return next((what for magic, what in _table("beginnings").items() if start.startswith(magic)), None)


def _by_name(name: str, data: bytes) -> tuple[str, str] | None:
    end = os.path.splitext(name.lower())[1]
    for ends, what in _table("names").items():
        if end and end in ends.split():
            return what[0], what[1]
    if _XML.match(data[:512]) and b"<html" not in data[:4096].lower():
        return "XML of an unknown kind", "xml"
    if not re.search("[a-z]", end) or end in _TEXTS or data.startswith(_ZIP):
        return None
    return f"a file of an unknown kind ({end[:20]})", "if it is text, pipe it: pagesum summarize - < {}"
