"""Text of a PDF page that nobody sees: drawn invisibly or transparently, in the color of what is
behind it, covered by what is drawn later, or in a hidden layer.

How text is drawn, and what is drawn before and after it, tells which text may be unseen. Whether it
is, the page itself says: it is rendered with and without that text, and text that makes no
difference is not seen.
"""

from collections.abc import Callable, Iterable, Sequence
from ctypes import c_ubyte
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import Any

import pypdfium2.raw as pdfium

from . import native
from .runs import Box, Matrix

_FILLED = frozenset([pdfium.FPDF_TEXTRENDERMODE_FILL, pdfium.FPDF_TEXTRENDERMODE_FILL_CLIP])
OPAQUE, WHITE = 230, (255, 255, 255)  # opacity of 255 from which nothing shines through
MIN_ALPHA = 13  # of 255, below which text is transparent
LIGHT, ALIKE = (
    225,
    30,
)  # values of light colors, and the difference of colors that are alike, of 255
MIN_AREA = 3.0  # points of the width and height of what may cover text
MIN_INK = 1.0  # square points around text; spaces have none
MIN_CONTRAST = 20  # of 255: the difference of a pixel that is seen
MIN_SEEN = 0.02  # share of the pixels around a text that must be seen; letters fill a tenth of them
SCAN = 0.5  # share of a page that its pictures cover if it is scanned
PIXELS, MAX_PIXELS = 2.0, 2000  # of a rendered page: those of a point, and of its longer side

Color = tuple[int, int, int]


class Inks:
    """The colors in which PDFium draws objects."""

    def __init__(self) -> None:
        self._values, self._places = native.memory("I", 6)

    def fill(self, drawn: int) -> tuple[Color, int] | None:
        """The color and opacity (of 255) that an object is filled with; None if there is none."""
        return self._ink(native.fill_color, drawn)

    def stroke(self, drawn: int) -> tuple[Color, int] | None:
        """The color and opacity of the outline of an object."""
        return self._ink(native.stroke_color, drawn)

    def _ink(self, color: Callable[..., int], drawn: int) -> tuple[Color, int] | None:
        values = self._values
        if not color(native.prepared(drawn), *self._places[:4]):
            return None
        return (values[0], values[1], values[2]), values[3]

    def path(self, path: Any) -> tuple[bool, bool]:
        """Whether a path is filled, and whether its outline is drawn."""
        native.drawing_mode(path, self._places[4], self._places[5])
        return bool(self._values[4]), bool(self._values[5])


@dataclass(slots=True)
class Text:
    """A piece of text."""

    handle: int
    color: Color | None  # None if it is not filled with one color
    is_invisible: bool  # whether nothing of it is drawn
    is_doubtful: bool  # whether it may be unseen, whatever is drawn around it
    areas: int = 0  # number of areas that are drawn before it
    box: Box = (0.0, 0.0, 0.0, 0.0)  # around it, on the upright page

    @property
    def center(self) -> tuple[float, float]:
        """Its middle."""
        left, bottom, right, top = self.box
        return (left + right) / 2, (bottom + top) / 2


def text_of(drawn: int, inks: Inks, *, is_doubtful: bool) -> Text:
    """How a piece of text is drawn."""
    mode, ink = native.render_mode(drawn), inks.fill(drawn)
    is_invisible = mode == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
    if ink is None or mode not in _FILLED:
        return Text(drawn, None, is_invisible, is_doubtful=True)
    color, alpha = ink
    is_doubtful = is_doubtful or native.has_transparency(drawn) == 1
    return Text(drawn, color, is_invisible or alpha < MIN_ALPHA, is_doubtful)


@dataclass(slots=True)
class _Area:
    """A filled area, or a picture."""

    box: Box
    color: Color | None  # None for a picture, and for what is not filled with one opaque color
    is_picture: bool

    def has(self, point: tuple[float, float]) -> bool:
        """Whether a point is inside of it."""
        return _is_inside(point, self.box)


