"""Characters of glyphs by the font files in a PDF: Type 1, CFF and TrueType."""

import re
import struct
from typing import Any

from pypdf.generic import DictionaryObject, StreamObject

from .glyphs import letters_of

_MAX_SEGMENTS = 20_000
_TYPE1_GLYPH = re.compile(rb"dup\s++(\d{1,3}|8#[0-7]{1,3})\s*+(/[^\s/]{1,64})\s++put")
_CLEAR_TEXT = 100_000
"""Bytes at the beginning of a Type 1 font in which its encoding is looked for."""

# CFF's standard strings 1 to 228 as characters (Adobe Technical Note 5176, appendix A); of the rest only letters.
_STANDARD_STRINGS = (
    ' !"#$%&’()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_‘abcdefghijklmnopqrstuvwxyz{|}~'
    "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿`´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß"
    "¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž"
)
_SPECIAL_STRINGS = {
    **dict(zip(range(239, 249), "0123456789", strict=True)),  # old-style figures
    266: "ff", 267: "ffi", 268: "ffl",
    **dict(zip(range(274, 300), "ABCDEFGHIJKLMNOPQRSTUVWXYZ", strict=True)),  # small capitals
}  # fmt: skip
_STRINGS = 391
"""Number of the standard strings; those of the font follow."""

# Glyphs 3 to 257 in the standard order of TrueType's ``post`` table, as characters.
_MACINTOSH = bytes((*range(32, 127), *range(128, 256))).decode("mac_roman") + "ŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ"
_MACINTOSH_GLYPHS = 258

# Adobe's collections of East Asian glyphs: a codec, and ranges of glyphs that are in the order of its double-byte codes
# (first, last, number of codes by which they are ahead). Glyphs 1 to 95 of each are those of ASCII.
_COLLECTIONS = {
    "Japan1": ("euc_jp", ((634, 1124, 633), (1125, 7477, 601))),
    "GB1": ("gb2312", ((96, 572, 96), (602, 693, 125), (738, 813, 132), (814, 907, 648), (940, 7702, 258))),
    "Korea1": ("euc_kr", ((114, 263, 101), (264, 3576, 99))),
    "CNS1": ("big5", ()),
}


def built_in(resource: DictionaryObject) -> dict[int, str]:
    """Code → characters of a simple font by the encoding of its own file; empty where that says nothing."""
    try:
        descriptor: Any = resource["/FontDescriptor"]
        if "/FontFile" in descriptor:
            return _type1_encoding(descriptor["/FontFile"].get_object().get_data())
        if "/FontFile2" in descriptor:
            return _truetype_encoding(descriptor["/FontFile2"].get_object().get_data())
        return _Cff(_cff_of(descriptor["/FontFile3"].get_object().get_data())).encoding()
    except Exception:  # a font file may be broken in any way
        return {}


