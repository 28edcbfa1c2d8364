"""A PDF page → runs of text with their place, size and font.

pypdf reads the objects and the fonts; here and in ``pen.py`` the operators of a page are executed as far as they place
text. pypdf's own text extraction does not report where every string begins and ends, and columns, spaces and headings
are detected by both.
"""

from collections import Counter
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
    matrix_of,
    rectangle,
    times,
    turn_of,
    upright,
    visible_box,
)
from .glyphs import UNKNOWN
from .layers import Layers
from .objects import resolved, resources_of
from .operators import operators, use_full_names, without_paths
from .pen import ACTIONS, Pen
from .runs import PageText, Pieces, Run
from .slant import straightened

STREAM_LIMIT = 4 << 20
"""Bytes of operators of a page or form, without lines and curves, above which it is not read."""

FILE_LIMIT, PAGE_LIMIT = 16 << 20, 64 << 10
"""The same for a file, plus what each of its pages adds: reading takes about a second a megabyte."""

PACKED = 8
"""How many times its size a file's operators have at most, beyond the first: text packs to a fifth."""

PLAIN_PAGE, PLAIN_PAGES = 20 << 10, 40 << 20
"""What each page, and all pages, of a file have at least however well it packs: pages may repeat one another."""

DRAWING_LIMIT = 256 << 20
"""Bytes of operators of a file in which lines and curves are searched for."""

UNPACKED_LIMIT = 1 << 30
"""Bytes to which the content of all pages and forms of a file may unpack, each time that it is drawn."""

FAILED_LIMIT = 16 << 20
"""What of that a stream costs that cannot be unpacked."""

HIDDEN, CLIPPED, TURNED = "hidden layer", "clipped text", "turned text"
OUTSIDE, BUTTON = "outside the page", "button"
"""Reasons why text of a page is left out."""

USUAL_SIDE, MIN_SIDE, MAX_SIDE = 800.0, 200.0, 4000.0
"""Longer side of a page in points: the default, and the limits outside of which a page is scaled to it."""

_WORD_LENGTH = 6
"""Glyphs of which a word is thought to be made where no character is known."""

CACHED_FONTS = 500
"""Fonts that are remembered, the last ones used: a collection of papers has thousands, each of 60 kB."""

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
        self._faces: dict[Any, tuple[Any, Face]] = {}  # with what refers to it: its identity must stay its own
        pages = len(pdf.pages)
        packed = min(PAGE_LIMIT * pages, PACKED * size)
        self._budget = max(FILE_LIMIT + packed, min(PLAIN_PAGE * pages, PLAIN_PAGES))
        self._drawing_budget, self._unpacking_budget = DRAWING_LIMIT, UNPACKED_LIMIT
        self.layers, self._annotations = Layers(pdf), Annotations(pdf)
        self._start_page()

    def _start_page(self, width: float = 612.0, height: float = 792.0) -> None:
        self.width, self.height = width, height
        self.incomplete, self.calls, self.invisible = False, 0, 0
        self.hidden: list[Run] = []
        self.clipped: list[Run] = []
        self.guesses: list[tuple[Run, Face]] = []
        self.slanted: list[tuple[Run, float]] = []
        self.shapes: list[Box] = []

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
            self.draw(contents.get_object(), resources_of(page), start, runs, depth=0)
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
            self.draw(form, resources_of(form), times(matrix, times(place, start)), runs, depth=1)
        elif lines := annotation.text.splitlines():
            size = min(10.0, (top - bottom) / len(lines))
            top -= max(0.0, top - bottom - size) / 2 if len(lines) == 1 else 0.0
            for number, line in enumerate(lines):
                pen = Pen(self, DictionaryObject(), start, runs, depth=1)
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
        is_scan = self.invisible > 0.5 * sum(len(run.text) for run in runs)
        return PageText(kept, width, height, left_out, self.shapes if not turn else [], is_scan)

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
        try:
            use_full_names(contents)
            data = ContentStream(contents, self._pdf, "bytes").get_data()
        except Exception:
            self._unpacking_budget -= FAILED_LIMIT  # it may have been unpacked up to pypdf's limit
            raise
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
        pen = Pen(self, resources, start, runs, depth)
        pen.clip = clip
        for operands, operator in operators(data):
            action = ACTIONS.get(operator)
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
        known = self._faces.pop(key, None) or (reference, load_face(resolved(reference)))
        self._faces[key] = known  # again as the last one
        if len(self._faces) > CACHED_FONTS:
            del self._faces[next(iter(self._faces))]
        return known[1]
