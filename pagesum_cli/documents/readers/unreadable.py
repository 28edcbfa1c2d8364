"""Files that there is no reader for: what they are, and what to do about it."""

import os
import re
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from ...errors import PagesumError

_AS_DOCX = "save it as .docx or PDF"
_OCR = "run OCR first, for example: tesseract {} out pdf"
_TO_PDF = "export it as PDF"
_UNPACK = "unpack it and give the files in it"
_TRANSCRIPT = "give a transcript of it"
_CALIBRE = "convert it to EPUB, for example with Calibre"
_NO_TEXT = "give a file that has words in it"

_BY_NAME: dict[str, tuple[str, str]] = {
    ".doc .dot": ("an old Word document", _AS_DOCX),
    ".odt .ott .fodt .sxw": ("an OpenDocument text", _AS_DOCX),
    ".rtf": ("an RTF document", _AS_DOCX),
    ".wpd .pages .hwp": ("a document of another word processor", _AS_DOCX),
    ".msg .mbox": ("e-mail of a mail program", "save it as .eml"),
    ".xls .xlsx .xlsm .ods": ("a spreadsheet", "save the sheet with the text as .txt"),
    ".ppt .pptx .odp .key": ("slides", _TO_PDF),
    ".mobi .azw .azw3 .fb2 .djvu .chm .lit": (
        "a book in another format",
        _CALIBRE,
    ),
    ".ps .eps .xps .oxps": ("a print file", "convert it to PDF, for example: ps2pdf {} out.pdf"),
    ".svg": ("a drawing", _NO_TEXT),
    ".xml .rss .atom": ("XML of an unknown kind", "save the text as HTML, Markdown or .txt"),
    ".ipynb": ("a notebook", "convert it: jupyter nbconvert --to markdown {}"),
}
"""What files are by the ends of their names, and what to do."""

_TEXTS = {".asc", ".adoc", ".log", ".org", ".srt", ".vtt"}
"""The ends of the names of files that are plain text to read."""

_BY_CONTENT: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a picture", _OCR),
    (b"\xff\xd8\xff", "a picture", _OCR),
    (b"GIF8", "a picture", _OCR),
    (b"II*\x00", "a picture", _OCR),
    (b"MM\x00*", "a picture", _OCR),
    (b"\x1f\x8b\x08", "a packed file", _UNPACK),
    (b"BZh", "a packed file", _UNPACK),
    (b"\xfd7zXZ\x00", "a packed file", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a packed file", _UNPACK),
    (b"Rar!\x1a\x07", "a packed file", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a packed file", _UNPACK),
    (b"{\\rtf", "an RTF document", _AS_DOCX),
    (b"%!PS", "a PostScript file", "convert it to PDF, for example: ps2pdf {} out.pdf"),
    (b"AT&TFORM", "a DjVu file", "convert it to PDF"),
    (b"SQLite format 3\x00", "a database", _NO_TEXT),
    (b"ID3", "a sound", _TRANSCRIPT),
    (b"OggS", "a sound", _TRANSCRIPT),
    (b"fLaC", "a sound", _TRANSCRIPT),
    (b"\x1aE\xdf\xa3", "a film", _TRANSCRIPT),
    (b"\x7fELF", "a program, which is binary data", _NO_TEXT),
)
_IN_RIFF = {b"WEBP": ("a picture", _OCR), b"WAVE": ("a sound", _TRANSCRIPT)}
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OUTLOOK = "__substg1.0_".encode("utf-16-le")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_IN_ZIP = (
    ("xl/workbook", *_BY_NAME[".xls .xlsx .xlsm .ods"]),
    ("ppt/presentation", *_BY_NAME[".ppt .pptx .odp .key"]),
    ("content.xml", "an OpenDocument file", _AS_DOCX),
)
_XML = re.compile(rb"\A(?:\xef\xbb\xbf)?\s{0,500}<(?:\?xml|svg|rss|feed|!DOCTYPE\s+(?!html))", re.IGNORECASE)


def unreadable(name: str | None, data: bytes) -> tuple[str, str] | None:
    """What a file is that there is no reader for, and what to do about it; None where it may be text.

    Args:
        name: The name of the file, empty for standard input; None where there is a reader for such names.
        data: Its content.
    """
    found = _by_content(data) or (None if name is None else _by_name(name, data))
    if found is None and data.startswith(_ZIP):
        found = "a zip archive", _UNPACK
    if found is None and name is not None:
        found = _unknown(name)
    return found and (found[0], found[1].format(name or "in"))


def _by_content(data: bytes) -> tuple[str, str] | None:
    start = data[:512]
    if start.startswith(_OLE):
        if _ENCRYPTED in data[: 1 << 20] or _ENCRYPTED in data[-(1 << 20) :]:
            return "an encrypted Office document", "save a copy without a password"
        if _OUTLOOK in data[: 1 << 20]:
            return "an Outlook e-mail", "save it as .eml"
        return "an old Office document (.doc, .xls, .ppt)", _AS_DOCX
    if start[:4] == b"RIFF":
        return _IN_RIFF.get(start[8:12], ("a film", _TRANSCRIPT))
    if start[4:8] == b"ftyp":
        return "a film or a sound", _TRANSCRIPT
    if start[60:68] == b"BOOKMOBI":
        return "a Kindle book", _CALIBRE
    if start.startswith(_ZIP):
        return _archive(data)
    return next(((what, hint) for magic, what, hint in _BY_CONTENT if start.startswith(magic)), None)


def _by_name(name: str, data: bytes) -> tuple[str, str] | None:
    end = os.path.splitext(name.lower())[1]
    found = next((what for ends, what in _BY_NAME.items() if end and end in ends.split()), None)
    if found is None and _XML.match(data[:512]) and b"<html" not in data[:4096].lower():
        return _BY_NAME[".xml .rss .atom"]
    return found


def _unknown(name: str) -> tuple[str, str] | None:
    end = os.path.splitext(name.lower())[1]
    if not re.search("[a-z]", end) or end in _TEXTS:
        return None
    return f"a file of an unknown kind ({end[:20]})", "if it is text, pipe it: pagesum summarize - < {}"


def _archive(data: bytes) -> tuple[str, str] | None:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, NotImplementedError, OSError):
        return "a damaged zip archive", "download it again"
    return next(((what, hint) for part, what, hint in _IN_ZIP if any(one.startswith(part) for one in names)), None)


def refusal(source: str, found: tuple[str, str], readable: str) -> PagesumError:
    """The error for a file that there is no reader for.

    Args:
        source: Its path.
        found: What it is, and what to do about it.
        readable: The ends of the names of readable files.
    """
    what, hint = found
    return PagesumError(f"{source}: expected a document ({readable}), found {what}", hint)
