"""Removal of text that is printed on every page: running heads, page numbers, line numbers, watermarks."""

import re
from collections import Counter, defaultdict
from heapq import nlargest, nsmallest
from itertools import islice, pairwise
from math import floor
from statistics import median

from .dropped import Dropped
from .patterns import CAPTION
from .segments import Segment

_PAGE_NUMBER = re.compile(
    r"(?:page|p\.)?\s*+(?:[-–—|]\s*+)?(?:[A-Z]?\d{1,4}|[ivxl]{1,6})\s*+[-–—|]?(?:\s*+(?:of|/)\s*+\d{1,4})?",
    re.IGNORECASE,
)
_EDGE_ROWS = 4
"""Rows at the top and at the bottom of a page that may be running heads."""

MIN_MARKED = 3
"""Pages with the same watermark."""

_SAME_PLACE = 0.012
"""Distance below which two places are the same, as a share of the page's height."""


def without_furniture(pages: list[list[Segment]], heights: list[float], dropped: Dropped) -> list[list[Segment]]:
    """Remove running heads and feet, page numbers, line numbers and watermarks, and note them."""
    pages = _without_watermarks(pages, dropped)
    edges = [_edge(segments, height) for segments, height in zip(pages, heights, strict=True)]
    seen = _Seen()
    for number, edge in enumerate(edges):
        for segment, place in edge:
            seen.add(_shape(segment.text), number, place)
    repeats = 2 if len(pages) < 8 else 3
    kept = []
    for number, (segments, edge) in enumerate(zip(pages, edges, strict=True)):
        gone: set[int] = set()
        for segment, place in edge:
            elsewhere = 0 if CAPTION.match(segment.text) else seen.elsewhere(_shape(segment.text), number, place)
            is_number = bool(_PAGE_NUMBER.fullmatch(segment.text.strip()))
            is_outside = is_number and not 0.1 <= place <= 0.9 and not _numbers_heading(segment, edge)
            if elsewhere + 1 >= repeats or is_outside:
                gone.add(id(segment))
                reason, group = ("page number", "") if is_number else ("running head", _shape(segment.text))
                dropped.add(reason, segment.text, number + 1, group)
        kept.append([segment for segment in segments if id(segment) not in gone])
    found = [_line_numbers(segments) for segments in kept]
    places = Counter(place for numbers in found for place in {_place(one) for one in numbers})
    usual = {place for place, count in places.items() if count > max(1, 0.25 * len(pages))}
    for page, numbers in enumerate(found):
        if numbers := numbers or _few_line_numbers(kept[page], usual):
            for segment in numbers:
                dropped.add("line number", segment.text, page + 1, "")
            gone = set(map(id, numbers))
            kept[page] = [segment for segment in kept[page] if id(segment) not in gone]
    return kept


def _without_watermarks(pages: list[list[Segment]], dropped: Dropped) -> list[list[Segment]]:
    """The pages without words that are printed at the same place of most of them, larger than the text."""
    sizes = Counter(round(segment.size) for segments in pages for segment in segments)
    usual = max(sizes, key=sizes.__getitem__, default=0)
    looks = Counter(look for segments in pages for look in {_look(one) for one in segments if one.size > 1.5 * usual})
    marks = {look for look, count in looks.items() if count >= max(MIN_MARKED, 0.5 * len(pages))}
    if not marks:
        return pages
    for number, segments in enumerate(pages, 1):
        for segment in segments:
            if _look(segment) in marks:
                dropped.add("watermark", segment.text, number, segment.text)
    return [[segment for segment in segments if _look(segment) not in marks] for segments in pages]


def _look(segment: Segment) -> tuple[str, int, int, int]:
    """What a watermark has in common on all pages: text, place and size."""
    return segment.text, round(segment.x0), round(segment.y), round(segment.size)


def _numbers_heading(number: Segment, edge: list[tuple[Segment, float]]) -> bool:
    """Whether a number stands right before a line of its size: "2" / "Methods", at the top of a page."""
    return any(
        abs(one.y - number.y) < 1 and abs(one.size - number.size) < 0.3 and 0 < one.x0 - number.x1 < 2.5 * one.size
        for one, _ in edge
        if one.alphabetic
    )


