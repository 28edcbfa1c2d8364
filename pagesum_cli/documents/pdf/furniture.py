"""Removal of text that is printed on every page: running heads, page numbers, line numbers,
watermarks.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import floor
from statistics import median

from ...text.words import STOP_WORDS
from ..article.wording import CAPTION
from .lines import Page
from .patterns import FORMS
from .runs import Dropped
from .segments import Segment

EDGE_ROWS = 4  # rows at the top and at the bottom of a page that may be running heads
SAME_HEIGHT = 0.008  # distance within which two heights are the same, as a share of the page's
MIN_NUMBERED, MIN_MARKED = 8, 3  # numbers of lines of a page; pages with the same watermark
SAME_END = 6.0  # points between the ends of numbers that stand one under another
MIN_COUNTING = 3  # numbers of a page of which only every fifth or tenth row has one
COUNTED_STEPS = (5, 10)
MOST_ROWS = 0.6  # share of the rows of a page that have numbers
MIN_LIKE = 2  # pages whose lines have numbers at a place where those of another page may be, too
MIN_RULED, MAX_FIRST_RULED = 20, 5  # numbers of a page of which each row has one; the first
SAME_DISTANCE = 1.5  # points by which the distances of rows differ at most
MIN_COUNTED = 2  # pages whose printed numbers must agree


PAGE_NUMBER, RUNNING_HEAD = "page number", "running head"  # reasons why text of a page is left out


def printed_numbers(dropped: Dropped, count: int) -> tuple[str, ...]:
    """The numbers printed on the pages, if they count most of them; empty otherwise, or for a page
    before 1.

    They are those in running heads and feet that differ from the number of the PDF page by the same
    on most pages; pages that print none are counted, too.
    """
    pieces = dropped.pieces(PAGE_NUMBER, RUNNING_HEAD)
    found = {
        (int(number) - page, page)
        for text, page in pieces
        for number in FORMS["printed_number"].findall(text)
    }
    offset, pages = max(
        Counter(offset for offset, _ in found).items(), key=lambda item: item[1], default=(0, 0)
    )
    if pages < MIN_COUNTED or 2 * pages <= count:
        return ()
    return tuple(str(page + offset) if page + offset > 0 else "" for page in range(1, count + 1))


def remove_watermarks(pages: Sequence[Page], dropped: Dropped) -> None:
    """Remove words that are printed at the same place of most pages, larger than the text."""
    sizes = Counter(round(segment.size) for page in pages for segment in page.segments)
    usual = max(sizes, key=sizes.__getitem__, default=0)
    looks = Counter(
        look
        for page in pages
        for look in {_look(segment) for segment in page.segments if segment.size > 1.5 * usual}
    )
    marks = {look for look, count in looks.items() if count >= max(MIN_MARKED, 0.5 * len(pages))}
    for page in pages if marks else ():
        gone = [segment for segment in page.segments if _look(segment) in marks]
        for segment in gone:
            dropped.add("watermark", segment.text, page.number, segment.text)
        _remove(page, gone)


def _look(segment: Segment) -> tuple[str, int, int, int]:
    """What a watermark has in common on all pages: text, place and size."""
    return segment.text, round(segment.x0), round(segment.y), round(segment.size)


def _remove(page: Page, gone: Sequence[Segment]) -> None:
    identities = set(map(id, gone))
    page.segments = [segment for segment in page.segments if id(segment) not in identities]


MIN_VALUES = 2  # values after a number, from which on it is the first cell of a row of a table


def remove_running_heads(pages: Sequence[Page], dropped: Dropped) -> None:
    """Remove running heads and feet, and page numbers; if nothing else is on any page, they are its
    text.
    """
    edges = [_edge(page) for page in pages]
    headings = _numbered_headings(pages, edges)
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for page, edge in zip(pages, edges, strict=True):
        for segment in edge:
            if (shape := _shape(segment.text)) not in headings:
                seen[shape, _stripe(segment, page)].add(page.number)
    repeats = 2 if len(pages) < 8 else 3
    gone = [
        [segment for segment in edge if _is_head(segment, page, edge, seen, repeats)]
        for page, edge in zip(pages, edges, strict=True)
    ]
    if not any(len(heads) < len(page.segments) for page, heads in zip(pages, gone, strict=True)):
        return
    for page, heads in zip(pages, gone, strict=True):
        for segment in heads:
            if _is_page_number(segment):
                dropped.add(PAGE_NUMBER, segment.text, page.number, "")
            else:
                dropped.add(RUNNING_HEAD, segment.text, page.number, _shape(segment.text))
        _remove(page, heads)


def _numbered_headings(pages: Sequence[Page], edges: Sequence[Sequence[Segment]]) -> set[str]:
    """The shapes of labels like "SECTION 5." that are more often inside pages than at their
    edges.
    """
    counts = Counter(_shape(one.text) for page in pages for one in page.segments)
    at_edges = Counter(_shape(one.text) for edge in edges for one in edge)
    labels = {one for one in at_edges if "#" in one and any(map(str.isalpha, one))}
    return {one for one in labels if counts[one] > 2 * at_edges[one]}


def _is_head(
    segment: Segment,
    page: Page,
    edge: Sequence[Segment],
    seen: dict[tuple[str, int], set[int]],
    repeats: int,
) -> bool:
    """Whether a text at the edge of a page repeats at its height on other pages, or numbers the
    page.
    """
    if _is_of_values(segment, edge) or segment.text.strip().lower() in STOP_WORDS:
        return False  # one word of a line, which its wide spaces part
    shape, stripe = _shape(segment.text), _stripe(segment, page)
    if not CAPTION.match(segment.text):
        near = [seen.get((shape, number), set()) for number in (stripe - 1, stripe, stripe + 1)]
        if any(len(numbers) >= repeats for numbers in near) or len(set().union(*near)) >= repeats:
            return True
    is_outside = not 0.1 <= segment.y / page.height <= 0.9
    return is_outside and _is_page_number(segment) and not _numbers_heading(segment, edge)


def _is_page_number(segment: Segment) -> bool:
    return FORMS["page_number"].fullmatch(segment.text.strip()) is not None


def _numbers_heading(number: Segment, edge: Sequence[Segment]) -> bool:
    """Whether a number stands right before a line of its size: "2" / "Methods", at the top of a
    page.
    """
    return any(
        abs(text.y - number.y) < 1
        and abs(text.size - number.size) < 0.3
        and 0 < text.x0 - number.x1 < 2.5 * text.size
        for text in edge
        if text.alphabetic
    )


def _is_of_values(number: Segment, edge: Sequence[Segment]) -> bool:
    """Whether a number is a cell in a row of a table: the first one before two values or more, or
    one of several numbers.
    """
    if not number.text.isdecimal():
        return False
    level = [one for one in edge if abs(one.y - number.y) < 1 and one is not number]
    after = [one for one in level if one.x0 > number.x1]
    values = list(filter(_is_value, after))
    is_first = len(values) >= MIN_VALUES and len(values) == len(after)
    return is_first or sum(one.text.isdecimal() for one in level) >= MIN_VALUES


def _is_value(segment: Segment) -> bool:
    return any(map(str.isdecimal, segment.text)) and not segment.alphabetic


def _edge(page: Page) -> list[Segment]:
    """The segments of a page's first and last rows near its edges."""
    rows = sorted({round(segment.y) for segment in page.segments})
    outer = {*rows[:EDGE_ROWS], *rows[-EDGE_ROWS:]}
    return [
        segment
        for segment in page.segments
        if round(segment.y) in outer and not 0.13 * page.height <= segment.y <= 0.85 * page.height
    ]


