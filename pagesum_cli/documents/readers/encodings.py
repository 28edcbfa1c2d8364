"""Bytes → text."""

import codecs
import re

from ...errors import PagesumError
from ...text.tables import table

_BYTE_ORDER_MARKS = (
    ((codecs.BOM_UTF8,), "utf-8-sig"),
    # before UTF-16, whose mark it begins with
    ((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "utf-32"),
    ((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "utf-16"),
)
_NOT_OF_FILES = ("idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape")
_CONTROL = re.compile("[\x00-\x06\x0e-\x1a\x1c-\x1f]")

SAMPLE = 1 << 20  # bytes from which an encoding is detected


def decode(data: bytes, name: str, declared: str = "") -> str:
    """The text of a file in any common encoding; raises PagesumError for what is no text.

    By byte order mark, else as the file itself declares, where that fits, else UTF-8, else as
    charset-normalizer detects it.
    """
    for marks, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(marks):
            return data.decode(encoding, errors="replace")
    text = _as_declared(data, declared)
    if text is None:
        text = _as_utf8(data)
    if text is None:
        encoding = _detected(data)
        text = data.decode(encoding, errors="ignore" if encoding == "cp1252" else "replace")
    if _is_binary(text):
        raise PagesumError(
            f"{name}: expected text, found binary data",
            "give a PDF, EPUB, Word, text, Markdown, HTML or JSON Lines file; export others to "
            "one of these",
        )
    return text


def is_encoding(name: str) -> bool:
    """Whether a file may declare this encoding."""
    try:
        return (
            bool(name) and codecs.lookup(name).name not in _NOT_OF_FILES and bool("a".encode(name))
        )
    except (LookupError, ValueError):  # ValueError: a name with a NUL
        return False


def _as_declared(data: bytes, declared: str) -> str | None:
    if not is_encoding(declared):
        return None
    encoding = table(__file__, "encodings.toml")["as_browsers_read"].get(
        codecs.lookup(declared).name, declared
    )
    try:
        # Windows-1252 leaves five bytes open: in Latin-1 they are control characters, which are
        # removed.
        return data.decode(encoding, errors="ignore" if encoding == "cp1252" else "strict")
    except UnicodeError:
        return None


def _as_utf8(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A text cut off in the middle of a character is UTF-8 all the same.
        if error.reason != "unexpected end of data" or error.start < len(data) - 3:
            return None
        text = data[: error.start].decode("utf-8")
    # UTF-16 may be valid UTF-8 too, full of control characters
    return None if _is_binary(text) else text


def _is_binary(text: str) -> bool:
    sample = text[:65536]
    return len(_CONTROL.findall(sample)) > max(4, len(sample) / 100)


def _detected(data: bytes) -> str:
    from charset_normalizer import from_bytes

    sample = data[:SAMPLE]
    if len(data) > SAMPLE and 0 not in sample:  # never cut inside a character of several bytes
        sample = sample[: sample.rfind(b"\n") + 1 or SAMPLE]
    matches = from_bytes(sample, cp_isolation=table(__file__, "encodings.toml")["candidates"])
    best = matches.best()
    if best is None:
        return "cp1252"
    # Encodings that differ in a few letters often tie; Western European text is by far the most
    # frequent.
    ties = [
        name
        for match in matches
        if match.chaos == best.chaos
        for name in match.could_be_from_charset
    ]
    return "cp1252" if "cp1252" in ties else best.encoding


def logical_order(name: str) -> str:
    """An encoding of Hebrew or Arabic without the order of its letters, which codecs do not know:
    ``iso-8859-8-i`` is ``iso-8859-8``.
    """
    return re.sub(r"(?i)(8859-[68])-[ie]\Z", r"\1", name)
