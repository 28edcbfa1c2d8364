"""A PDF page → runs of text with their place, size and font.

pypdf reads the objects and the fonts; here the operators of a page are executed as far as they place text. pypdf's own
text extraction does not report where every string begins and ends, and columns, spaces and headings are detected by
both.
"""

from collections import Counter
from collections.abc import Callable
from math import atan2, degrees, hypot
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, StreamObject

from ..notes import UNDECODABLE
from .annotations import Annotation, Annotations
from .fonts import Face, load_face
from .geometry import (
    EVERYWHERE,
    IDENTITY,
    Box,
    Matrix,
    around,
    corners,
    intersection,
    is_within,
    matrix_of,
    rectangle,
    times,
    turn_of,
    upright,
    visible_box,
    within,
)
from .glyphs import UNKNOWN
from .layers import Layers
from .operators import PATHS_LEFT_OUT, Operand, operators, use_full_names, without_paths
from .runs import PageText, Pieces, Run, replace_runs
from .slant import straightened

STREAM_LIMIT = 4 << 20
"""Bytes of operators of a page or form, without lines and curves, above which it is not read."""

FILE_LIMIT, PAGE_LIMIT = 16 << 20, 64 << 10
"""The same for a file, plus what each of its pages adds: reading takes about a second a megabyte."""

PACKED = 8
"""How many times its size a file's operators have at most, beyond that: text packs to a fifth."""

DRAWING_LIMIT = 256 << 20
"""Bytes of operators of a file in which lines and curves are searched for."""

UNPACKED_LIMIT = 1 << 30
"""Bytes to which the content of all pages and forms of a file may unpack, each time that it is drawn."""

SPACED = 0.08
"""Character spacing, as a share of the size, above which each character is a run: some files draw the gaps between
words by it, "the way" as ``(they) Tj`` with the letters within words moved together again."""

KERNING = (-30, 150)
"""Thousandths of the size by which a letter is moved to the left within a word: no gap, and no accent."""

_TOUCHING = 0.01
"""Gap, as a share of the size, up to which runs of one font are one."""

_LONGEST_RUN = 1000
"""Characters from which nothing is added to a run."""

HIDDEN, CLIPPED, TURNED = "hidden layer", "clipped text", "turned text"
OUTSIDE, BUTTON = "outside the page", "button"
"""Reasons why text of a page is left out."""

USUAL_SIDE, MIN_SIDE, MAX_SIDE = 800.0, 200.0, 4000.0
"""Length in points of the longer side of a page: a page outside the limits is scaled to the usual length."""

_WORD_LENGTH = 6
"""Glyphs of which a word is thought to be made where no character is known."""

_FORM_DEPTH = 6
_FORM_CALLS = 400
_STACK_DEPTH = 500
_TEXT_OPERATORS = (b"Tj", b"TJ", b"Do", b"'")


