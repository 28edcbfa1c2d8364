"""Headings of by-laws, regulations and contracts: their chapters, articles and parts, and the
sections whose clauses have the section's number before their own.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ..article.divisions import number_of
from ..article.wording import may_be_heading
from .clause_titles import clause_titles
from .codes import code_sections
from .headings import Body, Heading
from .lines import Line
from .numbering import by_numbers
from .patterns import FORMS, joined

MIN_HEADINGS = 3  # divisions of a kind, or sections, from which on a document is made of them
IN_ORDER = 0.6  # share of the divisions of a kind whose number is that after the one before
NEXT_LINES = 3  # lines below a section's heading among which its first clause is
SENTENCE_WORDS = 6  # words of a text with a stop at its end, above which it is a sentence
WHITE = 1.3  # distance to the line above from which on there is white, in sizes
MAX_GAP = 3.0  # distance of a title below its label, likewise

Number = tuple[int, ...]


def numbered_headings(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> list[Heading]:
    """Headings by their numbers; among them lines that are worded like "Chapter 2 – Meetings" or
    "ARTICLE II", with the title below them, and lines like "4.11. Recall" above a clause 4.11.1.

    Below divisions, numbers that are not part of a clause's are one level deeper.
    """
    divisions, others = _divisions(lines, groups), by_numbers(lines, groups, body)
    titles = clause_titles(lines, groups, body)
    titles += code_sections(lines, groups, body)
    found = {index: one for one in divisions for index in range(one.first, one.last + 1)}
    for heading in (*others, *_sections(lines, groups, body), *titles):
        found.setdefault(heading.first, heading)
    if divisions and any(heading.level == 1 for heading in (*others, *titles)):
        for heading in (*others, *titles):
            heading.level += 1
    return sorted({id(one): one for one in found.values()}.values(), key=lambda one: one.first)


def clause_number(text: str) -> Number:
    """The number of a clause or of its section, of two parts or more; empty where it has none."""
    match = FORMS["clause"].match(text)
    return tuple(map(int, match["number"].split("."))) if match else ()


def _divisions(lines: Sequence[Line], groups: Sequence[tuple[int, int]]) -> list[Heading]:
    """The chapters, articles or parts, kind by kind: those that are numbered one after another."""
    by_kind: dict[str, list[tuple[int, Heading]]] = defaultdict(list)
    for place, (first, last) in enumerate(groups):
        found = _division(lines, first, last, groups[place + 1 : place + 2])
        if found is not None:
            kind, number, heading = found
            by_kind[kind].append((number, heading))
    ordered = {kind: found for kind, found in by_kind.items() if _are_in_order(found)}
    return list(_with_levels(ordered))


def _division(
    lines: Sequence[Line], first: int, last: int, following: Sequence[tuple[int, int]]
) -> tuple[str, int, Heading] | None:
    """The kind and the number of a division and its heading, with a title in the ``following``
    group of lines; None where there is none.
    """
    text = joined(line.text for line in lines[first : last + 1])
    match = FORMS["division_heading"].fullmatch(text) if _is_apart(lines[first]) else None
    if match is None:
        return None
    number, name = number_of(match["number"]), match["name"]
    if number is None or (name and not is_title(name)):
        return None
    group = following[0] if following and not name else (0, -1)
    if is_title_of(lines[group[0] : group[1] + 2], lines[first]):
        last = group[1]
        text = joined(line.text for line in lines[first : last + 1])
    return match["kind"].lower(), number, Heading(first, last, text, 1, "numbering")


def is_title_of(group: Sequence[Line], label: Line) -> bool:
    """Whether a group of lines, before the one after it, is the title below the label of a
    division: it looks like that, or is set in the middle.
    """
    *title, after = group or [label]
    if not title or not 0 < title[0].gap <= MAX_GAP * title[0].size:
        return False
    if not is_title(joined(one.text for one in title)):
        return False
    line = title[0]
    if line.style == label.style and (label.bold or label.style[2]):
        return True
    is_above_white = not 0 < after.gap <= WHITE * line.size
    return is_above_white and all(map(_is_centered, (line, label)))


def is_title(text: str) -> bool:
    is_sentence = text.endswith(".") and len(text.split()) > SENTENCE_WORDS
    return may_be_heading(text) and not is_sentence and not clause_number(text)


def _is_apart(line: Line) -> bool:
    """Whether there is white above a line, and it does not fill its column."""
    is_short = line.x1 < line.right - 0.04 * line.width or _is_centered(line)
    return (line.gap == 0 or line.gap > WHITE * line.size) and is_short


def _is_centered(line: Line) -> bool:
    left, right = line.x0 - line.left, line.right - line.x1
    return left > 0 and abs(left - right) < 0.1 * line.width


def _are_in_order(found: Sequence[tuple[int, Heading]]) -> bool:
    """Whether most divisions of a kind have the number after that of the one before."""
    following = sum(one[0] + 1 == other[0] for one, other in pairwise(found))
    return len(found) >= MIN_HEADINGS and following >= IN_ORDER * (len(found) - 1)


def _with_levels(by_kind: Mapping[str, Sequence[tuple[int, Heading]]]) -> Iterator[Heading]:
    """The divisions, those of the kind that comes first at the top."""
    kinds = sorted(by_kind.values(), key=lambda found: found[0][1].first)
    for level, found in enumerate(kinds, start=1):
        for _, heading in found:
            heading.level = level
            yield heading


def _sections(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> list[Heading]:
    """The headings of sections: with a number, and above a clause whose number begins with it."""
    found = [
        Heading(first, last, text, len(number), "numbering")
        for first, last in groups
        if (number := clause_number(lines[first].text))
        and (text := _name_of(lines, first, last, body))
        and _is_above_clause(lines, last, number)
    ]
    return found if len(found) >= MIN_HEADINGS else []


def _name_of(lines: Sequence[Line], first: int, last: int, body: Body) -> str:
    """The text of lines that may be the heading of a section; empty if they may be none."""
    text = joined(line.text for line in lines[first : last + 1])
    match, line = FORMS["clause"].match(text), lines[first]
    is_set_so = _is_apart(line) or body.is_exceeded_by(line)
    return text if match and is_set_so and is_title(match["name"]) else ""


def _is_above_clause(lines: Sequence[Line], last: int, number: Number) -> bool:
    """Whether the first clause of a section is among the next lines."""
    below = (clause_number(line.text) for line in lines[last + 1 : last + 1 + NEXT_LINES])
    return any(one[:-1] == number and one[-1] <= 1 for one in below if one)
