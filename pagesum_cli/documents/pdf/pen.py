"""The graphics state of a content stream, and what each operator does to it: draws runs of text, moves, clips."""

from collections.abc import Callable
from math import atan2, degrees, hypot
from typing import Any, Protocol

from pypdf.generic import DictionaryObject

from .fonts import Face
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
    within,
)
from .layers import Layers
from .objects import dictionary, resolved, resources_of, text_string
from .operators import PATHS_LEFT_OUT, Operand
from .runs import Run, replace_runs

SPACED = 0.08
"""Character spacing, as a share of the size, above which each character is a run: some files draw the gaps between
words by it, "the way" as ``(they) Tj`` with the letters within words moved together again."""

KERNING = (-30, 150)
"""Thousandths of the size by which a letter is moved to the left within a word: no gap, and no accent."""

_TOUCHING = 0.01
"""Gap, as a share of the size, up to which runs of one font are one."""

_LONGEST_RUN = 1000
"""Characters from which nothing is added to a run."""

WHITES: tuple[list[Operand], ...] = ([1.0], [1.0] * 3, [0.0] * 4)
"""White, in shades of gray, in red, green and blue, and in four inks."""

INVISIBLE = 3
"""The rendering mode of text that is neither filled nor stroked (ISO 32000-1, 9.3.6)."""

MAX_SHAPES = 2000
"""Lines and areas of a page that are remembered."""

_FORM_DEPTH = 6
_FORM_CALLS = 400
_STACK_DEPTH = 500


_Frame = tuple[float, float, float, float, float, int, float]
"""Of a text space: what one unit across and one up are on the page (x and y), the size of the font there, the turn of
the page that it is drawn for, and the length of one unit on that."""


class Paper(Protocol):
    """What a pen draws on, and asks for fonts and layers.

    Attributes:
        width, height: Of the page, in points.
        calls: Number of forms drawn on the page.
        invisible: Number of characters drawn over a scan, for programs only.
        hidden, clipped: Runs that are not seen.
        guesses: Runs in fonts whose characters are guessed.
        slanted: Runs that are drawn at an angle, in degrees.
        shapes: What surrounds each line or area that is drawn, except white areas.
        layers: Those of the file.
    """

    width: float
    height: float
    calls: int
    invisible: int
    hidden: list[Run]
    clipped: list[Run]
    guesses: list[tuple[Run, Face]]
    slanted: list[tuple[Run, float]]
    shapes: list[Box]
    layers: Layers

    def face(self, fonts: DictionaryObject, name: str) -> Face:
        """A font of a page, by its name there."""

    def loaded(self, reference: Any) -> Face:
        """A font, by a reference to it."""

    def draw(
        self, contents: Any, resources: DictionaryObject, start: Matrix, runs: list[Run], depth: int, clip: Box
    ) -> None:
        """Add the runs of a form."""