class Painting:
    """What a page draws, in the order of drawing."""

    def __init__(self) -> None:
        self._texts: list[tuple[Text, Matrix]] = []
        self._areas: list[_Area] = []

    def add_text(self, text: Text, matrix: Matrix) -> None:
        """Add a piece of text, which a matrix puts onto the upright page."""
        text.areas = len(self._areas)
        self._texts.append((text, matrix))

    def add_area(self, box: Box, color: Color | None = None, *, is_picture: bool = False) -> None:
        """Add what is filled with a color, or with a picture or a pattern."""
        if box[2] - box[0] >= MIN_AREA and box[3] - box[1] >= MIN_AREA:
            self._areas.append(_Area(box, color, is_picture))

    def is_picture(self, size: tuple[float, float]) -> bool:
        """Whether pictures fill the page of this size."""
        pictures = sum(_size(area.box) for area in self._areas if area.is_picture)
        return pictures >= SCAN * size[0] * size[1]

    def unseen(
        self, page: object, size: tuple[float, float], box_of: Callable[[int, Matrix], Box]
    ) -> set[int]:
        """The pieces of text that nobody sees on the page of this size; the text layer of a scan is
        what its picture shows.

        ``box_of`` is what surrounds a piece of text.
        """
        texts = [text for text, _ in self._texts]
        if not self._areas and not any(map(_may_be_unseen, texts)):
            return set()
        for text, matrix in self._texts:
            text.box = box_of(text.handle, matrix)
        over, behind = _reach(self._areas[::-1])[::-1], _reach(self._areas)
        layer, others = list[Text](), list[Text]()
        for text in texts:
            is_layer = text.is_invisible or self._is_under_picture(text, over, size)
            (layer if is_layer else others).append(text)
        if layer and self._is_scan(layer, others, size):
            return set()
        found = {text.handle for text in layer if text.is_invisible}
        doubtful = [text for text in texts if text.handle not in found]
        doubtful = [text for text in doubtful if self._is_doubtful(text, behind, over)]
        return found.union(_without_trace(page, size, doubtful) if doubtful else ())

    def _is_scan(
        self, layer: Sequence[Text], others: Sequence[Text], size: tuple[float, float]
    ) -> bool:
        """Whether pictures fill the page, and nearly all text is their text layer."""
        return self.is_picture(size) and sum(_size(text.box) for text in layer) >= sum(
            _size(text.box) for text in others
        )

    def _is_under_picture(self, text: Text, over: Sequence[Box], size: tuple[float, float]) -> bool:
        """Whether a picture of the whole page is drawn over a text."""
        if not _is_inside(text.center, over[text.areas]):
            return False
        return any(
            area.is_picture and _size(area.box) >= SCAN * size[0] * size[1]
            for area in self._areas[text.areas :]
        )

    def _is_doubtful(self, text: Text, behind: Sequence[Box], over: Sequence[Box]) -> bool:
        """Whether a text may be covered, or be in the color of what is behind it."""
        if _size(text.box) < MIN_INK:
            return False
        if text.color is None or text.is_doubtful:
            return True
        point = text.center
        if _is_inside(point, over[text.areas]) and any(
            area.has(point) for area in self._areas[text.areas :]
        ):
            return True
        if _is_inside(point, behind[text.areas]):
            for area in reversed(self._areas[: text.areas]):
                if area.has(point):
                    return _is_alike(text.color, area.color)
        return min(text.color) >= LIGHT


def _may_be_unseen(text: Text) -> bool:
    """Whether a text may be unseen on a white page without anything else."""
    is_light = text.color is not None and min(text.color) >= LIGHT
    return text.is_invisible or text.is_doubtful or is_light


def _reach(areas: Iterable[_Area]) -> list[Box]:
    """What surrounds the first of some areas, for each number of them."""
    empty = (inf, inf, -inf, -inf)
    return list(accumulate((area.box for area in areas), _around, initial=empty))


def _is_alike(color: Color, other: Color | None) -> bool:
    """Whether two colors may look alike; of another one that is not known, that light colors do."""
    if other is None:
        return min(color) >= LIGHT
    return all(abs(one - two) <= ALIKE for one, two in zip(color, other, strict=True))


def _is_inside(point: tuple[float, float], box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _around(one: Box, other: Box) -> Box:
    return (
        min(one[0], other[0]),
        min(one[1], other[1]),
        max(one[2], other[2]),
        max(one[3], other[3]),
    )


def _size(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _without_trace(page: object, size: tuple[float, float], texts: Sequence[Text]) -> set[int]:
    """The pieces of text without which a page looks the same where they stand."""
    scale = min(PIXELS, MAX_PIXELS / max(size))
    shown = _Picture(page, size, scale)
    for text in texts:
        native.set_active(text.handle, 0)
    hidden = _Picture(page, size, scale)
    for text in texts:
        native.set_active(text.handle, 1)
    return {text.handle for text in texts if not shown.differs(hidden, text.box)}


class _Picture:
    """A rendered page."""

    def __init__(self, page: object, size: tuple[float, float], scale: float) -> None:
        self._scale = scale
        self._width = max(1, round(size[0] * scale))
        self._height = max(1, round(size[1] * scale))
        self._stride = 4 * self._width
        self._pixels = bytearray(b"\xff" * (self._stride * self._height))
        memory = (c_ubyte * len(self._pixels)).from_buffer(self._pixels)
        bitmap = pdfium.FPDFBitmap_CreateEx(
            self._width, self._height, pdfium.FPDFBitmap_BGRx, memory, self._stride
        )
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, self._width, self._height, 0, 0)
        pdfium.FPDFBitmap_Destroy(bitmap)

    def differs(self, other: "_Picture", box: Box) -> bool:
        """Whether what is seen in a box differs from another picture."""
        left, bottom, right, top = (side * self._scale for side in box)
        first, last = max(0, int(left)), min(self._width, int(right) + 1)
        rows = range(
            max(0, int(self._height - top)), min(self._height, int(self._height - bottom) + 1)
        )
        seen = 0
        for row in rows:
            start, end = row * self._stride + 4 * first, row * self._stride + 4 * last
            mine, theirs = self._pixels[start:end], other._pixels[start:end]
            if mine != theirs:
                contrasts = (abs(one - two) for one, two in zip(mine, theirs, strict=True))
                seen += sum(contrast >= MIN_CONTRAST for contrast in contrasts)
        return seen > 3 * MIN_SEEN * len(rows) * max(0, last - first)
