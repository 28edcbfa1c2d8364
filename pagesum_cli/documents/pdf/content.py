"""A PDF page → runs of text with their place, size and font.

pypdf reads the objects and the fonts; here the operators of a page are executed as far as they place text. pypdf's own
text extraction does not report where every string begins and ends, and columns, spaces and headings are detected by
both.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import hypot
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, StreamObject

from .fonts import Face, load_face
from .operators import Operand, operators

Matrix = tuple[float, float, float, float, float, float]

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

_FORM_DEPTH = 6
_FORM_CALLS = 400
_STACK_DEPTH = 500
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TEXT_OPERATORS = (b"Tj", b"TJ", b"Do", b"'")


@dataclass(slots=True)
class Run:
    """A string that is drawn by one operator.

    Attributes:
        text: One or more characters.
        x0, x1: Left and right end, in points from the left of the page.
        y: Baseline, in points from the bottom.
        size: Height of the font in points.
        bold, italic: By the font's name.
        font: The font's name without its subset tag.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool
    font: str


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
        self.incomplete = False
        self.calls = 0

    def runs(self, page: PageObject) -> list[Run]:
        """The text of a page in the order in which it is drawn, turned upright if the page is turned.

        Text that is itself turned against the page (axis labels, stamps along a margin) is left out.
        """
        runs: list[Run] = []
        self.incomplete, self.calls = False, 0
        contents = page.get("/Contents")
        if contents is not None:
            self.draw(contents.get_object(), _resources(page), _upright(page), runs, depth=0)
        return runs

    def draw(self, contents: Any, resources: DictionaryObject, start: Matrix, runs: list[Run], depth: int) -> None:
        """Add the runs of a content stream."""
        if not isinstance(contents, (ArrayObject, StreamObject)):
            return
        if self._unpacking_budget <= 0:
            self.incomplete = True
            return
        data = ContentStream(contents, self._pdf, "bytes").get_data()
        self._unpacking_budget -= len(data)
        if not any(operator in data for operator in _TEXT_OPERATORS):
            return
        if len(data) <= self._drawing_budget:
            self._drawing_budget -= len(data)
            data = _without_paths(data)
        if len(data) > min(STREAM_LIMIT, self._budget):
            self.incomplete = True
            return
        self._budget -= len(data)
        pen = _Pen(self, resources, start, runs, depth)
        for operands, operator in operators(data):
            action = _ACTIONS.get(operator)
            if action is not None:
                try:
                    action(pen, operands)
                except (IndexError, TypeError, ValueError, KeyError, AttributeError, OverflowError):
                    continue  # an operator without its operands draws nothing

    def face(self, fonts: DictionaryObject, name: str) -> Face:
        """A font of a page, by its name there."""
        reference: Any = fonts.raw_get(name) if name in fonts else None
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
        self.text = self.line = _IDENTITY

    def show(self, string: Operand) -> None:
        face = self.face
        if face is None or not isinstance(string, bytes):
            return
        if self.spacing > SPACED * abs(self.size) and len(string) > 1:
            for code in face.codes(string):
                self.show_string(face, code)
        else:
            self.show_string(face, string)

    def show_string(self, face: Face, string: bytes) -> None:
        text, width, count = face.show(string)
        advance = (width * self.size + self.spacing * count) * self.stretch
        if self.word_spacing and b" " in string and face.has_single_bytes:
            advance += self.word_spacing * string.count(b" ") * self.stretch
        a, b, c, d, e, f = _times(self.text, self.matrix)
        height = hypot(c, d) * self.size
        # Text along the baseline of the upright page only; a mirrored y axis counts as upright.
        if text and abs(b) <= 0.1 * abs(a) and a > 0 and height > 0.5:
            x0, y = e + self.rise * c, f + self.rise * d
            end = x0 + (advance - self.spacing * self.stretch) * a  # without the space after the last character
            self.runs.append(Run(text, x0, end, y, abs(height), face.bold, face.italic, face.name))
        self.advance(advance)

    def advance(self, distance: float) -> None:
        a, b, c, d, e, f = self.text
        self.text = (a, b, c, d, e + distance * a, f + distance * b)

    def show_array(self, operands: list[Operand]) -> None:
        for item in operands[0]:
            if isinstance(item, bytes):
                self.show(item)
            else:
                self.advance(-float(item) / 1000 * self.size * self.stretch)

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
        self.text = self.line = _matrix(operands)

    def set_font(self, operands: list[Operand]) -> None:
        self.face, self.size = self.reader.face(self.fonts, operands[0]), float(operands[1])

    def begin_text(self, operands: list[Operand]) -> None:
        self.text = self.line = _IDENTITY

    def save(self, operands: list[Operand]) -> None:
        if len(self.stack) < _STACK_DEPTH:
            state = (self.matrix, self.face, self.size, self.spacing, self.word_spacing)
            self.stack.append((*state, self.stretch, self.leading, self.rise))

    def restore(self, operands: list[Operand]) -> None:
        if self.stack:
            self.matrix, self.face, self.size, self.spacing, self.word_spacing, *rest = self.stack.pop()
            self.stretch, self.leading, self.rise = rest

    def concatenate(self, operands: list[Operand]) -> None:
        self.matrix = _times(_matrix(operands), self.matrix)

    def set_state(self, operands: list[Operand]) -> None:
        state = _dictionary(self.resources, "/ExtGState").get(operands[0])
        font = state.get_object().get("/Font") if state is not None else None
        if font is not None:
            self.face, self.size = load_face(font[0].get_object()), float(font[1])

    def draw_form(self, operands: list[Operand]) -> None:
        if self.depth >= _FORM_DEPTH or self.reader.calls >= _FORM_CALLS:
            return
        form = _dictionary(self.resources, "/XObject").get(operands[0])
        form = form.get_object() if form is not None else None
        if form is not None and form.get("/Subtype") == "/Form":
            self.reader.calls += 1
            own = form.get("/Matrix")
            inner = _times(_matrix(own), self.matrix) if own is not None else self.matrix
            self.reader.draw(form, _resources(form) or self.resources, inner, self.runs, self.depth + 1)


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
}


def _matrix(numbers: Any) -> Matrix:
    a, b, c, d, e, f = (float(number) for number in numbers[:6])
    return a, b, c, d, e, f


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _upright(page: PageObject) -> Matrix:
    """The matrix that turns a page upright, its lower left corner at the origin."""
    box = page.mediabox
    left, bottom, right, top = (float(box[place]) for place in range(4))
    turn = page.get("/Rotate", 0)
    turns: dict[int, Matrix] = {
        0: (1.0, 0.0, 0.0, 1.0, -left, -bottom),
        90: (0.0, -1.0, 1.0, 0.0, -bottom, right),
        180: (-1.0, 0.0, 0.0, -1.0, right, top),
        270: (0.0, 1.0, -1.0, 0.0, top, -left),
    }
    return turns.get(int(turn or 0) % 360 if isinstance(turn, (int, float)) else 0, turns[0])


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


_NUMBER = rb"[-+]?(?:\d++\.?+\d*+|\.\d++)"
# Lines, curves, rectangles and colors make up the bulk of a drawing and place no text. Only runs of several such
# lines are removed, and only whole lines, so that no string or inline image is cut.
_PATHS = re.compile(
    rb"(?:(?<=[\r\n]) *+(?:" + _NUMBER + rb"[ ]++){2,6}(?:m|l|c|v|y|re) *+(?:[hfSsBbWn*]{1,2} *+)?[\r\n]++){4,}+"
)


def _without_paths(data: bytes) -> bytes:
    return _PATHS.sub(b"\n", data) if len(data) > 20_000 else data
