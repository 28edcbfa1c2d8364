"""Runs of a page → segments: runs that follow one another on a baseline, and their text."""

import marshal
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise, zip_longest
from operator import attrgetter
from statistics import median
from unicodedata import normalize

from .fonts import COMBINING, tidy
from .patterns import FORMS
from .runs import Run

WORD_GAP, SPACED_WORD_GAP = 0.105, 0.15
"""Gaps between words, as shares of the size, from which there is a space: where none are drawn, and
where some are.
"""

LETTER_GAP = 0.06  # usual gap between single letters from which they are letter-spaced
NARROW = 3  # width of a run up to which a copy is only looked for within a fraction of a point
TAIL = 80  # characters at the end of a line that decide what becomes of raised ones after them

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
        is_near = current is not None and same_line(run, current)
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


def same_line(first: Run | Segment, second: Run | Segment) -> bool:
    """Whether two pieces stand on one baseline, or the smaller one is raised or lowered beside the
    larger.
    """
    small, large = (
        (first.size, second.size) if first.size < second.size else (second.size, first.size)
    )
    reach = 0.55 * large if small < 0.88 * large else 0.25 * large
    return abs(first.y - second.y) <= reach


_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ")
_RAISED_TO = {
    "mm", "cm", "dm", "km", "nm", "μm", "µm", "𝜇m", "pm", "hm", "mi", "ft", "in", "yd",
    "ms", "ns", "cos", "sin", "tan", "log", "ln", "exp", "sec", "min", "hr", "ha",
}  # fmt: skip
"""Units and functions of two or three letters, the raised number after which is an exponent."""

_DOTLESS = {"ı": "i", "ȷ": "j"}


def text_of(runs: Sequence[Run]) -> str:
    """The text of runs on one line: spaces where the gaps are, exponents raised, citation numbers
    left out.
    """
    if len(runs) == 1:
        return _cleaned(runs[0].text)
    word_gap = _word_gap(runs)
    main, level = runs[0].size, runs[0].y
    if len({run.size for run in runs}) > 1:
        letters: Counter[float] = Counter()
        for run in runs:
            # "cohort." has fewer characters than "44 49–52" raised after it, and more letters.
            letters[run.size] += sum(map(str.isalpha, run.text))
        main = max(letters, key=lambda size: (letters[size], size))
        level = median([run.y for run in runs if run.size == main])
    text = raised = accent = ""
    previous: Run | None = None
    for run, after in zip_longest(runs, runs[1:]):
        drawn = run.text
        up = run.size < 0.85 * main and run.y > level + 0.15 * main and bool(drawn.strip())
        is_accent = (
            drawn in COMBINING and after is not None and after.x0 < run.x1 - 0.5 * (run.x1 - run.x0)
        )
        if previous is not None and not accent:
            size = max(run.size, previous.size) if up or raised else min(run.size, previous.size)
            # TeX puts an accent above the middle of the letter after it: its own place says little
            # about the gap.
            if run.x0 - previous.x1 > (word_gap + 0.09 * is_accent) * size:
                text += _raised_after(text[-TAIL:], raised and f"{raised} ")
                text, raised = text if text.endswith(" ") else f"{text} ", ""
        if accent and drawn[0].isalpha():
            drawn = (
                normalize("NFC", _DOTLESS.get(drawn[0], drawn[0]) + COMBINING[accent]) + drawn[1:]
            )
        else:
            text += accent
        accent = drawn if is_accent else ""
        if up and not is_accent:
            raised += drawn
        elif raised and not drawn.strip():
            raised += " "
        elif not is_accent:
            text += _raised_after(text[-TAIL:], raised) + drawn
            raised = ""
        previous = run
    return _cleaned(text + _raised_after(text[-TAIL:], raised and f"{raised} "))


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


def _raised_after(text: str, raised: str) -> str:
    """What becomes of raised characters: an exponent, a citation number (left out), an ordinal, or
    something else.

    Only the end of the text before them is looked at: looking at all of it each time would take
    quadratic time.
    """
    if not raised:
        return ""
    mark, space = raised.strip(), " " if raised[-1:].isspace() else ""
    before = (text.split() or [""])[-1]
    if not text.strip():  # the mark of a footnote
        return mark + " "
    if text[-1:].isspace() and not space and mark.isdecimal():  # an isotope's number
        return mark.translate(_SUPERSCRIPTS)
    if before[-1:].isdigit() and FORMS["ordinal"].fullmatch(mark):
        return mark + space
    if FORMS["citation"].fullmatch(mark) and (
        before[-1:] in tuple(".,;:)]”’\"'") or _cites(before) or not mark[0].isdigit()
    ):
        return space
    if FORMS["exponent"].fullmatch(mark) and before:
        return mark.translate(_SUPERSCRIPTS) + space
    return raised


def _cites(before: str) -> bool:
    """Whether a raised number after a word is that of a reference, not an exponent."""
    short = FORMS["short_word"].search(before)
    return bool(FORMS["long_word"].search(before)) or (
        short is not None and short[0] not in _RAISED_TO
    )
