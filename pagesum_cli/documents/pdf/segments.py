"""Runs of a page → segments: runs that follow one another on a baseline, and their text."""

import marshal
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise, zip_longest
from operator import attrgetter
from unicodedata import normalize

from .fonts import COMBINING, tidy
from .patterns import FORMS
from .runs import Run
from .scripts import lowered_after, raised_after

WORD_GAP, SPACED_WORD_GAP = 0.105, 0.15
"""Gaps between words, as shares of the size, from which there is a space: where none are drawn, and
where some are.
"""

LETTER_GAP = 0.06  # usual gap between single letters from which they are letter-spaced
NARROW = 3  # width of a run up to which a copy is only looked for within a fraction of a point
TAIL = 80  # characters at the end of a line that decide what becomes of raised ones after them

SMALL, RAISED, RAISED_LARGE, LOWERED = 0.85, 0.15, 0.25, 0.05
"""Size below which characters are small beside those of their line, how far small ones and others
are raised at least, and small ones lowered, as shares of the line's size.
"""

SCRIPT_REACH, SCRIPT_LENGTH = 0.75, 6
"""How far, as a share of the size, a superscript or subscript is from its line at most, and its
number of characters, where it touches what it belongs to.
"""

BREAK = "\u200b"
"""A zero-width space: at the end of a line it breaks a word without a hyphen, an address or a
sequence of bases.
"""

_AROUND = tuple((right, up) for right in (0, -1, 1) for up in (0, -1, 1))
_VALUES = attrgetter(*(field.name for field in fields(Run)))


@dataclass
class Segment:
    """Runs that follow one another on a baseline without a wide gap."""

    runs: list[Run]  # in the order in which they are drawn; none while it is packed
    # x0, x1, y, size: of the whole, see :class:`~.runs.Run`
    x0: float
    x1: float
    y: float
    size: float
    is_in_margin: bool = False  # whether it is part of a heading there, see ``side_headings.py``
    _packed: bytes = b""

    def pack(self) -> None:
        """Let the complete segment take a quarter of the memory: a book has a million runs."""
        _ = self.text, self.letters  # they are remembered
        self._packed, self.runs = marshal.dumps([*map(_VALUES, self.runs)]), []

    def unpacked(self) -> list[Run]:
        """Its runs, packed or not."""
        return (
            [Run(*values) for values in marshal.loads(self._packed)] if self._packed else self.runs
        )

    @cached_property
    def letters(self) -> int:
        """Number of characters. Ask only when the segment is complete."""
        return sum(len(run.text) for run in self.runs)

    @cached_property
    def alphabetic(self) -> int:
        """Number of letters alone. Ask only when the segment is complete."""
        return sum(map(str.isalpha, self.text))

    @cached_property
    def text(self) -> str:
        """The text of the complete segment."""
        return text_of(self.runs)


def without_overprints(runs: Iterable[Run]) -> list[Run]:
    """Runs without those that repeat a text at its place: bold by printing twice, layers."""
    drawn: dict[tuple[str, float], set[tuple[int, int]]] = defaultdict(set)
    kept = []
    for run in runs:
        # the second l of "all", drawn by itself, is no overprint
        unit = 1 if run.x1 - run.x0 > NARROW else 0.5
        x, y = round(run.x0 / unit), round(run.y)
        known = drawn[run.text, unit]
        is_known = bool(known) and not known.isdisjoint(
            [(x + right, y + up) for right, up in _AROUND]
        )
        known.add((x, y))
        if not is_known or run.size <= 4 or run.text.isspace():
            kept.append(run)
    return kept


def segments_of(runs: Iterable[Run], width: float, height: float) -> list[Segment]:
    """Runs of a page, in drawing order → segments. Text outside the page is left out."""
    segments: list[Segment] = []
    current: Segment | None = None
    for run in runs:
        if not (-2 <= run.x0 <= width + 2 and -2 <= run.y <= height + 2 and run.size <= 4 * height):
            continue
        run.x1 = min(run.x1, run.x0 + 4 * width)  # absurd spacing must not widen the page
        is_near = current is not None and (same_line(run, current) or _is_script(run, current))
        if not run.text.strip():
            if (
                current is not None
                and is_near
                and 0 <= run.x0 - current.x1 + run.size < 2 * run.size
            ):
                current.runs.append(run)
        elif (
            current is not None
            and is_near
            and -0.6 * current.size < run.x0 - current.x1 < 0.75 * max(current.size, run.size)
        ):
            current.runs.append(run)
            current.x1 = max(current.x1, run.x1)
            if run.size > current.size * 1.15:
                current.y, current.size = run.y, run.size
        else:
            current = Segment([run], run.x0, run.x1, run.y, run.size)
            segments.append(current)
    for segment in segments:
        if len(segment.runs) > 1:
            letters: Counter[tuple[float, float]] = Counter()
            for run in segment.runs:
                letters[run.size, run.y] += len(run.text.strip())
            segment.size, segment.y = max(letters, key=lambda key: (letters[key], key))
    return segments


def _is_script(run: Run, segment: Segment) -> bool:
    """Whether a number touches the end of a segment, raised or lowered: 10 with a 6 of its size."""
    last, mark = segment.runs[-1], run.text.strip()
    return (
        len(mark) <= SCRIPT_LENGTH
        and FORMS["script"].fullmatch(mark) is not None
        and abs(run.x0 - last.x1) < WORD_GAP * segment.size
        and last.text[-1:].isalnum()
        and run.size < 1.05 * segment.size
        and abs(run.y - segment.y) < SCRIPT_REACH * segment.size
    )


