"""What the glyphs of a font mean where it has no map to Unicode, by their names."""

import re
from collections.abc import Collection, Mapping, Set

from pypdf._codecs.adobe_glyphs import adobe_glyphs
from pypdf.generic import DictionaryObject, StreamObject

UNKNOWN = "\ufffd"
"""Stands for a glyph whose character is unknown."""

MIN_LETTERS, MAX_ODD = 40, 0.15
MIN_COMMON = 0.65
"""Letters after which a guess is judged, and the shares of odd characters and of common letters that text has: the
common ones make up 80 % of English, German and French, and half of what is no text."""

MIN_COMMON_BITMAPS = 0.3
"""The same share for bitmap fonts. Nearly all are numbered by TeX's codes, so that few guesses are wrong."""

MIN_NUMBERED = 8
"""Names without a meaning that number glyphs: fewer are oddities of a font."""

_PRIVATE = re.compile("[\ue000-\uf8ff]")
_VARIANT = re.compile(r"(?:small|oldstyle|superior|inferior)$")
_UNI = re.compile(r"uni((?:[0-9A-Fa-f]{4})+)|u([0-9A-Fa-f]{4,6})")
_NUMBERED = re.compile(r"/[A-Za-z]{0,3}?_?(\d{1,3}|[0-9A-Fa-f]{2})")
_CODECS = tuple(
    (re.compile(pattern), codec)
    for pattern, codec in (
        ("-UCS2-|-UTF16-", "utf-16-be"), ("-UTF8-", "utf-8"), ("-UTF32-", "utf-32-be"), ("RKSJ-", "cp932"),
        ("^/EUC-", "euc_jp"), ("KSC.*-(?:EUC|UHC)-|KSCpc", "cp949"), ("Johab", "johab"), ("GBK2K", "gb18030"),
        ("^/GB", "gbk"), ("^/HKscs", "big5hkscs"), ("B5-|B5pc", "cp950"),
    )
)  # fmt: skip
"""Predefined character maps of composite fonts (ISO 32000-1, 9.7.5.2), and Python's codecs for them."""

_CODE_SPACE = re.compile(rb"begincodespacerange(.*?)endcodespacerange", re.DOTALL)
_GLYPH_RANGES = re.compile(rb"begincidrange(.*?)endcidrange", re.DOTALL)
_GLYPH_CHARACTERS = re.compile(rb"begincidchar(.*?)endcidchar", re.DOTALL)
_RANGE = re.compile(rb"<([0-9A-Fa-f]{2,8})>\s*+<([0-9A-Fa-f]{2,8})>")
_GLYPH_RANGE = re.compile(_RANGE.pattern + rb"\s*+(\d{1,5})")
_GLYPH_CHARACTER = re.compile(rb"<([0-9A-Fa-f]{2,8})>\s*+(\d{1,5})")
MAX_MAP = 1 << 20
"""Bytes of a character map that are read."""

