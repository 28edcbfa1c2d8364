"""Fonts of a PDF: the characters of a drawn string and its width."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pypdf._codecs.adobe_glyphs import adobe_glyphs
from pypdf.generic import DictionaryObject
from pypdf.generic._font import Font

CACHED_STRINGS = 20_000
"""Strings of a font whose characters are remembered: in most files the same words are drawn again and again."""

_TAG = re.compile(r"^[A-Z]{6}\+")
_SUFFIX = re.compile(r"\+[0-9a-f]{1,2}$")
_BOLD = re.compile(
    r"bold|black|heavy|demi|semibd|(?<![a-z])bd(?![a-z])|[-,.]b(?:i|old)?$|cmbx|-medi|\.bi?$", re.IGNORECASE
)
_ITALIC = re.compile(r"ital|obli|[-,.]b?i$|[-,.]\w*it(?![a-z])|cmti|slanted", re.IGNORECASE)
_FORCE_BOLD = 1 << 18
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
    """

    name: str = ""
    bold: bool = False
    italic: bool = False
    font: Font | None = None
    space: float = 0.25
    scale: float = 0.001
    _cache: dict[bytes, tuple[str, float, int]] = field(default_factory=dict)

    @property
    def has_single_bytes(self) -> bool:
        """Whether each byte of a string is a character."""
        return self.font is not None and isinstance(self.font.encoding, dict)

    def show(self, data: bytes) -> tuple[str, float, int]:
        """The characters of a string, its width in text space at size 1, and its number of character codes."""
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
            return "", len(data) * 0.5, 0
        if isinstance(font.encoding, str):
            try:
                codes = data.decode(font.encoding, "surrogatepass")
            except (UnicodeDecodeError, LookupError):
                codes = data.decode("latin-1")
            glyphs: Iterable[str] = codes
        else:
            codes = data.decode("latin-1")
            glyphs = [_letters(font.encoding.get(code, chr(code))) for code in data]
        mapping = font.character_map
        text = "".join(mapping.get(glyph, glyph) for glyph in glyphs) if font.interpretable else ""
        widths = font.character_widths
        default = widths.get("default", 500)
        width = 0.0
        for code in codes:
            one = widths.get(code, default)
            width += self.space if code == font.space_char and not one else one
        return text, width * self.scale, len(codes)


def _letters(glyph: str) -> str:
    """The letters of a ligature that pypdf knows only by its name: ``/T_h`` → ``Th``. Anything else stays as it is."""
    names = glyph.removeprefix("/").partition(".")[0].split("_")
    letters = [adobe_glyphs.get(f"/{name}", "") for name in names]
    return "".join(letters) if glyph[:1] == "/" and len(names) > 1 and all(letters) else glyph


def load_face(resource: Any) -> Face:
    """The face of a font resource."""
    if not isinstance(resource, DictionaryObject):
        return Face()
    try:
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
    name = _SUFFIX.sub("", _TAG.sub("", base.lstrip("/") if isinstance(base, str) else font.name))
    weight, flags = font.font_descriptor.weight, font.font_descriptor.flags
    heavy = isinstance(weight, (int, float)) and weight >= 600
    forced = isinstance(flags, int) and bool(flags & _FORCE_BOLD)
    bold = bool(_BOLD.search(name)) or heavy or forced
    angle = font.font_descriptor.italic_angle
    slanted = isinstance(angle, (int, float)) and _SLANT < abs(angle) < 45
    return Face(name, bold, slanted or bool(_ITALIC.search(name)), font, font.space_width or 250, scale)


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
_NOISE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\ufffd\ud800-\udfff]")


@lru_cache(maxsize=50_000)
def tidy(text: str) -> str:
    """Ligatures as letters, odd spaces as spaces, letters composed. Superscripts and mathematics stay as they are."""
    text = _ACCENT.sub(lambda match: match[2].replace("ı", "i") + _ACCENTS[match[1]], text.translate(_LETTERS))
    return unicodedata.normalize("NFC", _NOISE.sub("", text))
