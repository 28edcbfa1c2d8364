"""What the lines and areas drawn on a page say about its text: what is of a table, a footnote, in a box."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from .asides import MARKED
from .geometry import Box
from .lines import Line, lines_of
from .patterns import CAPTION
from .segments import Segment

THIN = 2.0
"""Points up to which what is drawn is a line."""

MIN_RULE = 20.0
"""Points of a line that separates text."""

SAME_END = 3.0
"""Points between the ends of lines that belong together."""

MAX_RULES = 200
"""Lines drawn on a page that are looked at."""

CAPTION_LINES = 8
"""Most lines of text between a caption and the first line drawn."""

MIN_BOX, MAX_BOXES = 60.0, 20
"""Sides of a box in points, and boxes of a page, the largest ones, in which text is looked for."""

BOX_LINES, BOX_LETTERS = 5, 100
"""Lines and letters of text in a box, which is not the frame of a single word or of the cell of a table."""

PAGE_SHARE = 0.7
"""Share of a page's letters above which a box is its background."""

PROSE_LETTERS = 25
"""Letters of a line of text, which few cells of a table have."""

HEAD_LINES = 3
"""Most lines of a table's head, which may look like text."""

USUAL_RULES = 3
"""Lines drawn of most tables: above and below the head, and at the end."""

_PANEL = re.compile(r"(?:box|panel)\b", re.IGNORECASE)
_TABLE = re.compile(r"(?:supplement(?:ary|al) )?(?:extended data )?(?:table|algorithm|listing|chart)", re.IGNORECASE)


def rules_of(shapes: Iterable[Box]) -> list[Box]:
    """The horizontal lines among what is drawn, from top to bottom; those that touch end to end are one."""
    flat = [one for one in shapes if 0 <= one[3] - one[1] <= THIN and one[2] > one[0]]
    joined: list[Box] = []
    for left, bottom, right, top in sorted(flat, key=lambda one: (-round(one[1]), one[0])):
        last = joined[-1] if joined else None
        if last is not None and abs(last[1] - bottom) <= 1 and left <= last[2] + SAME_END:
            joined[-1] = (last[0], last[1], max(last[2], right), last[3])
        else:
            joined.append((left, bottom, right, top))
    return [one for one in joined if one[2] - one[0] >= MIN_RULE]


def boxed(segments: Sequence[Segment], shapes: Iterable[Box]) -> tuple[list[Segment], list[tuple[Box, list[Segment]]]]:
    """The text of a page outside and inside of its boxes: framed or shaded areas with several lines of text.

    Args:
        segments: The page's text.
        shapes: What is drawn on it, in points.
    """
    rest = list(segments)
    total = sum(one.letters for one in segments)
    boxes: list[tuple[Box, list[Segment]]] = []
    areas = {one for one in shapes if one[2] - one[0] > MIN_BOX and one[3] - one[1] > MIN_BOX}
    largest = sorted(areas, key=lambda one: (one[0] - one[2]) * (one[3] - one[1]))[:MAX_BOXES]
    for box in largest:
        if any(_are_cells(box, other) for other in largest):
            continue
        left, bottom, right, top = box
        inside, outside, letters = [], [], 0
        for one in rest:
            is_level = bottom - 2 <= one.y < top
            if is_level and left - 2 <= one.x0 and one.x1 <= right + 2:
                inside.append(one)
                letters += one.letters
            elif is_level and one.x0 < right - 2 and one.x1 > left + 2:
                break  # it crosses the edge
            else:
                outside.append(one)
        else:
            if letters <= PAGE_SHARE * total and _is_panel(inside, [one for one in outside if _is_next_to(one, box)]):
                boxes.append((box, inside))
                rest = outside
    return rest, boxes


def _are_cells(one: Box, other: Box) -> bool:
    """Whether two boxes stand side by side, as the cells of a table do."""
    is_level = abs(one[1] - other[1]) < SAME_END and abs(one[3] - other[3]) < SAME_END
    return is_level and min(abs(one[2] - other[0]), abs(one[0] - other[2])) < 2 * SAME_END


