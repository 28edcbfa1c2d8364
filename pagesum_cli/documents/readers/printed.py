"""Plain text as it was printed: running heads and feet of pages, numbers of lines in a margin, an
empty line after each line, words broken at the ends of lines.

Each is left alone unless the whole text shows it: what occurs once may be part of the text.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from ...text.tables import patterns
from ..article.wording import ends_sentence
from .wrapped import GOES_ON, MIN_WIDTH, WRAPPED_LINE, full_width, margin_of, runs_on

if TYPE_CHECKING:
    from ..pdf.hyphens import Words

RAGGED_SHARE = 0.3  # share of the ends of lines of verse at which the next word had fitted

LONGEST = 160  # characters of a line with a number in its margin or of a page
_PAGE_ENDS = frozenset("]-–—0123456789")  # what a line with the number of a page ends with

MAX_EDGE = 3  # lines of a running head or foot
MIN_PAGES = 0.4  # share of the pages that have a running head or foot
MIN_BARE, MIN_LINES = 3, 10  # numbers with nothing beside them, and lines to each
MIN_NUMBERS = 4  # lines with a number in the margin
COUNTED = 0.9  # share of the numbers in the margin that count the lines
NUMBERED = 0.7  # share of the lines that numbers in the margin count
MIN_SPACED = 5  # lines with an empty line after them
SPACED = 0.85  # share of the lines of a text with empty lines between them
_FORMS = patterns(__file__, "printed.toml")

Lines = list[str | None]  # None for what is no line of the text
Page = list[int]  # the places of its lines that are not empty


@dataclass(frozen=True)
class Printed:
    """A text less what belongs to its layout."""

    lines: Lines  # as many as the text has
    furniture: tuple[str, ...] = ()  # running heads and feet, each as often as it is there
    notes: tuple[str, ...] = ()  # the lines of notes at the ends of pages

    @property
    def text(self) -> str:
        """What is left."""
        return "\n".join(line for line in self.lines if line is not None)


def printed(text: str) -> Printed:
    """What is left of a text without furniture of pages, numbers of lines and double spacing."""
    lines: Lines = list(text.split("\n"))
    furniture, notes = _without_furniture(lines)
    _without_numbers(lines)
    _single_spaced(lines)
    return Printed(lines, furniture, notes)


def fitting(lines: Sequence[str], width: int) -> float:
    """The share of the ends of lines at which the first word of the next had fitted."""
    pairs = [(before.strip(), after.split(" ")[0]) for before, after in pairwise(lines)]
    return sum(_fits(*pair, width) for pair in pairs) / len(pairs) if pairs else 0


def _fits(line: str, word: str, width: int) -> bool:
    return len(line) + 1 + len(word) <= width


def _goes_on(before: str, after: str, width: int) -> bool:
    """Whether the next line of a text goes on with what stands in a line."""
    if after[:1].islower():
        return True
    return after[:1].isalpha() and not _fits(before.strip(), after.split(" ")[0], width)


# --- Pages ---------------------------------------------------------------------------------------


def _without_furniture(lines: Lines) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take running heads and feet away, and notes; a paragraph that they divide becomes one."""
    pages = list(_pages(lines))
    if len(pages) < 2:
        return (), ()
    found = sorted(_running(lines, pages))
    furniture, pages = _taken(lines, pages, found)
    notes, pages = _taken(lines, pages, list(_notes(lines, pages)))
    _mend(lines, pages)
    return furniture, notes


def _taken(
    lines: Lines, pages: Sequence[Page], places: Sequence[int]
) -> tuple[tuple[str, ...], list[Page]]:
    """Take lines away: what they were, and the lines of each page that are left."""
    taken = tuple(_stripped(lines[place]) for place in places)
    for place in places:
        lines[place] = "\f" if "\f" in (lines[place] or "") else ""
    return taken, [sorted(set(page) - set(places)) for page in pages]


