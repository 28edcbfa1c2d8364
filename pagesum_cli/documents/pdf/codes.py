"""Chapters of codes of law, whose sections have the number of the chapter before their own
("§ 395-1. Definitions."): their title, the list of the sections at the beginning, and the headings.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .headings import Body, Heading
from .lines import Line
from .patterns import FORMS, joined
from .run_in import run_in_head

MIN_SECTIONS = 3  # sections that make a document a chapter of a code
IN_ORDER = 0.7  # share of them whose number is above that of the one before
MAX_LINES = 6  # from an entry of the list of sections to the next one
TITLE_LINES = 3  # of the title of a chapter
FIRST_LINES = 8  # lines of a file among which the label of its chapter is
NEAR = 1.45  # distance of two lines of one text, in sizes
FAR = 2.5  # distance of a title from the label above it, likewise
MAX_WORDS = 30  # of a heading


def section_number(text: str) -> str:
    """The number of the section that a line may be the heading of; empty if it cannot be one."""
    match = FORMS["code_section"].match(text)
    return match["number"] if match else ""


def section_list(lines: Sequence[Line]) -> range:
    """The lines of the list of sections at the beginning of a chapter: of those that come again
    below it. Empty if there is none.
    """
    places = _places(lines)
    again = sorted(own[0] for own in places.values() if len(own) > 1)
    end = next((n for n, (a, b) in enumerate(pairwise(again), 1) if b - a > MAX_LINES), len(again))
    entries = again[:end]
    if len(entries) < MIN_SECTIONS:
        return range(0)
    last = places[section_number(lines[entries[0]].text)][1]
    if entries[-1] > last:
        return range(0)
    return range(_above(lines, entries[0]), _below(lines, entries[-1], last))


def _places(lines: Sequence[Line]) -> dict[str, list[int]]:
    """The lines that may be the heading of each section."""
    places: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        if number := section_number(line.text):
            places.setdefault(number, []).append(index)
    return places


def _above(lines: Sequence[Line], first: int) -> int:
    """The first line of a list whose first section is below the label and the title of an
    article.
    """
    for index in range(max(first - TITLE_LINES, 0), first):
        if FORMS["in_section_list"].match(lines[index].text):
            return index
    return first


def _below(lines: Sequence[Line], last: int, limit: int) -> int:
    """The line after a list, whose last entry may go on in the next line, and be followed by names
    of schedules.
    """
    end = last + 1
    while end < limit and (
        0 < lines[end].gap < NEAR * lines[end].size
        or FORMS["in_section_list"].match(lines[end].text)
    ):
        end += 1
    return end


def history_note(lines: Sequence[Line], start: int) -> range:
    """The lines of the note on the adoption of a chapter that begins with a line; empty where none
    does.
    """
    if start >= len(lines) or FORMS["history"].match(lines[start].text) is None:
        return range(0)
    ends = (n for n in range(start, min(start + MAX_LINES, len(lines))) if "]" in lines[n].text)
    return range(start, next(ends, start) + 1)


def chapter_title(lines: Sequence[Line]) -> tuple[str, set[int]]:
    """The title of a chapter below its label, with that ("Chapter 395, CLOTHING DROP BOXES"), and
    the indexes of the lines; empty where the sections do not have the number of the chapter.
    """
    for index, line in enumerate(lines[:FIRST_LINES]):
        match = FORMS["code_chapter"].fullmatch(line.text)
        if match is not None and _has_sections(lines, match["number"]):
            last = index if match["name"] else _last_of_title(lines, index)
            return _title_in(lines, index, last, match["label"])
    return "", set()


def _last_of_title(lines: Sequence[Line], label: int) -> int:
    """The last line of the title below the label of a chapter; that of the label without one."""
    last = label
    while last < min(label + TITLE_LINES, len(lines) - 1):
        if not _is_of_title(lines[last + 1], last > label):
            break
        last += 1
    return last


def _title_in(lines: Sequence[Line], first: int, last: int, label: str) -> tuple[str, set[int]]:
    """The title in some lines, and the indexes of these and of equal ones near them; empty where
    they are only the label of a chapter.
    """
    if lines[first].text == label:
        name = joined(one.text for one in lines[first + 1 : last + 1]).rstrip("¹²³* ")
        title = f"{label}, {name}" if name else ""
    else:
        title = lines[first].text
    own = {one.text for one in lines[first : last + 1]} if title else set()
    return title, {n for n, one in enumerate(lines[: last + FIRST_LINES]) if one.text in own}


def _is_of_title(line: Line, goes_on: bool) -> bool:
    """Whether a line below the label of a chapter is its title, or goes on with it."""
    is_other = section_number(line.text) or FORMS["no_chapter_title"].match(line.text)
    return not is_other and (not goes_on or 0 < line.gap < NEAR * line.size)


def _has_sections(lines: Sequence[Line], chapter: str) -> bool:
    numbers = {section_number(line.text) for line in lines}
    own = [one for one in numbers if one.startswith((f"{chapter}-", f"{chapter}."))]
    return len(own) >= MIN_SECTIONS


def code_sections(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> list[Heading]:
    """The headings of the sections of a code, and of its schedules; none if the sections are few or
    not in order.
    """
    found = list(_candidates(lines, groups, body))
    numbers = [_parts(section_number(heading.text)) for heading in found]
    following = sum(one < other for one, other in pairwise(numbers))
    if len(found) < MIN_SECTIONS or following < IN_ORDER * len(found[1:]):
        return []
    return [*found, *schedules(lines)]


def schedules(lines: Sequence[Line]) -> Iterator[Heading]:
    """The headings of schedules: labels in bold type, with the title in bold type below them."""
    for first, line in enumerate(lines):
        if not line.bold or not FORMS["schedule"].fullmatch(line.text):
            continue
        last = first
        while last < min(first + TITLE_LINES, len(lines) - 1) and _is_of_schedule(lines[last + 1]):
            last += 1
        yield Heading(
            first, last, joined(one.text for one in lines[first : last + 1]), 1, "numbering"
        )


def _is_of_schedule(line: Line) -> bool:
    """Whether a line below the label of a schedule is its title."""
    is_near = 0 < line.gap < FAR * line.size
    return line.bold and is_near and FORMS["no_chapter_title"].match(line.text) is None


def _candidates(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> Iterator[Heading]:
    for first, last in groups:
        line = lines[first]
        if not section_number(line.text):
            continue
        found = run_in_head(lines, first, body) if line.lead_bold else None
        if found is not None and section_number(found[1]):
            end, text, rest = found
            yield Heading(first, end, text, 1, "numbering", rest, is_run_in=True)
            continue
        text = joined(one.text for one in lines[first : last + 1])
        if len(text.split()) <= MAX_WORDS and _stands_out(lines, first, last, body):
            yield Heading(first, last, text, 1, "numbering")


def _stands_out(lines: Sequence[Line], first: int, last: int, body: Body) -> bool:
    """Whether lines are bold or larger, or have white around them."""
    line, after = lines[first], lines[last + 1] if last + 1 < len(lines) else None
    is_below_white = line.gap == 0 or line.gap > NEAR * line.size
    is_above_white = after is None or not 0 < after.gap <= NEAR * line.size
    return is_below_white and (body.is_exceeded_by(line) or is_above_white)


def _parts(number: str) -> list[tuple[int, str]]:
    """The parts of a number in the order in which sections have them: 2A after 2."""
    return [(int(one), letter) for one, letter in FORMS["part_of_number"].findall(number)]
