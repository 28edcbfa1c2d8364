"""A PDF page → runs of text with their place, size and font.

pypdf reads the objects, the fonts and the operators of a page; what is added here is the pen: where every string
begins and ends. pypdf's own text extraction tells neither, and columns, spaces and headings are found by both.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Any

from pypdf import PageObject
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, StreamObject
from pypdf.generic._font import Font

Matrix = tuple[float, float, float, float, float, float]

CONTENT_LIMIT = 24 * 1024 * 1024
"""Bytes of a page's drawing operators above which the page is taken for a drawing and not read."""
_FORM_DEPTH = 6
_FORM_CALLS = 400
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Run:
    """A string that is drawn at one go.

    Attributes:
        text: at least one character that is no space, or spaces only.
        x0, x1: left and right end, in points from the left of the page.
        y: baseline, in points from the bottom.
        size: height of the font in points.
        bold, italic: by the font's name.
        font: the font's name without its subset tag.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool
    font: str


@dataclass(slots=True)
class _Face:
    """A font as the pen needs it."""

    name: str
    bold: bool
    italic: bool
    font: Font | None
    space: float  # width of a space, in thousandths of the size
    scale: float  # glyph space to text space
    cache: dict[bytes, tuple[str, float, int]]

    def show(self, data: bytes) -> tuple[str, float, int]:
        """The characters of a string, its width in text space at size 1, and how many codes and one-byte spaces."""
        known = self.cache.get(data)
        if known is None:
            known = self._show(data)
            if len(data) <= 64 and len(self.cache) < 20_000:
                self.cache[data] = known
        return known

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
            glyphs = [font.encoding.get(code, chr(code)) for code in data]
        mapping = font.character_map
        text = "".join(mapping.get(glyph, glyph) for glyph in glyphs)
        widths = font.character_widths
        default = widths.get("default", 500)
        width = 0.0
        for code in codes:
            one = widths.get(code, default)
            width += self.space if code == font.space_char and not one else one
        if not font.interpretable:
            text = ""
        return text, width * self.scale, len(codes)


class PageReader:
    """Reads the pages of one file; keeps the fonts that it has met."""

    def __init__(self, pdf: Any) -> None:
        self._pdf = pdf
        self._faces: dict[Any, _Face] = {}

    def runs(self, page: PageObject) -> list[Run]:
        """The text of a page in the order in which it is drawn, turned upright if the page is turned.

        Text that is itself turned against the page (axis labels, stamps along a margin) is left out.
        """
        contents = page.get("/Contents")
        if contents is None:
            return []
        box = page.mediabox
        left, bottom, right, top = (float(box[place]) for place in range(4))
        turn = int(page.get("/Rotate", 0) or 0) % 360 if isinstance(page.get("/Rotate", 0), (int, float)) else 0
        matrix: Matrix = {
            0: (1.0, 0.0, 0.0, 1.0, -left, -bottom),
            90: (0.0, -1.0, 1.0, 0.0, -bottom, right),
            180: (-1.0, 0.0, 0.0, -1.0, right, top),
            270: (0.0, 1.0, -1.0, 0.0, top, -left),
        }.get(turn, (1.0, 0.0, 0.0, 1.0, -left, -bottom))
        runs: list[Run] = []
        self._calls = 0
        self._draw(contents.get_object(), _resources(page), matrix, runs, depth=0)
        return runs

    def _face(self, fonts: DictionaryObject, name: Any) -> _Face:
        reference = fonts.raw_get(name) if name in fonts else None
        key = (reference.idnum, reference.generation) if hasattr(reference, "idnum") else id(reference)
        if key not in self._faces:
            self._faces[key] = _load_face(reference.get_object() if reference is not None else None)
        return self._faces[key]

    def _draw(self, contents: Any, resources: DictionaryObject, start: Matrix, runs: list[Run], depth: int) -> None:
        if not isinstance(contents, (ArrayObject, StreamObject)):
            return
        stream = ContentStream(contents, self._pdf, "bytes")
        data = stream.get_data()
        if len(data) > CONTENT_LIMIT or (
            b"Tj" not in data and b"TJ" not in data and b"Do" not in data and b"'" not in data
        ):
            return
        stream.set_data(_without_paths(data))
        fonts = _dictionary(resources, "/Font")
        objects = _dictionary(resources, "/XObject")
        states = _dictionary(resources, "/ExtGState")
        matrix, stack = start, []
        face: _Face | None = None
        size, spacing, word_spacing, stretch, leading, rise = 12.0, 0.0, 0.0, 1.0, 0.0, 0.0
        pen = line = _IDENTITY

        def show(string: Any) -> None:
            nonlocal pen
            if face is None or not isinstance(string, (bytes, str)):
                return
            raw = string if isinstance(string, bytes) else string.encode("latin-1", "replace")
            text, width, count = face.show(bytes(raw))
            advance = (width * size + spacing * count) * stretch
            if word_spacing and b" " in raw and isinstance(face.font and face.font.encoding, dict):
                advance += word_spacing * raw.count(b" ") * stretch
            a, b, c, d, e, f = _times(pen, matrix)
            height = hypot(c, d) * size
            # Text along the baseline of the upright page only; a mirrored y axis counts as upright.
            if (text and abs(b) <= 0.1 * abs(a) and a > 0 and height > 0.5) or not text:
                x0, y = e + rise * c, f + rise * d
                if text:
                    runs.append(Run(text, x0, x0 + advance * a, y, abs(height), face.bold, face.italic, face.name))
            pen = (pen[0], pen[1], pen[2], pen[3], pen[4] + advance * pen[0], pen[5] + advance * pen[1])

        def move(x: float, y: float) -> None:
            nonlocal line, pen
            line = (*line[:4], line[4] + x * line[0] + y * line[2], line[5] + x * line[1] + y * line[3])
            pen = line

        for operands, operator in stream.operations:
            try:
                if operator == b"TJ":
                    for item in operands[0]:
                        if isinstance(item, (bytes, str)):
                            show(item)
                        else:
                            shift = -float(item) / 1000 * size * stretch
                            pen = (*pen[:4], pen[4] + shift * pen[0], pen[5] + shift * pen[1])
                elif operator == b"Tj":
                    show(operands[0])
                elif operator == b"Td":
                    move(float(operands[0]), float(operands[1]))
                elif operator == b"TD":
                    leading = -float(operands[1])
                    move(float(operands[0]), float(operands[1]))
                elif operator == b"Tm":
                    pen = line = tuple(float(operand) for operand in operands[:6])
                elif operator == b"T*":
                    move(0.0, -leading)
                elif operator == b"'":
                    move(0.0, -leading)
                    show(operands[0])
                elif operator == b'"':
                    word_spacing, spacing = float(operands[0]), float(operands[1])
                    move(0.0, -leading)
                    show(operands[2])
                elif operator == b"Tf":
                    face, size = self._face(fonts, operands[0]), float(operands[1])
                elif operator == b"BT":
                    pen = line = _IDENTITY
                elif operator == b"Tc":
                    spacing = float(operands[0])
                elif operator == b"Tw":
                    word_spacing = float(operands[0])
                elif operator == b"Tz":
                    stretch = float(operands[0]) / 100
                elif operator == b"TL":
                    leading = float(operands[0])
                elif operator == b"Ts":
                    rise = float(operands[0])
                elif operator == b"q":
                    if len(stack) < 500:
                        stack.append((matrix, face, size, spacing, word_spacing, stretch, leading, rise))
                elif operator == b"Q":
                    if stack:
                        matrix, face, size, spacing, word_spacing, stretch, leading, rise = stack.pop()
                elif operator == b"cm":
                    matrix = _times(tuple(float(operand) for operand in operands[:6]), matrix)
                elif operator == b"gs":
                    state = states.get(operands[0])
                    font = state.get_object().get("/Font") if state is not None else None
                    if font is not None:
                        face, size = _load_face(font[0].get_object()), float(font[1])
                elif operator == b"Do" and depth < _FORM_DEPTH and self._calls < _FORM_CALLS:
                    form = objects.get(operands[0])
                    form = form.get_object() if form is not None else None
                    if form is not None and form.get("/Subtype") == "/Form":
                        self._calls += 1
                        own = form.get("/Matrix")
                        inner = _times(tuple(float(number) for number in own), matrix) if own is not None else matrix
                        self._draw(form, _resources(form) or resources, inner, runs, depth + 1)
            except (IndexError, TypeError, ValueError, KeyError, AttributeError):
                continue  # an operator without its operands draws nothing


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _dictionary(owner: DictionaryObject, key: str) -> DictionaryObject:
    value = owner.get(key)
    value = value.get_object() if value is not None else None
    return value if isinstance(value, DictionaryObject) else DictionaryObject()


def _resources(page: Any) -> DictionaryObject:
    for _ in range(50):
        found = page.get("/Resources")
        found = found.get_object() if found is not None else None
        if isinstance(found, DictionaryObject):
            return found
        parent = page.get("/Parent")
        if parent is None:
            break
        page = parent.get_object()
    return DictionaryObject()


_NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)"
# Lines, curves, rectangles and colours are most of the bytes of a drawing and say nothing of its text. Only runs of
# several such lines are taken out, and only whole lines, so that no string or inline image is cut.
_PATHS = re.compile(
    rb"(?:(?<=[\r\n]) *(?:" + _NUMBER + rb"[ ]+){2,6}(?:m|l|c|v|y|re) *(?:[hfSsBbWn*]{1,2} *)?[\r\n]+){4,}"
)


def _without_paths(data: bytes) -> bytes:
    return _PATHS.sub(b"\n", data) if len(data) > 20_000 else data


_TAG = re.compile(r"^[A-Z]{6}\+")
_SUFFIX = re.compile(r"\+[0-9a-f]{1,2}$")
_BOLD = re.compile(
    r"bold|black|heavy|demi|semibd|(?<![a-z])bd(?![a-z])|[-,.]b(?:i|old)?$|cmbx|-medi|\.bi?$", re.IGNORECASE
)
_ITALIC = re.compile(r"ital|obli|[-,.]b?i$|cmti|slanted", re.IGNORECASE)


def _load_face(resource: Any) -> _Face:
    if not isinstance(resource, DictionaryObject):
        return _Face("", False, False, None, 0.25, 0.001, {})
    try:
        font = Font.from_font_resource(resource)
    except Exception:  # a font may be broken in any way; its text is then left out
        return _Face("", False, False, None, 0.25, 0.001, {})
    scale = 0.001
    if resource.get("/Subtype") == "/Type3":
        try:
            scale = abs(float(resource["/FontMatrix"][0]))
        except (KeyError, IndexError, TypeError, ValueError):
            scale = 0.001
    base = resource.get("/BaseFont")
    base = base.get_object() if base is not None else None
    name = _SUFFIX.sub("", _TAG.sub("", base.lstrip("/") if isinstance(base, str) else font.name))
    weight = font.font_descriptor.weight
    heavy = isinstance(weight, (int, float)) and weight >= 600
    forced = (
        bool(int(font.font_descriptor.flags or 0) & (1 << 18)) if isinstance(font.font_descriptor.flags, int) else False
    )
    return _Face(
        name,
        bool(_BOLD.search(name)) or heavy or forced,
        bool(_ITALIC.search(name)),
        font,
        font.space_width or 250,
        scale,
        {},
    )


_LIGATURES = {
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st",
    "\u0132": "IJ", "\u0133": "ij", "\u00a0": " ", "\u2002": " ", "\u2003": " ", "\u2009": " ", "\u200a": " ",
    "\u202f": " ", "\u2007": " ", "\u3000": " ", "\u2010": "-", "\u2011": "-", "\u02c9": "\u00af", "\u2028": " ",
}  # fmt: skip
_TABLE = str.maketrans(_LIGATURES)
_ACCENTS = {"´": "\u0301", "¨": "\u0308", "ˇ": "\u030c", "˝": "\u030b", "˚": "\u030a"}
_ACCENT = re.compile("([´¨ˇ˝˚]) ?([A-Za-zı])")  # TeX draws an accent before its letter


@lru_cache(maxsize=50_000)
def tidy(text: str) -> str:
    """Ligatures as letters, odd spaces as spaces, letters composed. Superscripts and mathematics stay as they are."""
    text = _ACCENT.sub(lambda match: match[2].replace("ı", "i") + _ACCENTS[match[1]], text.translate(_TABLE))
    return unicodedata.normalize("NFC", _NOISE.sub("", text))


_NOISE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\ufffd\ud800-\udfff]")
