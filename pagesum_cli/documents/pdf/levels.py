"""The levels of a PDF's headings: outline, numbers, looks and names, weighed over the whole document."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise

from ..article.back_matter import is_back_matter
from .headings import Heading
from .lines import Line
from .patterns import ABSTRACT, ENUMERATOR, IN_APPENDIX, bare_name, core_name, is_label, number_of

MAX_LEVEL = 6

CROWD = 5
"""Headings after methods and results that look like these, from which on they are below them."""

PARTS = 3
"""Parts of a paper (methods, results …) whose headings have one look, from which on it is that of the top level."""

Look = tuple[float, bool, bool, bool, str]
"""Size in points, bold, capitals, italic, font with the kind of enumeration: headings of one look have one level."""


_Weight = tuple[bool, float, bool, bool, bool]


@dataclass(frozen=True)
class _Styles:
    """The looks of a document's headings.

    Attributes:
        of: The look of each heading, in order.
        count: How many headings have a look.
        core: The names of a paper's parts among the headings of a look, with how often each occurs.
    """

    of: list[Look]
    count: Counter[Look]
    core: dict[Look, Counter[str]]


def set_levels(headings: Sequence[Heading], lines: Sequence[Line]) -> None:
    """Set the level of each heading.

    What an outline with several depths says holds. Else headings whose numbers run through the document have the
    depth of their numbers, and the others the place of their look among all looks: the look of the headings that
    papers have at the top (introduction, methods, results …) is level 1, in a report the heaviest one that is used
    again. A heading is at most one level below the heading before it. One that the text follows on its line is below
    the last one on a line of its own.

    Args:
        headings: In order; those of an outline have its depth as their level, the others any. The levels are changed.
        lines: All lines of the document.
    """
    if not headings:
        return
    labels = _labels(headings, lines)
    body = [heading for place, heading in enumerate(headings) if place not in labels]
    styles = _styles(body, lines)
    if _is_deep(body, styles):
        _by_outline(body, styles)
    elif body:
        _by_looks(body, styles)
    for place in labels:
        headings[place].level = 2
    last = max((n for n, one in enumerate(headings) if core_name(one.text) not in ("", "references")), default=-1)
    parents: list[int] = []  # the levels above a heading, before they are made to follow one another
    above = 0  # the level of the last heading on a line of its own
    for place, heading in enumerate(headings):
        is_part = (place > last and is_back_matter(heading.text)) or ABSTRACT.fullmatch(heading.text)
        is_free = heading.found_by not in ("outline", "numbering") and not number_of(heading.text)
        if is_free and place not in labels and (is_part or IN_APPENDIX.match(heading.text)):
            heading.level = 1
        if not heading.is_run_in:
            above = heading.level
        elif is_free and place not in labels and not is_part:
            heading.level = max(heading.level, above + 1)
        level = heading.level
        while parents and parents[-1] >= level:
            parents.pop()
        if parents and level > len(number_of(heading.text)):
            heading.level = min(level, len(parents) + 1, MAX_LEVEL)
        parents.append(level)


def _labels(headings: Sequence[Heading], lines: Sequence[Line]) -> set[int]:
    """The places of the labels of a structured abstract.

    They are run in, or their names occur once more in the paper, and they follow the heading "Abstract", or the
    document begins with them.
    """
    start = next((n for n, one in enumerate(headings[:3]) if ABSTRACT.fullmatch(bare_name(one.text))), -1)
    end = start + 1
    page = lines[headings[0].first].page
    while end < len(headings) and is_label(headings[end].text) and lines[headings[end].first].page <= page + 1:
        end += 1
    later = _names(headings[end:])
    run = headings[start + 1 : end]
    seen: set[str] = set()
    for place, heading in enumerate(run):  # "Background" once more: the paper begins
        name = _names([heading])
        if place and not heading.is_run_in and (name & seen or (name == {"introduction"} and seen)):
            run = run[:place]
            later |= _names(headings[start + 1 + place :])
            break
        seen |= name
    again = len(_names(run) & later) > 1  # one alone may be a sub-heading of its own name
    return {start + 1 + place for place, heading in enumerate(run) if heading.is_run_in or again}


def _names(headings: Iterable[Heading]) -> set[str]:
    """Which of the parts of a paper have headings."""
    return {name for heading in headings if (name := core_name(heading.text))}


def _styles(headings: Sequence[Heading], lines: Sequence[Line]) -> _Styles:
    """The looks of all headings; a rare look is taken for the frequent one that differs only in its font."""
    looks = _by_place([_look(heading, lines) for heading in headings], headings, lines)
    count = Counter(looks)
    frequent: dict[tuple[float, bool, bool], Look] = {}
    for look, _ in reversed(count.most_common()):
        frequent[look[:3]] = look
    looks = [frequent[look[:3]] if count[look] == 1 and look[1] else look for look in looks]
    is_part = [bool(core_name(heading.text)) or is_back_matter(heading.text) for heading in headings]
    parts = Counter(look for look, part in zip(looks, is_part, strict=True) if part)
    others = {look for look, part in zip(looks, is_part, strict=True) if not part}
    usual = max(parts, key=parts.__getitem__, default=None)
    looks = [usual if usual and look not in others and _is_almost(look, usual) else look for look in looks]
    core: dict[Look, Counter[str]] = defaultdict(Counter)
    for heading, look in zip(headings, looks, strict=True):
        if name := core_name(heading.text):
            core[look][name] += 1
    return _Styles(looks, Counter(looks), core)


def _is_almost(one: Look, other: Look) -> bool:
    """Whether looks differ in size alone, and little: text recognition measures each line."""
    return one[1:] == other[1:] and abs(one[0] - other[0]) < (0.2 if one[2] else 0.06) * other[0]


def _by_place(looks: Sequence[Look], headings: Sequence[Heading], lines: Sequence[Line]) -> list[Look]:
    """The looks, of their own for headings at the left margin where those of a paper's parts are centered."""
    places: dict[Look, Counter[bool]] = defaultdict(Counter)  # whether the parts' headings are centered
    for heading, look in zip(headings, looks, strict=True):
        if core_name(heading.text):
            places[look][lines[heading.first].is_centered] += 1
    centered = {look for look, count in places.items() if count[True] > max(1, 2 * count[False])}
    return [
        (*look[:4], f"{look[4]} left") if look in centered and _is_at_left(lines[heading.first]) else look
        for heading, look in zip(headings, looks, strict=True)
    ]


