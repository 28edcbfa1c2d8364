"""The levels of a PDF's headings: outline, numbers, looks and names, weighed over the whole
document.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..article.back_matter import is_back_matter
from ..article.names import ABSTRACT, core_name
from ..article.wording import ENUMERATOR
from .codes import section_number
from .headings import Heading, is_division
from .lines import Line
from .patterns import FORMS, number_of

MAX_LEVEL = 6

PARTS = 3
"""Parts of a paper (methods, results …) whose headings have one look, from which on it is that of
the top level.
"""

Look = tuple[float, bool, bool, bool, str]
"""Size in points, bold, capitals, italic, font with the kind of enumeration: headings of one look
have one level.
"""

DIVISION = "division"  # the kind of enumeration of chapters and articles
RUN_IN = "run-in"  # stands for the font in the look of headings that text follows on their line

_Weight = tuple[bool, float, bool, bool, bool, bool]


@dataclass(frozen=True)
class _Styles:
    """The looks of a document's headings."""

    of: list[Look]  # the look of each heading, in order
    count: Counter[Look]  # how many headings have a look
    # the names of a paper's parts among the headings of a look, with how often each occurs
    core: dict[Look, Counter[str]]


def set_levels(headings: Sequence[Heading], lines: Sequence[Line]) -> None:
    """Set the level of each heading; those of an outline have its depth as their level before.

    What an outline with several depths says holds. Else headings with numbers have the depth of
    their numbers, and the others the rank of their look among all looks: the look of the headings
    that papers have at the top (introduction, methods, results …) is level 1, in a report the
    heaviest one that is used again. A heading is at most one level below the heading before it. One
    that the text follows on its line is below the last one on a line of its own.
    """
    if not headings:
        return
    styles = _styles(headings, lines)
    if len({heading.level for heading in headings if heading.found_by == "outline"}) > 1:
        _by_outline(headings, styles)
    else:
        _by_looks(headings, styles)
    _align_sections(headings)
    _raise_parts(headings, styles)
    _set_free_levels(headings)
    # the levels above a heading, before they are made to follow one another
    parents: list[int] = []
    for heading in headings:
        level = heading.level
        while parents and parents[-1] >= level:
            parents.pop()
        if parents and level > len(number_of(heading.text)):
            heading.level = min(level, len(parents) + 1, MAX_LEVEL)
        parents.append(level)


def _set_free_levels(headings: Sequence[Heading]) -> None:
    """Set the level of headings that neither an outline nor a number ranks: back matter is at the
    top, and what begins a paragraph is below the heading above it.
    """
    last = max(
        (n for n, one in enumerate(headings) if core_name(one.text) not in ("", "references")),
        default=-1,
    )
    above = 0  # the level of the last heading on a line of its own
    for index, heading in enumerate(headings):
        is_back = index > last and is_back_matter(heading.text)
        is_part = is_back or ABSTRACT.fullmatch(heading.text)
        is_free = heading.found_by not in ("outline", "numbering") and not number_of(heading.text)
        if is_free and (is_part or FORMS["in_appendix"].match(heading.text)):
            heading.level = 1
        if not heading.is_run_in:
            above = heading.level
        elif is_free and not is_part:
            heading.level = max(heading.level, above + 1)


def _styles(headings: Sequence[Heading], lines: Sequence[Line]) -> _Styles:
    """The looks of all headings; a rare look is taken for the frequent one that differs only in its
    font.
    """
    looks = [_look(heading, lines) for heading in headings]
    count = Counter(looks)
    frequent = {look[:3]: look for look, _ in reversed(count.most_common())}
    looks = [frequent[look[:3]] if count[look] == 1 and look[1] else look for look in looks]
    core: dict[Look, Counter[str]] = defaultdict(Counter)
    for heading, look in zip(headings, looks, strict=True):
        if name := core_name(heading.text):
            core[look][name] += 1
    return _Styles(looks, Counter(looks), core)


def _look(heading: Heading, lines: Sequence[Line]) -> Look:
    """The look of the longest of a heading's lines; that of the line's beginning where text follows
    on it.
    """
    if heading.is_run_in:
        line = lines[heading.first]
        return (0.0, line.lead_bold, False, line.lead_italic, RUN_IN)
    line = max(lines[heading.first : heading.last + 1], key=lambda line: line.letters)
    match = ENUMERATOR.match(heading.text)
    mark = match.lastgroup if match else DIVISION * is_division(heading.text)
    # with the name of a program in another font
    bold = line.bold or (line.lead_bold and line.last_font == line.font)
    return (line.size, bold, line.style[2], line.italic and not bold, f"{line.font} {mark}")