def _notes(lines: Lines, pages: Sequence[Page]) -> Iterator[int]:
    """The places of the lines of pages from a line of dashes on, if a note begins below it or goes
    on there.
    """
    last = ""  # the last line of the notes of the page before
    for page in pages:
        below = _below_dashes(lines, page)
        if not _has_note([_stripped(lines[place]) for place in below], last):
            below = []
        last = _stripped(lines[below[-1]]) if below else ""
        yield from below


def _has_note(below: Sequence[str], before: str) -> bool:
    """Whether a note begins in the second of some lines, or goes on there from a page before."""
    if len(below) < 2:
        return False
    goes_on = before != "" and not ends_sentence(before)
    return goes_on or _FORMS["note"].match(below[1]) is not None


def _below_dashes(lines: Lines, page: Page) -> Page:
    """The lines of a page from its last line of dashes on."""
    is_line = [_FORMS["notes_line"].fullmatch(_stripped(lines[place])) for place in page]
    last = max((number for number, line in enumerate(is_line) if line), default=len(page))
    return page[last:]


def _mend(lines: Lines, pages: Sequence[Page]) -> None:
    """Make one of paragraphs that the ends of pages divide."""
    width = full_width([line for line in lines if line])
    for before, after in pairwise(filter(None, pages)):
        end, start = before[-1], after[0]
        if _is_divided(_stripped(lines[end]), _stripped(lines[start]), width):
            lines[end] = (lines[end] or "").rstrip("\f")
            lines[start] = (lines[start] or "").lstrip("\f")
            lines[end + 1 : start] = [None] * (start - end - 1)


def _pages(lines: Lines) -> Iterator[Page]:
    """The lines of each page: after a form feed, or a line that is nothing but the page's number,
    a new one begins.
    """
    counted = _page_numbers(lines)
    page: Page = []
    for place, line in enumerate(lines):
        is_end, text = "\f" in (line or ""), _stripped(line)
        has_text_before = not (line or "").lstrip(" ").startswith("\f")
        if is_end and not has_text_before:
            yield page
            page = []
        page += [place] if text else []
        if (is_end and has_text_before) or place in counted:
            yield page
            page = []
    yield page


def _page_numbers(lines: Lines) -> set[int]:
    """The places of the lines that end pages by their number, if these count up."""
    found = {place: _page_number(line) for place, line in enumerate(lines)}
    numbers = {place: number for place, number in found.items() if number}
    return set(numbers) if _count_up(numbers) else _bare_numbers(lines)


def _bare_numbers(lines: Lines) -> set[int]:
    """The places of the numbers of pages that have nothing beside them: these count up, far from
    one another, and one divides a sentence, which no number of a chapter does.
    """
    full = _full(lines)
    texts = [_stripped(lines[place]) for place in full]
    found = [at for at, text in enumerate(texts) if len(text) < 5 and text.isdecimal()]
    numbers = {full[at]: int(texts[at]) for at in found}
    is_far = len(full) >= MIN_LINES * len(found) >= MIN_LINES * MIN_BARE
    if not is_far or not _count_up(numbers):
        return set()
    return set(numbers) if any(_divides_sentence(texts, at) for at in found) else set()


def _divides_sentence(texts: Sequence[str], at: int) -> bool:
    """Whether a sentence goes on from the line before one to the line after it."""
    if not 0 < at < len(texts) - 1:
        return False
    return not ends_sentence(texts[at - 1]) and texts[at + 1][0].islower()


def _count_up(numbers: Mapping[int, int]) -> bool:
    return {after - before for before, after in pairwise(numbers.values())} == {1}


def _page_number(line: str | None) -> int:
    is_short = line and len(line) <= LONGEST and line.rstrip()[-1:] in _PAGE_ENDS
    match = _FORMS["page_end"].search(_stripped(line)) if is_short else None
    return int(match[match.lastgroup or 0]) if match else 0


def _running(lines: Lines, pages: Sequence[Page]) -> Iterator[int]:
    """The places of running heads and feet: lines at the edge of pages that are alike."""
    for side in (1, -1):
        yield from _running_at(lines, [page[::side] for page in filter(None, pages)], len(pages))


