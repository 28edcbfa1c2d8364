"""Fonts of a PDF: their style by their names, and whether their characters are known; ordinary
letters for odd ones.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from ctypes import addressof, c_int, create_string_buffer
from dataclasses import dataclass, field
from functools import cache, partial
from sys import intern

from .native import font_angle, font_flags, font_name
from .patterns import FORMS

UNKNOWN = "\U00100000"
"""The first of the characters, for private use, that stand for glyphs whose meaning is unknown; one
for each glyph.
"""

LENGTHS = 5000  # words of a font whose lengths are remembered
CODES = 256  # characters of a font that stand for such glyphs

MIN_LETTERS, MAX_ODD, MIN_COMMON, MIN_COMMON_BITMAPS = 40, 0.15, 0.65, 0.3
"""Letters after which a guess is judged, and the shares of odd characters and of common letters
that text has: the common ones make up 80 % of English, German and French, and half of what is no
text. Nearly all bitmap fonts, which have no name, are numbered by TeX's codes, so that few guesses
are wrong."""

_FORCE_BOLD = 1 << 18
_SLANT = 4  # degrees, from which on a font is italic

_TEX_LIGATURES = {11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl"}
_CORK = {
    16: "“",
    17: "”",
    21: "–",
    22: "—",
    27: "ff",
    28: "fi",
    29: "fl",
    30: "ffi",
    31: "ffl",
    127: "-",
}
"""What TeX's encoding of European letters has where ASCII has no characters."""

_OLD_LIGATURES = frozenset(map(chr, _TEX_LIGATURES))
_COMMON = frozenset("etaoinsrhldu")
_ORDINARY = frozenset(" 0123456789.,;:()-'")
_PRIVATE_USE = 0xFFFD


@dataclass(slots=True, eq=False)
class Font:
    """A font."""

    name: str = ""  # its name without its subset tag; empty for bitmap fonts
    # bold, italic: by its name or its descriptor
    bold: bool = False
    italic: bool = False
    handle: int = 0  # PDFium's
    base_name: str = ""  # as PDFium has it: without its subset tag, with its suffix
    # of its characters, as far as they are known, at size 1
    widths: dict[str, float] = field(default_factory=dict)
    # the same of characters that are only codes: the file gives them no meaning
    unmapped: dict[str, float] = field(default_factory=dict)
    # of words that were last seen, at size 1
    lengths: dict[str, float] = field(default_factory=dict)
    # those of such characters that are drawn and guessed
    codes: Counter[str] = field(default_factory=Counter)

    def length(self, word: str) -> float:
        """The length of a word, which is remembered; -1 if not all of its characters are known."""
        if len(self.lengths) > LENGTHS:
            self.lengths.clear()
        try:
            length = self.lengths[word] = sum(map(self.widths.__getitem__, word))
        except KeyError:
            return -1.0
        return length

    @property
    def is_guessed(self) -> bool:
        """Whether its characters are only known by their codes, as those of most old bitmap
        fonts.
        """
        return len(self.unmapped) > len(self.widths)

    def guess(self, codes: str) -> str:
        """Guess the characters of codes without a meaning: those of ASCII, and TeX's ligatures."""
        self.codes.update(codes)
        is_old = not self.unmapped.keys().isdisjoint(_OLD_LIGATURES)
        return codes.translate(_TEX_LIGATURES if is_old else _CORK)

    @property
    def is_plausible(self) -> bool:
        """Whether what is drawn by guessed characters may be text."""
        length = letters = common = odd = 0
        for code, count in self.codes.items():
            for character in code.casefold() if code not in _OLD_LIGATURES else ():
                length += count
                letters += count * character.isalpha()
                common += count * (character in _COMMON)
                odd += count * (not character.isalpha() and character not in _ORDINARY)
        max_odd = MAX_ODD if length >= MIN_LETTERS else 0.5
        min_common = MIN_COMMON if self.name else MIN_COMMON_BITMAPS
        return odd <= max_odd * length and (letters < MIN_LETTERS or common >= min_common * letters)


