"""Headings of a PDF by their style and by their names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..article.back_matter import is_back_matter
from ..article.names import bare, is_name
from ..article.wording import ends_sentence, may_be_heading
from .fonts import is_monospaced
from .headings import Body, Heading
from .lines import Line, Style
from .patterns import FORMS, is_kind, joined

# lines set apart in one style from which on they are headings, though it is used for other lines,
# too
REGULAR = 3
LARGER = 1.05  # times the body size above which type is larger


@dataclass(frozen=True)
class _Candidate:
    first: int
    last: int
    text: str
    is_name: bool
    is_apart: bool


def by_style(lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body) -> list[Heading]:
    """Lines set apart in a style that is used for headings, and lines with the name of a
    section.
    """
    usage: Counter[Style] = Counter()
    shaped: Counter[Style] = Counter()
    named: Counter[Style] = Counter()
    candidates: list[_Candidate] = []
    for first, last in groups:
        style = lines[first].style
        usage[style] += (
            lines[first].cells == 1 and FORMS["letters"].search(lines[first].text) is not None
        )  # no label, no row
        candidate = _candidate(lines, first, last, body)
        if candidate is not None:
            shaped[style] += 1
            named[style] += candidate.is_name
            candidates.append(candidate)
    any_named = any(named.values())
    fonts = {font for (font, _, _), count in named.items() if count}
    headings = []
    for candidate in candidates:
        line, style = lines[candidate.first], lines[candidate.first].style
        is_large = line.size > 1.12 * body.size
        is_heading_style = shaped[style] >= 0.5 * usage[style] and (
            is_large or line.bold or style[2] or line.italic or shaped[style] >= REGULAR
        )
        found_by = "style"
        if candidate.is_name:
            is_heading = is_heading_style or candidate.is_apart or body.is_exceeded_by(line)
            found_by = "style" if is_heading_style and body.is_exceeded_by(line) else "name"
        else:
            is_over_text = (
                candidate.last + 1 < len(lines)
                and lines[candidate.last + 1].size >= 0.9 * body.size
            )
            is_sized = line.size >= 0.9 * body.size or (line.font in fonts and is_over_text)
            is_heading = (is_heading_style or (line.italic and shaped[style] >= REGULAR)) and (
                is_large or (any_named and is_sized and not candidate.text.endswith("."))
            )
        if is_heading:
            headings.append(Heading(candidate.first, candidate.last, candidate.text, 0, found_by))
    return headings


def _candidate(lines: Sequence[Line], first: int, last: int, body: Body) -> _Candidate | None:
    """A group of lines as a heading; None where it cannot be one."""
    line = lines[first]
    if body.goes_on_in(line) or line.cells > 1 or line.is_row or line.is_boxed:
        return None
    if is_monospaced(line.font) and not is_monospaced(body.font) and line.size < 1.12 * body.size:
        return None
    text = joined(line.text for line in lines[first : last + 1])
    name = is_name(text) or (line.bold and is_back_matter(text))
    if not (name or line.style[2] or body.is_exceeded_by(line)):
        return None
    if (
        not may_be_heading(bare(text))
        or (text.endswith(":") and len(text.split()) > 8)
        or not FORMS["letters"].search(text)
    ):
        return None
    if line.page == lines[0].page and is_kind(text) and not name:
        return None
    if (not name or text.endswith(".")) and _is_within_sentence(lines, first, body):
        return None
    is_apart = _is_apart(lines, first, last, body)
    return _Candidate(first, last, text, name, is_apart) if name or is_apart else None


def _is_within_sentence(lines: Sequence[Line], index: int, body: Body) -> bool:
    """Whether a full line of running text right above goes on in a line: names of species fill some
    lines.
    """
    line, before = lines[index], lines[index - 1] if index else None
    return (
        before is not None
        and (before.page, before.column, before.font) == (line.page, line.column, body.font)
        and before.x1 > before.right - 0.05 * before.width
        and 0 < line.gap < 1.45 * line.size
        and not ends_sentence(before.text)
    )


def _is_apart(lines: Sequence[Line], first: int, last: int, body: Body) -> bool:
    """Whether lines stand alone: white above or below, or text before and after them in another
    font.

    Where the last one is full, there must be white above, and body text or smaller type below,
    unlike in a paragraph in bold.
    """
    if last + 1 >= len(lines):
        return False
    line, after = lines[first], lines[last + 1]
    before = lines[first - 1] if first else line
    white = 1.35 * max(line.size, body.size)
    is_centered = abs((line.x0 - line.left) - (line.right - line.x1)) < 0.05 * line.width
    if not is_centered and lines[last].x1 >= line.right - 0.12 * line.width:
        ends = ends_sentence(before.text) and before.x1 < before.right - 0.1 * before.width
        above = line.gap == 0 or line.gap > white or (ends and (line.bold or line.italic))
        is_over_text = after.font == body.font != line.font
        is_larger = line.size > LARGER * body.size and after.size < line.size
        return bool(above) and after.gap > 0 and (is_over_text or is_larger)
    if line.gap == 0 or line.gap > white or after.column != line.column or after.gap > white:
        return True
    is_short = before.x1 < before.right - 0.12 * before.width
    is_below_heading = is_short and before.style != line.style and body.is_exceeded_by(before)
    ends = ends_sentence(before.text) or is_below_heading
    return ends and ((line.bold and not after.bold) or line.font != after.font == body.font)