def _running_at(lines: Lines, edges: Sequence[Page], pages: int) -> Iterator[int]:
    """The same for one edge, whose lines come from the outermost inwards."""
    known: set[str] = set()
    for depth in range(MAX_EDGE):
        places = [edge[0] for edge in edges]
        often = _often(lines, places, pages) | _known(lines, places, known)
        often |= _of_parts(lines, places) if depth else set()
        known |= {_alike(lines[place]) for place in often}
        found = [edge for edge in edges if edge[0] in often]
        yield from (edge[0] for edge in found)
        edges = [edge[1:] for edge in found if len(edge) > 1]


def _often(lines: Lines, places: Sequence[int], pages: int) -> set[int]:
    """Those of the lines that are alike on many pages, but for the number of the page; of lines
    without a number, on three: a refrain or a heading comes again too.
    """
    forms = {place: _alike(lines[place]) for place in places}
    names = {place: form.strip(" #") or form for place, form in forms.items()}
    numbered = {names[place] for place, form in forms.items() if "#" in form}
    counts, least = Counter(names.values()), MIN_PAGES * (pages - 1)
    return {
        place
        for place, name in names.items()
        if counts[name] >= max(least, 2 if name in numbered else 3)
    }


def _known(lines: Lines, places: Sequence[int], known: Collection[str]) -> set[int]:
    return {place for place in places if _alike(lines[place]) in known}


def _of_parts(lines: Lines, places: Sequence[int]) -> set[int]:
    """Those of the lines next to running heads that are the number of the page, or name a part of
    the text: alike on several pages, with an empty line on both sides.
    """
    forms = {place: _alike(lines[place]) for place in places}
    counts = Counter(form for place, form in forms.items() if _is_apart(lines, place))
    return {place for place, form in forms.items() if form == "#" or counts[form] > 1}


def _is_apart(lines: Lines, place: int) -> bool:
    """Whether there is an empty line before and after a line."""
    around = lines[max(place - 1, 0) : place] + lines[place + 1 : place + 2]
    return not any(map(_stripped, around))


def _alike(line: str | None) -> str:
    return _FORMS["digits"].sub("#", " ".join(_stripped(line).split()))


def _stripped(line: str | None) -> str:
    return (line or "").replace("\f", " ").strip()


def _is_divided(before: str, after: str, width: int) -> bool:
    """Whether a paragraph goes on after the end of a page."""
    is_open = before[-1:].isalnum() or before.endswith((",", "-", "–", "—", ";"))
    return is_open and not ends_sentence(before) and _goes_on(before, after, width)


# --- Numbers of lines ----------------------------------------------------------------------------


def _without_numbers(lines: Lines) -> None:
    """Take the numbers of lines away that stand in a margin: at each line, or at every fifth."""
    for form in ("left_margin", "narrow_margin", "right_margin"):
        matches = _matches(lines, _FORMS[form])
        counted = _counted(lines, matches)
        for place in counted:
            match = matches[place]
            number = " " * len(match["number"])
            text = f"{match['before']}{number}{match['after']}"
            lines[place] = text if text.strip() else ""
        if counted:
            return


def _matches(lines: Lines, form: re.Pattern[str]) -> dict[int, re.Match[str]]:
    """The lines of a form, by their places; long ones have no margin."""
    found = {
        place: form.match(line) for place, line in enumerate(lines) if line and len(line) <= LONGEST
    }
    return {place: match for place, match in found.items() if match}


def _counted(lines: Lines, matches: dict[int, re.Match[str]]) -> list[int]:
    """The places of the lines with a number in the margin, if these count the lines: all, or those
    that are not empty.
    """
    full = _full(lines)
    ordinals = {place: ordinal for ordinal, place in enumerate(full)}
    for before in (ordinals, {place: place for place in full}):
        pairs = [(before[place], int(match["number"])) for place, match in matches.items()]
        step = _step(pairs)
        if step and step * len(matches) >= NUMBERED * len(full):
            texts = [f"{match['before']}{match['after']}".strip() for match in matches.values()]
            return list(matches) if step > 1 or _is_wrapped(texts) else []
    return []


