"""Fonts of a PDF: the characters of a drawn string and its width."""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from sys import intern
from typing import Any

from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NameObject
from pypdf.generic._font import Font

from .font_files import built_in, by_collection, by_font_file
from .glyphs import (
    MIN_COMMON_BITMAPS,
    UNKNOWN,
    Plausibility,
    are_dingbats,
    are_numbered,
    by_names,
    codec_of,
    glyphs_by_code,
    with_tex_letters,
)

CACHED_STRINGS = 20_000
"""Strings of a font whose characters are remembered: in most files the same words are drawn again and again."""

_TAG = re.compile(r"^[A-Z]{6}\+")
_SUFFIX = re.compile(r"\+[0-9a-f]{1,2}$")
_BOLD = re.compile(
    r"bold|black|heavy|demi|semibd|(?<![a-z])bd(?![a-z])|[-,.]b(?:i|old)?$|(?:cm|sf|ec)(?:ss)?b(?:x|\d)|-medi|\.bi?$",
    re.IGNORECASE,
)
_ITALIC = re.compile(r"ital|obli|[-,.]b?i$|[-,.]\w*it(?![a-z])|cmti|slanted", re.IGNORECASE)
_FORCE_BOLD = 1 << 18
_HIGH = 4
"""Times the size, from which on letters of a Type 3 font are as high as its file says."""

_SLANT = 4
"""Degrees, from which on a font is italic."""


@dataclass(slots=True)
class Face:
    """A font as the reader of content streams needs it.

    Attributes:
        name: The font's name without its subset tag.
        bold, italic: By its name or its descriptor.
        font: None where the file's font is broken; its text is left out.
        space: Width of a space, in thousandths of the size.
        scale: Glyph space to text space.
        height: Height of its letters in text space, where a Type 3 font has units of its own; 1 for others.
        letters: Character code → characters, of a font whose codes are single bytes; None for others.
        has_text_codes: Whether a code without an entry in the font's map is a character itself.
        guess: Judges a guess at the characters; None where the file gives them.
    """

    name: str = ""
    bold: bool = False
    italic: bool = False
    font: Font | None = None
    space: float = 0.25
    scale: float = 0.001
    height: float = 1.0
    letters: dict[int, str] | None = None
    has_text_codes: bool = True
    guess: Plausibility | None = None
    _cache: dict[bytes, tuple[str, float, int]] = field(default_factory=dict)

    @property
    def has_single_bytes(self) -> bool:
        """Whether each byte of a string is a character."""
        return self.font is not None and isinstance(self.font.encoding, dict)

    def show(self, data: bytes) -> tuple[str, float, int]:
        """The characters of a string, its width in text space at size 1, and its number of character codes.

        :data:`~.glyphs.UNKNOWN` stands for glyphs that the file does not say the character of.
        """
        known = self._cache.get(data)
        if known is None:
            known = self._show(data)
            if len(data) <= 64 and len(self._cache) < CACHED_STRINGS:
                self._cache[data] = known
        return known

    def codes(self, data: bytes) -> list[bytes]:
        """The character codes of a string; the whole string where their length is not known."""
        if self.has_single_bytes:
            step = 1
        elif self.font is not None and str(self.font.encoding).lower().startswith("utf-16") and len(data) % 2 == 0:
            step = 2
        else:
            return [data]
        return [data[place : place + step] for place in range(0, len(data), step)]

    def _show(self, data: bytes) -> tuple[str, float, int]:
        font = self.font
        if font is None:
            return UNKNOWN * len(data), len(data) * 0.5, 0
        if self.letters is not None:
            codes, letters = data.decode("latin-1"), self.letters
            text = "".join([letters.get(code, "") for code in data])
        else:
            try:
                codes = data.decode(str(font.encoding), "surrogatepass")
            except (UnicodeDecodeError, LookupError):
                codes = data.decode(str(font.encoding), "replace") if self.has_text_codes else data.decode("latin-1")
            mapping, is_text = font.character_map, self.has_text_codes
            text = "".join([mapping.get(code, code if is_text else UNKNOWN) for code in codes])
        widths = font.character_widths
        default = widths.get("default", 500)
        width = 0.0
        for code in codes:
            one = widths.get(code, default)
            width += self.space if code == font.space_char and not one else one
        return text, width * self.scale, len(codes)


