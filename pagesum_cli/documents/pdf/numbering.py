"""Headings of a PDF by their numbers."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from .asides import is_monospaced
from .body import Body
from .headings import Heading
from .lines import Line
from .patterns import APPENDIX, NUMBER, TERMINAL, core_name, joined, may_be_heading, number_of
from .run_in import run_in_head

LOOK_BACK = 60
"""Candidates before a heading among which the one with the number before it is searched for."""

_TYPED_RUN_IN = re.compile(r"(?P<head>\d{1,2}(?:\.\d{1,2}){1,3}\.? [A-Z“‘][^.:]{3,70})[.:] (?P<rest>[^\sa-z\d].*)")


_LABELLED = re.compile(
    r"(?P<path>(?:[IVXL]{1,6}|[A-Z]|[a-z]|\d{1,2})(?:[.-](?:[A-Z]|\d{1,2})){0,4})[.)]\s+(?P<name>(?![A-Z]\.)\S.*)"
)
"""A label and a name that does not begin with the initial of an author."""

_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}

_Label = tuple[str, int]
"""A kind of label (I, A, 1 or a) and its place in the order of that kind, from 1."""


@dataclass(frozen=True)
class _Candidate:
    first: int
    last: int
    text: str
    numbers: tuple[int, ...]
    stands_out: bool
    is_capital: bool = False
    rest: str = ""
    is_run_in: bool = False


def by_numbers(lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body) -> list[Heading]:
    """Lines numbered 1, 1.1, 1.2, 2 …, or I, A, 1, 2, B, II …, that run on over the document, and all look alike."""
    if labelled := _by_labels(lines, groups, body):
        return labelled
    candidates = [one for group in groups if (one := _candidate(lines, *group, body)) is not None]
    if sum(one.stands_out for one in candidates) >= 2:
        candidates = [one for one in candidates if one.stands_out or one.is_capital]
    elif any(after.first - before.last < 3 for before, after in pairwise(candidates)):
        return []  # a list
    chain = _longest_chain(candidates)
    if len(chain) < 2 or (sum(len(one.numbers) == 1 for one in chain) < 2 and len(chain) < 3):
        return []
    return [
        Heading(one.first, one.last, one.text, len(one.numbers), "numbering", one.rest, one.is_run_in) for one in chain
    ]


def _candidate(lines: Sequence[Line], first: int, last: int, body: Body) -> _Candidate | None:
    """A group of lines as a numbered heading; None where it cannot be one."""
    if run_in := _run_in(lines, first, body):
        last, text, rest = run_in
        match = NUMBER.match(text)
        numbers = number_of(text)
        if match and len(numbers) > 1 and may_be_heading(match["name"]):
            return _Candidate(first, last, text, numbers, True, rest=rest, is_run_in=True)
        return None
    if last == first and _goes_on(lines, first):
        last += 1
    text = joined(line.text for line in lines[first : last + 1])
    match = NUMBER.match(text)
    numbers = number_of(text)
    line = lines[first]
    if not match or not numbers or 40 < numbers[0] < APPENDIX:
        return None
    name = match["name"]
    is_large = line.size > 1.12 * body.size or (line.bold and len(numbers) > 1)
    if is_large and body.is_exceeded_by(line) and len(name) > 1:
        name = name[0].upper() + name[1:]  # "2.1 lm"
    is_code = is_monospaced(line.font) and line.size < 1.12 * body.size
    if is_code or (len(numbers) == 1 and not name[0].isupper()):
        return None
    if not may_be_heading(name) or (text.endswith(".") and len(text.split()) > 6) or line.cells > 2:
        return None
    differs = last + 1 < len(lines) and lines[last + 1].font == body.font != line.font
    alone = line.x1 < line.right - 0.04 * line.width or last > first or differs
    if line.size < 0.88 * body.size or not alone:
        return None
    is_deep = len(numbers) > 2 and _is_below_white(line)  # no list is numbered like this
    return _Candidate(first, last, text, numbers, is_deep or body.is_exceeded_by(line), _is_capital(line))


def _is_capital(line: Line) -> bool:
    return line.style[2] and _is_below_white(line)


def _is_below_white(line: Line) -> bool:
    return line.gap == 0 or line.gap > 1.35 * line.size


def _goes_on(lines: Sequence[Line], place: int) -> bool:
    """Whether a heading in the font of the text, with a number of three parts, has a second line: white around both."""
    if len(number_of(lines[place].text)) < 3 or place + 2 >= len(lines):
        return False
    line, after, text = lines[place : place + 3]
    return (
        (line.gap == 0 or line.gap > 1.5 * line.size)
        and (after.page, after.column, after.style[:2]) == (line.page, line.column, line.style[:2])
        and 0 < after.gap < 1.3 * line.size < text.gap
        and text.gap > 1.3 * after.gap
        and after.x1 < after.right - 0.12 * after.width
        and text.column == line.column
        and not TERMINAL.search(line.text + after.text)
    )


def _longest_chain(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The longest sequence in which each number may follow the one before it."""
    length, previous = [1] * len(candidates), [-1] * len(candidates)
    for place, candidate in enumerate(candidates):
        for before in range(max(0, place - LOOK_BACK), place):
            if length[before] + 1 > length[place] and _may_follow(candidates[before].numbers, candidate.numbers):
                length[place], previous[place] = length[before] + 1, before
    chain = []
    place = max(range(len(length)), key=length.__getitem__, default=-1)
    while place >= 0:
        chain.append(candidates[place])
        place = previous[place]
    return chain[::-1]