def by_font_file(resource: DictionaryObject) -> dict[str, str]:
    """Code → characters of a composite font by the file in it; empty where that says nothing."""
    try:
        fonts: Any = resource["/DescendantFonts"]
        descendant = fonts[0].get_object()
        descriptor = descendant["/FontDescriptor"]
        if "/FontFile2" in descriptor:
            characters = _truetype_characters(descriptor["/FontFile2"].get_object().get_data())
        else:
            data = descriptor["/FontFile3"].get_object().get_data()
            characters = {} if data[:4] != b"OTTO" else _truetype_characters(data)
            characters = characters or _Cff(_cff_of(data)).characters()
        order = descendant.get("/CIDToGIDMap")
        order = order.get_object() if order is not None else None
        if isinstance(order, StreamObject):
            table = order.get_data()
            glyphs = struct.unpack(f">{len(table) // 2}H", table[: len(table) // 2 * 2])
            return {chr(code): characters[glyph] for code, glyph in enumerate(glyphs) if glyph in characters}
        return {chr(glyph): character for glyph, character in characters.items()}
    except Exception:  # a font file may be broken in any way
        return {}


def by_collection(resource: DictionaryObject) -> dict[str, str]:
    """Code → character of a composite font whose glyphs are numbered as in one of Adobe's collections."""
    try:
        fonts: Any = resource["/DescendantFonts"]
        codec, ranges = _COLLECTIONS[str(fonts[0].get_object()["/CIDSystemInfo"]["/Ordering"])]
    except Exception:  # no such collection
        return {}
    table = {chr(glyph): chr(glyph + 31) for glyph in range(1, 96)}
    pairs = (bytes((row, cell)).decode(codec, "ignore") for row in range(0xA1, 0xFF) for cell in range(0xA1, 0xFF))
    characters = [one for one in pairs if len(one) == 1]
    for first, last, ahead in ranges:
        table |= zip(map(chr, range(first, last + 1)), characters[first - ahead : last + 1 - ahead], strict=False)
    return table


def _type1_encoding(data: bytes) -> dict[int, str]:
    """The encoding in the part of a Type 1 font that is not encrypted."""
    text = data[:_CLEAR_TEXT].partition(b"eexec")[0].partition(b"/Encoding")[2]
    table = {}
    for code, name in _TYPE1_GLYPH.findall(text):
        number = int(code[2:], 8) if code.startswith(b"8#") else int(code)
        if letters := letters_of(name.decode("latin-1")):
            table[number] = letters
    return table


def _tables(data: bytes) -> dict[bytes, int]:
    """The tables of a TrueType or OpenType file, and where they begin."""
    count = min(struct.unpack_from(">H", data, 4)[0], 100)
    entries = (data[12 + 16 * place : 28 + 16 * place] for place in range(count))
    return {entry[:4]: struct.unpack_from(">I", entry, 8)[0] for entry in entries if len(entry) == 16}


def _cff_of(data: bytes) -> bytes:
    """The CFF table of an OpenType file, or the file itself."""
    return data[_tables(data)[b"CFF "] :] if data[:4] == b"OTTO" else data


def _subtables(data: bytes) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """The subtables of a ``cmap`` table: platform, encoding, and pairs of code and glyph."""
    start = _tables(data).get(b"cmap")
    if start is None:
        return []
    count = min(struct.unpack_from(">H", data, start + 2)[0], 20)
    heads = (struct.unpack_from(">HHI", data, start + 4 + 8 * place) for place in range(count))
    return [(platform, kind, _cmap(data, start + offset)) for platform, kind, offset in heads]


def _truetype_characters(data: bytes) -> dict[int, str]:
    """Glyph → character: by the ``cmap`` table's Unicode, otherwise by the names in the ``post`` table."""
    characters: dict[int, str] = {}
    for platform, kind, pairs in _subtables(data):
        if platform == 0 or (platform == 3 and kind in (1, 10)):
            for character, glyph in pairs:
                if glyph:
                    characters.setdefault(glyph, chr(character))
    return characters or _post_names(data)


def _truetype_encoding(data: bytes) -> dict[int, str]:
    """Code → character of a simple font: the glyph by the ``cmap`` table for symbols, or for the Macintosh."""
    characters = _truetype_characters(data)
    if not characters:
        return {}
    for wanted in ((3, 0), (1, 0)):
        for platform, kind, pairs in _subtables(data):
            if (platform, kind) == wanted:
                return {code & 0xFF: characters[glyph] for code, glyph in pairs if glyph in characters}
    return {}


def _post_names(data: bytes) -> dict[int, str]:
    """Glyph → characters by the names in the ``post`` table."""
    start = _tables(data).get(b"post")
    if start is None or data[start : start + 4] != b"\0\2\0\0":
        return {}
    count = struct.unpack_from(">H", data, start + 32)[0]
    numbers = struct.unpack_from(f">{count}H", data, start + 34)
    place, own = start + 34 + 2 * count, list[bytes]()
    while place < len(data) and len(own) < count:
        own.append(data[place + 1 : place + 1 + data[place]])
        place += 1 + data[place]
    characters = {}
    for glyph, number in enumerate(numbers):
        if 3 <= number < _MACINTOSH_GLYPHS:
            characters[glyph] = _MACINTOSH[number - 3]
        elif number >= _MACINTOSH_GLYPHS and number - _MACINTOSH_GLYPHS < len(own):
            name = own[number - _MACINTOSH_GLYPHS].decode("latin-1")
            if letters := letters_of(f"/{name}"):
                characters[glyph] = letters
    return characters


def _cmap(data: bytes, start: int) -> list[tuple[int, int]]:
    """Pairs of code and glyph of a subtable; as far as numbers of 16 bits go for format 4."""
    form = struct.unpack_from(">H", data, start)[0]
    pairs: list[tuple[int, int]] = []
    if form == 0:
        pairs = list(enumerate(data[start + 6 : start + 262]))
    elif form == 6:
        first, count = struct.unpack_from(">HH", data, start + 6)
        pairs = list(enumerate(struct.unpack_from(f">{count}H", data, start + 10), first))
    elif form == 12:
        for place in range(min(struct.unpack_from(">I", data, start + 12)[0], _MAX_SEGMENTS)):
            first, last, glyph = struct.unpack_from(">III", data, start + 16 + 12 * place)
            pairs += ((code, glyph + code - first) for code in range(first, min(last, first + 0xFFFF, 0x10FFFF) + 1))
            if len(pairs) > 0x20000:
                break
    elif form == 4:
        count = struct.unpack_from(">H", data, start + 6)[0] // 2
        ends, starts = start + 14, start + 16 + 2 * count
        for place in range(count):
            last = struct.unpack_from(">H", data, ends + 2 * place)[0]
            first = struct.unpack_from(">H", data, starts + 2 * place)[0]
            shift = struct.unpack_from(">H", data, starts + 2 * count + 2 * place)[0]
            at = starts + 4 * count + 2 * place
            offset = struct.unpack_from(">H", data, at)[0]
            for code in range(first, min(last, 0xFFFE) + 1):
                glyph = code if not offset else struct.unpack_from(">H", data, at + offset + 2 * (code - first))[0]
                pairs.append((code, (glyph + shift) & 0xFFFF if glyph or not offset else 0))
            if len(pairs) > 0x20000:
                break
    return pairs


class _Cff:
    """A font in the Compact Font Format (Adobe Technical Note 5176).

    Args:
        data: The file.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        _, place = self._index(data[2])
        tops, place = self._index(place)
        self._strings, _ = self._index(place)
        self._top = _dictionary(tops[0])

    def characters(self) -> dict[int, str]:
        """Glyph → characters by the glyphs' names; empty where they have only numbers."""
        if (12, 30) in self._top:
            return {}
        found = {glyph: self._letters(name) for glyph, name in enumerate(self._charset(), 1)}
        return {glyph: letters for glyph, letters in found.items() if letters}

    def encoding(self) -> dict[int, str]:
        """Code → characters by the font's own encoding; empty where it is a standard one."""
        place = self._top.get((16,), 0)
        if place < 2:
            return {}
        data, characters = self._data, self.characters()
        form, count = data[place], data[place + 1]
        codes: list[int] = []
        if form & 0x7F == 0:
            codes = list(data[place + 2 : place + 2 + count])
            place += 2 + count
        else:
            for first, left in struct.iter_unpack("BB", data[place + 2 : place + 2 + 2 * count]):
                codes += range(first, first + left + 1)
            place += 2 + 2 * count
        table = {code: characters[glyph] for glyph, code in enumerate(codes, 1) if glyph in characters}
        if form & 0x80:
            for code, name in struct.iter_unpack(">BH", data[place + 1 : place + 1 + 3 * data[place]]):
                table[code] = self._letters(name)
        return table

    def _letters(self, name: int) -> str:
        if name >= _STRINGS:
            return letters_of(f"/{self._strings[name - _STRINGS].decode('latin-1')}")
        return _SPECIAL_STRINGS.get(name) or (_STANDARD_STRINGS[name - 1 : name] if name else "")

    def _charset(self) -> list[int]:
        """The numbers of the names of all glyphs but the first."""
        glyphs = struct.unpack_from(">H", self._data, self._top[17,])[0]
        place = self._top.get((15,), 0)
        if place < 3:
            return list(range(1, min(glyphs, 229))) if place == 0 else []
        form = self._data[place]
        if form == 0:
            return list(struct.unpack_from(f">{glyphs - 1}H", self._data, place + 1))
        names: list[int] = []
        place, pattern = place + 1, ">HB" if form == 1 else ">HH"
        while len(names) < glyphs - 1:
            first, left = struct.unpack_from(pattern, self._data, place)
            names += range(first, first + left + 1)
            place += struct.calcsize(pattern)
        return names[: glyphs - 1]

    def _index(self, place: int) -> tuple[list[bytes], int]:
        """The entries of an INDEX, and where it ends."""
        data = self._data
        count = struct.unpack_from(">H", data, place)[0]
        if not count:
            return [], place + 2
        size = data[place + 2]
        ends = [
            int.from_bytes(data[at : at + size], "big") for at in range(place + 3, place + 3 + (count + 1) * size, size)
        ]
        base = place + 2 + (count + 1) * size
        return [data[base + ends[n] : base + ends[n + 1]] for n in range(count)], base + ends[-1]


def _dictionary(data: bytes) -> dict[tuple[int, ...], int]:
    """The operators of a DICT, each with its last operand; real numbers are 0."""
    found: dict[tuple[int, ...], int] = {}
    value, place = 0, 0
    while place < len(data):
        first = data[place]
        place += 1
        if first <= 21:
            key: tuple[int, ...] = (first,)
            if first == 12:
                key, place = (12, data[place]), place + 1
            found[key], value = value, 0
        elif first == 28:
            value, place = struct.unpack_from(">h", data, place)[0], place + 2
        elif first == 29:
            value, place = struct.unpack_from(">i", data, place)[0], place + 4
        elif first == 30:
            while place < len(data) and data[place] & 0x0F != 0x0F and data[place] >> 4 != 0x0F:
                place += 1
            value, place = 0, place + 1
        elif first <= 246:
            value = first - 139
        elif first <= 254:
            sign = 1 if first <= 250 else -1
            value = sign * ((first - (247 if sign > 0 else 251)) * 256 + data[place] + 108)
            place += 1
    return found