class Pen:
    """The graphics state of a content stream, changed by its operators."""

    def __init__(self, paper: Paper, resources: DictionaryObject, start: Matrix, runs: list[Run], depth: int) -> None:
        self.paper, self.resources, self.runs, self.depth = paper, resources, runs, depth
        self.fonts = dictionary(resources, "/Font")
        self.matrix = start
        self.stack: list[tuple[Any, ...]] = []
        self.face: Face | None = None
        self.size, self.spacing, self.word_spacing = 12.0, 0.0, 0.0
        self.stretch, self.leading, self.rise = 1.0, 0.0, 0.0
        self.rendering = 0.0
        self.text = self.line = IDENTITY
        self.frame: _Frame | None = None  # None where the size or a matrix has changed
        self.marks: list[tuple[int, str | None, bool]] = []  # of marked content: first run, actual text, whether hidden
        self.is_hidden = False
        self.clip = EVERYWHERE
        self.path: list[list[tuple[float, float]]] | None = []  # points of the parts of the path, if they are known
        self.is_white = False  # the color of areas
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
            if self.rendering == INVISIBLE:
                self.paper.invisible += len(text)
            if face.guess is not None and run is not None:
                face.guess.add(text)
                self.paper.guesses.append((run, face))
        self.advance(advance)

    def place(self, text: str, advance: float, bold: bool, italic: bool, font: str) -> Run | None:
        """Add a run where the pen stands, ``advance`` wide in text space; none where it cannot be seen."""
        a, b, c, d, size, turn, along = self.frame or self.measure()
        if size <= 0.5:
            return None
        e, f = self.text[4:]
        g, h, i, j, k, m = self.matrix
        x, y = e * g + f * i + k + self.rise * c, e * h + f * j + m + self.rise * d
        along *= advance
        seen = is_within(x + advance * a / 2, y + advance * b / 2, self.clip, size)
        if turn > 0:
            width, height = self.paper.width, self.paper.height
            x, y = {90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}[turn]
        runs = self.paper.hidden if self.is_hidden else self.runs if seen else self.paper.clipped
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
            self.paper.slanted.append((run, degrees(atan2(b, a))))
        return run

    def measure(self) -> "_Frame":
        """How text is drawn now, wherever it is."""
        a, b, c, d, _, _ = times(self.text, self.matrix)
        size = hypot(c, d) * abs(self.size) * (self.face.height if self.face is not None else 1.0)
        # A mirrored y axis counts as upright.
        if abs(b) <= 0.1 * abs(a):
            turn, along = (0, a) if a > 0 else (180, -a)
        elif abs(a) <= 0.1 * abs(b):
            turn, along = (90, b) if b > 0 else (270, -b)
        else:
            turn, along = -1, hypot(a, b)
        self.frame = (a, b, c, d, size, turn, along)
        return self.frame

    def begin_marked(self, operands: list[Operand]) -> None:
        """Begin marked content: what belongs to a hidden layer, or is read as another text than is drawn."""
        hidden, actual = False, None
        if len(self.marks) < _STACK_DEPTH and len(operands) > 1:
            properties: Any = None
            if operands[1:2] == operands[-1:] and isinstance(operands[1], str):
                owner = dictionary(self.resources, "/Properties")
                properties = owner.raw_get(operands[1]) if operands[1] in owner else None
            if operands[0] == "/OC":
                hidden = self.paper.layers.hide(properties)
            elif properties is not None:
                value = properties.get_object().get("/ActualText")
                actual = str(value) if isinstance(value, str) else None
            elif "/ActualText" in operands[:-1]:
                value = operands[operands.index("/ActualText") + 1]
                actual = text_string(value) if isinstance(value, bytes) else None
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
        kerned, strings = 0.0, list[bytes]()
        size, stretch, is_spaced = self.size, self.stretch, self.is_spaced
        least, most = KERNING
        for item in operands[0]:
            if isinstance(item, bytes):
                strings.append(item)
                continue
            distance = -item / 1000 * size * stretch
            if least <= item <= most and not is_spaced:
                kerned += distance
                continue
            if strings or kerned:
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
        self.frame = None

    def set_font(self, operands: list[Operand]) -> None:
        self.face, self.size, self.frame = self.paper.face(self.fonts, operands[0]), float(operands[1]), None

    def begin_text(self, operands: list[Operand]) -> None:
        self.text = self.line = IDENTITY
        self.frame = None

    def save(self, operands: list[Operand]) -> None:
        if len(self.stack) < _STACK_DEPTH:
            state = (self.matrix, self.clip, self.face, self.size, self.spacing, self.word_spacing)
            self.stack.append((*state, self.stretch, self.leading, self.rise, self.rendering, self.is_white))

    def restore(self, operands: list[Operand]) -> None:
        if self.stack:
            self.matrix, self.clip, self.face, self.size, self.spacing, self.word_spacing, *rest = self.stack.pop()
            self.stretch, self.leading, self.rise, self.rendering, self.is_white = rest
            self.frame = None

    def concatenate(self, operands: list[Operand]) -> None:
        self.matrix = times(matrix_of(operands), self.matrix)
        self.frame = None

    def set_state(self, operands: list[Operand]) -> None:
        state = dictionary(self.resources, "/ExtGState").get(operands[0])
        font = state.get_object().get("/Font") if state is not None else None
        if font is not None:
            self.face, self.size, self.frame = self.paper.loaded(font[0]), float(font[1]), None

    def draw_form(self, operands: list[Operand]) -> None:
        if self.depth >= _FORM_DEPTH or self.paper.calls >= _FORM_CALLS:
            return
        form = resolved(dictionary(self.resources, "/XObject").get(operands[0]))
        if form is not None and form.get("/Subtype") == "/Form":
            if self.is_hidden or ("/OC" in form and self.paper.layers.hide(form.raw_get("/OC"))):
                return
            self.paper.calls += 1
            own = form.get("/Matrix")
            inner = times(matrix_of(own), self.matrix) if own is not None else self.matrix
            box: Any = form.get("/BBox")
            clip = within(self.clip, rectangle(box), inner) if box is not None else self.clip
            self.paper.draw(form, resources_of(form) or self.resources, inner, self.runs, self.depth + 1, clip)

    def add_rectangle(self, operands: list[Operand]) -> None:
        x, y, width, height = (float(number) for number in operands[:4])
        if self.path is not None:
            self.path.append(corners((x, y, x + width, y + height), self.matrix))

    def begin_line(self, operands: list[Operand]) -> None:
        if self.path is not None:
            self.path.append([])
            self.add_line(operands)

    def add_line(self, operands: list[Operand]) -> None:
        """Add the points of a line or curve to the path."""
        if self.path is not None:
            self.path[-1] += [
                times((1, 0, 0, 1, float(x), float(y)), self.matrix)[4:]
                for x, y in zip(operands[::2], operands[1::2], strict=True)
            ]

    def lose_path(self, operands: list[Operand]) -> None:
        self.path = None

    def begin_clip(self, operands: list[Operand]) -> None:
        self.is_clipping = True

    def stroke(self, operands: list[Operand]) -> None:
        if not self.is_hidden and len(self.paper.shapes) < MAX_SHAPES:
            boxes = [intersection(self.clip, around(part)) for part in self.path or () if part]
            self.paper.shapes += [box for box in boxes if not self._is_underscore(box)]
        self.end_path(operands)

    def _is_underscore(self, box: Box) -> bool:
        """Whether a short line goes on with the text on its baseline, as LaTeX draws ``_``: then it is added to it."""
        last = self.runs[-1] if self.runs else None
        if (
            last is None
            or last.turn
            or not (box[3] - box[1] < 0.1 * last.size and abs(box[1] - last.y) < 0.1 * last.size)
        ):
            return False
        is_next = abs(box[0] - last.x1) < 0.2 * last.size and 0.2 < (box[2] - box[0]) / last.size < 0.5
        if is_next and last.text[-1:].isalnum():
            last.text += "_"
            last.x1 = box[2]
        return is_next

    def fill(self, operands: list[Operand]) -> None:
        if self.is_white:
            self.end_path(operands)
        else:
            self.stroke(operands)

    def end_path(self, operands: list[Operand]) -> None:
        if self.is_clipping and self.path:
            self.clip = intersection(self.clip, around([point for part in self.path for point in part]))
        self.path, self.is_clipping = [], False

    def set_color(self, operands: list[Operand]) -> None:
        """Note whether areas are white from now on; of a color by its name this is not known."""
        self.is_white = operands in WHITES


