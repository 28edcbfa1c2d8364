"""Titles of clauses in by-laws and ordinances: lines of their own above clauses that are numbered
through the document ("Idling of Vehicles", "9. No person shall …").
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..amendments import is_amendment
from ..article.wording import ENUMERATOR, may_be_heading
from .headings import Body, Heading
from .lines import Line, Style
from .patterns import FORMS, joined

MIN_TITLES = 3  # above clauses, from which on such lines are headings
MIN_STYLED = 2  # of these in a style whose other lines are headings, too
IN_ORDER = 0.7  # share of the clauses with a title whose number is above that of the one before
WHITE = 1.3  # distance to the line above, and to the one below, in sizes
MAX_WORDS, MAX_BOLD = 12, 25  # words of a title, and of one in bold type
MIN_ENTRIES = 3  # lines of a page that end with a number, as those of a list of contents
INDENT = 12.0  # points by which the titles of parts of clauses are indented


def clause_titles(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body: Body
) -> list[Heading]:
    """The titles of clauses, and lines set like them; none if they are few, or the clauses below
    them are not numbered one after another.
    """
    shaped = [group for group in groups if _is_shaped(lines, *group)]
    numbers = [_clause_number(lines, last + 1) for _, last in shaped]
    if not _are_titles(list(filter(None, numbers))):
        return []
    titles = [group for group, number in zip(shaped, numbers, strict=True) if number]
    others = [group for group in shaped if group not in titles]
    return [*_headings(lines, titles), *_alike(lines, titles, others, body)]


def _are_titles(numbers: Sequence[int]) -> bool:
    """Whether there are several clauses with a title, most with a number above the one before."""
    following = sum(one < other for one, other in pairwise(numbers))
    return len(numbers) >= MIN_TITLES and following >= IN_ORDER * (len(numbers) - 1)


def _headings(lines: Sequence[Line], groups: Sequence[tuple[int, int]]) -> Iterator[Heading]:
    for first, last in groups:
        text = joined(line.text for line in lines[first : last + 1])
        yield Heading(first, last, text, 1, "numbering")


def _alike(
    lines: Sequence[Line],
    titles: Sequence[tuple[int, int]],
    others: Sequence[tuple[int, int]],
    body: Body,
) -> Iterator[Heading]:
    """Lines that stand out in the style of titles; one level deeper if they are indented."""
    styles: Counter[Style] = Counter(lines[first].style for first, _ in titles)
    entries = Counter(line.page for line in lines if FORMS["numbered_entry"].search(line.text))
    left = min(lines[first].x0 for first, _ in titles)
    for heading in _headings(lines, others):
        line = lines[heading.first]
        is_in_contents = entries[line.page] >= MIN_ENTRIES
        is_styled = styles[line.style] >= MIN_STYLED and body.is_exceeded_by(line)
        if is_styled and not is_in_contents:
            heading.level += line.x0 > left + INDENT
            yield heading


def _is_shaped(lines: Sequence[Line], first: int, last: int) -> bool:
    """Whether lines have white around them and are worded like a title."""
    line = lines[first]
    if last + 1 == len(lines) or line.cells > 1 or line.is_boxed:
        return False
    is_apart = _is_below_white(line) and _is_below_white(lines[last + 1], line)
    is_short = lines[last].x1 < line.right - 0.04 * line.width
    text = joined(one.text for one in lines[first : last + 1])
    is_long = len(text.split()) > (MAX_BOLD if line.bold else MAX_WORDS)
    return is_apart and is_short and not is_long and _is_worded(text)


def _is_below_white(line: Line, before: Line | None = None) -> bool:
    """Whether there is white above a line, or the beginning of a page."""
    size = (before or line).size
    is_first = line.gap == 0 or (before is not None and before.page != line.page)
    return is_first or line.gap > WHITE * size


def _is_worded(text: str) -> bool:
    """Whether a text begins with a capital letter, has no label, and does not end like a
    sentence.
    """
    is_name = text[:1].isupper() and (text[-1:].isalpha() or text.endswith(")"))
    is_labelled = ENUMERATOR.match(text) is not None or is_amendment(text)
    return is_name and not is_labelled and may_be_heading(text)


def _clause_number(lines: Sequence[Line], index: int) -> int:
    """The number of the clause that begins with a line, which is no title itself; else 0."""
    line = lines[index]
    match = FORMS["numbered_clause"].match(line.text)
    if match is None:
        return 0
    is_full = line.x1 > line.right - 0.15 * line.width
    is_text = is_full or line.text.endswith((".", ",", ":", ";"))
    return int(match["number"]) if is_text else 0
