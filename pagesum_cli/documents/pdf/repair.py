"""Opens damaged PDFs: finds their objects where the table of objects, or the tree of pages, is broken."""

import re
from bisect import bisect_right
from io import BytesIO

from pypdf import PageObject, PdfReader
from pypdf.generic import DictionaryObject, StreamObject

MAX_OBJECTS = 1_000_000
"""Objects of a damaged file that are looked at."""

MAX_UNPACKED = 64 << 20
"""Bytes of objects that are taken out of streams of objects."""

_OBJECT = re.compile(rb"(?<![0-9.])(\d{1,7})[ \t\r\n]{1,8}(\d{1,5})[ \t\r\n]{1,8}obj(?![a-z])")
_ROOT = re.compile(rb"/Root\s{0,8}(\d{1,7}\s{1,8}\d{1,5}\s{1,8}R)")
_ENCRYPT = re.compile(rb"/Encrypt\s{0,8}(\d{1,7}\s{1,8}\d{1,5}\s{1,8}R)")
_IDENTIFIER = re.compile(rb"/ID\s{0,8}(\[[^\]]{0,300}\])")
_CATALOG = re.compile(rb"/Type\s{0,8}/Catalog")
_OBJECT_STREAM = re.compile(rb"/Type\s{0,8}/ObjStm")


def repaired(data: bytes) -> PdfReader:
    """The reader of a file with a new table of objects, of all that are found in it.

    Raises:
        Exception: Any, where too little is left of the file.
    """
    table, starts = _table(data)
    if not _ENCRYPT.search(data):
        inside = _unpacked(PdfReader(BytesIO(data + table)), list(_OBJECT_STREAM.finditer(data)), starts)
        if inside:
            data += inside
            table, _ = _table(data)
    return PdfReader(BytesIO(data + table))


def _table(data: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """A table of objects and a trailer, to be appended to a file; and where which object begins."""
    places: dict[int, tuple[int, int]] = {}
    starts: list[tuple[int, int]] = []
    for match in _OBJECT.finditer(data):
        number = int(match[1])
        places[number] = (match.start(), min(int(match[2]), 65_535))  # the last one is the newest
        starts.append((match.start(), number))
        if len(starts) >= MAX_OBJECTS:
            break
    roots = [match[1] for match in _ROOT.finditer(data) if int(match[1].split()[0]) in places]
    if catalogs := [_at(starts, match.start()) for match in _CATALOG.finditer(data)]:
        known = {int(root.split()[0]) for root in roots}
        if not known & set(catalogs):
            roots = [b"%d %d R" % (catalogs[-1], places[catalogs[-1]][1] if catalogs[-1] in places else 0)]
    trailer = b"/Size %d" % (max(places, default=0) + 1)
    for key, found in ((b"/Root", roots), (b"/Encrypt", _ENCRYPT.findall(data)), (b"/ID", _IDENTIFIER.findall(data))):
        trailer += b" %b %b" % (key, found[-1]) if found else b""
    entries = (b"%d 1\n%010d %05d n \n" % (number, *place) for number, place in sorted(places.items()))
    table = b"xref\n0 1\n0000000000 65535 f \n%btrailer\n<< %b >>\nstartxref\n%d\n%%%%EOF\n"
    return b"\n" + table % (b"".join(entries), trailer, len(data) + 1), starts


def _at(starts: list[tuple[int, int]], place: int) -> int:
    """The number of the object in which a place is."""
    found = bisect_right(starts, (place, 1 << 30)) - 1
    return starts[found][1] if found >= 0 else 0


def _unpacked(reader: PdfReader, streams: list[re.Match[bytes]], starts: list[tuple[int, int]]) -> bytes:
    """The objects inside streams of objects, as they are written outside of them."""
    parts: list[bytes] = []
    size = 0
    for match in streams:
        try:
            stream = reader.get_object(_at(starts, match.start()))
            assert isinstance(stream, StreamObject)
            data = stream.get_data()
            first = int(str(stream["/First"]))
            numbers = [int(number) for number in data[:first].split()]
        except Exception:  # what is broken is left out
            continue
        size += len(data)
        if size > MAX_UNPACKED:
            break
        places = [first + place for place in numbers[1::2]] + [len(data)]
        for number, start, end in zip(numbers[::2], places, places[1:], strict=False):
            parts.append(b"\n%d 0 obj\n%b\nendobj\n" % (number, data[start:end]))
    return b"".join(parts)


def collect_pages(reader: PdfReader) -> None:
    """Give a reader all pages that are anywhere in the file, in the order of their numbers: the page tree is broken."""
    numbers = {number for table in (*reader.xref.values(), reader.xref_objStm) for number in table}
    pages = []
    for number in sorted(numbers)[:MAX_OBJECTS]:
        try:
            one = reader.get_object(number)
        except Exception:  # a broken object is no page
            continue
        if isinstance(one, DictionaryObject) and one.get("/Type") == "/Page":
            page = PageObject(reader, one.indirect_reference)
            page.update(one)
            pages.append(page)
    reader.flattened_pages = pages
