"""What is in a table, a box or a figure, by the lines and areas drawn on a page, by cells, and by
numbers.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter

from ..article.back_matter import NOTICE
from ..article.names import ABSTRACT, NUMBER, is_name
from ..article.wording import CAPTION, LEADER_DOTS, ends_sentence, is_prose
from .entries import has_values
from .fonts import family
from .headings import Body
from .lines import Line, Page
from .patterns import FORMS
from .runs import Box
from .segments import Segment
from .table_rows import MAX_LEADING

# rows with three cells, or with hardly any letters, which make a table of the lines around them
MIN_ROWS = 3


def mark_rows(lines: Sequence[Line], body: Body) -> None:
    """Set ``is_row`` of the lines that are rows of tables or labels inside figures, and
    ``is_entry`` of those of lists with values.
    """
    for first, last in _groups(lines):
        rows = [n for n in range(first, last + 1) if lines[n].cells > 1 or _is_tabular(lines[n])]
        is_list = has_values([lines[n] for n in rows])
        if is_list or sum(_is_tabular(lines[n]) for n in rows) >= MIN_ROWS:
            for line in lines[rows[0] : _end_of_table(lines, rows[-1], last)]:
                line.is_row = not CAPTION.match(line.text)
                line.is_entry = line.is_entry or is_list
    for n, line in enumerate(lines):
        if CAPTION.match(line.text) and FORMS["figure"].match(line.text):
            _mark_labels(lines, n, body)


def _end_of_table(lines: Sequence[Line], row: int, last: int) -> int:
    """The number after that of the last line of a table, up to the ``last`` of its group."""
    end = row + 1
    while end <= last and _ends_row(lines[end - 1], lines[end]):
        end += 1
    return end


def _ends_row(above: Line, line: Line) -> bool:
    """Whether a line goes on with the last row of a table: as near as the lines of a cell, and in
    lower case or below another cell than the first.
    """
    if not 0 < line.gap <= MAX_LEADING * line.size:
        return False
    cells = [left for left, _, _ in above.pieces[1:]]
    starts = [left for left, _, _ in line.pieces] or [line.x0]
    is_below = any(abs(cell - start) <= SAME_END for cell in cells for start in starts)
    return line.text[:1].islower() or is_below


def _mark_labels(lines: Sequence[Line], caption: int, body: Body) -> None:
    """Mark the labels of the figure above a caption: lines in a font that is not the text's, none
    of them prose.
    """
    first = caption
    while (
        first and lines[first - 1].page == lines[caption].page and _is_label(lines[first - 1], body)
    ):
        first -= 1
    if caption - first >= MIN_ROWS:
        for line in lines[first:caption]:
            line.is_row = True


def _is_label(line: Line, body: Body) -> bool:
    if CAPTION.match(line.text) or is_name(line.text) or is_prose(line.text):
        return False
    if (
        abs(line.size - body.size) < 0.3
        and line.cells == 1
        and line.x1 - line.x0 > 0.6 * line.width
    ):
        return False  # a line of text full of slanted names
    other = family(line.font) != family(body.font) or line.size < 0.9 * body.size
    return other and not ends_sentence(line.text) and not (line.bold and NUMBER.match(line.text))


def _groups(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The first and the last of lines one under another none of which is prose."""
    first: int | None = None
    for n, line in enumerate(lines):
        last = lines[n - 1] if n else line
        apart = _is_other_column(last, line) or line.gap > 4 * line.size
        may_be_row = _may_be_row(line)
        if first is not None and (apart or not may_be_row):
            yield first, n - 1
            first = None
        if first is None and may_be_row:
            first = n
    if first is not None:
        yield first, len(lines) - 1


def _is_other_column(last: Line, line: Line) -> bool:
    """Whether a line is in another column than the last one, and is not the next row of a table
    between lines, or of one that goes on on the next page.
    """
    is_next_row = last.is_row and line.is_row and last.page == line.page
    if is_next_row or (line.page, line.column) == (last.page, last.column):
        return False
    return line.page != last.page + 1 or not line.cells == last.cells > 1


def _may_be_row(line: Line) -> bool:
    is_short = line.x1 - line.x0 < 0.6 * line.width and not ends_sentence(line.text)
    if not (line.cells > 1 or is_short or _is_tabular(line)):
        return False
    return not CAPTION.match(line.text) and not LEADER_DOTS.search(line.text)


def _is_tabular(line: Line) -> bool:
    """Whether a line has three cells, or hardly any letters."""
    return line.cells > 2 or (
        line.letters < 0.35 * len(line.text.replace(" ", "")) and " " in line.text
    )