class _Seen:
    """Where on which pages texts stand; a look takes the same time however many there are."""

    def __init__(self) -> None:
        # By text and stripe of the page: the lowest and the highest place on each page.
        self._stripes: dict[tuple[str, int], dict[int, tuple[float, float]]] = defaultdict(dict)
        self._near: dict[tuple[str, int], tuple[list[int], list[tuple[float, int]], list[tuple[float, int]]]] = {}

    def add(self, text: str, page: int, place: float) -> None:
        """Note a text on a page, at a share of its height."""
        pages = self._stripes[text, floor(place / _SAME_PLACE)]
        low, high = pages.get(page, (place, place))
        pages[page] = (min(low, place), max(high, place))

    def elsewhere(self, text: str, page: int, place: float) -> int:
        """On how many other pages the text stands at the same place; 2 stands for more, too."""
        stripe = floor(place / _SAME_PLACE)
        within, _, _ = self._ends(text, stripe)
        _, lows, _ = self._ends(text, stripe + 1)
        _, _, highs = self._ends(text, stripe - 1)
        others = {*within, *(other for low, other in lows if low - place < _SAME_PLACE)}
        others |= {other for high, other in highs if place - high < _SAME_PLACE}
        return min(len(others - {page}), 2)

    def _ends(self, text: str, stripe: int) -> tuple[list[int], list[tuple[float, int]], list[tuple[float, int]]]:
        """Three pages of a stripe: any, those with the lowest and those with the highest places."""
        key = (text, stripe)
        if key not in self._near:
            pages = self._stripes.get(key, {})
            lows = nsmallest(3, ((low, page) for page, (low, _) in pages.items()))
            highs = nlargest(3, ((high, page) for page, (_, high) in pages.items()))
            self._near[key] = (list(islice(pages, 3)), lows, highs)
        return self._near[key]


def _edge(segments: list[Segment], height: float) -> list[tuple[Segment, float]]:
    """The segments of a page's first and last rows near its edges, with their height as a share of the page's."""
    rows = sorted({round(segment.y) for segment in segments})
    outer = {*rows[:_EDGE_ROWS], *rows[-_EDGE_ROWS:]}
    return [
        (segment, segment.y / height)
        for segment in segments
        if round(segment.y) in outer and (segment.y > 0.85 * height or segment.y < 0.13 * height)
    ]


def _shape(text: str) -> str:
    """What running heads have in common: their numbers differ. Values ("85.5 49.9") are not alike: rows of tables."""
    plain = re.sub(r"\s+", "", text.lower())
    is_head = any(map(str.isalpha, plain)) or plain.isdecimal() or _PAGE_NUMBER.fullmatch(text.strip())
    return re.sub(r"\d+", "#", plain) if is_head else plain


def _line_numbers(segments: list[Segment]) -> list[Segment]:
    """Columns of rising numbers left and right of all text; empty where there are none."""
    numbers = _numbers(segments)
    if len(numbers) < 8 or len(numbers) < 0.15 * len({round(segment.y) for segment in segments}):
        return []
    found: list[Segment] = []
    for place, _ in Counter(map(_place, numbers)).most_common(4):
        column = _column(numbers, place)
        values = [int(one.text) for one in column]
        steps = Counter(after - before for before, after in pairwise(values)).most_common(1)
        is_counted = len(values) >= 8 and steps[0][0] in (1, 2, 5, 10) and steps[0][1] >= 0.8 * (len(values) - 1)
        if is_counted and _is_beside_text(column, segments):
            found += column
            numbers = [one for one in numbers if abs(_place(one) - place) > 1]
    return found


def _few_line_numbers(segments: list[Segment], places: set[int]) -> list[Segment]:
    """Rising numbers where other pages have their line numbers."""
    numbers = _numbers(segments)
    found: dict[int, Segment] = {}
    for place in places:
        column = _column(numbers, place)
        rises = all(int(before.text) < int(after.text) for before, after in pairwise(column))
        if column and rises and _is_beside_text(column, segments):
            found |= {id(one): one for one in column}
    return list(found.values())


def _numbers(segments: list[Segment]) -> list[Segment]:
    return [segment for segment in segments if len(segment.text) <= 4 and segment.text.isdecimal()]


def _place(number: Segment) -> int:
    """Where a line number ends, in steps of 4 points."""
    return round(number.x1 / 4)


def _column(numbers: list[Segment], place: int) -> list[Segment]:
    """The numbers at a place, from top to bottom."""
    return sorted((one for one in numbers if abs(_place(one) - place) <= 1), key=lambda one: -one.y)


def _is_beside_text(column: list[Segment], segments: list[Segment]) -> bool:
    """Whether hardly any text is left of a column of numbers, or right of it; small ones may be in a gutter."""
    left, right = min(one.x0 for one in column) - 2, max(one.x1 for one in column) + 2
    text = [one for one in segments if not one.text.isdecimal()]
    few = 0.1 * len(text)
    if len(text) < 0.5 * len(column):  # a table of numbers
        return False
    if min(sum(one.x0 < left for one in text), sum(one.x1 > right for one in text)) <= few:
        return True
    is_small = max(one.size for one in column) < 0.9 * median(one.size for one in text)
    return is_small and sum(one.x0 < right and one.x1 > left for one in text) <= few
