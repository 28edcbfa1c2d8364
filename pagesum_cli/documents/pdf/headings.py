"""The headings of a PDF: by its outline, else by numbers, else by style, else by name."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from ..article.divisions import is_contents
from .asides import is_monospaced
from .body import Body
from .lines import Line, Style
from .patterns import (
    ABSTRACT,
    DIVISION,
    ENUMERATOR,
    NUMBER,
    TERMINAL,
    bare_name,
    core_name,
    is_name,
    is_part_name,
    is_person,
    joined,
    number_of,
    plain,
)

_BEGINNING = re.compile(r"abstract|(?:executive )?summary|introduction|background|synopsis", re.IGNORECASE)


REGULAR = 3
"""Headings of one style from which on it is a style for headings, beside numbered ones."""

TITLE_LINES = 3
"""Lines of a chapter's title."""

FULL_LINE, COVER_LINES = 40, 4
"""Letters of a line of text, and lines of text that no title page has."""

COVER_PAGES = 8
"""Pages before the text."""

COMPLETE = 8
"""Headings of an outline from which on it is taken for complete."""


@dataclass(slots=True)
class Heading:
    """A heading.

    Attributes:
        first, last: The places of its lines.
        text: As printed.
        level: 1 for the highest; 0 as long as it is not known.
        found_by: ``outline``, ``numbering``, ``style`` or ``name``.
        rest: Body text on its last line.
        is_run_in: Whether body text follows it without a break, on its last line or on the next one.
    """

    first: int
    last: int
    text: str
    level: int
    found_by: str
    rest: str = ""
    is_run_in: bool = False


def headings_of(lines: Sequence[Line], body: Body, finders: Sequence[Sequence[Heading]]) -> list[Heading]:
    """Merge the headings that several methods find, in order.

    Args:
        lines: All lines of the document.
        body: Its body text.
        finders: The headings of each method, in order of reliability: each adds where the earlier ones have none.
    """
    headings: dict[int, Heading] = {}
    finders = [_without_lists(source, finders, lines, body) for source in finders]
    complete = len(finders[0]) >= COMPLETE  # an outline lists what else is large: boxes and figures are not in it
    start = _front_matter_end([heading for source in finders for heading in source], lines)
    for source in finders:
        uses = Counter(lines[heading.first].style for heading in source)
        taken = {place for heading in headings.values() for place in range(heading.first, heading.last + 1)}
        looks = {lines[place].style[:2] for place in headings}
        for heading in source:
            if heading.first < start or taken.intersection(range(heading.first, heading.last + 1)):
                continue
            # Where there is an outline or numbers, what is added by style must look like it or have a known name.
            alike = heading.level or heading.is_run_in or not looks or lines[heading.first].style[:2] in looks
            line = lines[heading.first]
            is_large = line.size > 1.12 * body.size or (
                uses[line.style] >= REGULAR
                and line.size >= 0.9 * body.size
                and (line.bold or line.italic)
                and not is_monospaced(line.font)
            )
            is_known = is_name(heading.text) and (not complete or is_part_name(heading.text))
            if alike or is_known or (is_large and not complete):
                headings[heading.first] = heading
    kept = _without_front(_without_cover([headings[place] for place in sorted(headings)], lines), lines)
    return _with_titles(_without_copies(kept, lines), lines, body)


def _with_titles(headings: Sequence[Heading], lines: Sequence[Line], body: Body) -> list[Heading]:
    """The headings; "Chapter 2" with the title below it, which is larger than the text."""
    whole: list[Heading] = []
    for heading in headings:
        if whole and heading.first <= whole[-1].last:
            continue
        last = heading.last
        if DIVISION.fullmatch(heading.text):
            style = lines[last].style[:2]
            end = min(last + TITLE_LINES, len(lines) - 1)
            while (
                last < end and lines[last + 1].style[:2] == style and lines[last + 1].page == lines[heading.first].page
            ):
                last += 1
        if last > heading.last and style[1] > 1.12 * body.size:
            text = joined(line.text for line in lines[heading.first : last + 1])
            heading = replace(heading, last=last, text=text)
        whole.append(heading)
    return whole


def first_page_of_text(lines: Iterable[Line]) -> int:
    """The first page with text in full lines, which title pages do not have; 0 if there is none."""
    full = Counter(line.page for line in lines if line.letters >= FULL_LINE and line.cells == 1)
    return min((page for page, count in full.items() if count >= COVER_LINES), default=0)


def _without_cover(headings: Sequence[Heading], lines: Sequence[Line]) -> Sequence[Heading]:
    """The headings without lines of title pages that only stand out.

    No sentences are below such a line.
    """
    first = first_page_of_text(lines)
    if not headings or first > COVER_PAGES:  # slides
        return headings
    kept = []
    for heading, after in zip(headings, [*headings[1:], None], strict=True):
        below = lines[heading.last + 1 : after.first if after else len(lines)]
        is_known = is_name(heading.text) or is_part_name(heading.text) or is_contents(heading.text)
        if (
            heading.found_by != "style"
            or lines[heading.first].page >= first
            or is_known
            or DIVISION.fullmatch(heading.text)
            or any(line.letters >= FULL_LINE or TERMINAL.search(line.text) for line in below if line.page < first)
        ):
            kept.append(heading)
    return kept


