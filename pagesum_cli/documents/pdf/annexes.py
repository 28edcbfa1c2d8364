"""Headings of schedules, appendices and annexes in a PDF ("Schedule 1 – Fees"), which are at the
top level.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..article.divisions import plain
from .clauses import WHITE, is_title, is_title_of
from .headings import Body, Heading
from .lines import Line
from .patterns import FORMS, joined
from .runs import Dropped


def without_repeated(lines: Sequence[Line], dropped: Dropped) -> list[Line]:
    """The lines without those at the top of a page that name again the schedule that goes on
    there; these are noted as running heads.
    """
    kept: list[Line] = []
    above: Line | None = None  # the last one that names a schedule at the top of a page
    for line in lines:
        is_top = line.gap == 0 and line.page > (kept[-1].page if kept else 0)
        if not is_top or line.cells > 1 or FORMS["annex"].fullmatch(line.text) is None:
            kept.append(line)
        elif above is not None and _repeats(line, above):
            dropped.add("running head", line.text, line.page, "")
        else:
            above = line
            kept.append(line)
    return kept


def _repeats(line: Line, above: Line) -> bool:
    """Whether a line that names a schedule says that it goes on, or is what is ``above`` in type
    that stands out no more.
    """
    if FORMS["continued"].search(line.text):
        return True
    is_no_larger = (line.size, line.bold) <= (above.size, above.bold)
    return plain(line.text) == plain(above.text) and is_no_larger


def with_annexes(
    headings: Sequence[Heading],
    lines: Sequence[Line],
    groups: Sequence[tuple[int, int]],
    body: Body,
) -> list[Heading]:
    """The headings, and those of schedules that are not among them, in order."""
    taken = {index for one in headings for index in range(one.first, one.last + 1)}
    found = [
        one
        for one in _without_lists(list(_annexes(lines, groups, body)), lines)
        if taken.isdisjoint(range(one.first, one.last + 1))
    ]
    return sorted([*headings, *found], key=lambda one: one.first)


def _annexes(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> Iterator[Heading]:
    """Lines that stand out and are worded like the heading of a schedule, with the title below."""
    for place, (first, last) in enumerate(groups):
        text = joined(one.text for one in lines[first : last + 1])
        match = FORMS["annex"].fullmatch(text)
        if match is None or not _is_set_as_heading(lines[first], body):
            continue
        if name := match["name"]:
            if name.endswith(".") or not is_title(name):
                continue
        else:
            last = _end_of_title(lines, last, groups[place + 1 : place + 2])
            text = joined(one.text for one in lines[first : last + 1])
        yield Heading(first, last, FORMS["continued"].sub("", text), 1, "numbering")


def _end_of_title(lines: Sequence[Line], label: int, following: Sequence[tuple[int, int]]) -> int:
    """The last line of the title below a label, which is the ``following`` group of lines; that of
    the label if it has none.
    """
    for first, last in following:
        if is_title_of(lines[first : last + 2], lines[label]):
            return last
    return label


def _is_set_as_heading(line: Line, body: Body) -> bool:
    """Whether a line stands out, has white above it, and is in no table or box."""
    is_inside = line.cells > 1 or line.is_row or line.is_boxed or body.goes_on_in(line)
    stands_out = body.is_exceeded_by(line) or line.style[2]
    return stands_out and not is_inside and (line.gap == 0 or line.gap > WHITE * line.size)


def _without_lists(found: Sequence[Heading], lines: Sequence[Line]) -> list[Heading]:
    """The headings without those that follow one another with no text between them on a page: a
    list of the schedules.
    """
    listed = {
        number
        for number, (one, other) in enumerate(pairwise(found))
        if one.last + 1 == other.first and lines[one.first].page == lines[other.first].page
    }
    in_list = listed | {number + 1 for number in listed}
    return [one for number, one in enumerate(found) if number not in in_list]
