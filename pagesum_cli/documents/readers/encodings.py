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
DAMAGED = "\N{REPLACEMENT CHARACTER}"  # stands for bytes that are no character
# share of damaged characters among those beyond ASCII in a text of the encoding that it declares
MAX_DAMAGED = 0.02
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_PUNCTUATION = frozenset("…‘’“”–—")  # of Windows-1252
_ERRORS = {"utf-8-sig": "pagesum.windows"}


def decode(data: bytes, name: str, declared: str = "") -> str:
    """The text of a file in any common encoding; raises PagesumError for what is no text.

    By byte order mark, else as the file itself declares, where that fits, else UTF-8, also with a
    few damaged characters, else as charset-normalizer detects it.
    """
    for marks, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(marks):
            return data.decode(encoding, errors=_ERRORS.get(encoding, "replace"))
    text = _as_declared(data, declared)
    if text is None:
        text = _as_utf8(data)
    if text is None:
        encoding = _detected(data)
        text = data.decode(encoding, errors="ignore" if encoding == "cp1252" else "replace")
    if _is_binary(text):
        raise PagesumError(
            f"{name}: expected text, found binary data",
            "use a PDF, EPUB, Word, text, Markdown, HTML or JSON Lines file; convert other "
            "formats to one of these",
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
    name = codecs.lookup(declared).name
    if name == "utf-8":
        return _as_utf8(data)
    encoding = table(__file__, "encodings.toml")["as_browsers_read"].get(name, declared)
    try:
        # Windows-1252 leaves five bytes open: in Latin-1 they are control characters, which are
        # removed.
        if encoding == "cp1252":
            return data.decode(encoding, errors="ignore")
        text = data.decode(encoding, errors="replace")
    except UnicodeError:
        return None
    return text if _is_hardly_damaged(text) else None


def _as_utf8(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A text cut off in the middle of a character is UTF-8 all the same.
        if error.reason == "unexpected end of data" and error.start >= len(data) - 3:
            data = data[: error.start]
        # So is one with a few damaged characters: other encodings hardly ever give valid ones.
        text = data.decode("utf-8", errors="replace")
        damaged = text.count(DAMAGED)
        if sum(map(len, _NOT_ASCII.findall(text))) < 2 * damaged:
            return None
        if damaged:
            text = data.decode("utf-8", errors=_ERRORS["utf-8-sig"])
    # UTF-16 may be valid UTF-8 too, full of control characters
    return None if _is_binary(text) else text


def _is_hardly_damaged(text: str) -> bool:
    damaged = text.count(DAMAGED)
    return not damaged or damaged <= MAX_DAMAGED * sum(map(len, _NOT_ASCII.findall(text)))


def _of_windows(error: UnicodeError) -> tuple[str, int]:
    """What stands for bytes that are no UTF-8: the letter, quotation mark or dash of Windows-1252,
    where that fits; else the character for damage, as for a character that was cut.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    start, end = error.start, error.end
    character = error.object[start:end].decode("cp1252", errors="replace")
    before = error.object[start - 1 : start]
    after = error.object[end : end + 1]
    if character in _PUNCTUATION:
        return character, end
    # a capital behind a small letter is the first byte of a cut character of two
    is_capital_inside = character.isupper() and before.islower()
    is_in_word = (before.isalpha() or after.isalpha()) and not is_capital_inside
    is_letter = len(character) == 1 and character.isalpha() and character >= "À"
    return (character if is_letter and is_in_word else DAMAGED), end


codecs.register_error("pagesum.windows", _of_windows)


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