def _set(name: str, divisor: int = 1) -> Callable[[Pen, list[Operand]], None]:
    def set_number(pen: Pen, operands: list[Operand]) -> None:
        setattr(pen, name, float(operands[0]) / divisor)

    return set_number


ACTIONS: dict[bytes, Callable[[Pen, list[Operand]], None]] = {
    b"TJ": Pen.show_array,
    b"Tj": lambda pen, operands: pen.show(operands[0]),
    b"'": Pen.show_on_next_line,
    b'"': Pen.show_spaced_on_next_line,
    b"Td": lambda pen, operands: pen.move(float(operands[0]), float(operands[1])),
    b"TD": Pen.move_with_leading,
    b"T*": Pen.next_line,
    b"Tm": Pen.set_text_matrix,
    b"Tf": Pen.set_font,
    b"BT": Pen.begin_text,
    b"Tc": _set("spacing"),
    b"Tw": _set("word_spacing"),
    b"Tz": _set("stretch", 100),
    b"TL": _set("leading"),
    b"Ts": _set("rise"),
    b"Tr": _set("rendering"),
    b"q": Pen.save,
    b"Q": Pen.restore,
    b"cm": Pen.concatenate,
    b"gs": Pen.set_state,
    b"Do": Pen.draw_form,
    b"BDC": Pen.begin_marked,
    b"BMC": Pen.begin_marked,
    b"EMC": Pen.end_marked,
    b"re": Pen.add_rectangle,
    b"m": Pen.begin_line,
    **dict.fromkeys((b"l", b"c", b"v", b"y"), Pen.add_line),
    PATHS_LEFT_OUT: Pen.lose_path,
    **dict.fromkeys((b"W", b"W*"), Pen.begin_clip),
    b"n": Pen.end_path,
    **dict.fromkeys((b"S", b"s", b"B", b"B*", b"b", b"b*"), Pen.stroke),
    **dict.fromkeys((b"f", b"F", b"f*"), Pen.fill),
    **dict.fromkeys((b"g", b"rg", b"k", b"sc", b"scn"), Pen.set_color),
}
