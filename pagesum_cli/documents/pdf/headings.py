"""The body text of a PDF, and its headings: lines that may be one, and how those of several methods
are merged.
"""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ..amendments import is_amendment
from ..article.names import NUMBER, bare_name, is_name
from ..article.wording import ENUMERATOR
from .fonts import is_monospaced, without_size
from .hyphens import Words
from .lines import Line
from .patterns import FORMS, is_part_name, joined

CODE_SHARE = 0.25  # share of a document's letters that is enough for running text beside code


@dataclass(frozen=True)
class Body:
    """Size and font of the running text."""

    # size, font: size and font of the majority of its letters
    size: float
    font: str
    # the most common distance of its baselines, in points; 0 if it has only single lines
    leading: float = 0.0
    words: Words = field(default_factory=Words)  # the document's words

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Body":
        """The body text of a document; code is none, unless there is hardly anything else."""
        text = [line for line in lines if not is_monospaced(line.font)]
        if sum(line.letters for line in text) > CODE_SHARE * sum(line.letters for line in lines):
            lines = text
        weights: Counter[tuple[float, str]] = Counter()
        sizes: Counter[float] = Counter()
        for line in lines:
            weights[(line.size, line.font)] += len(line.text)
            sizes[line.size] += len(line.text)
        size = sizes.most_common(1)[0][0]
        font = max((key for key in weights if key[0] == size), key=lambda key: weights[key])[1]
        gaps = Counter(
            round(2 * line.gap) / 2 for line in lines if line.size == size and line.gap > 0
        )
        return cls(size, font, gaps.most_common(1)[0][0] if gaps else 0.0)

    def is_exceeded_by(self, line: Line) -> bool:
        """Whether a line stands out by its size or its font."""
        if line.size > self.size * 1.05:
            return True
        if line.bold:
            return line.size >= 0.7 * self.size
        if line.font == self.font or line.size < 0.9 * self.size:
            return False
        return line.size >= 0.97 * self.size or without_size(line.font) != without_size(self.font)

    def goes_on_in(self, line: Line) -> bool:
        """Whether a line begins in another font and goes on in that of the running text."""
        return line.lead > 0 and not line.all_bold and self.font in (line.font, line.last_font)


MAX_LINES = 5  # of a heading
TITLE_LINES = 3  # lines of a chapter's title below its label
REGULAR = 3  # headings of one style from which on it is a style for headings, beside numbered ones
# titles of boxes, which are no headings
BOXES = frozenset({"caution", "important", "note", "tip", "warning"})
COMPLETE = 8  # headings of an outline from which on it is taken for complete

LAST_PAGES = 0.5  # share of the lines from which on an outline names only what is at the end


@dataclass(slots=True)
class Heading:
    """A heading."""

    # first, last: the indexes of its lines
    first: int
    last: int
    text: str  # as printed
    level: int  # 1 for the highest; 0 as long as it is not known
    found_by: str  # ``outline``, ``numbering``, ``style`` or ``name``
    rest: str = ""  # body text on its last line
    # whether body text follows it without a break, on its last line or on the next one
    is_run_in: bool = False


def line_groups(lines: Sequence[Line], body: Body) -> list[tuple[int, int]]:
    """Runs of up to five lines that may be one heading: same style, one under the other, standing
    out; all lines of one in the margin.
    """
    groups: list[tuple[int, int]] = []
    start = 0
    while start < len(lines):
        last = _end_in_margin(lines, start) if lines[start].is_in_margin else start
        while not lines[start].is_in_margin and _goes_on(lines, start, last, body):
            last += 1
        groups.append((start, last))
        start = last + 1
    return groups


def _end_in_margin(lines: Sequence[Line], first: int) -> int:
    """The last line of a heading in the margin, whose column has nothing else."""
    start, last = lines[first], first
    while last + 1 < len(lines) and lines[last + 1].is_in_margin:
        if (lines[last + 1].page, lines[last + 1].column) != (start.page, start.column):
            break
        last += 1
    return last


def _goes_on(lines: Sequence[Line], start: int, last: int, body: Body) -> bool:
    """Whether the heading that begins at ``start`` goes on after the line ``last``."""
    if last + 1 == len(lines) or last - start >= MAX_LINES - 1:
        return False
    first = lines[start]
    return body.is_exceeded_by(first) and _may_continue(first, lines[last], lines[last + 1], body)


def _may_continue(first: Line, last: Line, line: Line, body: Body) -> bool:
    """Whether a line may belong to the heading of the lines before it."""
    return (
        (line.font == first.font or (line.bold and first.bold) or line.size > 1.05 * body.size)
        and abs(line.size - first.size) <= 0.5
        and not body.goes_on_in(line)
        and (line.style[2] == first.style[2] or len(line.text) < 25)
        and 0 < line.gap < 1.45 * first.size
        and not (NUMBER.match(line.text) or ENUMERATOR.match(line.text))
        and last.x1 > last.left + 0.5 * last.width
    )


