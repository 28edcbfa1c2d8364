"""A PDF page → its text as it is drawn, and the lines and areas drawn on it, by PDFium."""

from collections import Counter
from collections.abc import Callable
from ctypes import addressof, c_int, c_uint, c_ulong, c_ushort, c_void_p, cast, create_string_buffer

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument

from ..notes import UNDECODABLE
from . import native
from .annotations import Annotations
from .fonts import UNKNOWN, Faces
from .geometry import EVERYWHERE, Box, Matrix, around, corners, intersection, is_within, times, upright
from .runs import PageText, Pieces, Run
from .slant import straightened
from .words import Words

HIDDEN, CLIPPED, TURNED, OUTSIDE = "hidden layer", "clipped text", "turned text", "outside the page"
"""Reasons why text of a page is left out."""

MAX_CHARACTERS, MAX_OBJECTS = 200_000, 200_000
"""Of a page, beyond which the rest of it is not read."""

FILE_OBJECTS, PAGE_OBJECTS = 1_000_000, 10_000
"""Characters and drawn objects of a file, and what each of its pages adds, beyond which no page is read."""

REOPENED = 250
"""Pages after which the file is opened anew: PDFium keeps a quarter of a megabyte of each page that it has loaded."""

MAX_SHAPES = 2000
"""Lines and areas of a page that are remembered."""

MAX_SEGMENTS = 500
"""Pieces of a path beyond which only what surrounds it is of interest."""

MIN_SHAPE = 2.0
"""Points of the width of what may be a line or an area."""

MAX_CLIP, MAX_CLIPS = 12, 4
"""Pieces of a path that text is clipped by; what is more complicated is thought to clip none. Such paths, the last."""

USUAL_SIDE, MIN_SIDE, MAX_SIDE = 800.0, 200.0, 4000.0
"""Longer side of a page in points: the default, and the limits outside of which a page is scaled to it."""

_FORM_DEPTH = 6
_WORD_LENGTH = 6
"""Glyphs of which a word is thought to be made where no character is known."""

_LAYER_NAME = 1024
"""Bytes of a layer's name."""

_HYPHENS = {0x02: "-", 0xFFFE: "-"}
"""What PDFium has for a hyphen at the end of a line."""


class PageReader:
    """Reads the pages of one file.

    Args:
        opened: Opens the file.
        pages: Number of its pages.
        hidden_layers: Gives the names of its layers that are not shown.

    Attributes:
        incomplete: Whether a part of the last page was too large to be read.
    """

    def __init__(self, opened: Callable[[], PdfDocument], pages: int, hidden_layers: Callable[[], set[str]]) -> None:
        self._opened, self._hidden_layers = opened, hidden_layers
        self._pdf = opened()
        self._annotations = Annotations()
        self._faces = Faces()
        self._budget = FILE_OBJECTS + PAGE_OBJECTS * pages
        self.incomplete = False

    def page(self, number: int) -> PageText:
        """The text of a page, from 0, in the order in which it is drawn.

        It is turned so that most of the text is upright; text that is turned against that (axis labels, stamps along
        a margin), outside the page or what is seen of a figure, in hidden layers or in fonts without known characters
        is left out.

        Raises:
            ValueError: The page is broken.
        """
        self.incomplete = self._budget <= 0
        if self.incomplete:
            return PageText([])
        if number and number % REOPENED == 0:
            self.close()
            self._pdf = self._opened()
        page = self._loaded(number)
        if self._annotations.draw(page, self._pdf.formenv):
            pdfium.FPDF_ClosePage(page)
            page = self._loaded(number)
        text_page = pdfium.FPDFText_LoadPage(page)
        try:
            return self._read(page, text_page)
        finally:
            pdfium.FPDFText_ClosePage(text_page)
            pdfium.FPDF_ClosePage(page)

    def close(self) -> None:
        """Close the file."""
        self._pdf.close()

    def _loaded(self, number: int) -> pdfium.FPDF_PAGE:
        page = pdfium.FPDF_LoadPage(self._pdf, number)
        if not page:
            raise ValueError("a broken page")
        return page

    def _read(self, page: pdfium.FPDF_PAGE, text_page: pdfium.FPDF_TEXTPAGE) -> PageText:
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, box)
        turn = 90 * max(0, pdfium.FPDFPage_GetRotation(page))
        across, up = box.right - box.left, box.top - box.bottom
        scale = 1.0 if MIN_SIDE <= max(across, up) <= MAX_SIDE else USUAL_SIDE / max(across, up, 1.0)
        size = (up * scale, across * scale) if turn % 180 == 90 else (across * scale, up * scale)
        start = upright((box.left, box.bottom, box.right, box.top), turn, scale)

        objects = _Objects(self._hidden_layers)
        objects.look_at_page(_address(page), start)
        count = max(0, pdfium.FPDFText_CountChars(text_page))
        self._budget -= count + objects.count
        self.incomplete = count > MAX_CHARACTERS
        text = _characters(text_page, min(count, MAX_CHARACTERS))
        self._faces.start_page()
        words = Words(_address(text_page), start, scale, size, self._faces, objects.pieces)
        return _sorted_out(words.runs(text), words, size, objects.shapes)