def _may_follow(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether ``after`` is the next number of the same, a deeper or a higher level.

    One may be missing, below the top level two.
    """
    missing = 1 if len(after) == 1 else 2
    if len(after) > len(before):
        return after[: len(before)] == before and after[len(before)] <= 1 + missing
    if after[:-1] == before[: len(after) - 1]:
        return 1 <= after[-1] - before[len(after) - 1] <= 1 + missing
    if before[0] < APPENDIX <= after[0]:
        return after[0] <= APPENDIX + 1 and after[1:] in ((), (1,), (1, 1))
    return len(after) > 1 and 1 <= after[0] - before[0] <= 2 and set(after[1:]) == {1}  # the line "3" itself is missing


def _by_labels(lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body) -> list[Heading]:
    """Lines labelled I, A, 1, a: one kind of label for each level, each counted from its first; empty without them."""
    candidates: list[tuple[Heading, list[str]]] = []
    for first, last in groups:
        line = lines[first]
        stands_out = body.is_exceeded_by(line) or _is_capital(line)
        if not stands_out or body.goes_on_in(line) or line.cells > 2:
            continue
        text = joined(one.text for one in lines[first : last + 1])
        match = _LABELLED.match(text)
        if match and may_be_heading(match["name"]):
            candidates.append((Heading(first, last, text, 0, "numbering"), re.split("[.-]", match["path"])))
    # The first of them may be the names of authors ("A. Author and B. Author").
    return next((found for start in range(3) if (found := _labelled(lines, candidates[start:]))), [])


def _labelled(lines: Sequence[Line], candidates: Sequence[tuple[Heading, list[str]]]) -> list[Heading]:
    """Those of the candidates whose labels go on from the first one; empty if they are no headings of one style."""
    current: list[_Label] = []
    found: list[Heading] = []
    for heading, path in candidates:
        if label := _place(current, path):
            level, own = label
            current = [*current[:level], own]
            found.append(replace(heading, level=level + 1))
    top = [heading for heading in found if heading.level == 1]
    names = sum(bool(core_name(heading.text)) for heading in top)
    if not top or NUMBER.match(top[0].text) is None or top[0].text[0].isdigit() or top[0].text[0].islower():
        return []
    styles = Counter(lines[heading.first].style[:2] for heading in top)
    is_one_style = styles.most_common(1)[0][1] >= 0.6 * len(top)
    return found if is_one_style and len(top) >= (2 if names > 1 else 3) and (names or top[0].text[0] == "I") else []


def _place(current: Sequence[_Label], parts: Sequence[str]) -> tuple[int, _Label] | None:
    """The level, from 0, at which a label goes on after the current ones, and what it is there; None if it does not.

    A label of several parts ("II.1") repeats those above it.
    """
    *above, last = parts
    if above:
        known = len(above) <= len(current) and all(map(_is_one_of, current, above))
        levels = [len(above)] if known else []
    else:
        levels = [*range(len(current) - 1, -1, -1), len(current)]
    for step in (1, 2):
        for level in levels:
            for kind, value in _readings(last):
                before = current[level] if level < len(current) else (kind, 0)
                is_new = level < len(current) or above or kind not in {one for one, _ in current}
                if kind == before[0] and value == before[1] + step and is_new and (step == 1 or before[1]):
                    return level, (kind, value)
    return None


def _is_one_of(label: _Label, text: str) -> bool:
    return label in _readings(text)


def _readings(text: str) -> list[_Label]:
    """What a label's part may be: V is a Roman number and a letter."""
    if text.isdigit():
        return [("1", int(text))]
    if text.islower():
        return [("a", ord(text) - ord("a") + 1)]
    readings = [("A", ord(text) - ord("A") + 1)] if len(text) == 1 else []
    if _ROMAN.fullmatch(text):
        values = [_ROMAN_DIGITS[digit] for digit in text]
        value = sum(one if one >= after else -one for one, after in pairwise([*values, 0]))
        readings.insert(0, ("I", value))
    return readings


def _run_in(lines: Sequence[Line], place: int, body: Body) -> tuple[int, str, str] | None:
    """A numbered heading that the text follows without a break: its last line, its text, and what follows it there."""
    line = lines[place]
    if not NUMBER.match(line.text):
        return None
    typed = _TYPED_RUN_IN.match(line.text)
    if (
        typed
        and not line.bold
        and (line.lead or abs(line.size - body.size) < 0.3)
        and (line.gap == 0 or line.gap > 1.4 * line.size)
    ):
        return place, typed["head"], typed["rest"]
    if not (line.lead_bold or line.lead_italic):
        return None
    found = run_in_head(lines, place, body)
    if found is None:
        return None
    last, head, rest = found
    if not any(map(str.isalpha, head)):  # only the number is in another font
        return None
    if not head.endswith((".", ":")) and (len(number_of(head)) < 2 or not rest[:1].isupper() or line.gap <= line.size):
        return None
    return last, head.rstrip("."), rest
