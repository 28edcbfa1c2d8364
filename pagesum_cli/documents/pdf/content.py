"""A PDF page → its text as it is drawn, and the lines and areas drawn on it, by PDFium."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import addressof, c_ulong, c_ushort, create_string_buffer
from math import hypot
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfPage

from ..model import HIDDEN
from ..notes import UNDECODABLE
from . import native
from .actual_text import Spans
from .extras import Annotations, Catalog
from .fonts import UNKNOWN, Faces
from .runs import Box, Matrix, PageText, Pieces, Run, times
from .visibility import MIN_AREA, OPAQUE, WHITE, Inks, Painting, text_of
from .words import Words

# reasons why text of a page is left out; figures are clipped
TURNED, OUTSIDE, CLIPPED = "turned text", "outside the page", "clipped text"
MAX_CHARACTERS, MAX_OBJECTS = 200_000, 200_000  # of a page, beyond which the rest of it is not read

REOPENED = 250
"""Pages after which the file is reopened: PDFium keeps a quarter of a megabyte of each page that it
has loaded.
"""

MIN_LETTER, MAX_LETTER = 2.0, 30.0  # height in points of an area that may be a letter
MIN_LETTERS = 50  # such areas of a page
MAX_SHAPES = 2000  # lines and areas of a page that are remembered
MAX_SEGMENTS = 500  # pieces of a path beyond which only what surrounds it is of interest

MAX_CLIP, MAX_CLIPS = 12, 4
"""Pieces of a path that text is clipped by; what is more complicated is thought to clip none. Such
paths, the last.
"""

MIN_SHAPE = 2.0  # points of the width of what may be a line or an area

PRESSED = 0.1  # width of letters, as a share of their height or the other way, of a mere line

USUAL_SIDE, MIN_SIDE, MAX_SIDE = 800.0, 200.0, 4000.0
"""Longer side of a page in points: the default, and the limits outside of which a page is scaled to
it.
"""

_FORM_DEPTH = 40  # PDFium's own limit
_CLIPPING = frozenset(
    [
        pdfium.FPDF_TEXTRENDERMODE_FILL_CLIP,
        pdfium.FPDF_TEXTRENDERMODE_STROKE_CLIP,
        pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE_CLIP,
        pdfium.FPDF_TEXTRENDERMODE_CLIP,
    ]
)
_LAYER = "OC\0".encode("utf-16-le")  # the name of a mark
_MARK_NAME = 64  # bytes of such names that are looked at
_WORD_LENGTH = 6  # glyphs of which a word is thought to be made where no character is known
HYPHENS = {0x02: "-", 0xFFFE: "-"}  # what PDFium has for a hyphen at the end of a line


class PageReader:
    """Reads the pages of one file.

    Args:
        opened: Opens the file.
        catalog: Names its hidden layers.
        on_recognized: Called after each page whose text was recognized, which takes seconds.

    Attributes:
        incomplete: Whether a part of the last page was too large to be read.
        recognized: Pages, from 1, whose text was recognized, because they are scanned.
        uncertain: Words on these that may be wrong, each with its page.
    """

    def __init__(
        self,
        opened: Callable[[], PdfDocument],
        catalog: Catalog,
        on_recognized: Callable[[], None] = lambda: None,
    ) -> None:
        self._opened, self.catalog, self._on_recognized = opened, catalog, on_recognized
        self.recognized: list[int] = []
        self.uncertain: list[tuple[int, str]] = []
        self._annotations = Annotations()
        self._pdf = opened()
        self._faces = Faces(lambda: catalog.glyphs)
        self.incomplete = False

    def page(self, number: int) -> PageText:
        """The text of a page, from 0, in the order in which it is drawn; raises ValueError for a
        broken page.

        It is turned so that most of the text is upright; text that is turned against that (axis
        labels, stamps along a margin), outside the page or in fonts without known characters is
        left out.
        """
        if number and number % REOPENED == 0:
            self.close()
            self._pdf = self._opened()
        page = self._loaded(number)
        if self._annotations.draw(page, self._pdf.formenv):
            pdfium.FPDF_ClosePage(page)
            page = self._loaded(number)
        try:
            return self._read(page, number + 1)
        finally:
            pdfium.FPDF_ClosePage(page)

    def close(self) -> None:
        """Close the file."""
        self._pdf.close()

    def _loaded(self, number: int) -> pdfium.FPDF_PAGE:
        page = pdfium.FPDF_LoadPage(self._pdf, number)
        if not page:
            raise ValueError("a broken page")
        return page

    def _read(self, page: pdfium.FPDF_PAGE, number: int) -> PageText:
        start, scale, size = _frame(page)
        objects = _Objects(page, start, size, self.catalog)
        text_page = objects.spans.load(self._pdf, page)
        try:
            count = max(0, pdfium.FPDFText_CountChars(text_page))
            self.incomplete = count > MAX_CHARACTERS
            text = _characters(text_page, min(count, MAX_CHARACTERS))
            self._faces.of_page.clear()
            address, pieces, hidden = native.address(text_page), objects.pieces, objects.unseen
            words = Words(address, start, scale, size, self._faces, pieces, hidden)
            found = _sorted_out(words.runs(text), words, size, objects.shapes)
        finally:
            pdfium.FPDFText_ClosePage(text_page)
        if not found.runs and objects.is_picture:
            found = self._recognized(page, number, size) or found
        found.rotation, found.scale = 90 * max(0, pdfium.FPDFPage_GetRotation(page)), scale
        return found

    def _recognized(
        self, page: pdfium.FPDF_PAGE, number: int, size: tuple[float, float]
    ) -> PageText | None:
        """The text of a scanned page; None without the program that recognizes it."""
        from . import recognition  # few files need it

        if not recognition.languages():
            return None
        found = recognition.recognize(page, size)
        self._on_recognized()
        if found is None:
            return None
        self.recognized.append(number)
        self.uncertain += [(number, word) for word in found.uncertain]
        return found.text


def _are_letters(shapes: Sequence[Box]) -> bool:
    """Whether areas of a page without text may be letters: many of their size."""
    sizes = ((x1 - x0, y1 - y0) for x0, y0, x1, y1 in shapes)
    small = sum(
        width <= MAX_LETTER and MIN_LETTER <= height <= MAX_LETTER for width, height in sizes
    )
    return small >= MIN_LETTERS


@contextmanager
def seen_text(
    page: PdfPage, catalog: Catalog
) -> Iterator[tuple[pdfium.FPDF_TEXTPAGE, Callable[[int], bool]]]:
    """The text page of a page as it is drawn, and whether a character of it, by its place, is one
    that nobody sees.
    """
    start, _, size = _frame(page.raw)
    objects = _Objects(page.raw, start, size, catalog)
    text_page = objects.spans.load(page.pdf, page.raw)
    try:
        address = native.prepared(native.address(text_page))
        yield text_page, lambda place: native.text_object(address, place) in objects.unseen
    finally:
        pdfium.FPDFText_ClosePage(text_page)


def _frame(page: pdfium.FPDF_PAGE) -> tuple[Matrix, float, tuple[float, float]]:
    """The matrix that turns a page upright, by what it scales it, its width and height then."""
    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    turn = 90 * max(0, pdfium.FPDFPage_GetRotation(page))
    across, up = box.right - box.left, box.top - box.bottom
    scale = 1.0 if MIN_SIDE <= max(across, up) <= MAX_SIDE else USUAL_SIDE / max(across, up, 1.0)
    size = (up * scale, across * scale) if turn % 180 == 90 else (across * scale, up * scale)
    return _upright((box.left, box.bottom, box.right, box.top), turn, scale), scale, size


def _upright(box: Box, turn: int, scale: float) -> Matrix:
    """The matrix that turns a page upright, its lower left corner at the origin."""
    left, bottom, right, top = box
    turns: dict[int, Matrix] = {
        0: (1.0, 0.0, 0.0, 1.0, -left, -bottom),
        90: (0.0, -1.0, 1.0, 0.0, -bottom, right),
        180: (-1.0, 0.0, 0.0, -1.0, right, top),
        270: (0.0, 1.0, -1.0, 0.0, top, -left),
    }
    return times(turns[turn], (scale, 0.0, 0.0, scale, 0.0, 0.0))


class _Objects:
    """What is drawn on a page, which is turned upright by a matrix.

    Attributes:
        pieces: The number of each piece of text in the order of drawing.
        unseen: The pieces of text that nobody sees, see ``visibility.py``, or outside the path that
            they are clipped by, with the reason.
        shapes: What surrounds each line or area, except white areas.
        spans: The spans of text for which the file gives other words.
        is_picture: Whether pictures fill the page, or letters may be drawn as areas on it.
    """

    def __init__(
        self,
        page: pdfium.FPDF_PAGE,
        start: Matrix,
        size: tuple[float, float],
        catalog: Catalog,
    ) -> None:
        self._catalog = catalog
        self._numbers, self._addresses = native.memory("f", 6)
        self._count = 0
        self._is_clipped_by_text = False  # whether what comes next may be
        self._inks, self._painting = Inks(), Painting()
        self.pieces: dict[int, int] = {}
        self.unseen: dict[int, str] = {}
        self.shapes: list[Box] = []
        self.spans = Spans()
        address = native.address(page)
        count = native.count_objects(address)
        self._look_at(count, native.page_object, native.prepared(address), start)
        hidden = self._painting.unseen(page, size, self._box_of)
        self.unseen |= dict.fromkeys(hidden, HIDDEN)
        self.is_picture = self._painting.is_picture(size) or _are_letters(self.shapes)

    def _look_at(
        self,
        count: int,
        item: Callable[..., int],
        owner: int,
        matrix: Matrix,
        depth: int = 0,
        is_doubtful: bool = False,
    ) -> None:
        """Look at the objects of a page or form; whether its text may be unseen."""
        self._count += count
        for number in range(min(count, MAX_OBJECTS)):
            drawn = item(owner, number)
            kind = native.object_type(drawn)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.pieces[drawn] = len(self.pieces)
                self._look_at_text(drawn, matrix, is_doubtful or self._is_layered(depth))
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._look_at_path(drawn, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM:
                if depth < _FORM_DEPTH and self._count < MAX_OBJECTS:
                    self._look_at_form(drawn, matrix, depth + 1, is_doubtful)
            else:
                is_picture = kind == pdfium.FPDF_PAGEOBJ_IMAGE
                self._painting.add_area(self._box_of(drawn, matrix), is_picture=is_picture)

    def _look_at_text(self, drawn: int, matrix: Matrix, is_doubtful: bool) -> None:
        """Look at a piece of text."""
        self.spans.add(drawn)
        if self._is_clipped(drawn):
            self.unseen[drawn] = CLIPPED
        elif self._is_pressed(drawn, matrix):
            self.unseen[drawn] = HIDDEN
        else:
            is_doubtful = is_doubtful or self._is_clipped_by_text
            may_be_hidden = is_doubtful or self._may_be_hidden(drawn)
            text = text_of(drawn, self._inks, is_doubtful=may_be_hidden)
            self._painting.add_text(text, matrix)
        if native.render_mode(drawn) in _CLIPPING:  # PDFium does not say what it clips
            self._is_clipped_by_text = True

    def _is_pressed(self, drawn: int, matrix: Matrix) -> bool:
        """Whether letters are pressed to lines that nobody can read."""
        a, b, c, d, _, _ = times(self._matrix(drawn), matrix)
        sides = hypot(a, b), hypot(c, d)
        return min(sides) < PRESSED * max(sides)

    def _is_layered(self, depth: int) -> bool:
        """Whether what a form has may be hidden with it: PDFium does not say in which layer a form
        is.
        """
        return depth > 0 and self._catalog.hides_layers

    def _look_at_form(self, drawn: int, matrix: Matrix, depth: int, is_doubtful: bool) -> None:
        """Look at the objects of a form: it may be transparent as a whole, or in a layer."""
        inner = times(self._matrix(drawn), matrix)
        is_transparent = native.has_transparency(drawn) == 1
        doubtful = is_doubtful or is_transparent or self._may_be_hidden(drawn)
        count = native.count_form_objects(drawn)
        self._look_at(count, native.form_object, drawn, inner, depth, doubtful)

    def _matrix(self, drawn: int) -> Matrix:
        native.object_matrix(drawn, self._addresses[0])
        a, b, c, d, e, f = self._numbers
        return a, b, c, d, e, f

    def _bounds(self, drawn: int) -> Box:
        native.object_bounds(native.prepared(drawn), *self._addresses[:4])
        return self._numbers[0], self._numbers[1], self._numbers[2], self._numbers[3]

    def _box_of(self, drawn: int, matrix: Matrix) -> Box:
        """What surrounds an object on the upright page."""
        left, bottom, right, top = self._bounds(drawn)
        return _around([(left, bottom), (right, top)], matrix)

    def _end_of(self, segment: Any) -> tuple[float, float]:
        """The point at which a piece of a path ends."""
        native.segment_point(segment, self._addresses[0], self._addresses[1])
        return self._numbers[0], self._numbers[1]

    def _is_clipped(self, drawn: int) -> bool:
        """Whether the middle of a piece of text is outside one of the paths that it is clipped
        by.
        """
        clips = native.clip_path(drawn)
        count = native.count_clips(clips) if clips else 0
        for number in range(max(0, count - MAX_CLIPS), count):
            pieces = native.count_clip_segments(clips, number)
            if not 0 < pieces <= MAX_CLIP:
                continue
            ends = (
                native.prepared(native.clip_segment(clips, number, piece))
                for piece in range(pieces)
            )
            xs, ys = zip(*map(self._end_of, ends), strict=True)
            left, bottom, right, top = self._bounds(drawn)
            x, y, slack = (left + right) / 2, (bottom + top) / 2, top - bottom
            if not (
                min(xs) - slack <= x <= max(xs) + slack and min(ys) - slack <= y <= max(ys) + slack
            ):
                return True
        return False

    def _may_be_hidden(self, drawn: int) -> bool:
        """Whether an object belongs to a layer that may be hidden."""
        for number in range(native.count_marks(drawn)):
            mark = native.object_mark(drawn, number)
            name, size = create_string_buffer(_MARK_NAME), c_ulong()
            native.mark_name(mark, name, _MARK_NAME, addressof(size))
            if name.raw[: size.value] != _LAYER:
                continue
            # without a name, these are several layers, or an expression
            is_layer = native.mark_type(mark, b"Name") == pdfium.FPDF_OBJECT_STRING
            if not is_layer or self._catalog.hides_layers:
                return True
        return False

    def _look_at_path(self, drawn: int, matrix: Matrix) -> None:
        """Remember the lines and areas that a path consists of, unless they are white."""
        box = self._box_of(drawn, matrix)
        if box[2] - box[0] < MIN_SHAPE:
            return
        path = native.prepared(drawn)
        is_filled, is_stroked = self._inks.path(path)
        ink = self._inks.fill(drawn) if is_filled else None
        if is_filled and not self._is_clipped(drawn):
            is_opaque = ink is not None and ink[1] >= OPAQUE and not is_stroked
            self._painting.add_area(box, ink[0] if ink is not None and is_opaque else None)
        if is_stroked:
            self._look_at_outline(drawn, box, matrix)
        is_white = ink is not None and ink[0] == WHITE
        is_visible = is_stroked or (is_filled and not is_white)
        if not is_visible or len(self.shapes) >= MAX_SHAPES:
            return
        count = native.count_segments(drawn)
        if count > MAX_SEGMENTS:
            self.shapes.append(box)
            return
        parts: list[list[tuple[float, float]]] = []
        for number in range(count):
            segment = native.prepared(native.path_segment(path, number))
            if not parts or native.segment_type(segment) == pdfium.FPDF_SEGMENT_MOVETO:
                parts.append([])
            parts[-1].append(self._end_of(segment))
        own = times(self._matrix(drawn), matrix)
        self.shapes += [_around(part, own) for part in parts if len(part) > 1]

    def _look_at_outline(self, drawn: int, box: Box, matrix: Matrix) -> None:
        """Add an outline that is thick enough to cover text."""
        native.stroke_width(drawn, self._addresses[0])
        width = self._numbers[0]
        a, b, c, d, _, _ = times(self._matrix(drawn), matrix)
        if width * max(hypot(a, b), hypot(c, d)) < MIN_AREA or self._is_clipped(drawn):
            return
        ink = self._inks.stroke(drawn)
        is_opaque = ink is not None and ink[1] >= OPAQUE
        self._painting.add_area(box, ink[0] if ink is not None and is_opaque else None)


def _around(points: list[tuple[float, float]], matrix: Matrix) -> Box:
    """The smallest box around transformed points."""
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x, y in points]
    ys = [b * x + d * y + f for x, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _characters(text_page: pdfium.FPDF_TEXTPAGE, count: int) -> str:
    """The characters of a page, one for each that PDFium counts."""
    buffer = (c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(0, written - 1)].decode("utf-16-le", "surrogatepass")
    if len(text) != count:  # it leaves out those without a meaning
        page, character = native.prepared(native.address(text_page)), native.character
        codes = [character(page, place) for place in range(count)]
        text = "".join([chr(code) if code < 0x110000 else "\0" for code in codes])
    for sign, hyphen in HYPHENS.items():
        text = text.replace(chr(sign), hyphen)
    return text


def _sorted_out(
    runs: list[Run], words: Words, size: tuple[float, float], shapes: list[Box]
) -> PageText:
    """The runs that are read, on the page as it must be turned for them."""
    wrong_fonts = {font for font in {font for _, font in words.guesses} if not font.is_plausible}
    wrong = {id(run) for run, font in words.guesses if font in wrong_fonts}
    letters: Counter[int] = Counter()
    for run in runs:
        letters[run.turn] += len(run.text) * (run.turn >= 0)
    turn = max(letters, key=lambda turn: (letters[turn], -turn), default=0)
    width, height = size[::-1] if turn % 180 == 90 else size
    pieces = Pieces()
    kept: list[Run] = []
    undecoded = 0
    for run in runs:
        unknown = 0 if run.text.isascii() else sum([letter >= UNKNOWN for letter in run.text])
        if id(run) in wrong or 2 * unknown > len(run.text):
            undecoded += len(run.text)
        elif run.turn != turn:
            pieces.add(TURNED, run)
        elif not (-2 <= run.x0 <= width + 2 and -2 <= run.y <= height + 2):
            pieces.add(OUTSIDE, run)
        else:
            kept.append(run)
    left_out = pieces.end()
    left_out += [(reason, " ".join(texts)) for reason, texts in words.hidden.items()]
    if undecoded:
        boxes = " ".join(["▯" * _WORD_LENGTH] * max(1, round(undecoded / _WORD_LENGTH)))
        left_out.append((UNDECODABLE, boxes))
    return PageText(kept, width, height, left_out, shapes if not turn else [])
