"""A PDF page → runs of text with their place, size and font, by PDFium.

PDFium executes the operators of a page and knows its fonts. Its text has a space wherever a gap is wide enough; where a
word begins and ends is asked for each word, how it is drawn for each piece that the file draws at once.
"""

import re
from collections import Counter
from collections.abc import Callable
from ctypes import c_double, c_float, c_int, c_uint, c_ulong, c_ushort, c_void_p, cast, create_string_buffer
from math import atan2, degrees, hypot
from typing import NamedTuple

import pypdfium2.raw as pdfium

from ..notes import UNDECODABLE
from . import native
from .annotations import Annotations
from .fonts import UNKNOWN, Face, load_face
from .geometry import EVERYWHERE, Box, Matrix, around, corners, intersection, is_within, times, upright
from .native import Numbers
from .runs import PageText, Pieces, Run
from .slant import straightened

HIDDEN, CLIPPED, TURNED, OUTSIDE = "hidden layer", "clipped text", "turned text", "outside the page"
"""Reasons why text of a page is left out."""

MAX_CHARACTERS, MAX_OBJECTS = 200_000, 200_000
"""Of a page, beyond which the rest of it is not read."""

FILE_OBJECTS, PAGE_OBJECTS = 1_000_000, 10_000
"""Characters and drawn objects of a file, and what each of its pages adds, beyond which no page is read."""

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

TINY, HIGH = 3.0, 4.0
"""Points below which a font may be a bitmap font with units of its own, and times its size that these are high."""

WORD_GAP, LOOSE_GAP, SPACED_GAP = 0.15, 0.75, 1.0
"""Gaps, as shares of the size, between which two words of one piece are surely next to each other; and up to which they
are if a space is drawn between them."""

INNER_GAP, SLACK = 0.08, 0.03
"""A gap, as a share of the size, at which what PDFium takes for a word may be two; and by how much longer such a word
is at least than its characters, some of which may overlap."""

INVISIBLE = 3
"""The rendering mode of text that is neither filled nor stroked (ISO 32000-1, 9.3.6)."""

_FORM_DEPTH = 6
_TOUCHING = 0.01
"""Gap, as a share of the size, up to which runs of one font are one."""

_LONGEST_RUN = 1000
"""Characters from which nothing is added to a run."""

_WORD_LENGTH = 6
"""Glyphs of which a word is thought to be made where no character is known."""

_WORD = re.compile(r"[^ \r\n\t]+")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")
_LIGATURE = re.compile("f[fijlt]|t[ti]|[Tt]h|[cs]t|[\ud800-\udbff][\udc00-\udfff]")
"""Ends of what may be a single glyph of several characters."""

_LETTERS = re.compile("[A-Za-z]{2}")
_SURROGATES = re.compile("[\ud800-\udfff]")
_HYPHENS = {0x02: "-", 0xFFFE: "-"}
"""What PDFium has for a hyphen at the end of a line."""


class _Style(NamedTuple):
    """How a piece of text is drawn that the file draws at once.

    Attributes:
        face, size: Its font.
        along: What a width of 1 is on the page.
        turn: Degrees counter-clockwise; -1 for slanted text, which is drawn at an angle.
        side: The side of a character's box at which the next one is: left, top, right, bottom.
        reason: Why it is not seen.
    """

    face: Face
    size: float
    along: float
    turn: int
    side: int
    angle: float
    is_invisible: bool
    reason: str