def same_line(first: Run | Segment, second: Run | Segment) -> bool:
    """Whether two pieces stand on one baseline, or the smaller one is raised or lowered beside the
    larger.
    """
    small, large = (
        (first.size, second.size) if first.size < second.size else (second.size, first.size)
    )
    reach = 0.55 * large if small < 0.88 * large else 0.25 * large
    return abs(first.y - second.y) <= reach


_DOTLESS = {"ı": "i", "ȷ": "j"}


def text_of(runs: Sequence[Run]) -> str:
    """The text of runs on one line: spaces where the gaps are, numbers raised and lowered, citation
    numbers left out.
    """
    if len(runs) == 1:
        return _cleaned(runs[0].text)
    text = _LineText(runs)
    for run, after in zip_longest(runs, runs[1:]):
        text.add(run, after)
    return _cleaned(text.end())


class _LineText:
    """The text of a line under construction."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._word_gap = _word_gap(runs)
        self._main, self._level = _main_level(runs)
        self._text = self._accent = ""
        self._script, self._position = "", 0  # raised (1) or lowered (-1) characters at its end
        self._last: Run | None = None

    def add(self, run: Run, after: Run | None) -> None:
        """Add a run, which another one comes after."""
        drawn = run.text
        position = self._position_of(run)
        is_accent = (
            drawn in COMBINING and after is not None and after.x0 < run.x1 - 0.5 * (run.x1 - run.x0)
        )
        if self._last is not None and not self._accent:
            self._add_gap(run, self._last, position, is_accent)
        self._last = run
        if self._accent and drawn[0].isalpha():
            letter = _DOTLESS.get(drawn[0], drawn[0])
            drawn = normalize("NFC", letter + COMBINING[self._accent]) + drawn[1:]
        else:
            self._text += self._accent
        self._accent = drawn if is_accent else ""
        if is_accent:
            return
        if position:
            if self._position != position:
                self._end_script()
            self._script, self._position = self._script + drawn, position
        elif self._script and not drawn.strip():
            self._script += " "
        else:
            self._end_script()
            self._text += drawn

    def end(self) -> str:
        """The whole text."""
        self._end_script(" ")
        return self._text

    def _position_of(self, run: Run) -> int:
        """Whether a run is raised (1), lowered (-1) or on the line (0)."""
        height = (run.y - self._level) / self._main if self._main else 0.0
        is_small = run.size < SMALL * self._main
        if height >= (RAISED if is_small else RAISED_LARGE) and run.text.strip():
            return 1 if is_small or run.size < 1.05 * self._main else 0
        return -1 if is_small and height < -LOWERED and run.text.strip() else 0

    def _add_gap(self, run: Run, last: Run, position: int, is_accent: bool) -> None:
        """Add a space if there is a gap between two runs."""
        is_raised = position == 1 or (self._script and self._position == 1)
        size = max(run.size, last.size) if is_raised else min(run.size, last.size)
        # TeX puts an accent above the middle of the letter after it: its own place says little
        # about the gap.
        if run.x0 - last.x1 > (self._word_gap + 0.09 * is_accent) * size:
            self._end_script(" ")
            self._text += "" if self._text.endswith(" ") else " "

    def _end_script(self, space: str = "") -> None:
        """Add the raised or lowered characters, if there are any, and a space."""
        if self._script:
            # looking at all of the text each time would take quadratic time
            before, script = self._text[-TAIL:], self._script + space
            is_raised = self._position == 1
            self._text += (raised_after if is_raised else lowered_after)(before, script)
        self._script, self._position = "", 0


def _main_level(runs: Sequence[Run]) -> tuple[float, float]:
    """The size that most letters of a line have, and their baseline."""
    letters: Counter[float] = Counter()
    for run in runs:
        # "cohort." has fewer characters than "44 49–52" raised after it, and more letters.
        letters[run.size] += sum(map(str.isalpha, run.text))
    main = max(letters, key=lambda size: (letters[size], size))
    heights = sorted((run.y, len(run.text)) for run in runs if run.size == main)
    half = sum(length for _, length in heights) / 2
    for height, length in heights:
        half -= length
        if half <= 0:
            return main, height
    return main, heights[-1][0]


def _word_gap(runs: Sequence[Run]) -> float:
    """The gap between two runs, as a share of their size, above which there is a space: wide in
    letter-spaced text.
    """
    gap = SPACED_WORD_GAP if any(" " in run.text for run in runs) else WORD_GAP
    if sum(len(run.text) == 1 for run in runs) < 4:
        return gap
    pairs = [
        (before, after)
        for before, after in pairwise(runs)
        if before.text[-1:] != " " != after.text[:1]
    ]
    letters = sorted(
        (after.x0 - before.x1) / min(before.size, after.size)
        for before, after in pairs
        if len(before.text) == 1 and before.text != "." and before.font == after.font
    )
    if len(letters) >= 4 and len(letters) >= 0.8 * len(pairs):
        usual = letters[len(letters) // 3]
        if LETTER_GAP < usual < 0.5 and letters[len(letters) // 10] > usual / 2:
            return gap + usual
    return gap


def _cleaned(text: str) -> str:
    """The text with ordinary letters and spaces; soft hyphens and spaces without width stay at the
    end alone.
    """
    text = text.rstrip()
    if text.endswith("\u00ad") and text[-2:-1].isalpha():
        text = f"{text[:-1]}-"
    mark = BREAK if text.endswith(BREAK) and text[-2:-1].isalnum() else ""
    return " ".join(tidy(text).split()) + mark