def merge_headings(
    found: Sequence[Sequence[Heading]], lines: Sequence[Line], body: Body
) -> list[Heading]:
    """Merge the headings of methods, the most reliable first, which add to one another; chapters'
    labels and titles.
    """
    headings: dict[int, Heading] = {}
    is_complete = any(_is_outline(source, len(lines)) for source in found)
    start = _front_matter_end([*chain.from_iterable(found)], lines)
    for source in found:
        taken = set(range(start)).union(*map(_indexes, headings.values()))
        looks = {lines[index].style[:2] for index in headings}
        within = _in_chapters(source, headings, taken)
        headings |= _added(source, taken, looks, lines, body, is_complete) | within
    return _with_chapter_labels([headings[index] for index in sorted(headings)], lines, body)


def _is_outline(source: Sequence[Heading], lines: int) -> bool:
    """Whether headings are those of an outline that names every section, not of the last pages
    alone.
    """
    entries = [heading for heading in source if heading.found_by == "outline"]
    return len(entries) >= COMPLETE and entries[0].first < LAST_PAGES * lines


def _added(
    source: Sequence[Heading],
    taken: set[int],
    looks: set[tuple[str, float]],
    lines: Sequence[Line],
    body: Body,
    is_complete: bool,
) -> dict[int, Heading]:
    """The headings of a method that are added to those of more reliable ones, by first line: not
    those on lines that are ``taken``.

    Where there is an outline or numbers, what is added by style must look like it or have a known
    name.
    """
    uses = Counter(lines[heading.first].style for heading in source)
    added = {}
    for heading in source:
        if taken.intersection(_indexes(heading)) or _is_no_heading(heading.text):
            continue
        line = lines[heading.first]
        is_alike = heading.is_run_in or not looks or line.style[:2] in looks
        if is_alike or _is_known(heading, line, body, uses[line.style], is_complete):
            added[heading.first] = heading
    return added


def _in_chapters(
    source: Sequence[Heading], headings: Mapping[int, Heading], taken: set[int]
) -> dict[int, Heading]:
    """The numbered headings of a method that are the sections of a chapter of which more reliable
    methods know none, by first line.
    """
    starts = sorted(headings)
    by_chapter: dict[int, list[Heading]] = defaultdict(list)
    for heading in source:
        place = bisect(starts, heading.first)
        is_new = heading.found_by == "numbering" and taken.isdisjoint(_indexes(heading))
        if is_new and place and is_division(headings[starts[place - 1]].text):
            by_chapter[place].append(heading)
    series = (own for own in by_chapter.values() if len(own) >= REGULAR)
    return {heading.first: heading for heading in chain.from_iterable(series)}


def is_division(text: str) -> bool:
    """Whether a heading is that of a chapter or an article of a by-law or a contract."""
    return FORMS["division_heading"].match(text) is not None


def _is_no_heading(text: str) -> bool:
    """Whether a text is the title of a box or a note on an amendment, however it is set."""
    is_box = text.lower().strip(" :") in BOXES
    return is_box or is_amendment(text) or FORMS["of_amendments"].fullmatch(text) is not None


def _indexes(heading: Heading) -> range:
    """The lines of a heading."""
    return range(heading.first, heading.last + 1)


def _is_known(heading: Heading, line: Line, body: Body, uses: int, is_complete: bool) -> bool:
    """Whether a heading that looks like no other one has a known name or is set apart."""
    if is_complete:
        return is_name(heading.text) and is_part_name(heading.text)
    is_emphasized = line.size >= 0.9 * body.size and (line.bold or line.italic)
    is_large = line.size > 1.12 * body.size or (uses >= REGULAR and is_emphasized)
    return is_large or is_name(heading.text)


def _front_matter_end(headings: Iterable[Heading], lines: Sequence[Line]) -> int:
    """The line of the abstract's (or the introduction's) heading: above it only kinds of article,
    names, addresses.
    """
    indexes = [
        heading.first
        for heading in headings
        if lines[heading.first].page <= lines[0].page + 1
        and FORMS["beginning"].fullmatch(bare_name(heading.text))
    ]
    return min(indexes, default=0)


def _with_chapter_labels(
    headings: Sequence[Heading], lines: Sequence[Line], body: Body
) -> list[Heading]:
    """The headings, a chapter's label and its title as one.

    Below "Chapter 2" its title is in the same or larger type. Above a title, "CHAPTER" and "TWO" or
    "2" may stand on lines of their own.
    """
    whole: list[Heading] = []
    for heading in headings:
        end = whole[-1].last if whole else -1
        if heading.first <= end:
            continue
        first, last = heading.first, heading.last
        page = lines[first].page
        while (
            first - 1 > end
            and lines[first - 1].page == page
            and FORMS["label_above"].fullmatch(lines[first - 1].text)
        ):
            first -= 1
        if FORMS["division"].fullmatch(heading.text):
            limit = min(last + TITLE_LINES, len(lines) - 1)
            style = lines[min(last + 1, limit)].style[:2]
            while (
                last < limit and lines[last + 1].style[:2] == style and lines[last + 1].page == page
            ):
                last += 1
            last = last if style[1] > 1.12 * body.size else heading.last
        text = (
            heading.text
            if last == heading.last
            else joined(line.text for line in lines[heading.first : last + 1])
        )
        whole.append(replace(heading, first=first, last=last, text=text))
    return whole
