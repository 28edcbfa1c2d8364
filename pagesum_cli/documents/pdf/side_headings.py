"""Headings in the margin, each beside the paragraph that it is about."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from statistics import median

from .measures import extent_of, letters_of, weighted
from .segments import Segment, same_line

# Fitted on reports whose headings are left of their text; places are in points.
SAME_START = 3.0  # distance within which lines begin at one place
LEVEL = 4.0  # how far the top or the baseline of a heading is from that of the line beside it
TEXT_SHARE = 0.4  # share of a page's letters in lines that begin where its text does
MARGIN_SHARE = 0.25  # letters in the margin, as a share of those of the text
KNOWN_SHARE = 0.8  # share of the letters in the margin that headings have
MIN_MARGIN = 0.15  # width of the margin, as a share of the page's text
MAX_LINES, MAX_LETTERS = 10, 200  # of a heading
MAX_HEADINGS = 40  # of a page: a bound for odd files
MIN_FILL = 0.6  # share of the text's width that the line beside a heading fills, or the next one
LARGER = 1.05  # times the size of the text above which type is larger
MIN_ALIKE, MEAN_LETTERS = 2, 60
"""Headings in the font of the text, from which on they are some, and the mean of their letters."""
BELOW = 1.8  # distance of a heading from the one that it is directly below, in sizes
TOP = 0.75  # height of a capital above its baseline, as a share of its size


@dataclass(frozen=True)
class _Text:
    """The text of a page that leaves its left margin free, from its top."""

    rows: list[Segment]  # its lines
    others: list[Segment]  # what else there is outside the margin
    width: float
    gap: float  # the median distance of two of its lines

    @classmethod
    def of(cls, rows: Iterable[Segment], others: Iterable[Segment]) -> "_Text":
        """That in some lines, beside others."""
        ordered = sorted(rows, key=_from_top)
        low, high = extent_of(ordered)
        gaps = [above.y - below.y for above, below in pairwise(ordered)]
        return cls(ordered, list(others), high - low, median(gaps) if gaps else 0.0)

    def is_level(self, first: Segment) -> bool:
        """Whether a paragraph begins at the height of a heading's first line."""
        return any(
            _are_level(row, first) and self._begins(number) and self._is_prose(number)
            for number, row in enumerate(self.rows)
        )

    def is_beside(self, stack: Sequence[Segment]) -> bool:
        """Whether there is something level with a heading."""
        top, bottom = stack[0].y + stack[0].size, stack[-1].y - 2
        return any(bottom <= row.y <= top for row in chain(self.rows, self.others))

    def is_counted(self, stack: Sequence[Segment]) -> bool:
        """Whether what is in the margin has words, or is beside something."""
        return _has_words(stack) or self.is_beside(stack)

    def is_across(self, stack: Sequence[Segment]) -> bool:
        """Whether something that begins in the margin is level with a heading."""
        low, high, end = stack[-1].y - 2, stack[0].y + 2, max(one.x1 for one in stack)
        return any(low <= one.y <= high and one.x0 < end for one in self.others)

    def goes_on_in(self, first: Segment) -> bool:
        """Whether a line in the margin is the next one of a heading across the page."""
        return any(
            abs(other.size - first.size) < 0.5 and 0 < other.y - first.y < BELOW * first.size
            for other in self.others
        )

    def is_unlike(self, heading: Sequence[Segment]) -> bool:
        """Whether a heading is larger than the text, bold or in another font."""
        sizes = [(row.size, row.letters) for row in self.rows]
        if heading[0].size > LARGER * weighted(sizes, 0.5 * letters_of(self.rows)):
            return True
        own = heading[0].unpacked()[0]
        fonts = Counter(row.unpacked()[0].font for row in self.rows)
        return own.bold or own.font != fonts.most_common(1)[0][0]

    def _begins(self, number: int) -> bool:
        """Whether a line has white above it, or is the first one or behind the last one."""
        if number in (0, len(self.rows)):
            return True
        return self.rows[number - 1].y - self.rows[number].y > 1.2 * self.gap

    def _is_prose(self, number: int) -> bool:
        """Whether a line is no row of a table or of a list of contents: nothing is right of it, and
        it fills the width, or the next one does.
        """
        first = self.rows[number]
        after = number + 1
        lines = [first] if self._begins(after) else [first, self.rows[after]]
        is_full = any(one.x1 - one.x0 > MIN_FILL * self.width for one in lines)
        return is_full and not any(abs(one.y - first.y) < 2 for one in self.others)