_TEX_LIGATURES = {11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl"}
_CORK = {16: "“", 17: "”", 21: "–", 22: "—", 27: "ff", 28: "fi", 29: "fl", 30: "ffi", 31: "ffl", 127: "-"}
"""What TeX's encoding of European letters has where ASCII has no characters."""

_DINGBATS = re.compile("[\u2190-\u21ff\u2460-\u24ff\u25a0-\u27bf]")
_COMMON = frozenset("etaoinsrhldu")
_ORDINARY = frozenset(" 0123456789.,;:()-'")


def letters_of(name: str) -> str:
    """The characters of a glyph name: ``/T_h`` → ``Th``, ``/uni00E9`` → ``é``, ``/a.sc`` → ``a``; empty if unknown."""
    if name == "/.notdef":
        return ""
    parts = []
    for part in name.removeprefix("/").partition(".")[0].split("_"):
        letters = adobe_glyphs.get(f"/{part}", "")
        if _PRIVATE.fullmatch(letters):  # small capitals and old-style figures
            letters = adobe_glyphs.get(f"/{_VARIANT.sub('', part)}", "")
            letters = "" if _PRIVATE.fullmatch(letters) else letters
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
    if are_numbered(unknown.values()):
        by_code = sum(_numbers(name)[1] == code or _numbers(name)[0] == code for code, name in unknown.items())
        for code, name in unknown.items():
            number = code if by_code > 0.8 * len(unknown) else _numbers(name)[0]
            if letters := _TEX_LIGATURES.get(number, chr(number) if 32 <= number < 127 else ""):
                table[code], guessed = letters, True
    return table, guessed


def with_tex_letters(table: Mapping[int, str], named: Set[int]) -> dict[int, str]:
    """A bitmap font's characters, with letters where ASCII has control characters, as TeX's encodings have them.

    Args:
        table: Code → characters.
        named: Codes of glyphs with a name (``/a28``: fi).
    """
    control = {code for code in named if table.get(code) == chr(code) and (code < 32 or code == 127)}
    if sum(chr(code).isalpha() for code in named if code < 127) < 0.5 * len(named):  # another script, or symbols
        return dict(table)
    known = _TEX_LIGATURES if control & _TEX_LIGATURES.keys() else _CORK
    return {**table, **{code: known[code] for code in control & known.keys()}}


def are_numbered(names: Collection[str]) -> bool:
    """Whether hardly any names of glyphs say more than a number."""
    return len(names) >= MIN_NUMBERED and sum(map(_is_numbered, names)) > 0.8 * len(names)


def are_dingbats(characters: Mapping[str, str]) -> bool:
    """Whether a map to Unicode has hardly anything but ornaments.

    Some programs take the names of bitmaps (``/a97`` is the code of an a) for those of Zapf's ornaments.
    """
    return sum(map(bool, map(_DINGBATS.match, characters.values()))) > max(3, 0.5 * len(characters))


def _is_numbered(name: str) -> bool:
    return _NUMBERED.fullmatch(name) is not None


def _numbers(name: str) -> tuple[int, int]:
    """The number at the end of a glyph's name, read as decimal and as hexadecimal; -1 where it is none."""
    match = _NUMBERED.fullmatch(name)
    if match is None:
        return -1, -1
    return int(match[1]) if match[1].isdecimal() else -1, int(match[1], 16)


def codec_of(resource: DictionaryObject) -> str:
    """The codec of a composite font whose character codes are those of an encoding of text; empty for others."""
    encoding = resource.get("/Encoding")
    name = encoding.get_object() if encoding is not None else None
    if not isinstance(name, str):
        return ""
    return next((codec for pattern, codec in _CODECS if pattern.search(name)), "")


def glyphs_by_code(resource: DictionaryObject) -> tuple[int, dict[int, int]]:
    """Bytes of a code, and code → glyph, of a composite font with a character map of its own; 0 for other fonts."""
    encoding = resource.get("/Encoding")
    encoding = encoding.get_object() if encoding is not None else None
    if resource.get("/Subtype") != "/Type0" or not isinstance(encoding, StreamObject):
        return 0, {}
    data = encoding.get_data()[:MAX_MAP]
    lengths = [len(match[1]) // 2 for section in _CODE_SPACE.findall(data) for match in _RANGE.finditer(section)]
    glyphs: dict[int, int] = {}
    for section in _GLYPH_RANGES.findall(data):
        for first, last, glyph in _GLYPH_RANGE.findall(section):
            start, end = int(first, 16), min(int(last, 16), 0xFFFF)
            glyphs |= zip(range(start, end + 1), range(int(glyph), 0x10000), strict=False)
    for section in _GLYPH_CHARACTERS.findall(data):
        glyphs |= {int(code, 16): min(int(glyph), 0xFFFF) for code, glyph in _GLYPH_CHARACTER.findall(section)}
    return 1 if lengths and max(lengths) == 1 else 2, glyphs


class Plausibility:
    """Judges by the text itself whether a guess at a font's characters was right.

    Args:
        common: The share of common letters that text has.
        odd: The share of odd characters that text may have.
    """

    def __init__(self, common: float = MIN_COMMON, odd: float = MAX_ODD) -> None:
        self._min_common, self._max_odd = common, odd
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
            return self._odd <= max(0.5, self._max_odd) * self._characters
        if self._odd > self._max_odd * self._characters:
            return False
        return self._letters < MIN_LETTERS or self._common >= self._min_common * self._letters