class Faces:
    """The fonts of a file. PDFium forgets those that no open page uses, and gives their handles to
    others.
    """

    def __init__(self, glyphs: Callable[[], Mapping[tuple[str, str], str]]) -> None:
        self._glyphs = glyphs  # the characters of glyphs by font and code
        self._known: dict[tuple[str, int], Font] = {}
        self.of_page: dict[int, Font] = {}  # those of the open page, by their handles
        self._numbers: dict[str, int] = {}  # of fonts with unknown characters

    def load(self, handle: int) -> Font:
        """The face of a font of PDFium's."""
        face = self.of_page.get(handle)
        if face is None:
            buffer = create_string_buffer(256)
            font_name(handle, buffer, 255)
            tagged, flags = buffer.value.decode("utf-8", "replace"), max(0, font_flags(handle))
            face = self._known.get((tagged, flags)) if tagged else None
            if face is None:
                face = self._known[tagged, flags] = _face(tagged, flags, handle)
            face.handle = handle
            self.of_page[handle] = face
        return face

    def unknown(self, face: Font, code: str) -> str:
        """What stands for a glyph without a meaning, by its code: its character, if the name of the
        glyph says it.
        """
        if meaning := self._glyphs().get((face.base_name, code)):
            return meaning
        number = self._numbers.setdefault(face.name, len(self._numbers))
        return chr(ord(UNKNOWN) + (number * CODES + ord(code) % CODES) % _PRIVATE_USE)


def _face(tagged: str, flags: int, handle: int) -> Font:
    name = intern(FORMS["font_suffix"].sub("", FORMS["font_tag"].sub("", tagged)))
    angle = c_int()
    font_angle(handle, addressof(angle))
    bold = bool(FORMS["bold"].search(name)) or bool(flags & _FORCE_BOLD)
    return Font(
        name,
        bold,
        _SLANT < abs(angle.value) < 45 or bool(FORMS["italic"].search(name)),
        handle,
        FORMS["font_tag"].sub("", tagged),
    )


_LETTERS = {letter: unicodedata.normalize("NFKC", letter) for letter in "ﬀﬁﬂﬃﬄﬅﬆĲĳ"}
_LETTERS |= dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u200a\u2028\u202f\u3000", " ")
_TO_LETTERS = str.maketrans(_LETTERS | {"\u2010": "-", "\u2011": "-", "\u02c9": "\u00af"})
COMBINING = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "ˉ": "\u0304",
    "˘": "\u0306", "˙": "\u0307", "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c",
    "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
"""The accents that are drawn apart from their letters, as characters that combine with these."""
_ACCENT = re.compile("([´¨ˇ˝˚]) ?([A-Za-zı])")  # TeX draws an accent before its letter
# Authors type "Garcı´a", "Pe´rez", "Mu¨ller".
_AFTER_LETTER = re.compile(
    "(?<=ı)´|(?<=[AEIOUaeiou])(?:´(?=[bdfghjklmpqrtvwx])|¨(?=[b-df-hj-np-tv-xz]))"
)
_DEGREE = re.compile("[\u25e6\u2218](?= ?[CF]\\b)")
_NOISE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\ufffd\ud800-\udfff]"
)
without_size = cache(partial(FORMS["font_size"].sub, ""))  # a font's name without its size


def tidy(text: str) -> str:
    """Ligatures as letters, odd spaces as spaces, letters composed. Superscripts and mathematics
    stay as they are.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _AFTER_LETTER.sub(
        lambda match: COMBINING[match[0]], text.translate(_TO_LETTERS)
    ).replace("ı\u0301", "í")
    text = _DEGREE.sub("°", text)
    text = _ACCENT.sub(lambda match: match[2].replace("ı", "i") + COMBINING[match[1]], text)
    return unicodedata.normalize("NFC", _NOISE.sub("", text))


@cache
def family(font: str) -> str:
    """A font's name without its style."""
    return re.split(r"[-,]", font.rpartition("+")[2], maxsplit=1)[0]


@cache
def is_monospaced(font: str) -> bool:
    """Whether a font is one of those in which programs are printed."""
    return FORMS["monospaced"].search(font) is not None