class PageReader:
    """Reads the pages of one file; keeps its fonts.

    Args:
        pdf: The file.
        size: Its size in bytes.

    Attributes:
        incomplete: Whether a part of the last page was too large to be read.
    """

    def __init__(self, pdf: PdfReader, size: int) -> None:
        self._pdf = pdf
        self._faces: dict[Any, Face] = {}
        self._budget = FILE_LIMIT + min(PAGE_LIMIT * len(pdf.pages), PACKED * size)
        self._drawing_budget, self._unpacking_budget = DRAWING_LIMIT, UNPACKED_LIMIT
        self.layers, self._annotations = Layers(pdf), Annotations(pdf)
        self._start_page()

    def _start_page(self, width: float = 612.0, height: float = 792.0) -> None:
        self.width, self.height = width, height
        self.incomplete, self.calls = False, 0
        self.hidden: list[Run] = []
        self.clipped: list[Run] = []
        self.guesses: list[tuple[Run, Face]] = []
        self.slanted: list[tuple[Run, float]] = []

    def page(self, page: PageObject) -> PageText:
        """The text of a page in the order in which it is drawn, and after it that of form fields and typed notes.

        It is turned so that most of the text is upright; text that is turned against that (axis labels, stamps along
        a margin), outside the page or what is seen of a figure, in hidden layers or in fonts without known characters
        is left out.
        """
        box, turn = visible_box(page), turn_of(page)
        longer = max(box[2] - box[0], box[3] - box[1])
        scale = 1.0 if MIN_SIDE <= longer <= MAX_SIDE else USUAL_SIDE / longer
        size = ((box[2] - box[0]) * scale, (box[3] - box[1]) * scale)
        self._start_page(*(size[::-1] if turn % 180 == 90 else size))
        start = upright(box, turn, scale)
        runs: list[Run] = []
        contents = page.get("/Contents")
        if contents is not None:
            self.draw(contents.get_object(), _resources(page), start, runs, depth=0)
        buttons: list[Run] = []
        for annotation in self._annotations.of(page):
            if not self.layers.hide(annotation.layer):
                self._annotate(annotation, start, buttons if annotation.is_button else runs)
        pieces = Pieces()
        for reason, unread in ((HIDDEN, self.hidden), (CLIPPED, self.clipped), (BUTTON, buttons)):
            for run in unread:
                pieces.add(reason, run)
        return self._sorted_out(runs, pieces)

    def _annotate(self, annotation: Annotation, start: Matrix, runs: list[Run]) -> None:
        left, bottom, right, top = annotation.rectangle
        form = annotation.form
        if form is not None:
            own: Any = form.get("/Matrix")
            matrix = matrix_of(own) if own is not None else IDENTITY
            box: Any = form["/BBox"]
            x0, y0, x1, y1 = around(corners(rectangle(box), matrix))
            across = (right - left) / (x1 - x0) if x1 > x0 else 1.0
            up = (top - bottom) / (y1 - y0) if y1 > y0 else 1.0
            place = (across, 0.0, 0.0, up, left - across * x0, bottom - up * y0)
            self.draw(form, _resources(form), times(matrix, times(place, start)), runs, depth=1)
        elif lines := annotation.text.splitlines():
            size = min(10.0, (top - bottom) / len(lines))
            top -= max(0.0, top - bottom - size) / 2 if len(lines) == 1 else 0.0
            for number, line in enumerate(lines):
                pen = _Pen(self, DictionaryObject(), start, runs, depth=1)
                pen.text, pen.size = (1.0, 0.0, 0.0, 1.0, left + 2, top - size * (number + 0.8)), size
                pen.place(line, 0.5 * size * len(line), False, False, "")

    def _sorted_out(self, runs: list[Run], pieces: Pieces) -> PageText:
        """The runs that are read, on the page as it must be turned for them."""
        wrong = {id(run) for run, face in self.guesses if face.guess is not None and not face.guess.is_plausible}
        letters: Counter[int] = Counter()
        for run in runs:
            if run.turn >= 0:
                letters[run.turn] += len(run.text.strip())
        turn = max(letters, key=lambda one: (letters[one], -one), default=0)
        width, height = (self.height, self.width) if turn % 180 == 90 else (self.width, self.height)
        if letters.total() < sum(len(run.text.strip()) for run, _ in self.slanted):
            turn, (width, height) = 0, straightened(self.slanted)
        kept: list[Run] = []
        undecoded = 0
        for run in runs:
            unknown = len(run.text) if id(run) in wrong else run.text.count(UNKNOWN)
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
        return PageText(kept, width, height, left_out)

    def draw(
        self,
        contents: Any,
        resources: DictionaryObject,
        start: Matrix,
        runs: list[Run],
        depth: int,
        clip: Box = EVERYWHERE,
    ) -> None:
        """Add the runs of a content stream; those outside a part of the page are clipped."""
        if not isinstance(contents, (ArrayObject, StreamObject)):
            return
        if self._unpacking_budget <= 0:
            self.incomplete = True
            return
        use_full_names(contents)
        data = ContentStream(contents, self._pdf, "bytes").get_data()
        self._unpacking_budget -= len(data)
        if not any(operator in data for operator in _TEXT_OPERATORS):
            return
        if len(data) <= self._drawing_budget:
            self._drawing_budget -= len(data)
            data = without_paths(data)
        if len(data) > min(STREAM_LIMIT, self._budget):
            self.incomplete = True
            return
        self._budget -= len(data)
        pen = _Pen(self, resources, start, runs, depth)
        pen.clip = clip
        for operands, operator in operators(data):
            action = _ACTIONS.get(operator)
            if action is not None:
                try:
                    action(pen, operands)
                except (IndexError, TypeError, ValueError, KeyError, AttributeError, OverflowError):
                    continue  # an operator without its operands draws nothing

    def face(self, fonts: DictionaryObject, name: str) -> Face:
        """A font of a page, by its name there."""
        return self.loaded(fonts.raw_get(name) if name in fonts else None)

    def loaded(self, reference: Any) -> Face:
        """A font, by a reference to it."""
        key = (reference.idnum, reference.generation) if hasattr(reference, "idnum") else id(reference)
        if key not in self._faces:
            self._faces[key] = load_face(reference.get_object() if reference is not None else None)
        return self._faces[key]


