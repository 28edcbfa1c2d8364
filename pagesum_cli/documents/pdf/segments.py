"""Runs of a page → segments: runs that follow one another on a baseline, and their text."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from .content import Run
from .fonts import tidy

SHELF = 100
"""Segments of a stripe of 12 points that a further one may be drawn over: the latest ones."""

TAIL = 80
"""Characters at the end of a line that decide what becomes of raised ones after them."""

NARROW = 3
"""Points; of a narrower run a copy is only looked for within a fraction of a point."""


@dataclass
class Segment:
    """Runs that follow one another on a baseline without a wide gap."""

    runs: list[Run]
    x0: float
    x1: float
    y: float
    size: float

    @cached_property
    def letters(self) -> int:
        """Number of characters. Ask only when the segment is complete."""
        return sum(len(run.text) for run in self.runs)

    @cached_property
    def text(self) -> str:
        """The text of the complete segment."""
        return text_of(self.runs)


def segments_of(runs: Sequence[Run], width: float, height: float) -> list[Segment]:
    """Runs of a page, in drawing order → segments. Text outside the page and text printed twice are left out."""
    segments: list[Segment] = []
    current: Segment | None = None
    drawn: dict[tuple[str, float], set[tuple[int, int]]] = defaultdict(set)
    for run in runs:
        if not (-2 <= run.x0 <= width + 2 and -2 <= run.y <= height + 2 and run.size <= 4 * height):
            continue
        run.x1 = min(run.x1, run.x0 + 4 * width)  # absurd spacing must not widen the page
        if not run.text.strip():
            if current is not None and same_line(run, current) and 0 <= run.x0 - current.x1 + run.size < 2 * run.size:
                current.runs.append(run)
            continue
        if _is_overprint(run, drawn):
            continue
        if (
            current is not None
            and same_line(run, current)
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
            sizes: Counter[tuple[float, float]] = Counter()
            for run in segment.runs:
                sizes[(run.size, run.y)] += len(run.text.strip())
            (segment.size, segment.y), _ = max(sizes.items(), key=lambda one: (one[1], one[0]))
    return _without_overlays(segments)


def _without_overlays(segments: list[Segment]) -> list[Segment]:
    """Drop text that is drawn over other text: the second layer of a corrected or of a scanned page."""
    shelves: dict[int, deque[Segment]] = defaultdict(lambda: deque(maxlen=SHELF))
    kept = []
    for segment in segments:
        shelf = int(segment.y // 12)
        covered = segment.letters >= 4 and any(
            abs(other.y - segment.y) < 0.35 * min(segment.size, other.size)
            and min(other.x1, segment.x1) - max(other.x0, segment.x0)
            > 0.6 * min(other.x1 - other.x0, segment.x1 - segment.x0)
            for place in (shelf - 1, shelf, shelf + 1)
            for other in shelves[place]
        )
        if not covered:
            kept.append(segment)
            if segment.letters >= 4:
                shelves[shelf].append(segment)
    return kept


def _is_overprint(run: Run, drawn: dict[tuple[str, float], set[tuple[int, int]]]) -> bool:
    """Whether the same text was drawn at the same place before (bold by printing twice, layers); remembers it."""
    unit = 1 if run.x1 - run.x0 > NARROW else 0.5  # the second l of "all", drawn by itself, is no overprint
    x, y = round(run.x0 / unit), round(run.y)
    places = drawn[run.text, unit]
    known = bool(places) and any((x + right, y + up) in places for right in (0, -1, 1) for up in (0, -1, 1))
    places.add((x, y))
    return known and run.size > 4


def same_line(one: Run | Segment, other: Run | Segment) -> bool:
    """Whether two pieces stand on one baseline, or the smaller one is raised or lowered beside the larger."""
    if one.size < other.size:
        one, other = other, one
    reach = 0.55 * one.size if other.size < 0.88 * one.size else 0.25 * one.size
    return abs(one.y - other.y) <= reach


_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ")
_CITATION = re.compile(r"[\[(]?\d{1,3}(?: ?[,;–−-] ?\d{1,3})*[\])]?[,;]?|[*†‡§¶#✉]+")
_EXPONENT = re.compile(r"[0-9+\-−–=()n]+")
_LONG_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{4,}+$")


def text_of(runs: Sequence[Run]) -> str:
    """The text of runs on one line: spaces where the gaps are, exponents raised, citation numbers left out."""
    if any(" " in run.text for run in runs):
        return _joined(runs, 0.15)
    # Files that draw no spaces leave gaps instead, and in a tight line narrow ones.
    text = _joined(runs, 0.105)
    if len(runs) > 4 and max(map(len, text.split()), default=0) > 24:
        gaps = sorted((b.x0 - a.x1) / min(a.size, b.size) for a, b in pairwise(runs))
        low = [gap for gap in gaps if 0.0 < gap < 0.2]
        jump, place = max(((after - before, (after + before) / 2) for before, after in pairwise(low)), default=(0, 0))
        if jump > 0.015 and place > 0.025:
            return _joined(runs, place)
    return text


def _joined(runs: Sequence[Run], word_gap: float) -> str:
    if len(runs) == 1:
        return " ".join(tidy(runs[0].text).split())
    sizes: Counter[float] = Counter()
    for run in runs:
        sizes[run.size] += len(run.text)
    main = max(sizes, key=lambda size: (sizes[size], size))
    level = median(run.y for run in runs if run.size == main)
    line, raised = _Text(), ""
    previous: Run | None = None
    for run in runs:
        up = run.size < 0.85 * main and run.y > level + 0.15 * main and bool(run.text.strip())
        if previous is not None and run.x0 - previous.x1 > word_gap * min(run.size, previous.size):
            raised = line.add_raised(raised)
            if not line.tail.endswith(" "):
                line.add(" ")
        if up:
            raised += run.text
        else:
            if raised and run.text.strip():
                raised = line.add_raised(raised)
            line.add(run.text)
        previous = run
    line.add_raised(raised)
    return " ".join(tidy("".join(line.parts)).split())


class _Text:
    """The text of a line under construction, and its end: looking at all of it each time would take quadratic time."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.tail = ""

    def add(self, text: str) -> None:
        """Append a text."""
        self.parts.append(text)
        self.tail = (self.tail + text)[-TAIL:]

    def add_raised(self, raised: str) -> str:
        """Append raised characters, if there are any; returns what is still to be appended: nothing."""
        if raised:
            self.add(_raised_after(self.tail, raised))
        return ""


def _raised_after(text: str, raised: str) -> str:
    """What becomes of raised characters: an exponent, a citation number (left out), or something else."""
    mark = raised.strip()
    before = (text.split() or [""])[-1]
    if _CITATION.fullmatch(mark) and (
        (before and before[-1] in ".,;:)]”’\"'") or _LONG_WORD.search(before) or not mark[0].isdigit()
    ):
        return " " if raised.endswith(" ") else ""
    if _EXPONENT.fullmatch(mark) and before:
        return mark.translate(_SUPERSCRIPTS)
    return raised
