"""What the lines and areas drawn on a page say about its text: what is in a table, what is in a box."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ..article.wording import CAPTION
from .lines import Line, Page
from .runs import Box
from .segments import Segment

# Fitted on articles' tables of three rules and on panels of text; places are in points.
THIN = 2.0
"""Height up to which what is drawn is a line."""
MIN_RULE = 20.0
"""Length of a line that separates text."""
SAME_END = 3.0
"""Distance between the ends of lines that belong together."""
MAX_RULES = 200
"""Lines drawn on a page that are looked at. A bound for odd files."""
CAPTION_LINES, HEAD_LINES = 8, 3
"""Most lines of text between a table's caption and its first rule, and of its head, which may look like text."""
MIN_BOX, MAX_BOXES = 60.0, 20
"""Sides of a box, and boxes of a page, the largest ones, in which text is looked for."""
BOX_LINES, BOX_LETTERS = 5, 100
"""Lines and letters of text in a box, which is not the frame of a single word or of the cell of a table."""
PAGE_SHARE = 0.7
"""Share of a page's letters above which a box is its background."""
PROSE_LETTERS = 25
"""Letters of a line of text, which few cells of a table have."""

_TABLE = re.compile(r"(?:supplement(?:ary|al) )?(?:extended data )?(?:table|algorithm|listing|chart)", re.IGNORECASE)


def set_boxes_apart(page: Page) -> None:
    """Take the text of framed or shaded areas with several lines of text out of the other text of a page."""
    if page.number == 1:  # a box with the abstract
        return
    total = sum(segment.letters for segment in page.segments)
    areas = {shape for shape in page.shapes if min(shape[2] - shape[0], shape[3] - shape[1]) > MIN_BOX}
    largest = sorted(areas, key=lambda shape: (shape[0] - shape[2]) * (shape[3] - shape[1]))[:MAX_BOXES]
    for left, bottom, right, top in largest:
        inside: list[Segment] = []
        outside: list[Segment] = []
        for segment in page.segments:
            is_level = bottom - 2 <= segment.y < top
            if is_level and left - 2 <= segment.x0 and segment.x1 <= right + 2:
                inside.append(segment)
            elif is_level and segment.x0 < right - 2 and segment.x1 > left + 2:
                break  # it crosses the edge
            else:
                outside.append(segment)
        else:
            if sum(segment.letters for segment in inside) <= PAGE_SHARE * total and _is_panel(inside):
                page.boxes.append(((left, bottom, right, top), inside))
                page.segments = outside


def _is_panel(inside: Sequence[Segment]) -> bool:
    """Whether what is in a box is text of its own, not a table or a figure."""
    letters = sum(segment.letters for segment in inside)
    if len({round(segment.y) for segment in inside}) < BOX_LINES or letters < BOX_LETTERS:
        return False
    prose = sum(segment.letters for segment in inside if segment.letters >= PROSE_LETTERS)
    return prose >= 0.7 * letters and not any(_TABLE.match(segment.text) for segment in inside)


def mark_ruled_tables(page: Page) -> None:
    """Set ``is_row`` of lines in tables between rules below or above their captions."""
    groups: list[list[Box]] = []
    for rule in _rules_of(page.shapes)[:MAX_RULES]:
        for group in groups:
            if abs(group[0][0] - rule[0]) < SAME_END and abs(group[0][2] - rule[2]) < SAME_END:
                if group[-1][1] - rule[1] > 2 * THIN:
                    group.append(rule)
                break
        else:
            groups.append([rule])
    for group in groups:
        if len(group) > 1:
            _mark_tables(page.lines, group)


def _rules_of(shapes: Iterable[Box]) -> list[Box]:
    """The horizontal lines among what is drawn, from top to bottom; those that touch end to end are one."""
    flat = [shape for shape in shapes if 0 <= shape[3] - shape[1] <= THIN and shape[2] > shape[0]]
    rules: list[Box] = []
    for left, bottom, right, top in sorted(flat, key=lambda shape: (-round(shape[1]), shape[0])):
        last = rules[-1] if rules else None
        if last is not None and abs(last[1] - bottom) <= 1 and left <= last[2] + SAME_END:
            rules[-1] = (last[0], last[1], max(last[2], right), last[3])
        else:
            rules.append((left, bottom, right, top))
    return [rule for rule in rules if rule[2] - rule[0] >= MIN_RULE]


def _mark_tables(lines: Iterable[Line], rules: Sequence[Box]) -> None:
    """Mark the rows between rules of one width that follow the caption of a table, or that precede it."""
    left, _, right, _ = rules[0]
    inside = sorted((line for line in lines if left - 6 <= (line.x0 + line.x1) / 2 <= right + 6), key=_height)
    heights = [rule[1] for rule in rules]
    for caption in inside:
        if _TABLE.match(caption.text) and CAPTION.match(caption.text):
            below = [height for height in heights if height < caption.y]
            above = [height for height in reversed(heights) if height > caption.y]
            width = right - left
            for line in _rows(inside, caption.y, below, width) or _rows(inside, caption.y, above, width):
                line.is_row = True


def _rows(lines: Sequence[Line], start: float, heights: Sequence[float], width: float) -> list[Line]:
    """The lines of a table between heights, going away from its caption; text of the table's width ends it.

    Args:
        lines: Those above and below one another, from bottom to top.
        start: The height of the caption.
        heights: Those of the rules, the nearest one first.
        width: Of the rules.
    """
    if len(heights) < 2 or len(_between(lines, start, heights[0])) > CAPTION_LINES:
        return []
    rows: list[Line] = []
    for count, (first, last) in enumerate(pairwise(heights)):
        part = _between(lines, first, last)
        full = sum(line.cells == 1 and line.x1 - line.x0 > 0.8 * width for line in part)
        is_text = 2 * full > len(part) and (count or len(part) > HEAD_LINES)
        if is_text or any(CAPTION.match(line.text) for line in part):
            break
        rows += part
    return rows


def _height(line: Line) -> float:
    return line.y


def _between(lines: Sequence[Line], first: float, second: float) -> Sequence[Line]:
    """The lines between two heights."""
    start = bisect_right(lines, min(first, second), key=_height)
    return lines[start : bisect_left(lines, max(first, second) - 0.5, key=_height)]