def parts_by_headings(segments: list[Segment]) -> list[list[Segment]]:
    """The text of a page in parts, each heading in the margin before the text that begins beside
    it; one part where there is none.

    Headings are a few lines in the left margin that look otherwise than the text, or several that
    look like it; a paragraph begins at the height of each.
    """
    edge = _start_of_text(segments)
    margin, beside, others = list[Segment](), list[Segment](), list[Segment]()
    for one in segments:
        is_in_margin = one.x1 <= edge - SAME_START and not _is_mark(one)
        is_text = abs(one.x0 - edge) <= SAME_START
        (margin if is_in_margin else beside if is_text else others).append(one)
    text = _Text.of(beside, others)
    headings = _headings(margin, text) if _is_free(margin, beside, segments) else []
    return _parts(headings, segments) if headings else [segments]


def _parts(headings: Sequence[list[Segment]], segments: Iterable[Segment]) -> list[list[Segment]]:
    """Headings, from the top, each before what is not above it."""
    for one in chain.from_iterable(headings):
        one.is_in_margin = True
    rest = sorted((one for one in segments if not one.is_in_margin), key=_from_top)
    parts: list[list[Segment]] = []
    above: list[Segment] | None = None
    for heading in headings:
        top = heading[0].y + TOP * heading[0].size
        is_below = above is not None and _is_below(above, heading)
        count = 0 if is_below else sum(row.y > top for row in rest)
        parts += [rest[:count], heading]
        above, rest = heading, rest[count:]
    return [part for part in (*parts, rest) if part]


def _is_mark(segment: Segment) -> bool:
    """Whether a segment is a bullet or the like."""
    return not any(map(str.isalnum, segment.text))


def _from_top(segment: Segment) -> float:
    return -segment.y


def _start_of_text(segments: Sequence[Segment]) -> float:
    """Where the lines with most of a page's letters begin."""
    letters: Counter[int] = Counter()
    for segment in segments:
        letters[round(segment.x0)] += segment.letters
    return float(letters.most_common(1)[0][0]) if letters else 0.0


def _is_free(
    margin: Sequence[Segment], beside: Sequence[Segment], segments: Sequence[Segment]
) -> bool:
    """Whether a page has one column of text and a margin with a few words."""
    if not margin or letters_of(beside) < TEXT_SHARE * letters_of(segments):
        return False
    low, high = extent_of(segments)
    start = min(one.x0 for one in beside)
    is_wide = start - low > MIN_MARGIN * (high - low)
    return is_wide and letters_of(margin) <= MARGIN_SHARE * letters_of(beside)


def _headings(margin: Iterable[Segment], text: _Text) -> list[list[Segment]]:
    """The headings among what is in the margin, from the top; none if most of that is
    something else.
    """
    groups = _stacks(margin)
    if len(groups) > MAX_HEADINGS:
        return []
    stacks = [stack for stack in groups if not text.goes_on_in(stack[0])]
    found: list[list[Segment]] = []
    for stack in stacks:
        if _is_heading(stack, found[-1] if found else None, text):
            found.append(stack)
    count = sum(map(letters_of, found))
    others = filter(text.is_counted, stacks)
    if count < KNOWN_SHARE * sum(map(letters_of, others)):
        return []
    are_alike = len(found) >= MIN_ALIKE and count <= MEAN_LETTERS * len(found)
    return found if are_alike else list(filter(text.is_unlike, found))


def _is_heading(stack: Sequence[Segment], above: Sequence[Segment] | None, text: _Text) -> bool:
    """Whether lines in the margin are one heading, perhaps below the one ``above``."""
    if len(stack) > MAX_LINES or letters_of(stack) > MAX_LETTERS or not _has_words(stack):
        return False
    if any(same_line(one, other) for one, other in pairwise(stack)) or text.is_across(stack):
        return False
    is_below = above is not None and _is_below(above, stack)
    return is_below or text.is_level(stack[0]) or not text.is_beside(stack)


def _is_below(above: Sequence[Segment], heading: Sequence[Segment]) -> bool:
    """Whether a heading is directly below another one."""
    return above[-1].y - heading[0].y < BELOW * above[-1].size


def _has_words(stack: Sequence[Segment]) -> bool:
    return sum(one.alphabetic for one in stack) > 0.6 * letters_of(stack)


def _stacks(margin: Iterable[Segment]) -> list[list[Segment]]:
    """What is in the margin, from the top, in groups of lines of one size one directly below the
    other.
    """
    groups: list[list[Segment]] = []
    for segment in sorted(margin, key=_from_top):
        last = groups[-1][-1] if groups else segment
        is_next = last.y - segment.y < 1.5 * segment.size
        if groups and is_next and abs(last.size - segment.size) < 0.5:
            groups[-1].append(segment)
        else:
            groups.append([segment])
    return groups


def _are_level(row: Segment, heading: Segment) -> bool:
    """Whether two lines have one baseline or one upper edge."""
    tops = row.y + TOP * row.size, heading.y + TOP * heading.size
    return abs(row.y - heading.y) <= LEVEL or abs(tops[0] - tops[1]) <= LEVEL