def _is_at_left(line: Line) -> bool:
    """Whether a line begins at the left margin and ends well before the right one."""
    return line.x0 - line.left < 0.02 * line.width and line.x1 < line.right - 0.15 * line.width


def _look(heading: Heading, lines: Sequence[Line]) -> Look:
    """The look of the longest of a heading's lines; that of the line's beginning where text follows on it."""
    if heading.is_run_in:
        line = lines[heading.first]
        return (0.0, line.lead_bold, False, line.lead_italic, "run-in")
    line = max(lines[heading.first : heading.last + 1], key=lambda line: line.letters)
    mark = match.lastgroup if (match := ENUMERATOR.match(heading.text)) else ""
    bold = line.bold or (line.lead_bold and line.last_font == line.font)  # with the name of a program in another font
    return (line.size, bold, line.style[2], line.italic and not bold, f"{line.font} {mark}")


def _weight(look: Look) -> _Weight:
    """How much a look stands out."""
    size, bold, capitals, italic, font = look
    return (font != "run-in", size, bold, capitals, not italic)


def _is_deep(headings: Sequence[Heading], styles: _Styles) -> bool:
    """Whether the outline says what is below what: it has several depths, and not most headings at the first."""
    outlined = [(one, look) for one, look in zip(headings, styles.of, strict=True) if one.found_by == "outline"]
    if len({heading.level for heading, _ in outlined}) < 2:
        return False
    depths = [(heading.level, len(number)) for heading, _ in outlined if (number := number_of(heading.text))]
    if len(depths) >= PARTS and sum(level != depth for level, depth in depths) > 0.3 * len(depths):
        return False
    first = [(heading, look) for heading, look in outlined if heading.level == 1]
    core = Counter(look for heading, look in first if core_name(heading.text))
    top = core.most_common(1)[0][0] if core else None
    if top is None or core[top] < PARTS:
        return True
    lighter = sum(
        _weight(look) < _weight(top)
        for heading, look in first
        if not core_name(heading.text) and not is_back_matter(heading.text)
    )
    return lighter <= core[top]


def _by_outline(headings: Sequence[Heading], styles: _Styles) -> None:
    """Give the headings that the outline lacks the level of those that look the same, else that of their look."""
    given: dict[Look, Counter[int]] = defaultdict(Counter)
    for heading, look in zip(headings, styles.of, strict=True):
        if heading.found_by == "outline":
            given[look][heading.level] += 1
    levels = {look: counts.most_common(1)[0][0] for look, counts in given.items()}
    weights = sorted(map(_weight, levels), reverse=True)
    deepest = list(accumulate((levels[look] for look in sorted(levels, key=_weight, reverse=True)), max))
    parent = 0
    for heading, look in zip(headings, styles.of, strict=True):
        if heading.found_by == "outline":
            parent = heading.level
        elif look in levels:
            heading.level = levels[look]
        else:  # below those that stand out more, and below the heading before it
            heavier = _count_heavier(weights, _weight(look))
            heading.level = max(parent, deepest[heavier - 1]) + 1 if heavier else 1


