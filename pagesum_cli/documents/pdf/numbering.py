"""Headings of a PDF by their numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..article.names import NUMBER, core_name
from ..article.wording import may_be_heading
from .headings import Body, Heading
from .lines import Line
from .patterns import APPENDIX, FORMS, joined, number_of
from .run_in import run_in_head

# candidates before a heading among which the one with the number before it is searched for
LOOK_BACK = 60
MAX_NUMBER = 40  # the largest number of a heading at the top level


_UNITS = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_ROMAN = [tens + units for tens in ("", "X", "XX") for units in _UNITS]

# a kind of label (I, A, 1 or a) and its position in the order of that kind, from 1
_Label = tuple[str, int]


@dataclass(frozen=True)
class _Candidate:
    """A line that may be a numbered heading; ``is_distinct`` says whether it looks otherwise than
    text.
    """

    heading: Heading
    numbers: tuple[int, ...]
    is_distinct: bool


def by_numbers(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> list[Heading]:
    """Lines numbered 1, 1.1, 1.2, 2 …, or I, A, 1, 2, B, II …, that run on over the document, and
    all look alike.
    """
    if labelled := _by_labels(lines, groups, body):
        return labelled
    candidates = [
        found for group in groups if (found := _candidate(lines, *group, body)) is not None
    ]
    if sum(candidate.is_distinct for candidate in candidates) >= 2:
        candidates = [candidate for candidate in candidates if candidate.is_distinct]
    elif any(
        after.heading.first - before.heading.last < 3 for before, after in pairwise(candidates)
    ):
        return []  # a list
    chain = _longest_chain(candidates)
    is_long = sum(len(candidate.numbers) == 1 for candidate in chain) > 1 or len(chain) > 2
    return [candidate.heading for candidate in chain] if is_long else []


def _candidate(lines: Sequence[Line], first: int, last: int, body: Body) -> _Candidate | None:
    """A group of lines as a numbered heading; None where it cannot be one."""
    if run_in := _run_in(lines, first, body):
        return _run_in_candidate(first, *run_in)
    line = lines[first]
    text = joined(line.text for line in lines[first : last + 1])
    numbers = _numbers_of_heading(text, line, body)
    if not numbers or line.cells > 2 or line.size < 0.88 * body.size:
        return None
    is_alone = line.x1 < line.right - 0.04 * line.width or last > first or line.font != body.font
    if not is_alone or _goes_on(lines, last, text):
        return None
    heading = Heading(first, last, text, len(numbers), "numbering")
    return _Candidate(heading, numbers, _is_distinct(line, numbers, body))


def _is_distinct(line: Line, numbers: tuple[int, ...], body: Body) -> bool:
    """Whether a numbered line looks like no item of a list."""
    is_below_white = line.gap == 0 or line.gap > 1.35 * line.size
    return body.is_exceeded_by(line) or (is_below_white and (line.style[2] or len(numbers) > 2))


def _run_in_candidate(first: int, last: int, text: str, rest: str) -> _Candidate | None:
    """A numbered heading before its text on the same line, which has more than one number."""
    numbers = number_of(text)
    if len(numbers) < 2 or not may_be_heading(NUMBER.sub(r"\g<name>", text)):
        return None
    heading = Heading(first, last, text, len(numbers), "numbering", rest, is_run_in=True)
    return _Candidate(heading, numbers, is_distinct=True)


def _numbers_of_heading(text: str, line: Line, body: Body) -> tuple[int, ...]:
    """The numbers before a heading's name; none if the text is not worded like a heading."""
    match = NUMBER.match(text)
    numbers = number_of(text) if match else ()
    if not match or not numbers or MAX_NUMBER < numbers[0] < APPENDIX:
        return ()
    name = match["name"]
    if len(numbers) > 1:
        name = FORMS["dash_before"].sub("", name)  # "30.1 - Exemptions"
    if line.size > 1.12 * body.size or (line.bold and len(numbers) > 1):
        name = name[0].upper() + name[1:]  # "2.1 lm"
    is_sentence = text.endswith(".") and len(text.split()) > 6
    may_be_lower = len(numbers) > 1
    is_named = may_be_heading(name) and (may_be_lower or name[0].isupper())
    return numbers if is_named and not is_sentence else ()


def _goes_on(lines: Sequence[Line], last: int, text: str) -> bool:
    """Whether a full line is the first of a paragraph, whose beginning may be bold: its sentence
    ends on the next line, or another one begins on it.
    """
    line, after = lines[last], lines[last + 1] if last + 1 < len(lines) else None
    is_full = line.x1 > line.right - 0.15 * line.width
    if after is None or not is_full or (after.page, after.column) != (line.page, line.column):
        return False
    is_near = 0 < after.gap < 1.45 * line.size and abs(after.size - line.size) < 0.5
    return is_near and (
        after.text[:1].islower() or FORMS["sentence_inside"].search(text) is not None
    )


