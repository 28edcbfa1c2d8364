"""Headings of a PDF by their style and by their names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

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
    styles = _Styles()
    candidates: list[_Candidate] = []
    for first, last in groups:
        find = _in_margin if lines[first].is_in_margin else _candidate
        candidate = find(lines, first, last, body)
        styles.count(lines[first], candidate)
        if candidate is not None:
            candidates.append(candidate)
    headings = []
    for candidate in candidates:
        line = lines[candidate.first]
        if line.is_in_margin:
            found_by = "style"
        elif candidate.is_name:
            found_by = _found_by_name(candidate, line, styles, body)
        else:
            after = lines[candidate.last + 1] if candidate.last + 1 < len(lines) else None
            found_by = "style" if _is_found_by_style(candidate, line, after, styles, body) else ""
        if found_by:
            headings.append(Heading(candidate.first, candidate.last, candidate.text, 0, found_by))
    return headings


@dataclass
class _Styles:
    """How often each style is used: by lines, by lines shaped like headings, and by those that
    have the name of a section, or that of an article or the like.
    """

    lines: Counter[Style] = field(default_factory=Counter)
    shaped: Counter[Style] = field(default_factory=Counter)
    named: Counter[Style] = field(default_factory=Counter)

    def count(self, line: Line, candidate: _Candidate | None) -> None:
        # no label, no row, and not in a box
        is_single = line.cells == 1 and not line.is_boxed
        self.lines[line.style] += is_single and bool(FORMS["letters"].search(line.text))
        if candidate is not None:
            self.shaped[line.style] += 1
            is_division = FORMS["division_heading"].match(candidate.text) is not None
            self.named[line.style] += candidate.is_name or is_division

    def is_regular(self, line: Line) -> bool:
        """Whether several lines of this style are shaped like headings."""
        return self.shaped[line.style] >= REGULAR

    def is_of_headings(self, line: Line, body: Body) -> bool:
        """Whether most lines of this style are shaped like headings, and it stands out."""
        stands_out = _is_large(line, body) or line.bold or line.style[2] or line.italic
        is_usual = self.shaped[line.style] >= 0.5 * self.lines[line.style]
        return is_usual and (stands_out or self.is_regular(line))

    def is_font_of_names(self, line: Line) -> bool:
        """Whether a line with the name of a section is in this font."""
        return any(count and style[0] == line.font for style, count in self.named.items())


def _is_large(line: Line, body: Body) -> bool:
    return line.size > 1.12 * body.size


def _found_by_name(candidate: _Candidate, line: Line, styles: _Styles, body: Body) -> str:
    """What shows that a line with the name of a section is a heading; empty if nothing does."""
    exceeds = body.is_exceeded_by(line)
    if styles.is_of_headings(line, body):
        return "style" if exceeds else "name"
    return "name" if candidate.is_apart or exceeds else ""


def _is_found_by_style(
    candidate: _Candidate, line: Line, after: Line | None, styles: _Styles, body: Body
) -> bool:
    """Whether a line without a known name is a heading."""
    is_slanted = line.italic and styles.is_regular(line)
    if not is_slanted and not styles.is_of_headings(line, body):
        return False
    if _is_large(line, body):
        return True
    if candidate.text.endswith(".") or not any(styles.named.values()):
        return False
    is_over_text = after is not None and after.size >= 0.9 * body.size
    return line.size >= 0.9 * body.size or (is_over_text and styles.is_font_of_names(line))


def _candidate(lines: Sequence[Line], first: int, last: int, body: Body) -> _Candidate | None:
    """A group of lines as a heading; None where it cannot be one."""
    line = lines[first]
    text = joined(line.text for line in lines[first : last + 1])
    if not _may_be_set_as_heading(line, body) or not _is_worded_like_heading(text):
        return None
    name = is_name(text) or (line.bold and is_back_matter(text))
    if not name:
        stands_out = line.style[2] or body.is_exceeded_by(line)
        is_kind_of_article = line.page == lines[0].page and is_kind(text)
        if not stands_out or is_kind_of_article:
            return None
    if (not name or text.endswith(".")) and _is_within_sentence(lines, first, body):
        return None
    is_apart = _is_apart(lines, first, last, body)
    return _Candidate(first, last, text, name, is_apart) if name or is_apart else None


def _in_margin(lines: Sequence[Line], first: int, last: int, body: Body) -> _Candidate | None:
    """A group of lines in the margin as a heading; None where it is not worded like one."""
    text = joined(line.text for line in lines[first : last + 1])
    if not _may_be_set_as_heading(lines[first], body) or not _is_worded_like_heading(text):
        return None
    return _Candidate(first, last, text, is_name(text), is_apart=True)


def _may_be_set_as_heading(line: Line, body: Body) -> bool:
    """Whether a line is no row, no part of a box, no line of a program and none of a sentence."""
    if body.goes_on_in(line) or line.cells > 1 or line.is_row or line.is_boxed:
        return False
    is_code = is_monospaced(line.font) and not is_monospaced(body.font)
    return not is_code or line.size >= 1.12 * body.size


def _is_worded_like_heading(text: str) -> bool:
    is_lead_in = text.endswith(":") and len(text.split()) > 8
    has_letters = FORMS["letters"].search(text) is not None
    return has_letters and not is_lead_in and may_be_heading(bare(text))


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
    is_below_white = line.gap == 0 or line.gap > white
    is_over_text = after.font == body.font != line.font
    is_centered = abs((line.x0 - line.left) - (line.right - line.x1)) < 0.05 * line.width
    if not is_centered and lines[last].x1 >= line.right - 0.12 * line.width:
        is_larger = line.size > LARGER * body.size and after.size < line.size
        is_below = is_below_white or _is_emphasized_below(line, before)
        return is_below and after.gap > 0 and (is_over_text or is_larger)
    if is_below_white or after.column != line.column or after.gap > white:
        return True
    is_bolder = line.bold and not after.bold
    return (is_bolder or is_over_text) and (
        ends_sentence(before.text) or _is_below_heading(line, before, body)
    )


def _is_emphasized_below(line: Line, before: Line) -> bool:
    """Whether a line in bold or italics is below the last line of a paragraph."""
    is_last = ends_sentence(before.text) and before.x1 < before.right - 0.1 * before.width
    return is_last and (line.bold or line.italic)


def _is_below_heading(line: Line, before: Line, body: Body) -> bool:
    is_short = before.x1 < before.right - 0.12 * before.width
    return is_short and before.style != line.style and body.is_exceeded_by(before)
