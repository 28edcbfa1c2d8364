"""The text of a page by PDFium → runs: where each word begins and ends, its font and size, how it
is turned.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from ..model import HIDDEN
from . import native
from .fonts import Faces, Font
from .runs import Matrix, Run, times

TINY, HIGH = 3.0, 4.0
"""Points below which a font may be a bitmap font with units of its own, and times its size that
these are high.
"""

MIN_SIZE = 1.0  # points up to which text is too small to be seen

WORD_GAP, LOOSE_GAP, SPACED_GAP = 0.15, 0.75, 1.0
"""Gaps, as shares of the size, between which two words of one piece are surely next to each other;
and up to which they are if a space is drawn between them."""

INNER_GAP, EMPTY, SLACK = 0.12, 0.06, 0.06
"""A gap, as a share of the size, at which what PDFium takes for a word may be two, and what of it
is empty at least; and by how much longer such a word is at least than its characters, some of which
may overlap."""

# usual gap between letters above which each is a run: some files draw the gaps between words by it
SPACED = 0.08
LONE_SPACE = 0.08  # the least width of a space that is drawn by itself
# gap, as a share of the size, up to which a word is drawn over the one before: not the next one
BACK = -0.2
TOUCHING = 0.01  # gap, as a share of the size, up to which runs of one font are one
LONGEST_RUN = 1000  # characters from which nothing is added to a run

SOFT_HYPHEN = "\u00ad"

_WORD = re.compile(r"[^ \r\n\t]+")
_LETTERS = re.compile("[A-Za-z]{2}")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CODES = frozenset(map(chr, (*range(0x20, 0x41), *range(0x5B, 0x61)))) - set("(['")
"""What may be the code of a glyph without a meaning, at the beginning of a word."""

_LIGATURES = frozenset(["ff", "fi", "fl", "fj", "ft", "tt", "ti", "Th", "th", "ct", "st"])
"""Ends of what may be a single glyph of several characters."""


@dataclass(frozen=True, slots=True)
class _Style:
    """How a piece of text is drawn that the file draws at once."""

    # face, size: its font
    face: Font
    size: float
    along: float  # what a width of 1 is on the page
    turn: int  # degrees counter-clockwise; -1 for slanted text, which is drawn at an angle
    side: int  # the side of a character's box at which the next one is: left, top, right, bottom


class Words:
    """Reads the words of a page.

    Args:
        page: PDFium's text page.
        start: The matrix that turns the page upright.
        scale: By which it also scales the page.
        size: Width and height of the upright page.
        faces: The fonts of the file.
        pieces: The number of each piece of text of the page in the order in which they are drawn.
        unseen: Pieces that nobody sees, with the reason.

    Attributes:
        guesses: Runs whose characters are guessed, with their font.
        hidden: Words that nobody sees, by the reason.
    """

    def __init__(
        self,
        page: int,
        start: Matrix,
        scale: float,
        size: tuple[float, float],
        faces: Faces,
        pieces: dict[int, int],
        unseen: dict[int, str],
    ) -> None:
        self._page, self._unseen = native.prepared(page), unseen
        self._start, self._scale, self._faces, self._pieces = start, scale, faces, pieces
        self._width, self._height = size
        self._shift = start[4:] if start[:4] == (1.0, 0.0, 0.0, 1.0) else None
        self._point, (self._x, self._y) = native.memory("d", 2)
        self._numbers, (self._address, *_) = native.memory("f", 6)
        self._styles: dict[int, _Style] = {}
        self._like: dict[tuple[float, ...], _Style] = {}
        self._runs: list[Run] = []
        self._order: list[int] = []
        self._piece, self._end = 0, -1  # of the last word
        self._run: Run | None = None
        self.guesses: list[tuple[Run, Font]] = []
        self.hidden: defaultdict[str, list[str]] = defaultdict(list)

    def runs(self, text: str) -> list[Run]:
        """The runs of a page with these characters, in the order in which they are drawn."""
        piece_of, page = native.text_object, self._page
        for match in _WORD.finditer(text):
            start, end = match.span()
            piece = piece_of(page, end - 1)
            if piece != self._piece and end - start > 1 and piece_of(page, start) != piece:
                pieces = [piece_of(page, place) for place in range(start, end)]
                ends = [
                    place for place in range(1, len(pieces)) if pieces[place] != pieces[place - 1]
                ]
                for first, last in pairwise([0, *ends, len(pieces)]):
                    self._add(text, pieces[first], start + first, start + last)
            else:
                self._add(text, piece, start, end)
        self._end_word(text)
        order = sorted(range(len(self._runs)), key=self._order.__getitem__)
        for first, last in pairwise(order):
            run, after = self._runs[first], self._runs[last]
            is_apart = run.y == after.y and LONE_SPACE < (after.x0 - run.x1) / run.size < WORD_GAP
            if is_apart and self._order[last] - self._order[first] > 1 and run.text[-1] != " ":
                run.text += " "  # PDFium leaves out lone spaces
        return [self._runs[place] for place in order]

    def _add(
        self, text: str, piece: int | None, start: int, end: int, *, may_have_gaps: bool = True
    ) -> None:
        """Add a word, to the last run if it goes on with it."""
        if piece is None:
            return
        if piece in self._unseen or piece not in self._pieces:  # or nobody knows whether it is seen
            self.hidden[self._unseen.get(piece, HIDDEN)].append(text[start:end])
            return
        style = self._styles.get(piece) or self._style(piece, start)
        size, face, word, is_guessed = style.size, style.face, text[start:end], False
        if size <= MIN_SIZE:
            self.hidden[HIDDEN].append(word)
            return
        length = face.lengths.get(word)
        if length is None:
            length = -1.0 if word[0] in _CODES and word[1:2].islower() else face.length(word)
        if length < 0:
            word, length, is_guessed = self._unfamiliar(style, text, start, end)
        x0, x1, y = self._place(style, text, start, end)
        if may_have_gaps and end - start > 1 and x1 - x0 > length * style.along + SLACK * size:
            gaps = self._gaps(style, text, start, end)
            for first, last in pairwise([start, *gaps, end] if gaps else []):
                self._add(text, piece, first, last, may_have_gaps=False)
            if gaps:
                return
        if SOFT_HYPHEN in word and face.widths.get(SOFT_HYPHEN, 0.0) > 0:
            word = word.replace(SOFT_HYPHEN, "-")  # it is drawn, so it is one
        if not self._join(text, piece, style, start, word, (x0, x1, y)):
            self._append(piece, style, word, (x0, x1, y))
        self._piece, self._end = piece, end
        if is_guessed and self._run is not None:
            self.guesses.append((self._run, face))

    def _join(
        self,
        text: str,
        piece: int,
        style: _Style,
        start: int,
        word: str,
        place: tuple[float, float, float],
    ) -> bool:
        """Add a word to the last run, if it goes on with it."""
        run, (x0, x1, y) = self._run, place
        if run is None:
            return False
        distance = (x0 - run.x1) / style.size
        if len(run.text) > LONGEST_RUN:
            joint = None
        elif (
            piece == self._piece
            and start == self._end + 1
            and text[self._end] == " "
            and distance > BACK
        ):
            is_letter = run.text[-2:-1] in ("", " ")  # the last word
            is_near = WORD_GAP < distance < LOOSE_GAP and len(word) > 1 and not is_letter
            is_spaced = not is_near and distance < SPACED_GAP and (len(word) > 1 or not is_letter)
            is_near = is_near or (is_spaced and not native.is_generated(self._page, self._end))
            joint = " " if is_near else None
        else:
            is_touching = start == self._end and -TOUCHING < distance < TOUCHING
            joint = "" if is_touching and self._is_next(piece, run, style, y) else None
        if joint is None:
            if start > self._end:
                self._end_word(text)
            return False
        run.text += joint + word
        run.x1 = x1
        return True

    def _is_next(self, piece: int, run: Run, style: _Style, y: float) -> bool:
        """Whether a piece is drawn right after the last run, in the same way."""
        between = self._pieces.get(piece, 0) - self._pieces.get(self._piece, 0)
        is_alike = (run.y, run.size, run.turn, run.font) == (
            y,
            style.size,
            style.turn,
            style.face.name,
        )
        return between in (0, 1) and is_alike and bool(style.face.name)

    def _append(
        self, piece: int, style: _Style, text: str, place: tuple[float, float, float]
    ) -> None:
        face, (x0, x1, y) = style.face, place
        self._run = Run(text, x0, x1, y, style.size, face.bold, face.italic, face.name, style.turn)
        self._runs.append(self._run)
        self._order.append(self._pieces.get(piece, len(self._pieces)))

    def _end_word(self, text: str) -> None:
        """Add the space after the last word, if the file draws one."""
        run, end, piece = self._run, self._end, self._piece
        if run is None or text[end : end + 1] != " " or native.is_generated(self._page, end):
            return
        space = native.text_object(self._page, end)
        if space == piece:
            run.text += " "
            run.x1 = max(run.x1, self._place(self._styles[piece], text, end, end + 1)[1])
        elif space is not None:
            style = self._styles.get(space) or self._style(space, end)
            self._append(space, style, " ", self._place(style, text, end, end + 1))

    def _style(self, piece: int, place: int) -> _Style:
        """How a piece of text is drawn; one of its characters is at this place."""
        handle = native.font_of(piece) or 0
        native.char_matrix(self._page, place, self._address)
        own_a, own_b, own_c, own_d = self._numbers[:4]
        drawn = abs(native.char_size(self._page, place))
        key = (handle, own_a, own_b, own_c, own_d, drawn)
        known = self._like.get(key)
        if known is None:
            side = (2 if own_a > 0 else 0) if abs(own_a) > abs(own_b) else (1 if own_b > 0 else 3)
            a, b, c, d, _, _ = times((own_a, own_b, own_c, own_d, 0.0, 0.0), self._start)
            size = hypot(c, d) * drawn
            if size < TINY:
                size *= self._letter_height(handle)
            # A mirrored y axis counts as upright.
            if abs(b) <= 0.1 * abs(a):
                turn = 0 if a > 0 else 180
            elif abs(a) <= 0.1 * abs(b):
                turn = 90 if b > 0 else 270
            else:
                turn = -1
            known = self._like[key] = _Style(
                self._faces.load(handle), size, hypot(a, b) * drawn, turn, side
            )
        self._styles[piece] = known
        return known

    def _letter_height(self, handle: int) -> float:
        """How high the letters of a bitmap font with units of its own are at size 1; 1 for
        others.
        """
        native.font_ascent(handle, 1.0, self._address)
        ascent = self._numbers[0]
        native.font_descent(handle, 1.0, self._address)
        height = ascent - self._numbers[0]
        return height if height >= HIGH else 1.0

    def _place(self, style: _Style, text: str, start: int, end: int) -> tuple[float, float, float]:
        """Where characters of a piece begin and end, and their baseline, on the page turned back by
        their turn.
        """
        point = self._point
        native.char_origin(self._page, start, self._x, self._y)
        x, y = last_x, last_y = point[0], point[1]
        if end - start > 1:
            native.char_origin(self._page, end - 1, self._x, self._y)
            last_x, last_y = point[0], point[1]
        width = style.face.widths.get(text[end - 1])
        if width is None or (text[end - 2 : end] in _LIGATURES and self._is_ligature(end - 2)):
            width = self._drawn_width(style, end - 1, last_x, last_y)
        if self._shift is not None and not style.turn:
            across, up = self._shift
            return x + across, last_x + across + width * style.along, y + up
        a, b, c, d, e, f = self._start
        x, y = a * x + c * y + e, b * x + d * y + f
        last_x, last_y = a * last_x + c * last_y + e, b * last_x + d * last_y + f
        if style.turn < 0:
            return x, x + hypot(last_x - x, last_y - y) + width * style.along, y
        if style.turn == 90:
            x, y, last_x = y, self._width - x, last_y
        elif style.turn == 180:
            x, y, last_x = self._width - x, self._height - y, self._width - last_x
        elif style.turn == 270:
            x, y, last_x = self._height - y, x, self._height - last_y
        return x, last_x + width * style.along, y

    def _gaps(self, style: _Style, text: str, start: int, end: int) -> list[int]:
        """The characters before which there is a gap; it is wider than most in letter-spaced
        text.
        """
        places = [self._place(style, text, place, place + 1) for place in range(start, end)]
        gaps = [(after[0] - before[1]) / style.size for before, after in pairwise(places)]
        usual = sorted(gaps)[len(gaps) // 2]
        limit = INNER_GAP + (usual if 0 < usual < SPACED else 0.0)
        wide = [place for place, gap in enumerate(gaps, start + 1) if gap > limit or usual > SPACED]
        return [
            place for place in wide if self._is_apart(style, text, place, gaps[place - start - 1])
        ]

    def _is_apart(self, style: _Style, text: str, place: int, gap: float) -> bool:
        """Whether there is a gap before a character by the boxes, too: a small capital is wider
        than its letter.
        """
        native.char_origin(self._page, place - 1, self._x, self._y)
        drawn = self._drawn_width(style, place - 1, self._point[0], self._point[1])
        known = style.face.widths.get(text[place - 1], drawn)
        return gap - (drawn - known) * style.along / style.size > EMPTY

    def _unfamiliar(
        self, style: _Style, text: str, start: int, end: int
    ) -> tuple[str, float, bool]:
        """A word with new or unknown characters: what is read, its length, whether it is
        guessed.
        """
        face, length, unmapped = style.face, 0.0, set[int]()
        for place in range(start, end):
            letter = text[place]
            width = face.widths.get(letter)
            is_odd = width is None or not letter.isalpha()
            if is_odd and (letter == "\0" or native.is_unmapped(self._page, place) == 1):
                unmapped.add(place)
                width = face.unmapped.get(letter)
            length += (
                self._measured(style, text, place, place in unmapped) if width is None else width
            )
        word = text[start:end]
        is_guessed = (
            bool(unmapped)
            and face.is_guessed
            and (not face.name or _LETTERS.search(word) is not None)
        )
        if is_guessed:
            word = face.guess(word)
        elif unmapped:
            unknown = self._faces.unknown
            letters = (
                unknown(face, text[place]) if place in unmapped else text[place]
                for place in range(start, end)
            )
            word = "".join(letters)
        if _SURROGATES.search(word):
            word = word.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return word, length, is_guessed

    def _measured(self, style: _Style, text: str, place: int, is_unmapped: bool) -> float:
        """The width of a character at size 1, which is remembered unless it is a part of a
        ligature.

        It is that of its box where the font does not say; the box of a slanted letter is wider.
        """
        letter, face = text[place], style.face
        native.char_origin(self._page, place, self._x, self._y)
        x, y = self._point
        width = self._drawn_width(style, place, x, y)
        if self._is_ligature(place):
            return width - face.widths.get(text[place + 1 : place + 2], 0.0)
        if place and text[place - 1] not in " \r\n" and self._is_ligature(place - 1):
            return 0.0
        if is_unmapped:
            face.unmapped[letter] = width
            return width
        native.glyph_width(face.handle, ord(letter), 1.0, self._address)
        known = self._numbers[0]
        width = width if known <= 0 else known if style.turn < 0 else min(width, known)
        face.widths[letter] = width
        return width

    def _is_ligature(self, place: int) -> bool:
        """Whether a character and the one after it are one glyph."""
        native.char_origin(self._page, place, self._x, self._y)
        first = self._point[:]
        native.char_origin(self._page, place + 1, self._x, self._y)
        return first == self._point

    def _drawn_width(self, style: _Style, place: int, x: float, y: float) -> float:
        """The width of a character's box at size 1."""
        if style.turn < 0 or not style.along:
            return 0.5
        native.char_box(self._page, place, self._address)
        end = self._numbers[style.side]
        return abs(end - (y if style.side % 2 else x)) * self._scale / style.along