def _count_heavier(weights: Sequence[_Weight], weight: _Weight) -> int:
    """How many of the weights, largest first, are larger than one."""
    low, high = 0, len(weights)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if weights[middle] > weight else (low, middle)
    return low


def _by_looks(headings: Sequence[Heading], styles: _Styles) -> None:
    """Levels by looks, and by numbers where they run through the document."""
    numbered = [heading.level if heading.found_by == "numbering" else 0 for heading in headings]
    if all(depth in (0, len(number_of(heading.text))) for heading, depth in zip(headings, numbered, strict=True)):
        numbered = [len(number_of(heading.text)) for heading in headings]
    top = _top_look(styles)
    levels = _ranks(styles, top)
    heads = [look for look, depth in zip(styles.of, numbered, strict=True) if depth == 1]
    runs_through = top in heads or any(styles.core[look] for look in heads)
    shift = 0 if runs_through or not heads else levels[Counter(heads).most_common(1)[0][0]] - 1
    depths: dict[Look, Counter[int]] = defaultdict(Counter)
    for look, depth in zip(styles.of, numbered, strict=True):
        if depth:
            depths[look][depth + shift] += 1
    for heading, look, depth in zip(headings, styles.of, numbered, strict=True):
        if depth:
            heading.level = depth + shift
        elif depths[look] and sum(depths[look].values()) >= 0.5 * styles.count[look]:
            below = heading.text.endswith(":")  # a label: all sections of the look have numbers
            heading.level = depths[look].most_common(1)[0][0] + below
        else:
            heading.level = levels[look]
    if not heads and len(styles.core[top]) >= PARTS:
        _lower_parts(headings, [look == top for look in styles.of])


def _lower_parts(headings: Sequence[Heading], is_top: Sequence[bool]) -> None:
    """Put headings that look like a paper's parts and follow its methods or results one level lower.

    Where methods and results look like everything in them, many headings after them are theirs.
    """
    within, inside = [], False
    for place, heading in enumerate(headings):
        name = core_name(heading.text)
        if name or is_back_matter(heading.text):
            inside = is_top[place] and name in ("methods", "results")
        elif inside and is_top[place]:
            within.append(place)
    if len(within) >= CROWD:
        for place in within:
            headings[place].level = 2


def _top_look(styles: _Styles) -> Look:
    """The look of the top level: that with the names of a paper's parts, or the heaviest one that is used again."""
    named = max(styles.count, key=lambda look: (look[4] != "run-in", len(styles.core[look]), _weight(look)))
    repeated = [look for look in styles.count if styles.count[look] > 1 and look[4] != "run-in"]
    heaviest = max(repeated, key=_weight, default=named)
    names = styles.core[named]
    is_paper = len(names) >= 2 and (max(names.values()) == 1 or _weight(named) >= _weight(heaviest))
    if is_paper or not repeated:
        return named if names else max(styles.count, key=_weight)
    return heaviest if _weight(heaviest) > _weight(named) or not names else named


def _ranks(styles: _Styles, top: Look) -> dict[Look, int]:
    """The level of each look: 1 for the top one and for larger ones (boxes and figures have some), then by weight.

    Among looks of one size, that comes first which is right below a heading of a known level: it skips none.
    """
    is_paper = len(styles.core[top]) >= PARTS
    levels = {
        look: 1
        for look in styles.count
        if look == top or (_weight(look)[:2] > _weight(top)[:2] and (styles.core[look] or not is_paper))
    }
    follows: dict[Look, Counter[Look]] = defaultdict(Counter)  # which looks come right after the headings of a look
    for before, after in pairwise(styles.of):
        follows[before][after] += 1
    below = sorted((look for look in styles.count if look not in levels), key=_weight, reverse=True)
    place_of = {look: place for place, look in enumerate(below)}
    directly = [place_of[look] for parent in levels for look in follows[parent] if look in place_of]
    heapify(directly)  # the places of looks that come right after a heading whose level is known
    heaviest, rank = 0, 2
    for _ in below:
        while below[heaviest] in levels:
            heaviest += 1
        while directly and below[directly[0]] in levels:
            heappop(directly)
        look = below[heaviest]
        if directly and not _is_heavier(look, below[directly[0]]):
            look = below[directly[0]]
        levels[look] = rank
        for after in follows[look]:
            if after in place_of:
                heappush(directly, place_of[after])
        rank += styles.count[look] > 1  # one heading of its own look moves no others down
    return levels


def _is_heavier(one: Look, other: Look) -> bool:
    """Whether a look is certainly above another: it is no run-in one, or larger."""
    return _weight(one)[0] > _weight(other)[0] or one[0] > 1.05 * other[0]