def _longest_chain(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The longest sequence in which each number may follow the one before it."""
    length, previous = [1] * len(candidates), [-1] * len(candidates)
    for index, candidate in enumerate(candidates):
        for before in range(max(0, index - LOOK_BACK), index):
            if length[before] + 1 > length[index] and _may_follow(
                candidates[before].numbers, candidate.numbers
            ):
                length[index], previous[index] = length[before] + 1, before
    chain = []
    index = max(range(len(length)), key=length.__getitem__, default=-1)
    while index >= 0:
        chain.append(candidates[index])
        index = previous[index]
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
    # the line "3" itself is missing
    return 1 <= after[0] - before[0] <= 2 and set(after[1:]) == {1}


def _by_labels(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> list[Heading]:
    """Lines labelled I, A, 1, a: one kind of label for each level, each counted from its first;
    empty without them.
    """
    candidates: list[tuple[Heading, str]] = []
    for first, last in groups:
        line = lines[first]
        is_capital = line.style[2] and (line.gap == 0 or line.gap > 1.35 * line.size)
        if not (body.is_exceeded_by(line) or is_capital) or body.goes_on_in(line) or line.cells > 2:
            continue
        text = joined(line.text for line in lines[first : last + 1])
        match = FORMS["labelled"].match(text)
        if match and may_be_heading(match["name"]):
            candidates.append((Heading(first, last, text, 0, "numbering"), match["label"]))
    # The first of them may be the names of authors ("A. Author and B. Author").
    return next(
        (found for start in range(3) if (found := _labelled(lines, candidates[start:]))), []
    )


def _labelled(lines: Sequence[Line], candidates: Sequence[tuple[Heading, str]]) -> list[Heading]:
    """Those of the candidates whose labels go on from the first one; empty if they are no headings
    of one style.
    """
    current: list[_Label] = []
    found: list[Heading] = []
    for heading, text in candidates:
        if position := _position(current, text):
            level, label = position
            current = [*current[:level], label]
            found.append(replace(heading, level=level + 1))
    top = [heading for heading in found if heading.level == 1]
    if not top or not top[0].text[0].isupper():
        return []
    names = sum(bool(core_name(heading.text)) for heading in top)
    styles = Counter(lines[heading.first].style[:2] for heading in top)
    is_one_style = styles.most_common(1)[0][1] >= 0.6 * len(top)
    return (
        found
        if is_one_style and len(top) >= (2 if names > 1 else 3) and (names or top[0].text[0] == "I")
        else []
    )


def _position(current: Sequence[_Label], text: str) -> tuple[int, _Label] | None:
    """The level, from 0, at which a label goes on after the current ones, and what it is there;
    None if it does not.

    One label may be missing.
    """
    for step in (1, 2):
        for level in [*range(len(current) - 1, -1, -1), len(current)]:
            for kind, value in _readings(text):
                before = current[level] if level < len(current) else (kind, 0)
                is_new = level < len(current) or kind not in {known for known, _ in current}
                if (
                    kind == before[0]
                    and value == before[1] + step
                    and is_new
                    and (step == 1 or before[1])
                ):
                    return level, (kind, value)
    return None


def _readings(text: str) -> list[_Label]:
    """What a label may be: V is a Roman number and a letter."""
    if text.isdigit():
        return [("1", int(text))]
    readings = [("I", _ROMAN.index(text))] if text in _ROMAN else []
    if len(text) == 1:
        readings.append(("a" if text.islower() else "A", ord(text.lower()) - ord("a") + 1))
    return readings


def _run_in(lines: Sequence[Line], index: int, body: Body) -> tuple[int, str, str] | None:
    """A numbered heading that the text follows without a break: its last line, its text, and what
    follows it there.
    """
    line = lines[index]
    if not NUMBER.match(line.text):
        return None
    typed = FORMS["typed_run_in"].match(line.text)
    if typed and not line.bold and (line.gap == 0 or line.gap > 1.4 * line.size):
        return index, typed["head"], typed["rest"]
    found = run_in_head(lines, index, body) if line.lead_bold or line.lead_italic else None
    if found is None:
        return None
    last, head, rest = found
    if not any(map(str.isalpha, head)):  # only the number is in another font
        return None
    if not head.endswith((".", ":")) and (
        len(number_of(head)) < 2 or not rest[:1].isupper() or line.gap <= line.size
    ):
        return None
    return last, head.rstrip("."), rest