def _without_front(headings: Sequence[Heading], lines: Sequence[Line]) -> list[Heading]:
    """The headings without what stands above the abstract on its page: kinds of article, authors, boxes.

    A column beside them may come first in reading order, with the introduction in it.
    """
    abstract = next((one for one in headings if ABSTRACT.fullmatch(bare_name(one.text))), None)
    if abstract is None or lines[abstract.first].page > lines[0].page + 1:
        uses = Counter(lines[one.first].style for one in headings)
        return list(dropwhile(lambda one: _is_in_front(one, lines) or _is_author(one, lines, uses), headings))
    page = lines[abstract.first].page
    return [
        one
        for one in headings
        if one.first >= abstract.first
        or lines[one.first].page != page
        or is_name(one.text)
        or one.found_by == "outline"
    ]


def _is_in_front(heading: Heading, lines: Sequence[Line]) -> bool:
    """Whether a heading on the first page is an author's name or an address: a short line without a stop follows it."""
    line, after = lines[heading.first], lines[heading.last + 1] if heading.last + 1 < len(lines) else None
    is_sure = heading.is_run_in or is_name(heading.text) or DIVISION.fullmatch(heading.text)
    if line.page != lines[0].page or heading.found_by != "style" or is_sure:
        return False
    is_short = after is not None and after.x1 < after.right - 0.12 * after.width
    return after is not None and is_short and after.text[0] not in "•▪◦–—-" and not TERMINAL.search(after.text)


def _is_author(heading: Heading, lines: Sequence[Line], uses: Counter[Style]) -> bool:
    """Whether a heading on the first page is centered, in a style of its own, and worded like a person's name."""
    line = lines[heading.first]
    is_alone = line.page == lines[0].page and heading.found_by == "style" and uses[line.style] == 1
    return is_alone and line.is_centered and is_person(heading.text) and not is_name(heading.text)


def _without_copies(headings: Sequence[Heading], lines: Sequence[Line]) -> list[Heading]:
    """The headings without those that repeat one with the same number, or the heading right before them."""
    uses = Counter(lines[heading.first].style for heading in headings)
    order = sorted(
        range(len(headings)),
        key=lambda place: (headings[place].found_by != "outline", -uses[lines[headings[place].first].style], place),
    )
    kept: dict[str, int] = {}
    for place in order:
        text = plain(headings[place].text)
        if number_of(headings[place].text) and len(text) > 4 and text in kept:
            continue
        kept.setdefault(text, place)
    return [
        heading
        for place, heading in enumerate(headings)
        if not number_of(heading.text) or len(plain(heading.text)) <= 4 or kept[plain(heading.text)] == place
    ]


def _without_lists(
    source: Sequence[Heading], finders: Sequence[Sequence[Heading]], lines: Sequence[Line], body: Body
) -> Sequence[Heading]:
    """The headings of a method; without those with numbers that look like text where a paper's parts have none."""
    plain = {
        name for one in finders for heading in one if not number_of(heading.text) and (name := core_name(heading.text))
    }
    if len(plain) < 3 or any(core_name(heading.text) for heading in source if heading.found_by == "numbering"):
        return source
    return [
        heading
        for heading in source
        if heading.found_by != "numbering" or heading.is_run_in or _is_set_apart(lines[heading.first], body)
    ]


def _is_set_apart(line: Line, body: Body) -> bool:
    return line.size >= 0.9 * body.size and (line.bold or line.italic or line.style[2] or line.size > 1.05 * body.size)


def _front_matter_end(headings: Iterable[Heading], lines: Sequence[Line]) -> int:
    """The line of the abstract's (or the introduction's) heading: above it only kinds of article, names, addresses."""
    places = [
        heading.first
        for heading in headings
        if lines[heading.first].page <= lines[0].page + 1 and _BEGINNING.fullmatch(bare_name(heading.text))
    ]
    return min(places, default=0)


def line_groups(lines: Sequence[Line], body: Body) -> list[tuple[int, int]]:
    """Runs of up to five lines that may be one heading: same style, one under the other, standing out."""
    groups: list[tuple[int, int]] = []
    place = 0
    while place < len(lines):
        first, last = lines[place], place
        while (
            last + 1 < len(lines)
            and last - place < 4
            and _may_continue(first, lines[last], lines[last + 1], body)
            and body.is_exceeded_by(first)
        ):
            last += 1
        groups.append((place, last))
        place = last + 1
    return groups


def _may_continue(first: Line, last: Line, line: Line, body: Body) -> bool:
    """Whether a line may belong to the heading of the lines before it."""
    return (
        line.page == first.page
        and line.column == first.column
        and (line.font == first.font or (line.bold and first.bold) or line.size > 1.05 * body.size)
        and abs(line.size - first.size) <= 0.5
        and not body.goes_on_in(line)
        and (line.style[2] == first.style[2] or len(line.text) < 25)
        and 0 < line.gap < 1.45 * first.size
        and not (NUMBER.match(line.text) or ENUMERATOR.match(line.text))
        and last.x1 > last.left + 0.5 * last.width
    )