# Fitted on articles' tables of three rules and on panels of text; places are in points.
THIN = 2.0  # height up to which what is drawn is a line
MIN_RULE = 20.0  # length of a line that separates text
SAME_END = 3.0  # distance between the ends of lines that belong together
MAX_RULES = 200  # lines drawn on a page that are looked at: a bound for odd files
CAPTION_LINES, HEAD_LINES = 8, 3
"""Most lines of text between a table's caption and its first rule, and of its head, which may look
like text.
"""
# sides of a box, and boxes of a page, the largest ones, in which text is looked for
MIN_BOX, MAX_BOXES = 60.0, 20
BOX_LINES, MIN_BOX_LINES, BOX_LETTERS = 5, 3, 100
"""Lines of text in a box that touches another one, which is not the cell of a table; lines and
letters in one that is alone, which is not the frame of a few words.
"""
PAGE_SHARE = 0.7  # share of a page's letters above which a box is its background
PROSE_LETTERS = 25  # letters of a line of text, which few cells of a table have

_height = attrgetter("y")


def set_boxes_apart(page: Page) -> None:
    """Take the text of framed or shaded areas with several lines of text out of the other text of a
    page.
    """
    total = sum(segment.letters for segment in page.segments)
    areas = set(filter(_is_large, page.shapes))
    for area in sorted(areas, key=_size, reverse=True)[:MAX_BOXES]:
        split = _split(page.segments, area)
        if split is None:
            continue
        inside, outside = split
        letters = sum(segment.letters for segment in inside)
        is_cell = any(_touch(area, other) for other in areas)
        if letters > PAGE_SHARE * total or not _is_panel(inside, letters, is_cell):
            continue
        if page.number > 1 or _is_below_text(area, inside, outside):
            page.boxes.append((area, inside))
            page.segments = outside


def _is_large(area: Box) -> bool:
    return min(area[2] - area[0], area[3] - area[1]) > MIN_BOX


def _size(area: Box) -> float:
    return (area[2] - area[0]) * (area[3] - area[1])


def _touch(one: Box, other: Box) -> bool:
    """Whether two areas have a side in common, like the cells of a table."""
    are_beside = min(abs(one[0] - other[2]), abs(one[2] - other[0])) < SAME_END
    are_stacked = min(abs(one[1] - other[3]), abs(one[3] - other[1])) < SAME_END
    overlap_across = min(one[2], other[2]) - max(one[0], other[0])
    overlap_up = min(one[3], other[3]) - max(one[1], other[1])
    return (are_beside and overlap_up > SAME_END) or (are_stacked and overlap_across > SAME_END)


def _split(segments: Iterable[Segment], area: Box) -> tuple[list[Segment], list[Segment]] | None:
    """What is inside of an area, and outside; None if text crosses its edge."""
    left, bottom, right, top = area
    inside: list[Segment] = []
    outside: list[Segment] = []
    for segment in segments:
        is_level = bottom - 2 <= segment.y < top
        if is_level and left - 2 <= segment.x0 and segment.x1 <= right + 2:
            inside.append(segment)
        elif is_level and segment.x0 < right - 2 and segment.x1 > left + 2:
            return None
        else:
            outside.append(segment)
    return inside, outside


def _is_below_text(area: Box, inside: Iterable[Segment], outside: Iterable[Segment]) -> bool:
    """Whether a box of the first page is below the beginning of the text or beside it, unlike one
    with the title, the abstract or the authors' addresses.
    """
    above = sum(one.letters >= PROSE_LETTERS and one.y > area[1] for one in outside)
    return above >= BOX_LINES and not any(_is_front(one.text) for one in inside)


def _is_front(text: str) -> bool:
    return any(form.search(text) for form in (ABSTRACT, NOTICE, FORMS["e_mail"]))


def _is_panel(inside: Sequence[Segment], letters: int, is_cell: bool) -> bool:
    """Whether what is in a box is text of its own, not a table or a figure."""
    lines = len({round(segment.y) for segment in inside})
    if lines < (BOX_LINES if is_cell else MIN_BOX_LINES) or letters < BOX_LETTERS:
        return False
    prose = sum(segment.letters for segment in inside if segment.letters >= PROSE_LETTERS)
    return prose >= 0.7 * letters and not any(
        FORMS["ruled_table"].match(segment.text) for segment in inside
    )


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
    """The horizontal lines among what is drawn, from top to bottom; those that touch end to end are
    one.
    """
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
    """Mark the rows between rules of one width that follow the caption of a table, or that precede
    it.
    """
    left, _, right, _ = rules[0]
    inside = sorted(
        (line for line in lines if left - 6 <= (line.x0 + line.x1) / 2 <= right + 6), key=_height
    )
    heights = [rule[1] for rule in rules]
    for caption in inside:
        if FORMS["ruled_table"].match(caption.text) and CAPTION.match(caption.text):
            below = [height for height in heights if height < caption.y]
            above = [height for height in reversed(heights) if height > caption.y]
            width = right - left
            for line in _rows(inside, caption.y, below, width) or _rows(
                inside, caption.y, above, width
            ):
                line.is_row = True


def _rows(
    lines: Sequence[Line], start: float, heights: Sequence[float], width: float
) -> list[Line]:
    """The lines of a table between the heights of rules, going away from its caption; text of its
    width ends it.
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


def _between(lines: Sequence[Line], first: float, second: float) -> Sequence[Line]:
    """The lines between two heights."""
    start = bisect_right(lines, min(first, second), key=_height)
    return lines[start : bisect_left(lines, max(first, second) - 0.5, key=_height)]
