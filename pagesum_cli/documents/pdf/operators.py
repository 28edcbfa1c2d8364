"""A content stream → its operators with their operands.

pypdf's own parser makes an object of everything and reads a megabyte a second; text needs numbers, names and strings.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from pypdf.generic import ArrayObject, DictionaryObject, NameObject

Operand = Any
"""A number, a name (``/F1``, as text), a string (bytes) or an array of these."""

_REGULAR = rb"[^\x00\t\n\f\r ()<>\[\]{}/%]"
_ANY_NUMBER = rb"[-+]*+(?:\d++\.?+\d*+|\.\d++)(?![^\x00\t\n\f\r ()<>\[\]{}/%-])"
_TOKEN = re.compile(
    rb"(?P<number>" + _ANY_NUMBER + rb")"
    rb"|(?P<string>\([^()\\\r]*+\))"
    rb"|(?P<open>\[)|(?P<close>\])"
    rb"|(?P<name>/" + _REGULAR + rb"*+)"
    rb"|(?P<operator>" + _REGULAR + rb"++)"
    rb"|(?P<hex><[0-9A-Fa-f\s]*+>)"
    rb"|(?P<nested>\()"
    rb"|(?P<comment>%[^\r\n]*+)"
)
_ITEM = rb"\(((?:[^()\\\r]++|\\[^\r])*+)\)|<([0-9A-Fa-f\s]*+)>|(" + _ANY_NUMBER + rb")"
_ITEMS = re.compile(_ITEM)
_ARRAY = re.compile(rb"(?:[\x00\t\n\f\r ]++|" + _ITEM + rb")*+\]")
_NUMBERS_AND_OPERATOR = re.compile(
    rb"[\t\n\f\r ]*+((?:[-+]?(?:\d++\.?+\d*+|\.\d++)[\t\n\f\r ]++)*+)([A-Za-z'\"]" + _REGULAR + rb"*+)"
)
_STRING_PART = re.compile(rb"[^()\\\r]++|\\(?:[0-7]{1,3}|\r\n|.)|\r\n?|[()]", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}
_FILTERS = {
    "/AHx": "/ASCIIHexDecode", "/A85": "/ASCII85Decode", "/LZW": "/LZWDecode", "/Fl": "/FlateDecode",
    "/RL": "/RunLengthDecode",
}  # fmt: skip
_IMAGE_END = re.compile(rb"[\x00\t\n\f\r ]EI(?=[\x00\t\n\f\r ]|$)")
MAX_OPERANDS = 64

PATHS_LEFT_OUT = b"paths_left_out"
"""What stands for lines and curves that are left out, as if it were an operator."""

_NUMBER = rb"[-+]?(?:\d++\.?+\d*+|\.\d++)"
# Lines, curves, rectangles and colors make up the bulk of a drawing and place no text. Only runs of several such
# lines are removed, and only whole lines, so that no string or inline image is cut.
_PATHS = re.compile(
    rb"(?:(?<=[\r\n]) *+(?:" + _NUMBER + rb"[ ]++){2,6}(?:m|l|c|v|y|re) *+(?:[hfSsBbWn*]{1,2} *+)?[\r\n]++){4,}+"
)


def operators(data: bytes) -> Iterator[tuple[list[Operand], bytes]]:
    """The operators of a content stream, each with its operands; what cannot be read is skipped. Takes linear time."""
    operands: list[Operand] = []
    array: list[Operand] | None = None
    place = 0
    search, plain = _TOKEN.search, _NUMBERS_AND_OPERATOR.match
    while True:
        if not operands and array is None and (match := plain(data, place)) and match[2] != b"ID":  # as most are
            place = match.end()
            yield [float(number) for number in match[1].split()[:MAX_OPERANDS]], match[2]
            continue
        if not (match := search(data, place)):
            return
        kind = match.lastgroup
        place = match.end()
        value: Operand
        if kind == "operator":
            operator = match[0]
            if operator == b"ID":
                end = _IMAGE_END.search(data, place)
                place = end.end() if end else len(data)
            elif array is None:
                yield operands, operator
            operands, array = [], None
            continue
        if kind == "number":
            value = _number(match[0])
        elif kind == "string":
            value = match[0][1:-1]
        elif kind == "name":
            value = match[0].decode("latin-1")
        elif kind == "hex":
            value = _from_hex(match[0])
        elif kind == "nested":
            value, place = _nested_string(data, place)
        elif kind == "open":
            if items := _ARRAY.match(data, place):  # as nearly all are
                value, array, place = _items(items[0]), None, items.end()
            else:
                array = []
                continue
        elif kind == "close":
            if array is None:
                continue
            value, array = array, None
        else:
            continue
        if array is not None:
            array.append(value)
        elif len(operands) < MAX_OPERANDS:
            operands.append(value)


def _items(array: bytes) -> list[Operand]:
    """The numbers and strings of an array."""
    found = _ITEMS.findall(array)
    try:
        return _values(found, float)
    except ValueError:
        return _values(found, _number)


def _values(items: list[tuple[bytes, bytes, bytes]], to_number: Callable[[bytes], float]) -> list[Operand]:
    """Numbers and strings, each given as what is in round or angle brackets, or is a number."""
    return [
        to_number(number)
        if number
        else _from_hex(b"<" + digits + b">")
        if digits
        else _nested_string(string + b")", 0)[0]
        if b"\\" in string
        else string
        for string, digits, number in items
    ]


def _number(text: bytes) -> float:
    try:
        return float(text)
    except ValueError:  # several signs
        return float(text.lstrip(b"+-"))


def _from_hex(text: bytes) -> bytes:
    digits = b"".join(text[1:-1].split())
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def _nested_string(data: bytes, place: int) -> tuple[bytes, int]:
    """A string with escapes or brackets inside, from after its opening bracket, and where it ends."""
    parts: list[bytes] = []
    depth = 1
    while match := _STRING_PART.match(data, place):
        part = match[0]
        place = match.end()
        if part == b"(":
            depth += 1
        elif part == b")":
            depth -= 1
            if not depth:
                break
        elif part[:1] == b"\r":
            part = b"\n"
        elif part[:1] == b"\\":
            escape = part[1:]
            part = bytes([int(escape, 8) & 255]) if escape[:1].isdigit() else _ESCAPES.get(escape, escape)
        parts.append(part)
    return b"".join(parts), place


def use_full_names(contents: Any) -> None:
    """Replace the short names of filters, which are for inline images alone but some files use anywhere."""
    streams = [one.get_object() for one in contents] if isinstance(contents, ArrayObject) else [contents]
    for stream in streams:
        filters = stream.get("/Filter") if isinstance(stream, DictionaryObject) else None
        names = filters if isinstance(filters, ArrayObject) else [filters]
        if any(name in _FILTERS for name in names if isinstance(name, str)):
            stream[NameObject("/Filter")] = ArrayObject(
                NameObject(_FILTERS.get(str(name), str(name))) for name in names
            )


def without_paths(data: bytes) -> bytes:
    """A long content stream without the drawing of lines and curves."""
    return _PATHS.sub(b"\n" + PATHS_LEFT_OUT + b"\n", data) if len(data) > 20_000 else data