class _Pen:
    """The graphics state of a content stream, changed by its operators."""

    def __init__(
        self, reader: PageReader, resources: DictionaryObject, start: Matrix, runs: list[Run], depth: int
    ) -> None:
        self.reader, self.resources, self.runs, self.depth = reader, resources, runs, depth
        self.fonts = _dictionary(resources, "/Font")
        self.matrix = start
        self.stack: list[tuple[Any, ...]] = []
        self.face: Face | None = None
        self.size, self.spacing, self.word_spacing = 12.0, 0.0, 0.0
        self.stretch, self.leading, self.rise = 1.0, 0.0, 0.0
        self.text = self.line = IDENTITY
        self.marks: list[tuple[int, str | None, bool]] = []  # of marked content: first run, actual text, whether hidden
        self.is_hidden = False
        self.clip = EVERYWHERE
        self.path: list[tuple[float, float]] | None = []  # corners of the path under construction, if they are known
        self.is_clipping = False

    @property
    def is_spaced(self) -> bool:
        """Whether each character is a run."""
        return self.spacing > SPACED * abs(self.size)

    def show(self, string: Operand, kerned: float = 0.0) -> None:
        """Draw a string, of which the letters are moved by ``kerned`` in all."""
        face = self.face
        if face is None or not isinstance(string, bytes):
            return
        if self.is_spaced and len(string) > 1:
            for code in face.codes(string):
                self.show_string(face, code)
        else:
            self.show_string(face, string, kerned)

    def show_string(self, face: Face, string: bytes, kerned: float = 0.0) -> None:
        text, width, count = face.show(string)
        advance = (width * self.size + self.spacing * count) * self.stretch + kerned
        if self.word_spacing and b" " in string and face.has_single_bytes:
            advance += self.word_spacing * string.count(b" ") * self.stretch
        if text:  # as wide as it is without the space after its last character
            run = self.place(text, advance - self.spacing * self.stretch, face.bold, face.italic, face.name)
            if face.guess is not None and run is not None:
                face.guess.add(text)
                self.reader.guesses.append((run, face))
        self.advance(advance)

    def place(self, text: str, advance: float, bold: bool, italic: bool, font: str) -> Run | None:
        """Add a run where the pen stands, ``advance`` wide in text space; none where it cannot be seen."""
        a, b, c, d, e, f = times(self.text, self.matrix)
        size = hypot(c, d) * abs(self.size) * (self.face.height if self.face is not None else 1.0)
        if size <= 0.5:
            return None
        x, y = e + self.rise * c, f + self.rise * d
        # A mirrored y axis counts as upright.
        if abs(b) <= 0.1 * abs(a):
            turn, along = (0, advance * a) if a > 0 else (180, -advance * a)
        elif abs(a) <= 0.1 * abs(b):
            turn, along = (90, advance * b) if b > 0 else (270, -advance * b)
        else:
            turn, along = -1, advance * hypot(a, b)
        seen = is_within(x + advance * a / 2, y + advance * b / 2, self.clip, size)
        if turn > 0:
            width, height = self.reader.width, self.reader.height
            x, y = {90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}[turn]
        runs = self.reader.hidden if self.is_hidden else self.runs if seen else self.reader.clipped
        if len(runs) > (self.marks[-1][0] if self.marks else 0) and self.face is not None and self.face.guess is None:
            last = runs[-1]
            if (
                abs(x - last.x1) < _TOUCHING * size
                and (y, size, turn, font) == (last.y, last.size, last.turn, last.font)
                and not (text.isspace() or last.text.isspace())
                and len(last.text) < _LONGEST_RUN
            ):
                last.text += text
                last.x1 = x + along
                return last
        run = Run(text, x, x + along, y, size, bold, italic, font, turn)
        runs.append(run)
        if turn < 0 and runs is self.runs:
            self.reader.slanted.append((run, degrees(atan2(b, a))))
        return run

    def begin_marked(self, operands: list[Operand]) -> None:
        """Begin marked content: what belongs to a hidden layer, or is read as another text than is drawn."""
        hidden, actual = False, None
        if len(self.marks) < _STACK_DEPTH and len(operands) > 1:
            properties: Any = None
            if operands[1:2] == operands[-1:] and isinstance(operands[1], str):
                owner = _dictionary(self.resources, "/Properties")
                properties = owner.raw_get(operands[1]) if operands[1] in owner else None
            if operands[0] == "/OC":
                hidden = self.reader.layers.hide(properties)
            elif properties is not None:
                value = properties.get_object().get("/ActualText")
                actual = str(value) if isinstance(value, str) else None
            elif "/ActualText" in operands[:-1]:
                value = operands[operands.index("/ActualText") + 1]
                actual = _text_string(value) if isinstance(value, bytes) else None
        self.marks.append((len(self.runs), actual, self.is_hidden))
        self.is_hidden = self.is_hidden or hidden

    def end_marked(self, operands: list[Operand]) -> None:
        if self.marks:
            first, actual, self.is_hidden = self.marks.pop()
            if actual is not None:
                replace_runs(self.runs, first, actual)

    def advance(self, distance: float) -> None:
        a, b, c, d, e, f = self.text
        self.text = (a, b, c, d, e + distance * a, f + distance * b)

    def show_array(self, operands: list[Operand]) -> None:
        kerned, strings, is_spaced = 0.0, list[bytes](), self.is_spaced
        for item in operands[0]:
            if isinstance(item, bytes):
                strings.append(item)
                continue
            distance = -float(item) / 1000 * self.size * self.stretch
            if KERNING[0] <= item <= KERNING[1] and not is_spaced:
                kerned += distance
                continue
            self.show(b"".join(strings), kerned)
            self.advance(distance)
            kerned, strings = 0.0, []
        self.show(b"".join(strings), kerned)

    def move(self, x: float, y: float) -> None:
        a, b, c, d, e, f = self.line
        self.text = self.line = (a, b, c, d, e + x * a + y * c, f + x * b + y * d)

    def move_with_leading(self, operands: list[Operand]) -> None:
        self.leading = -float(operands[1])
        self.move(float(operands[0]), float(operands[1]))

    def next_line(self, operands: list[Operand]) -> None:
        self.move(0.0, -self.leading)

    def show_on_next_line(self, operands: list[Operand]) -> None:
        self.move(0.0, -self.leading)
        self.show(operands[0])

    def show_spaced_on_next_line(self, operands: list[Operand]) -> None:
        self.word_spacing, self.spacing = float(operands[0]), float(operands[1])
        self.move(0.0, -self.leading)
        self.show(operands[2])

    def set_text_matrix(self, operands: list[Operand]) -> None:
        self.text = self.line = matrix_of(operands)

    def set_font(self, operands: list[Operand]) -> None:
        self.face, self.size = self.reader.face(self.fonts, operands[0]), float(operands[1])

    def begin_text(self, operands: list[Operand]) -> None:
        self.text = self.line = IDENTITY

    def save(self, operands: list[Operand]) -> None:
        if len(self.stack) < _STACK_DEPTH:
            state = (self.matrix, self.clip, self.face, self.size, self.spacing, self.word_spacing)
            self.stack.append((*state, self.stretch, self.leading, self.rise))

    def restore(self, operands: list[Operand]) -> None:
        if self.stack:
            self.matrix, self.clip, self.face, self.size, self.spacing, self.word_spacing, *rest = self.stack.pop()
            self.stretch, self.leading, self.rise = rest

    def concatenate(self, operands: list[Operand]) -> None:
        self.matrix = times(matrix_of(operands), self.matrix)

    def set_state(self, operands: list[Operand]) -> None:
        state = _dictionary(self.resources, "/ExtGState").get(operands[0])
        font = state.get_object().get("/Font") if state is not None else None
        if font is not None:
            self.face, self.size = self.reader.loaded(font[0]), float(font[1])

    def draw_form(self, operands: list[Operand]) -> None:
        if self.depth >= _FORM_DEPTH or self.reader.calls >= _FORM_CALLS:
            return
        form = _dictionary(self.resources, "/XObject").get(operands[0])
        form = form.get_object() if form is not None else None
        if form is not None and form.get("/Subtype") == "/Form":
            if self.is_hidden or ("/OC" in form and self.reader.layers.hide(form.raw_get("/OC"))):
                return
            self.reader.calls += 1
            own = form.get("/Matrix")
            inner = times(matrix_of(own), self.matrix) if own is not None else self.matrix
            box: Any = form.get("/BBox")
            clip = within(self.clip, rectangle(box), inner) if box is not None else self.clip
            self.reader.draw(form, _resources(form) or self.resources, inner, self.runs, self.depth + 1, clip)

    def add_rectangle(self, operands: list[Operand]) -> None:
        x, y, width, height = (float(number) for number in operands[:4])
        if self.path is not None:
            self.path += corners((x, y, x + width, y + height), self.matrix)

    def add_line(self, operands: list[Operand]) -> None:
        """Add the points of a line or curve to the path."""
        if self.path is not None:
            self.path += [
                times((1, 0, 0, 1, float(x), float(y)), self.matrix)[4:]
                for x, y in zip(operands[::2], operands[1::2], strict=True)
            ]

    def lose_path(self, operands: list[Operand]) -> None:
        self.path = None

    def begin_clip(self, operands: list[Operand]) -> None:
        self.is_clipping = True

    def end_path(self, operands: list[Operand]) -> None:
        if self.is_clipping and self.path:
            self.clip = intersection(self.clip, around(self.path))
        self.path, self.is_clipping = [], False