class PageReader:
    """Reads the pages of one file.

    Args:
        pdf: The file's handle.
        pages: Number of its pages.
        annotations: Its annotations.
        hidden_layers: Gives the names of its layers that are not shown.

    Attributes:
        incomplete: Whether a part of the last page was too large to be read.
    """

    def __init__(
        self,
        pdf: pdfium.FPDF_DOCUMENT,
        pages: int,
        annotations: Annotations,
        hidden_layers: Callable[[], set[str]],
    ) -> None:
        self._pdf, self._annotations = pdf, annotations
        self._budget = FILE_OBJECTS + PAGE_OBJECTS * pages
        self._hidden_layers = hidden_layers
        self._fonts: dict[str, int] = {}  # the numbers of those with unknown characters
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
        page = self._loaded(number)
        if self._annotations.draw(page):
            pdfium.FPDF_ClosePage(page)
            page = self._loaded(number)
        try:
            text_page = pdfium.FPDFText_LoadPage(page)
            try:
                count = max(0, pdfium.FPDFText_CountChars(text_page))
                reading = _Reading(page, text_page, self._fonts, self._hidden_layers)
                result = reading.page_text(count, _characters(text_page, min(count, MAX_CHARACTERS)))
            finally:
                pdfium.FPDFText_ClosePage(text_page)
        finally:
            pdfium.FPDF_ClosePage(page)
        self.incomplete = reading.incomplete
        self._budget -= reading.cost
        return result

    def _loaded(self, number: int) -> pdfium.FPDF_PAGE:
        page = pdfium.FPDF_LoadPage(self._pdf, number)
        if not page:
            raise ValueError("a broken page")
        return page