def _stripe(segment: Segment, page: Page) -> int:
    """The stripe of the page in which a text stands."""
    return floor(segment.y / page.height / SAME_HEIGHT)


def _shape(text: str) -> str:
    """What running heads have in common: their numbers differ. Values ("85.5 49.9") are not alike:
    rows of tables.
    """
    plain = re.sub(r"\s+", "", text.lower())
    is_head = (
        any(map(str.isalpha, plain))
        or plain.isdecimal()
        or FORMS["page_number"].fullmatch(text.strip())
    )
    return re.sub(r"\d+", "#", plain) if is_head else plain


def remove_line_numbers(pages: Sequence[Page], dropped: Dropped) -> None:
    """Remove columns of numbers that count the lines of text, left or right of it, and those at
    the same place of pages with too few lines to know them by.
    """
    for page, numbers in zip(pages, _line_numbers(pages), strict=True):
        for segment in numbers:
            dropped.add("line number", segment.text, page.number, "")
        _remove(page, numbers)


def _line_numbers(pages: Sequence[Page]) -> list[list[Segment]]:
    """The numbers on each page that count the lines of text."""
    columns = [_number_columns(page.segments) for page in pages]
    known = [
        column
        for page, own in zip(pages, columns, strict=True)
        for column in own
        if _counts_lines(column, page.segments)
    ]
    places, is_known = Counter(map(_margin, known)), set(map(id, known))
    return [
        [
            number
            for column in own
            if id(column) in is_known or _goes_on(column, page.segments, places)
            for number in column
        ]
        for page, own in zip(pages, columns, strict=True)
    ]


