"""The text of a PDF page as it is drawn: runs with their place, size and font; and what is left out
of a PDF.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from ...text.cleaning import one_line
from ..article.building import TABLES, left_out
from ..model import LeftOut

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]  # left, bottom, right, top


def times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


@dataclass(slots=True)
class Run:
    """A string that is drawn by one operator, or by several without a gap."""

    text: str  # one or more characters
    # x0, x1: left and right end, in points from the left of the page
    x0: float
    x1: float
    y: float  # baseline, in points from the bottom
    size: float  # height of the font in points
    # bold, italic: by the font's name
    bold: bool
    italic: bool
    font: str  # the font's name without its subset tag
    # degrees by which it is turned, counter-clockwise, if it is along an edge of the page; -1 for
    # others. Its place is that on the page turned back by these
    turn: int = 0


@dataclass
class PageText:
    """The text of a page."""

    runs: list[Run]  # in the order in which they are drawn
    # width, height: size of the page, in points, so turned that most of the text is upright
    width: float = 612.0
    height: float = 792.0
    left_out: list[tuple[str, str]] = field(default_factory=list)  # other text, with the reason
    # what surrounds each line or area that is drawn, in points
    shapes: list[Box] = field(default_factory=list)
    rotation: int = 0  # degrees by which the file says that the page is shown turned, clockwise
    scale: float = 1.0  # by which it was scaled


class Pieces:
    """Joins runs that are left out, one after another, to pieces of text."""

    def __init__(self) -> None:
        self._done: list[tuple[str, str]] = []
        self._reason, self._parts = "", list[str]()
        self._last: Run | None = None

    def add(self, reason: str, run: Run) -> None:
        """Add a run, with a space before it unless it goes on right after the last one."""
        last = self._last
        if reason != self._reason or last is None or last.turn != run.turn:
            self.end()
        elif (
            abs(last.y - run.y) > 0.5 * run.size
            or not -run.size < run.x0 - last.x1 < 0.15 * run.size
        ):
            self._parts.append(" ")
        self._reason, self._last = reason, run
        self._parts.append(run.text)

    def end(self) -> list[tuple[str, str]]:
        """End the piece; all pieces so far, each with its reason."""
        if text := "".join(self._parts).strip():
            self._done.append((self._reason, text))
        self._parts = []
        return self._done


class Dropped:
    """Pieces of text that are left out, in groups."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, Hashable], list[tuple[str, int]]] = {}
        self._whole: list[LeftOut] = []

    def add(self, reason: str, text: str, page: int, group: Hashable = None) -> None:
        """Note a piece of a page; those of the same reason and group, by default the page, are
        one.
        """
        self._groups.setdefault((reason, page if group is None else group), []).append((text, page))

    def add_rows(self, rows: Sequence[str], page: int) -> None:
        """Note the rows of a table whose cells are read as text, which is not left out."""
        self._whole.append(LeftOut(TABLES[0], "", 0, (page,), tuple(map(one_line, rows))))

    def extend(self, groups: Iterable[LeftOut]) -> None:
        """Add whole groups."""
        self._whole += groups

    def pieces(self, *reasons: str) -> list[tuple[str, int]]:
        """The pieces of some reasons, each with its page."""
        return [
            piece
            for (reason, _), group in self._groups.items()
            if reason in reasons
            for piece in group
        ]

    def has(self, *reasons: str) -> bool:
        """Whether anything is left out for some reasons."""
        return any(reason in reasons for reason, _ in self._groups)

    def words(self, reason: str) -> int:
        """How many words are left out for a reason."""
        return sum(group.words for group in self.left_out() if group.reason == reason)

    def left_out(self) -> tuple[LeftOut, ...]:
        """All groups in order of their pages; of a group its pieces one after another."""
        groups = [
            left_out(reason, (text for text, _ in pieces), (page for _, page in pieces))
            for (reason, _), pieces in self._groups.items()
        ]
        return tuple(sorted([*groups, *self._whole], key=lambda group: group.pdf_pages or (inf,)))