def load_face(resource: Any) -> Face:
    """The face of a font resource."""
    if not isinstance(resource, DictionaryObject):
        return Face()
    try:
        resource = _prepared(resource)
        font = Font.from_font_resource(resource)
    except Exception:  # a font may be broken in any way; its text is then left out
        return Face()
    scale = 0.001
    if resource.get("/Subtype") == "/Type3":
        try:
            matrix: Any = resource["/FontMatrix"]
            scale = abs(float(matrix[0]))
        except (KeyError, IndexError, TypeError, ValueError):
            scale = 0.001
    base = resource.get("/BaseFont")
    base = base.get_object() if base is not None else None
    name = intern(str(_SUFFIX.sub("", _TAG.sub("", base.lstrip("/") if isinstance(base, str) else font.name))))
    weight, flags = font.font_descriptor.weight, font.font_descriptor.flags
    heavy = isinstance(weight, (int, float)) and weight >= 600
    forced = isinstance(flags, int) and bool(flags & _FORCE_BOLD)
    bold = bool(_BOLD.search(name)) or heavy or forced
    angle = font.font_descriptor.italic_angle
    slanted = isinstance(angle, (int, float)) and _SLANT < abs(angle) < 45
    italic = slanted or bool(_ITALIC.search(name))
    face = Face(name, bold, italic, font, font.space_width or 250, scale)
    if resource.get("/Subtype") == "/Type3":
        face.height = _height(resource, scale)
    try:
        _set_characters(face, font, resource)
    except Exception:  # the same
        face.font = None
    return face


def _resolved(owner: DictionaryObject, key: str) -> Any:
    """An entry, itself where it is a reference; None where there is none."""
    value = owner.get(key)
    return value.get_object() if value is not None else None


def _prepared(resource: DictionaryObject) -> DictionaryObject:
    """The font as pypdf is to see it, which stumbles over references among the names of an encoding.

    It also lets the encoding in a Type 1 file override that of the PDF.
    """
    prepared = DictionaryObject(resource)
    if resource.get("/Subtype") == "/Type1" and "/ToUnicode" not in resource:
        prepared[NameObject("/Subtype")] = NameObject("/MMType1")
    encoding = _resolved(resource, "/Encoding")
    names = _resolved(encoding, "/Differences") if isinstance(encoding, DictionaryObject) else None
    if (
        isinstance(encoding, DictionaryObject)
        and isinstance(names, ArrayObject)
        and any(isinstance(one, IndirectObject) for one in names)
    ):
        resolved = ArrayObject(one.get_object() for one in names)
        prepared[NameObject("/Encoding")] = DictionaryObject({**encoding, NameObject("/Differences"): resolved})
    return prepared


def _height(resource: DictionaryObject, scale: float) -> float:
    """How high the letters of a Type 3 font are in text space; 1 where that is near it, or not known."""
    try:
        box: Any = resource["/FontBBox"]
        height = abs(float(box[3]) - float(box[1])) * scale
    except Exception:  # the file does not say
        return 1.0
    return height if height >= _HIGH else 1.0


def _set_characters(face: Face, font: Font, resource: DictionaryObject) -> None:
    """Say what character each code of a font is, or that it is unknown."""
    length, glyphs = glyphs_by_code(resource)
    if length:
        _set_codes(face, font, resource, length, glyphs)
        return
    if isinstance(font.encoding, str):
        codec = codec_of(resource)
        face.has_text_codes = bool(codec)
        if codec:
            font.encoding = codec
            font.character_widths = _text_widths(font.character_widths)
        elif isinstance(resource.get("/ToUnicode"), str):  # the name Identity-H: the codes are the characters
            face.has_text_codes = True
        elif not font.character_map:
            font.character_map = by_font_file(resource) or by_collection(resource)
        return
    own = _own_characters(resource) if not font.character_map else {}
    table, guessed = by_names({**font.encoding, **own})
    if resource.get("/Subtype") == "/Type3" and not font.interpretable:
        font.character_widths = _widths(resource)
    if "/ToUnicode" not in resource and (guessed or (not own and _has_own_codes(resource))):
        face.guess = Plausibility()
    mapping = font.character_map
    if resource.get("/Subtype") == "/Type3":
        mapping = {} if are_dingbats(mapping) else mapping
        encoding = _resolved(resource, "/Encoding")
        names = _differences(encoding) if isinstance(encoding, DictionaryObject) else []
        table = with_tex_letters(table, {code for code, name in names if name != "/.notdef"})
        if face.guess is None and "/ToUnicode" not in resource and are_numbered([name for _, name in names]):
            face.guess = Plausibility(MIN_COMMON_BITMAPS, 1.0)
    face.letters = {code: mapping.get(letters, letters) for code, letters in table.items()}
    unknown = [code for code, letters in face.letters.items() if letters == UNKNOWN]
    widths = font.character_widths
    has_space = any(letters == " " and widths.get(chr(code)) for code, letters in face.letters.items())
    if 0 < len(unknown) <= 3 and not has_space:
        for code in unknown:  # the space of fonts whose other glyphs have names: /g3
            if 180 <= widths.get(chr(code), 0) * face.scale * 1000 <= 450:
                face.letters[code] = " "