def _set(name: str, divisor: int = 1) -> Callable[[_Pen, list[Operand]], None]:
    def set_number(pen: _Pen, operands: list[Operand]) -> None:
        setattr(pen, name, float(operands[0]) / divisor)

    return set_number


_ACTIONS: dict[bytes, Callable[[_Pen, list[Operand]], None]] = {
    b"TJ": _Pen.show_array,
    b"Tj": lambda pen, operands: pen.show(operands[0]),
    b"'": _Pen.show_on_next_line,
    b'"': _Pen.show_spaced_on_next_line,
    b"Td": lambda pen, operands: pen.move(float(operands[0]), float(operands[1])),
    b"TD": _Pen.move_with_leading,
    b"T*": _Pen.next_line,
    b"Tm": _Pen.set_text_matrix,
    b"Tf": _Pen.set_font,
    b"BT": _Pen.begin_text,
    b"Tc": _set("spacing"),
    b"Tw": _set("word_spacing"),
    b"Tz": _set("stretch", 100),
    b"TL": _set("leading"),
    b"Ts": _set("rise"),
    b"q": _Pen.save,
    b"Q": _Pen.restore,
    b"cm": _Pen.concatenate,
    b"gs": _Pen.set_state,
    b"Do": _Pen.draw_form,
    b"BDC": _Pen.begin_marked,
    b"BMC": _Pen.begin_marked,
    b"EMC": _Pen.end_marked,
    b"re": _Pen.add_rectangle,
    **dict.fromkeys((b"m", b"l", b"c", b"v", b"y"), _Pen.add_line),
    PATHS_LEFT_OUT: _Pen.lose_path,
    **dict.fromkeys((b"W", b"W*"), _Pen.begin_clip),
    **dict.fromkeys((b"n", b"f", b"F", b"f*", b"S", b"s", b"B", b"B*", b"b", b"b*"), _Pen.end_path),
}


def _text_string(data: bytes) -> str:
    """A text string of a PDF (ISO 32000-1, 7.9.2.2)."""
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", "replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    return data.decode("latin-1")


def _dictionary(owner: DictionaryObject, key: str) -> DictionaryObject:
    value = owner.get(key)
    value = value.get_object() if value is not None else None
    return value if isinstance(value, DictionaryObject) else DictionaryObject()


def _resources(page: Any) -> DictionaryObject:
    """The resources of a page or form, or those that it inherits."""
    for _ in range(50):
        resources = page.get("/Resources")
        resources = resources.get_object() if resources is not None else None
        if isinstance(resources, DictionaryObject):
            return resources
        parent = page.get("/Parent")
        if parent is None:
            break
        page = parent.get_object()
    return DictionaryObject()