def _counts_lines(column: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    return any(rule(column, segments) for rule in _LINE_RULES)


def _margin(column: Sequence[Segment]) -> tuple[int, int]:
    """Where a column of numbers ends, and their size."""
    return round(column[-1].x1), round(column[-1].size)


def _goes_on(
    column: Sequence[Segment], segments: Sequence[Segment], places: Mapping[tuple[int, int], int]
) -> bool:
    """Whether numbers that look like those of lines on several other pages rise, and most rows of
    text have one, which is beside all other text.
    """
    values = [int(number.text) for number in sorted(column, key=lambda one: -one.y)]
    rises = all(after > before for before, after in pairwise(values))
    rows = {round(one.y) for one in segments if one.alphabetic}
    is_like = places.get(_margin(column), 0) >= MIN_LIKE and len(column) >= MOST_ROWS * len(rows)
    return is_like and rises and _is_outside(column, segments)


def _counts_text(column: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    """Whether most of some numbers rise by the same step, beside text."""
    values = [int(segment.text) for segment in sorted(column, key=lambda segment: -segment.y)]
    steps = Counter(after - before for before, after in pairwise(values)).most_common(1)
    return (
        len(values) >= MIN_NUMBERED
        and steps[0][0] in (1, 2, 5, 10)
        and steps[0][1] >= 0.8 * (len(values) - 1)
        and _is_beside_text(column, segments)
    )


def _number_columns(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Numbers that stand one under another: they begin or end at about the same place."""
    numbers = [one for one in segments if len(one.text) <= 4 and one.text.isdecimal()]
    columns: list[list[Segment]] = []
    for number in sorted(numbers, key=lambda segment: segment.x1):
        if columns and number.x1 - columns[-1][-1].x1 <= SAME_END:
            columns[-1].append(number)
        else:
            columns.append([number])
    return columns


def _counts_rows(column: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    """Whether a few numbers, each beside a row of text, count the rows: every fifth or tenth."""
    numbers = sorted(column, key=lambda segment: -segment.y)
    if len(numbers) < MIN_COUNTING:
        return False
    own = set(map(id, numbers))
    heights = sorted({-round(one.y) for one in segments if id(one) not in own and one.alphabetic})
    pairs = list(pairwise(numbers))
    matches = 0
    for above, below in pairs:
        step = int(below.text) - int(above.text)
        rows = bisect_right(heights, -below.y + 2) - bisect_right(heights, -above.y + 2)
        matches += step in COUNTED_STEPS and abs(rows - step) <= 1
    return matches >= 0.6 * len(pairs) and _is_outside(numbers, segments)


def _is_of_ruled_paper(column: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    """Whether many numbers at even distances count all rows of a page, also those without text, as
    on the paper of many courts.
    """
    numbers = sorted(column, key=lambda segment: -segment.y)
    values = [int(number.text) for number in numbers]
    if len(values) < MIN_RULED or values[0] > MAX_FIRST_RULED:
        return False
    distances = [above.y - below.y for above, below in pairwise(numbers)]
    own = set(map(id, numbers))
    others = [one for one in segments if id(one) not in own]
    return (
        values == [*range(values[0], values[-1] + 1)]
        and max(distances) - min(distances) <= SAME_DISTANCE
        and _are_texts(others)
        and _is_left(numbers, others)
    )


def _are_texts(segments: Sequence[Segment]) -> bool:
    """Whether most of some segments have letters."""
    return 2 * sum(one.alphabetic > 0 for one in segments) > len(segments)


def _is_left(column: Sequence[Segment], others: Sequence[Segment]) -> bool:
    """Whether a column of numbers is left of all other text."""
    right = max(number.x1 for number in column)
    return all(one.x0 > right for one in others)


def _is_outside(column: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    """Whether a column of numbers is left or right of all other text."""
    own = set(map(id, column))
    others = [segment for segment in segments if id(segment) not in own]
    left, right = min(number.x0 for number in column), max(number.x1 for number in column)
    return all(one.x0 > right for one in others) or all(one.x1 < left for one in others)


_LINE_RULES = (_counts_text, _counts_rows, _is_of_ruled_paper)


def remove_overlays(pages: Sequence[Page], dropped: Dropped) -> None:
    """Remove the text of pages that the next page repeats at its place: slides that are built up
    step by step. Two pages with the same text are steps only if they are wider than high.
    """
    looks = [_places(page) for page in pages]
    for page, own, following in zip(pages, looks, looks[1:], strict=False):
        is_step = len(following) > len(own) or page.width > page.height
        if own and is_step and all(_is_repeated(place, following) for place in own):
            for segment in page.segments:
                dropped.add("repeated page", segment.text, page.number)
            page.segments = []


_Place = tuple[str, int, int]


def _places(page: Page) -> set[_Place]:
    """The texts of a page with their places; numbers at its edge, which count pages, are alike."""
    edge = set(map(id, _edge(page)))
    return {
        (
            _shape(segment.text) if id(segment) in edge else segment.text,
            round(segment.x0),
            round(segment.y),
        )
        for segment in page.segments
    }


def _is_repeated(place: _Place, places: set[_Place]) -> bool:
    """Whether a text stands at the same place of another page, within a point."""
    text, x, y = place
    return any((text, x + across, y + up) in places for across in (0, -1, 1) for up in (0, -1, 1))


def _is_beside_text(column: Sequence[Segment], segments: Sequence[Segment]) -> bool:
    """Whether hardly any text is left of a column of numbers, or right of it; small ones may be in
    a gutter.
    """
    left, right = min(number.x0 for number in column) - 2, max(number.x1 for number in column) + 2
    text = [segment for segment in segments if not segment.text.isdecimal()]
    few = 0.1 * len(text)
    if len(text) < len(column):  # a table of numbers
        return False
    if (
        min(sum(segment.x0 < left for segment in text), sum(segment.x1 > right for segment in text))
        <= few
    ):
        return True
    is_small = max(number.size for number in column) < 0.9 * median(
        segment.size for segment in text
    )
    return is_small and sum(segment.x0 < right and segment.x1 > left for segment in text) <= few