def _set_codes(face: Face, font: Font, resource: DictionaryObject, length: int, glyphs: dict[int, int]) -> None:
    """The characters and widths of a composite font with a character map of its own; the file gives widths by glyph."""
    widths = font.character_widths
    by_code = {chr(code): widths[chr(glyph)] for code, glyph in glyphs.items() if chr(glyph) in widths}
    font.character_widths = {"default": widths.get("default", 1000)} | by_code
    if not font.character_map:
        characters = by_font_file(resource) or by_collection(resource)
        found = ((chr(code), characters.get(chr(glyph), "")) for code, glyph in glyphs.items())
        font.character_map = {code: letters for code, letters in found if letters}
    face.space = by_code.get(font.space_char) or 250
    if length == 1:
        font.encoding = {code: chr(code) for code in range(256)}
        face.letters = {code: font.character_map.get(chr(code), UNKNOWN) for code in range(256)}
    else:
        font.encoding, face.has_text_codes = "utf-16-be", False


def _own_characters(resource: DictionaryObject) -> dict[int, str]:
    """Code → characters by the font's own file, of the codes that the PDF leaves to it (ISO 32000-1, 9.6.6)."""
    encoding = _resolved(resource, "/Encoding")
    table = encoding if isinstance(encoding, DictionaryObject) else DictionaryObject()
    if "/FontDescriptor" not in resource or "/BaseEncoding" in table or not (encoding is None or table is encoding):
        return {}
    characters = built_in(resource)
    for code, _ in _differences(table):
        characters.pop(code, None)
    return characters


def _differences(encoding: DictionaryObject) -> list[tuple[int, str]]:
    """The codes that an encoding names, with the names."""
    found: list[tuple[int, str]] = []
    code = 0
    for one in _resolved(encoding, "/Differences") or ():
        if isinstance(one, int):
            code = one
        else:
            found.append((code, str(one)))
            code += 1
    return found


def _text_widths(widths: dict[str, float]) -> dict[str, float]:
    """Widths by character of a font whose codes are text: given by glyph, of which 1 to 95 are those of ASCII."""
    ascii_widths = {chr(code): widths.get(chr(code - 31), 500) for code in range(32, 127)}
    return {"default": widths.get("default", 1000)} | ascii_widths


def _has_own_codes(resource: DictionaryObject) -> bool:
    """Whether a simple font's codes may be in any order: part of a TrueType font, without an encoding."""
    if resource.get("/Subtype") != "/TrueType" or "/Encoding" in resource:
        return False
    return bool(_TAG.match(str(resource.get("/BaseFont", "")).lstrip("/")))


def _widths(resource: DictionaryObject) -> dict[str, float]:
    """The widths of a simple font's codes; pypdf does not read those of fonts that it cannot interpret."""
    widths: dict[str, float] = {"default": 500}
    found = resource.get("/Widths")
    found = found.get_object() if found is not None else None
    first = resource.get("/FirstChar", 0)
    if isinstance(found, ArrayObject) and isinstance(first, int):
        for code, width in enumerate(found[: max(0, 256 - first)], first):
            if code >= 0 and isinstance(width, (int, float)):
                widths[chr(code)] = float(width)
    return widths


_LETTERS = str.maketrans(
    {
        "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st",
        "\ufb06": "st", "\u0132": "IJ", "\u0133": "ij", "\u00a0": " ", "\u2002": " ", "\u2003": " ", "\u2009": " ",
        "\u200a": " ", "\u202f": " ", "\u2007": " ", "\u3000": " ", "\u2010": "-", "\u2011": "-", "\u02c9": "\u00af",
        "\u2028": " ",
    }
)  # fmt: skip
_ACCENTS = {"´": "\u0301", "¨": "\u0308", "ˇ": "\u030c", "˝": "\u030b", "˚": "\u030a"}
_ACCENT = re.compile("([´¨ˇ˝˚]) ?([A-Za-zı])")  # TeX draws an accent before its letter
# Authors type "Garcı´a", "Pe´rez", "Mu¨ller".
_AFTER_LETTER = re.compile("(?<=ı)´|(?<=[AEIOUaeiou])(?:´(?=[bdfghjklmpqrtvwx])|¨(?=[b-df-hj-np-tv-xz]))")
_DEGREE = re.compile("[\u25e6\u2218](?= ?[CF]\\b)")
_NOISE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\ufffd\ud800-\udfff]")


@lru_cache(maxsize=50_000)
def tidy(text: str) -> str:
    """Ligatures as letters, odd spaces as spaces, letters composed. Superscripts and mathematics stay as they are."""
    text = _AFTER_LETTER.sub(lambda match: _ACCENTS[match[0]], text.translate(_LETTERS)).replace("ı\u0301", "í")
    text = _DEGREE.sub("°", text)
    text = _ACCENT.sub(lambda match: match[2].replace("ı", "i") + _ACCENTS[match[1]], text)
    return unicodedata.normalize("NFC", _NOISE.sub("", text))
