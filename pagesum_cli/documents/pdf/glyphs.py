"""What the glyphs of a font mean where it has no map to Unicode: by their names, or by the font file's own table."""

import re
import struct
from collections.abc import Mapping

from pypdf._codecs.adobe_glyphs import adobe_glyphs
from pypdf.generic import DictionaryObject, StreamObject

UNKNOWN = "\ufffd"
"""Stands for a glyph whose character is unknown."""

MIN_LETTERS, MAX_ODD = 40, 0.15
MIN_COMMON = 0.65
"""Letters after which a guess is judged, and the shares of odd characters and of common letters that text has: the
common ones make up 80 % of English, German and French, and half of what is no text."""

MIN_NUMBERED = 8
"""Names without a meaning that number glyphs: fewer are oddities of a font."""

_UNI = re.compile(r"uni((?:[0-9A-Fa-f]{4})+)|u([0-9A-Fa-f]{4,6})")
_NUMBERED = re.compile(r"/[A-Za-z]{1,3}?_?(\d{1,3}|[0-9A-Fa-f]{2})")
_TEXT_CMAP = re.compile("UCS2|UTF16|90ms-RKSJ|GB-EUC|GBpc-EUC|GBK|-B5-")
_MAX_SEGMENTS = 20_000
_TEX_LIGATURES = {11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl"}
_COMMON = frozenset("etaoinsrhldu")
_ORDINARY = frozenset(" 0123456789.,;:()-'")


def letters_of(name: str) -> str:
    """The characters of a glyph name: ``/T_h`` → ``Th``, ``/uni00E9`` → ``é``, ``/a.sc`` → ``a``; empty if unknown."""
    if name == "/.notdef":
        return ""
    parts = []
    for part in name.removeprefix("/").partition(".")[0].split("_"):
        letters = adobe_glyphs.get(f"/{part}", "")
        if not letters and (match := _UNI.fullmatch(part)):
            digits = match[1] or match[2]
            codes = [int(digits[place : place + 4], 16) for place in range(0, len(digits), 4)]
            codes = codes if match[1] else [int(digits, 16)]
            letters = "".join(chr(code) for code in codes if code < 0x110000 and not 0xD800 <= code < 0xE000)
        if not letters:
            return ""
        parts.append(letters)
    return "".join(parts)


def by_names(encoding: Mapping[int, str]) -> tuple[dict[int, str], bool]:
    """A simple font's encoding without glyph names.

    Args:
        encoding: Character code → character, or glyph name where that is no name of the standard list.

    Returns:
        Character code → characters, :data:`UNKNOWN` where the name says nothing; and whether some are guesses: names
        that only number the glyphs (``/a97``, ``/g61``), as old programs write them, usually by their code.
    """
    names = {code: name for code, name in encoding.items() if len(name) > 1 and name[:1] == "/"}
    table = {code: glyph for code, glyph in encoding.items() if code not in names}
    unknown = {}
    for code, name in names.items():
        table[code] = letters_of(name) or ("" if name == "/.notdef" else UNKNOWN)
        if table[code] == UNKNOWN:
            unknown[code] = name
    guessed = False
    if len(unknown) >= MIN_NUMBERED and sum(map(_is_numbered, unknown.values())) > 0.8 * len(unknown):
        by_code = sum(_numbers(name)[1] == code or _numbers(name)[0] == code for code, name in unknown.items())
        for code, name in unknown.items():
            number = code if by_code > 0.8 * len(unknown) else _numbers(name)[0]
            if letters := _TEX_LIGATURES.get(number, chr(number) if 32 <= number < 127 else ""):
                table[code], guessed = letters, True
    return table, guessed


def _is_numbered(name: str) -> bool:
    return _NUMBERED.fullmatch(name) is not None


def _numbers(name: str) -> tuple[int, int]:
    """The number at the end of a glyph's name, read as decimal and as hexadecimal; -1 where it is none."""
    match = _NUMBERED.fullmatch(name)
    if match is None:
        return -1, -1
    return int(match[1]) if match[1].isdecimal() else -1, int(match[1], 16)


def has_unicode_codes(resource: DictionaryObject) -> bool:
    """Whether a composite font's character codes are those of a known encoding of text, not numbers of glyphs."""
    encoding = resource.get("/Encoding")
    return isinstance(encoding, str) and _TEXT_CMAP.search(encoding) is not None


def by_font_file(resource: DictionaryObject) -> dict[str, str]:
    """Code → character of a composite font by the TrueType file in it; empty where that has no such table."""
    try:
        descendant = resource["/DescendantFonts"][0].get_object()
        data = descendant["/FontDescriptor"]["/FontFile2"].get_object().get_data()
        characters = _truetype_characters(data)
        order = descendant.get("/CIDToGIDMap")
        order = order.get_object() if order is not None else None
        if isinstance(order, StreamObject):
            table = order.get_data()
            glyphs = struct.unpack(f">{len(table) // 2}H", table[: len(table) // 2 * 2])
            return {chr(code): characters[glyph] for code, glyph in enumerate(glyphs) if glyph in characters}
        return {chr(glyph): character for glyph, character in characters.items()}
    except Exception:  # a font file may be broken in any way
        return {}


def _truetype_characters(data: bytes) -> dict[int, str]:
    """Glyph → character, by the ``cmap`` table of a TrueType file (formats 4 and 12)."""
    count = struct.unpack_from(">H", data, 4)[0]
    start = next(
        struct.unpack_from(">I", data, 12 + 16 * place + 8)[0]
        for place in range(count)
        if data[12 + 16 * place : 16 + 16 * place] == b"cmap"
    )
    characters: dict[int, str] = {}
    for place in range(struct.unpack_from(">H", data, start + 2)[0]):
        platform, kind, offset = struct.unpack_from(">HHI", data, start + 4 + 8 * place)
        if platform == 0 or (platform == 3 and kind in (1, 10)):
            for character, glyph in _cmap(data, start + offset):
                if glyph:
                    characters.setdefault(glyph, chr(character))
    return characters


def _cmap(data: bytes, start: int) -> list[tuple[int, int]]:
    """Pairs of character and glyph of a subtable; as far as numbers of 16 bits go for format 4."""
    form = struct.unpack_from(">H", data, start)[0]
    pairs: list[tuple[int, int]] = []
    if form == 12:
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


class Plausibility:
    """Judges by the text itself whether a guess at a font's characters was right."""

    def __init__(self) -> None:
        self._characters = self._odd = self._letters = self._common = 0

    def add(self, text: str) -> None:
        """Note a text that is drawn in the font."""
        for character in text.casefold():
            self._characters += 1
            if character.isalpha():
                self._letters += 1
                self._common += character in _COMMON
            elif character not in _ORDINARY:
                self._odd += 1

    @property
    def is_plausible(self) -> bool:
        """Whether it may be text; so far, or for good where there is little of it."""
        if self._characters < MIN_LETTERS:
            return self._odd <= 0.5 * self._characters
        if self._odd > MAX_ODD * self._characters:
            return False
        return self._letters < MIN_LETTERS or self._common >= MIN_COMMON * self._letters