def _step(pairs: Sequence[tuple[int, int]]) -> int:
    """The lines from number to number, of lines and the numbers at them; 0 if these do not count
    them. Numbers may begin again.
    """
    if len(pairs) < MIN_NUMBERS:
        return 0
    steps = [after[1] - before[1] for before, after in pairwise(pairs)]
    step = Counter(steps).most_common(1)[0][0]
    offsets = [ordinal - number for ordinal, number in pairs]
    right = sum(before == after for before, after in pairwise(offsets))
    right += sum(number in (pairs[0][1], step) for _, number in pairs[1:])
    return step if step > 0 and right >= COUNTED * len(steps) else 0


def _is_wrapped(texts: Sequence[str]) -> bool:
    """Whether lines are prose that was wrapped at a margin, and no list or table."""
    texts = list(filter(None, texts))
    small = sum(text[:1].islower() for text in texts)
    is_plain = not any(map(_FORMS["columns"].search, texts))
    is_plain = is_plain and max(map(len, texts), default=0) <= WRAPPED_LINE
    width, ended = full_width(texts), sum(map(ends_sentence, texts))
    is_full = width >= MIN_WIDTH and fitting(texts, width) < RAGGED_SHARE
    is_cut = small >= GOES_ON * len(texts) and 2 * ended < len(texts)
    return is_plain and is_full and is_cut


# --- Double spacing ------------------------------------------------------------------------------


def _single_spaced(lines: Lines) -> None:
    """Take the empty lines between the lines of double-spaced text away; a paragraph ends at a
    larger gap, or after a line on which there had been room.
    """
    places = _full(lines)
    texts = [_stripped(lines[place]) for place in places]
    gaps = [after - before - 1 for before, after in pairwise(places)]
    usual = _usual(gaps)
    margin = margin_of(texts) if usual else 0
    if not usual or not (margin or _is_wrapped(texts)):
        return
    _join_spaced(lines, usual, margin)


def _join_spaced(lines: Lines, usual: int, margin: int) -> None:
    """Take so many empty lines away where a line goes on in the next one."""
    places = _full(lines)
    texts = [_stripped(lines[place]) for place in places]
    gaps = [after - before - 1 for before, after in pairwise(places)]
    width = full_width(texts)
    both = zip(pairwise(texts), pairwise(places), gaps, strict=True)
    for (before, after), (end, start), gap in both:
        is_open = _goes_on(before, after, width) or runs_on(before, after, margin)
        if gap == usual and is_open:
            lines[end + 1 : start] = [None] * gap


def _usual(gaps: Sequence[int]) -> int:
    """The number of empty lines between the lines of double-spaced text; 0 for other text."""
    if len(gaps) < MIN_SPACED - 1 or 0 in gaps:
        return 0
    usual, count = Counter(gaps).most_common(1)[0]
    return usual if count >= SPACED * len(gaps) else 0


def _full(lines: Lines) -> list[int]:
    """The places of the lines that are not empty."""
    return [place for place, line in enumerate(lines) if line and line.strip()]


# --- Broken words --------------------------------------------------------------------------------


class Joiner:
    """Joins the words of a text that hyphens break at the ends of lines.

    A hyphen that belongs to its word ("well-" "known") stays: the other words of the text say so,
    or the frequent words of English.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_needed = _FORMS["broken"].search(text) is not None

    @cached_property
    def _words(self) -> "Words":
        from ..pdf.hyphens import Words  # it imports a lot, and few texts need it

        return Words.of(self._text)

    def joined(self, lines: Sequence[str]) -> list[str]:
        """As many lines: the rest of each broken word is on the line on which the word begins."""
        joined = list(lines)
        if not self._is_needed:
            return joined
        last = 0  # the line that the next one goes on
        for place, line in enumerate(joined[1:], start=1):
            head, tail = joined[last].rstrip(), line.lstrip()
            is_broken = _FORMS["broken"].match(f"{head[-2:]}\n{tail[:1]}")
            joint = self._words.joint(head, tail) if is_broken else None
            if joint not in ("", "-"):
                last = place
                continue
            word, _, rest = tail.partition(" ")
            joined[last], joined[place] = f"{head[:-1]}{joint}{word}", rest
            last = place if rest.strip() else last
        return joined