class _Objects:
    """What is drawn on a page.

    Args:
        hidden_layers: Gives the names of the layers that are not shown.

    Attributes:
        pieces: The place of each piece of text in the order of drawing, and why it is not seen.
        shapes: What surrounds each line or area, except white areas.
        count: Number of objects.
    """

    def __init__(self, hidden_layers: Callable[[], set[str]]) -> None:
        self._hidden_layers = hidden_layers
        self._numbers, start = native.floats(6)
        self._addresses = [start + self._numbers.itemsize * place for place in range(4)]
        self.pieces: dict[int, tuple[int, str]] = {}
        self.shapes: list[Box] = []
        self.count = 0

    def look_at_page(self, page: int, start: Matrix) -> None:
        """Look at all objects of a page, which is turned upright by a matrix."""
        self._look_at(native.count_objects(page), native.page_object, page, start, 0)

    def _look_at(self, count: int, item: Callable[..., int], owner: int, matrix: Matrix, depth: int) -> None:
        """Look at the objects of a page or form."""
        self.count += count
        for number in range(min(count, MAX_OBJECTS)):
            drawn = item(owner, number)
            kind = native.object_type(drawn)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self.pieces[drawn] = len(self.pieces), self._reason(drawn)
            elif kind == pdfium.FPDF_PAGEOBJ_PATH and len(self.shapes) < MAX_SHAPES:
                self._look_at_path(drawn, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _FORM_DEPTH and self.count < MAX_OBJECTS:
                inner = times(self._matrix(drawn), matrix)
                self._look_at(native.count_form_objects(drawn), native.form_object, drawn, inner, depth + 1)

    def _matrix(self, drawn: int) -> Matrix:
        native.object_matrix(drawn, self._addresses[0])
        a, b, c, d, e, f = self._numbers
        return a, b, c, d, e, f

    def _bounds(self, drawn: int) -> Box:
        native.object_bounds(drawn, *self._addresses)
        left, bottom, right, top = self._numbers[:4]
        return left, bottom, right, top

    def _end_of(self, segment: int | None) -> tuple[float, float]:
        """The point at which a piece of a path ends."""
        native.segment_point(segment, *self._addresses[:2])
        return self._numbers[0], self._numbers[1]

    def _reason(self, drawn: int) -> str:
        """Why a piece of text is not seen; empty if it is."""
        if native.count_marks(drawn) and self._is_hidden(drawn):
            return HIDDEN
        clips = native.clip_path(drawn)
        count = native.count_clips(clips) if clips else 0
        if count <= 0:
            return ""
        clip = EVERYWHERE
        for number in range(max(0, count - MAX_CLIPS), count):
            pieces = native.count_clip_segments(clips, number)
            if 0 < pieces <= MAX_CLIP:
                segments = (native.clip_segment(clips, number, piece) for piece in range(pieces))
                clip = intersection(clip, around([self._end_of(segment) for segment in segments]))
        left, bottom, right, top = self._bounds(drawn)
        return "" if is_within((left + right) / 2, (bottom + top) / 2, clip, top - bottom) else CLIPPED

    def _is_hidden(self, drawn: int) -> bool:
        """Whether an object belongs to a layer that is not shown."""
        name, size = create_string_buffer(_LAYER_NAME), c_ulong()
        for number in range(native.count_marks(drawn)):
            mark = native.object_mark(drawn, number)
            native.mark_name(mark, name, _LAYER_NAME, addressof(size))
            if name.raw[: size.value] != "OC\0".encode("utf-16-le"):
                continue
            if native.mark_string(mark, b"Name", name, _LAYER_NAME, addressof(size)):
                layer = name.raw[: size.value].decode("utf-16-le", "replace").rstrip("\0")
                if layer in self._hidden_layers():
                    return True
        return False

    def _look_at_path(self, drawn: int, matrix: Matrix) -> None:
        """Remember the lines and areas that a path consists of, unless they are white."""
        box = around(corners(self._bounds(drawn), matrix))
        if box[2] - box[0] < MIN_SHAPE or not _is_visible(drawn):
            return
        count = native.count_segments(drawn)
        if count > MAX_SEGMENTS:
            self.shapes.append(box)
            return
        parts: list[list[tuple[float, float]]] = []
        for number in range(count):
            segment = native.path_segment(drawn, number)
            if not parts or native.segment_type(segment) == pdfium.FPDF_SEGMENT_MOVETO:
                parts.append([])
            parts[-1].append(self._end_of(segment))
        own = times(self._matrix(drawn), matrix)
        placed = ([times((1, 0, 0, 1, x, y), own)[4:] for x, y in part] for part in parts if len(part) > 1)
        self.shapes += map(around, placed)


def _is_visible(path: int) -> bool:
    """Whether a path is drawn, and not only filled in white."""
    is_filled, is_stroked, color = c_int(), c_int(), (c_uint * 4)()
    native.drawing_mode(path, addressof(is_filled), addressof(is_stroked))
    if is_stroked.value or not is_filled.value:
        return bool(is_stroked.value)
    start = addressof(color)
    native.fill_color(path, start, start + 4, start + 8, start + 12)
    return color[:3] != [255, 255, 255]


def _address(handle: object) -> int:
    return cast(handle, c_void_p).value or 0  # type: ignore[arg-type]


def _characters(text_page: pdfium.FPDF_TEXTPAGE, count: int) -> str:
    """The characters of a page, one for each that PDFium counts."""
    buffer = (c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(0, written - 1)].decode("utf-16-le", "surrogatepass")
    if len(text) != count:  # it leaves out those without a meaning
        page, character = _address(text_page), native.character
        codes = [character(page, place) for place in range(count)]
        text = "".join([chr(code) if code < 0x110000 else "\0" for code in codes])
    return text.translate(_HYPHENS)


def _sorted_out(runs: list[Run], words: Words, size: tuple[float, float], shapes: list[Box]) -> PageText:
    """The runs that are read, on the page as it must be turned for them."""
    pieces = Pieces()
    for reason, run in words.unread:
        pieces.add(reason, run)
    wrong = {id(run) for run, face in words.guesses if not face.is_plausible}
    letters: Counter[int] = Counter()
    for run in runs:
        if run.turn >= 0:
            letters[run.turn] += len(run.text.strip())
    turn = max(letters, key=lambda turn: (letters[turn], -turn), default=0)
    width, height = size[::-1] if turn % 180 == 90 else size
    if letters.total() < sum(len(run.text.strip()) for run, _ in words.slanted):
        turn, (width, height) = 0, straightened(words.slanted)
    kept: list[Run] = []
    undecoded = 0
    for run in runs:
        unknown = len(run.text) if id(run) in wrong else sum([letter >= UNKNOWN for letter in run.text])
        if 2 * unknown > len(run.text):
            undecoded += len(run.text)
        elif run.turn != turn:
            pieces.add(TURNED, run)
        elif not (-2 <= run.x0 <= width + 2 and -2 <= run.y <= height + 2):
            pieces.add(OUTSIDE, run)
        else:
            kept.append(run)
    left_out = pieces.end()
    if undecoded:
        boxes = " ".join(["▯" * _WORD_LENGTH] * max(1, round(undecoded / _WORD_LENGTH)))
        left_out.append((UNDECODABLE, boxes))
    is_scan = words.invisible > 0.5 * sum(len(run.text) for run in runs)
    return PageText(kept, width, height, left_out, shapes if not turn else [], is_scan)