def _weight(look: Look) -> _Weight:
    """How much a look stands out."""
    size, bold, capitals, italic, font = look
    return (font != RUN_IN, size, bold, capitals, not italic, font.endswith(DIVISION))


def _by_outline(headings: Sequence[Heading], styles: _Styles) -> None:
    """Give the headings that the outline lacks the level of those that look the same.

    Those of another look are one level below the bookmark before them, and below the looks that
    stand out more.
    """
    given: dict[Look, Counter[int]] = defaultdict(Counter)
    for heading, look in zip(headings, styles.of, strict=True):
        if heading.found_by == "outline":
            given[look][heading.level] += 1
    levels = {look: counts.most_common(1)[0][0] for look, counts in given.items()}
    deepest: dict[Look, int] = {}
    level = 0
    for look in sorted(styles.count, key=_weight, reverse=True):
        deepest[look] = level
        level = max(level, levels.get(look, 0))
    _set_unlisted(headings, styles, levels, deepest)


def _set_unlisted(
    headings: Sequence[Heading],
    styles: _Styles,
    levels: Mapping[Look, int],
    deepest: Mapping[Look, int],
) -> None:
    """Set the levels of the headings that the outline lacks, by those of their looks; numbered
    ones in a chapter are below it.
    """
    parent, is_chapter = 0, False
    for heading, look in zip(headings, styles.of, strict=True):
        if heading.found_by == "outline":
            parent, is_chapter = heading.level, is_division(heading.text)
        elif heading.found_by == "numbering" and is_chapter and not is_division(heading.text):
            heading.level = parent + 1
        else:
            heading.level = levels.get(look) or (
                max(parent, deepest[look]) + 1 if deepest[look] else 1
            )


def _align_sections(headings: Sequence[Heading]) -> None:
    """Give the sections of a code that an outline lacks ("§ 548-7.1.") the level of its others."""
    sections = [one for one in headings if section_number(one.text)]
    listed = Counter(one.level for one in sections if one.found_by == "outline").most_common(1)
    for heading in sections if listed else ():
        if heading.found_by != "outline":
            heading.level = listed[0][0]


def _by_looks(headings: Sequence[Heading], styles: _Styles) -> None:
    """Levels by looks, and by numbers where they run through the document."""
    numbered = [
        heading.level if heading.found_by == "numbering" else len(number_of(heading.text))
        for heading in headings
    ]
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
        elif sum(depths[look].values()) >= 0.5 * styles.count[look]:
            below = heading.text.endswith(":")  # a label: all sections of the look have numbers
            heading.level = depths[look].most_common(1)[0][0] + below
        else:
            heading.level = levels[look]


def _raise_parts(headings: Sequence[Heading], styles: _Styles) -> None:
    """Give a paper's parts that look the same the highest level that any of them has: no one is
    below another.

    Only where they have no numbers, and each name occurs once.
    """
    parts: dict[Look, list[Heading]] = defaultdict(list)
    for heading, look in zip(headings, styles.of, strict=True):
        if core_name(heading.text) and look[4] != RUN_IN and not number_of(heading.text):
            parts[look].append(heading)
    for look, alike in parts.items():
        if max(styles.core[look].values()) == 1:
            level = min(heading.level for heading in alike)
            for heading in alike:
                heading.level = level


def _top_look(styles: _Styles) -> Look:
    """The look of the top level: that with the names of a paper's parts, or the heaviest one that
    is used again.
    """
    named = max(
        styles.count, key=lambda look: (look[4] != RUN_IN, len(styles.core[look]), _weight(look))
    )
    names = styles.core[named]
    if len(names) >= 2:
        return named
    repeated = [look for look in styles.count if styles.count[look] > 1 and look[4] != RUN_IN]
    heaviest = max(repeated or styles.count, key=_weight)
    return named if names and _weight(named) >= _weight(heaviest) else heaviest


def _ranks(styles: _Styles, top: Look) -> dict[Look, int]:
    """The level of each look: 1 for the top one and for larger ones (boxes and figures have some),
    then by weight.
    """
    is_paper = len(styles.core[top]) >= PARTS
    levels = {
        look: 1
        for look in styles.count
        if look == top
        or (_weight(look)[:2] > _weight(top)[:2] and (styles.core[look] or not is_paper))
    }
    rank = 2
    for look in sorted(
        (look for look in styles.count if look not in levels), key=_weight, reverse=True
    ):
        levels[look] = rank
        rank += styles.count[look] > 1  # one heading of its own look moves no others down
    return levels