def _is_next_to(segment: Segment, box: Box) -> bool:
    """Whether a segment is right above or below a box."""
    near = box[1] - 3 * segment.size < segment.y < box[3] + 3 * segment.size
    return near and segment.x0 < box[2] and segment.x1 > box[0]


def _is_panel(inside: Sequence[Segment], around: Iterable[Segment]) -> bool:
    """Whether what is in a box is text of its own, not a table or a figure."""
    letters = sum(one.letters for one in inside)
    if len({round(one.y) for one in inside}) < BOX_LINES or letters < BOX_LETTERS:
        return False
    if sum(one.letters for one in inside if one.letters >= PROSE_LETTERS) < 0.7 * letters:
        return False
    return not any(CAPTION.match(one.text) and not _PANEL.match(one.text) for one in (*inside, *around))


def lines_around_boxes(
    segments: list[Segment], shapes: Iterable[Box], page: int, height: float, gutters: Sequence[float]
) -> list[Line]:
    """The lines of a page; those of each box together, before the first line below it.

    Args:
        segments: The page's text.
        shapes: What is drawn on it, in points.
        page: Its number.
        height: In points.
        gutters: See :func:`~.columns.common_gutters`.
    """
    rest, boxes = boxed(segments, shapes) if page > 1 else (segments, [])
    lines = lines_of(rest, page, height, gutters)
    for box, inside in sorted(boxes, key=lambda one: one[0][1]):
        first = 1 + max((line.column for line in lines), default=-1)
        of_box = lines_of(inside, page, height)
        for line in of_box:
            line.column += first
            line.is_boxed = True
        place = next(
            (n for n, line in enumerate(lines) if line.y < box[1] and line.x0 < box[2] and line.x1 > box[0]), len(lines)
        )
        lines[place:place] = of_box
    return lines


def mark_ruled(lines: Sequence[Line], rules: Sequence[Box]) -> None:
    """Set ``is_row`` of lines in tables between rules below or above their captions, ``is_note`` of those below a rule.

    Args:
        lines: Those of a page.
        rules: See :func:`rules_of`.
    """
    if not rules:
        return
    groups: list[list[Box]] = []
    for rule in rules[:MAX_RULES]:
        for group in groups:
            if abs(group[0][0] - rule[0]) < SAME_END and abs(group[0][2] - rule[2]) < SAME_END:
                if group[-1][1] - rule[1] > 2 * THIN:
                    group.append(rule)
                break
        else:
            groups.append([rule])
    for group in groups:
        if len(group) > 1:
            _mark_tables(lines, group)
    for rule in rules[:MAX_RULES]:
        _mark_notes(lines, rule)


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
        is_full = (0.85 if count < USUAL_RULES - 1 else 0.7) * width
        full = sum(line.cells == 1 and line.x1 - line.x0 > is_full for line in part)
        is_text = 2 * full > len(part) and (count or len(part) > HEAD_LINES)
        if is_text or any(CAPTION.match(line.text) for line in part):
            break
        rows += part
    return rows


def _height(line: Line) -> float:
    return line.y


def _between(lines: Sequence[Line], one: float, other: float) -> Sequence[Line]:
    first = bisect_right(lines, min(one, other), key=_height)
    return lines[first : bisect_left(lines, max(one, other) - 0.5, key=_height)]


def _mark_notes(lines: Sequence[Line], rule: Box) -> None:
    """Mark the lines from a short rule at the left of a column down to its end, if the first begins with a mark."""
    below = [line for line in lines if line.y < rule[1] and abs(line.left - rule[0]) < 2 * SAME_END]
    if not below:
        return
    column = below[0].column
    below = [line for line in below if line.column == column]
    first = below[0]
    if rule[1] > 0.5 * first.height or rule[2] - rule[0] > 0.6 * first.width or rule[1] - first.y > 2.5 * first.size:
        return
    if MARKED.match(first.text) and not first.text[0].isalpha():  # letters number the lines of forms
        for line in below:
            line.is_note = True