class _Reading:
    """The reading of one page."""

    def __init__(
        self,
        page: pdfium.FPDF_PAGE,
        text_page: pdfium.FPDF_TEXTPAGE,
        fonts: dict[str, int],
        hidden_layers: Callable[[], set[str]],
    ) -> None:
        self._page, self._text = cast(page, c_void_p).value, cast(text_page, c_void_p).value
        self._fonts, self._hidden_layers = fonts, hidden_layers
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page, box)
        turn = 90 * max(0, pdfium.FPDFPage_GetRotation(page))
        across, up = box.right - box.left, box.top - box.bottom
        scale = 1.0 if MIN_SIDE <= max(across, up) <= MAX_SIDE else USUAL_SIDE / max(across, up, 1.0)
        self.width, self.height = (up * scale, across * scale) if turn % 180 == 90 else (across * scale, up * scale)
        self._start = upright((box.left, box.bottom, box.right, box.top), turn, scale)
        self._scale, self._is_plain = scale, not turn and scale == 1.0
        self._box_point = Numbers(c_double, 4)
        self._point, self._box, self._matrix = Numbers(c_double, 2), Numbers(c_float, 4), Numbers(c_float, 6)
        self._bounds, self._color, self._mode = Numbers(c_float, 4), Numbers(c_uint, 4), Numbers(c_int, 2)
        self._faces: dict[int, Face] = {}
        self._styles: dict[int, _Style] = {}
        self._order: dict[int, int] = {}  # of the pieces of text, as they are drawn
        self._reasons: dict[int, str] = {}
        self._slanted: list[tuple[Run, float]] = []
        self._guesses: list[tuple[Run, Face]] = []
        self._unread: dict[str, list[Run]] = {HIDDEN: [], CLIPPED: []}
        self._runs: list[Run] = []
        self._places: list[int] = []  # of their pieces in this order
        self._shapes: list[Box] = []
        self._last: tuple[int, int, Run] | None = None  # the last word: its piece, its end, the run that it is in
        self._invisible = 0
        self.incomplete, self.cost = False, 0

    def page_text(self, count: int, text: str) -> PageText:
        """All text of the page.

        Args:
            count: Number of its characters.
            text: Those that are read.
        """
        self.cost += count
        self.incomplete = count > len(text)
        self._walk(native.count_objects(self._page), native.page_object, self._page, self._start, 0)
        for match in _WORD.finditer(text):
            self._read_word(text, *match.span())
        if self._last is not None:
            self._end_word(text)
        return self._sorted_out()

    def _read_word(self, text: str, start: int, end: int) -> None:
        """Add a word, whose characters may be drawn by several pieces."""
        piece_of, page = native.text_object, self._text
        piece = piece_of(page, start)
        if piece_of(page, end - 1) != piece:
            for place in range(start + 1, end):
                other = piece_of(page, place)
                if other != piece:
                    self._add(text, piece, start, place)
                    piece, start = other, place
        self._add(text, piece, start, end)

    def _add(self, text: str, piece: int | None, start: int, end: int) -> None:
        if piece is None:
            return
        style = self._styles.get(piece) or self._style(piece, start)
        size, face, word = style.size, style.face, text[start:end]
        if size <= 0.5:
            return
        if face.meant.issuperset(word):
            face.mapped += len(word)
        else:
            word = self._decoded(face, word, start, end)
        if _SURROGATES.search(word):
            word = word.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        x0, x1, y = self._place(style, text, start, end)
        if end - start > 1 and x1 - x0 > self._length(style, text, start, end) + SLACK * size:
            gap = self._gap(style, text, start, end)
            if gap:
                self._add(text, piece, start, gap)
                self._add(text, piece, gap, end)
                return
        if self._last is not None and self._joins(text, piece, start, word, x0, x1, y, style):
            return
        run = self._append(Run(word, x0, x1, y, size, face.bold, face.italic, face.name, style.turn), piece, style)
        self._last = piece, end, run
        if style.is_invisible:
            self._invisible += len(word)
        if face.is_guessed:
            self._guesses.append((run, face))
        if style.turn < 0 and not style.reason:
            self._slanted.append((run, style.angle))

    def _joins(
        self, text: str, piece: int, start: int, word: str, x0: float, x1: float, y: float, style: _Style
    ) -> bool:
        """Whether a word goes on with the last run, to which it is added then."""
        assert self._last is not None
        last_piece, last_end, run = self._last
        gap, size = (x0 - run.x1) / style.size, style.size
        if last_piece == piece and text[last_end:start] == " " and len(run.text) < _LONGEST_RUN:
            is_next = gap < SPACED_GAP and not native.is_generated(self._text, last_end)
            is_next = is_next or (WORD_GAP < gap < LOOSE_GAP and len(word) > 1 and run.text[-2:-1] not in ("", " "))
            if is_next and gap > -0.2:
                run.text += f" {word}"
                run.x1 = x1
                self._last = piece, start + len(word), run
                return True
        order = self._order
        if (
            last_end == start
            and order.get(piece, 0) - order.get(last_piece, 0) in (0, 1)
            and abs(gap) < _TOUCHING
            and (run.y, run.size, run.turn, run.font) == (y, size, style.turn, style.face.name)
            and run is (self._runs or [None])[-1]
            and not (style.reason or style.face.is_guessed)
            and len(run.text) < _LONGEST_RUN
        ):
            run.text += word
            run.x1 = x1
            self._last = piece, start + len(word), run
            return True
        if last_end < start:
            self._end_word(text)
        return False

    def _end_word(self, text: str) -> None:
        """Add the space after the last word, if the file draws one."""
        assert self._last is not None
        piece, end, run = self._last
        if text[end : end + 1] != " " or native.is_generated(self._text, end):
            return
        space = native.text_object(self._text, end)
        if space == piece:
            run.text += " "
            run.x1 = max(run.x1, self._place(self._styles[piece], text, end, end + 1)[1])
        elif space is not None and run is (self._runs or [None])[-1]:
            style = self._styles.get(space) or self._style(space, end)
            x0, x1, y = self._place(style, text, end, end + 1)
            face = style.face
            self._append(Run(" ", x0, x1, y, style.size, face.bold, face.italic, face.name, style.turn), space, style)

    def _append(self, run: Run, piece: int, style: _Style) -> Run:
        if style.reason:
            self._unread[style.reason].append(run)
        else:
            self._runs.append(run)
            self._places.append(self._order.get(piece, len(self._order)))
        return run

    def _style(self, piece: int, place: int) -> _Style:
        """How a piece of text is drawn; one of its characters is at this place."""
        handle = native.font_of(piece) or 0
        face = self._faces.get(handle)
        if face is None:
            face = self._faces[handle] = load_face(handle)
        native.char_matrix(self._text, place, self._matrix.addresses[0])
        own_a, own_b, own_c, own_d = self._matrix.values[:4]
        side = (2 if own_a > 0 else 0) if abs(own_a) > abs(own_b) else (1 if own_b > 0 else 3)
        a, b, c, d, _, _ = times((own_a, own_b, own_c, own_d, 0.0, 0.0), self._start)
        drawn = abs(native.char_size(self._text, place))
        size = hypot(c, d) * drawn
        if size < TINY:
            size *= self._height(handle)
        # A mirrored y axis counts as upright.
        if abs(b) <= 0.1 * abs(a):
            turn = 0 if a > 0 else 180
        elif abs(a) <= 0.1 * abs(b):
            turn = 90 if b > 0 else 270
        else:
            turn = -1
        is_invisible = native.rendering_mode(piece) == INVISIBLE
        along, angle, reason = hypot(a, b) * drawn, degrees(atan2(b, a)), self._reasons.get(piece, "")
        style = self._styles[piece] = _Style(face, size, along, turn, side, angle, is_invisible, reason)
        return style

    def _height(self, handle: int) -> float:
        """How high the letters of a bitmap font with units of its own are at size 1; 1 for others."""
        ends = self._bounds
        native.font_ascent(handle, 1.0, ends.addresses[0])
        native.font_descent(handle, 1.0, ends.addresses[1])
        height = ends.values[0] - ends.values[1]
        return height if height >= HIGH else 1.0

    def _decoded(self, face: Face, word: str, start: int, end: int) -> str:
        """A word with guesses, or characters for private use, where the file does not say what a character is."""
        is_unmapped, page = native.is_unmapped, self._text
        unknown = [is_unmapped(page, place) == 1 or word[place - start] == "\0" for place in range(start, end)]
        count = sum(unknown)
        face.unmapped += count
        face.mapped += len(word) - count
        pairs = zip(word, unknown, strict=True)
        face.meant.update(letter for letter, is_unknown in pairs if letter.isalpha() and not is_unknown)
        if not count:
            return word
        if face.is_guessed and (not face.name or _LETTERS.search(word)):
            return face.guess(word)
        font = self._fonts.setdefault(face.name, len(self._fonts))
        return "".join(
            face.unknown(letter, font) if is_unknown else letter
            for letter, is_unknown in zip(word, unknown, strict=True)
        )

    def _place(self, style: _Style, text: str, start: int, end: int) -> tuple[float, float, float]:
        """Where characters of a piece begin and end, and their baseline, on the page turned back by their turn."""
        letter, point = text[end - 1], self._point
        native.char_origin(self._text, start, *point.addresses)
        x, y = point.values
        last_x, last_y = x, y
        if end - start > 1:
            native.char_origin(self._text, end - 1, *point.addresses)
            last_x, last_y = point.values
        if _LIGATURE.match(text, max(0, end - 2), end) and self._is_ligature(end - 2):
            width = self._drawn_width(style, end - 1, last_x, last_y)
        else:
            width = style.face.widths.get(letter)
            if width is None:
                width = self._width(style, text, end - 1, last_x, last_y)
        if self._is_plain and not style.turn:
            across, up = self._start[4:]
            return x + across, last_x + across + width * style.along, y + up
        x, y = times((1, 0, 0, 1, x, y), self._start)[4:]
        last_x, last_y = times((1, 0, 0, 1, last_x, last_y), self._start)[4:]
        if style.turn < 0:
            return x, x + hypot(last_x - x, last_y - y) + width * style.along, y
        page_width, height = self.width, self.height
        if style.turn == 90:
            x, y, last_x = y, page_width - x, last_y
        elif style.turn == 180:
            x, y, last_x = page_width - x, height - y, page_width - last_x
        elif style.turn == 270:
            x, y, last_x = height - y, x, height - last_y
        return x, last_x + width * style.along, y

    def _length(self, style: _Style, text: str, start: int, end: int) -> float:
        """The length of characters that stand next to one another."""
        widths = style.face.widths
        length = 0.0
        for place, letter in enumerate(text[start:end], start):
            width = widths.get(letter)
            if width is None:
                native.char_origin(self._text, place, *self._point.addresses)
                width = self._width(style, text, place, *self._point.values)
            length += width
        return length * style.along

    def _gap(self, style: _Style, text: str, start: int, end: int) -> int:
        """The first of some characters before which there is a gap; 0 if there is none."""
        last = self._place(style, text, start, start + 1)[1]
        for place in range(start + 1, end):
            x0, x1, _ = self._place(style, text, place, place + 1)
            if x0 - last > INNER_GAP * style.size:
                return place
            last = x1
        return 0

    def _width(self, style: _Style, text: str, place: int, x: float, y: float) -> float:
        """The width of a character at size 1, which is remembered unless it is a part of a ligature.

        It is that of its box where the font does not say; the box of a slanted letter is wider.
        """
        letter = text[place]
        if self._is_ligature(place):
            return self._drawn_width(style, place, x, y) - style.face.widths.get(text[place + 1 : place + 2], 0.0)
        if place and text[place - 1] != " " and self._is_ligature(place - 1):
            return 0.0
        value, face = self._bounds, style.face
        width = self._drawn_width(style, place, x, y)
        if native.is_unmapped(self._text, place) != 1:
            native.glyph_width(face.handle, ord(letter), 1.0, value.addresses[0])
            width = min(width, value.values[0]) if value.values[0] > 0 else width
        face.widths[letter] = width
        return width

    def _is_ligature(self, place: int) -> bool:
        """Whether a character and the one after it are one glyph."""
        point = self._box_point
        native.char_origin(self._text, place, *point.addresses[:2])
        native.char_origin(self._text, place + 1, *point.addresses[2:])
        return point.values[0] == point.values[2] and point.values[1] == point.values[3]

    def _drawn_width(self, style: _Style, place: int, x: float, y: float) -> float:
        """The width of a character's box at size 1."""
        if style.turn < 0 or not style.along:
            return 0.5
        native.char_box(self._text, place, self._box.addresses[0])
        end = self._box.values[style.side]
        return abs(end - (y if style.side % 2 else x)) * self._scale / style.along

    def _walk(self, count: int, item: Callable[..., int], owner: int | None, matrix: Matrix, depth: int) -> None:
        """Look at the drawn objects of a page or form: lines and areas, and text that is not seen."""
        self.cost += count
        for number in range(min(count, MAX_OBJECTS)):
            drawn = item(owner, number)
            kind = native.object_type(drawn)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self._look_at_text(drawn)
            elif kind == pdfium.FPDF_PAGEOBJ_PATH and len(self._shapes) < MAX_SHAPES:
                self._look_at_path(drawn, matrix)
            elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _FORM_DEPTH and self.cost < MAX_OBJECTS:
                native.object_matrix(drawn, self._matrix.addresses[0])
                a, b, c, d, e, f = self._matrix.values
                inner = times((a, b, c, d, e, f), matrix)
                self._walk(native.count_form_objects(drawn), native.form_object, drawn, inner, depth + 1)

    def _look_at_text(self, drawn: int) -> None:
        """Remember when a piece of text is drawn, and why it is not seen."""
        self._order[drawn] = len(self._order)
        if native.count_marks(drawn) and self._is_hidden(drawn):
            self._reasons[drawn] = HIDDEN
            return
        clips = native.clip_path(drawn)
        count = native.count_clips(clips) if clips else 0
        if count <= 0:
            return
        clip = EVERYWHERE
        for number in range(max(0, count - MAX_CLIPS), count):
            pieces = native.count_clip_segments(clips, number)
            if 0 < pieces <= MAX_CLIP:
                segments = (native.clip_segment(clips, number, piece) for piece in range(pieces))
                clip = intersection(clip, around([self._end_of(segment) for segment in segments]))
        native.object_bounds(drawn, *self._bounds.addresses)
        left, bottom, right, top = self._bounds.values
        if not is_within((left + right) / 2, (bottom + top) / 2, clip, top - bottom):
            self._reasons[drawn] = CLIPPED

    def _is_hidden(self, drawn: int) -> bool:
        """Whether an object belongs to a layer that is not shown."""
        size, name = Numbers(c_ulong, 1), create_string_buffer(1024)
        for number in range(native.count_marks(drawn)):
            mark = native.object_mark(drawn, number)
            native.mark_name(mark, name, 16, size.addresses[0])
            if name.raw[:6] != b"O\0C\0\0\0" or size.values[0] != 6:
                continue
            if native.mark_string(mark, b"Name", name, 1024, size.addresses[0]):
                layer = name.raw[: max(0, size.values[0] - 2)].decode("utf-16-le", "replace")
                if layer in self._hidden_layers():
                    return True
        return False

    def _end_of(self, segment: int | None) -> tuple[float, float]:
        """The point at which a piece of a path ends."""
        native.segment_point(segment, *self._box.addresses[:2])
        return self._box.values[0], self._box.values[1]

    def _look_at_path(self, drawn: int, matrix: Matrix) -> None:
        """Remember the lines and areas that a path consists of, unless they are white."""
        native.object_bounds(drawn, *self._bounds.addresses)
        left, bottom, right, top = self._bounds.values
        box = around(corners((left, bottom, right, top), matrix))
        if box[2] - box[0] < MIN_SHAPE:
            return
        native.drawing_mode(drawn, *self._mode.addresses)
        is_filled, is_stroked = self._mode.values
        if not is_stroked:
            if not is_filled:
                return
            native.fill_color(drawn, *self._color.addresses)
            if self._color.values[:3] == [255, 255, 255]:
                return
        count = native.count_segments(drawn)
        if count > MAX_SEGMENTS:
            self._shapes.append(box)
            return
        parts: list[list[tuple[float, float]]] = []
        for number in range(count):
            segment = native.path_segment(drawn, number)
            if native.segment_type(segment) == pdfium.FPDF_SEGMENT_MOVETO or not parts:
                parts.append([])
            parts[-1].append(self._end_of(segment))
        native.object_matrix(drawn, self._matrix.addresses[0])
        a, b, c, d, e, f = self._matrix.values
        own = times((a, b, c, d, e, f), matrix)
        placed = ([times((1, 0, 0, 1, x, y), own)[4:] for x, y in part] for part in parts if len(part) > 1)
        self._shapes += map(around, placed)

    def _sorted_out(self) -> PageText:
        """The runs that are read, on the page as it must be turned for them."""
        order = sorted(range(len(self._runs)), key=self._places.__getitem__)
        runs = [self._runs[number] for number in order]
        pieces = Pieces()
        for reason, unread in self._unread.items():
            for run in unread:
                pieces.add(reason, run)
        wrong = {id(run) for run, face in self._guesses if not face.is_plausible}
        letters: Counter[int] = Counter()
        for run in runs:
            if run.turn >= 0:
                letters[run.turn] += len(run.text.strip())
        turn = max(letters, key=lambda turn: (letters[turn], -turn), default=0)
        width, height = (self.height, self.width) if turn % 180 == 90 else (self.width, self.height)
        if letters.total() < sum(len(run.text.strip()) for run, _ in self._slanted):
            turn, (width, height) = 0, straightened(self._slanted)
        kept: list[Run] = []
        undecoded = 0
        for run in runs:
            unknown = len(run.text) if id(run) in wrong else sum(letter >= UNKNOWN for letter in run.text)
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
        is_scan = self._invisible > 0.5 * sum(len(run.text) for run in runs)
        return PageText(kept, width, height, left_out, self._shapes if not turn else [], is_scan)


def _characters(text_page: pdfium.FPDF_TEXTPAGE, count: int) -> str:
    """The characters of a page, one for each that PDFium counts."""
    buffer = (c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(0, written - 1)].decode("utf-16-le", "surrogatepass")
    if len(text) != count:  # it leaves out those without a meaning
        page = cast(text_page, c_void_p).value
        codes = (native.character(page, place) for place in range(count))
        text = "".join(chr(code) if code < 0x110000 else "\0" for code in codes)
    return text.translate(_HYPHENS)
