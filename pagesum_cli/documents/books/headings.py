"""The headings of the parts and chapters of a book as plain text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from ...text.cleaning import one_line
from ..article.divisions import (
    CHAPTER,
    MAX_HEADING,
    PART,
    Division,
    division_of,
    is_named,
    is_title,
    joined_title,
    numbered,
    plain,
)
from .forms import FORMS, MAX_HEADING_LINES, ends_sentence, forms_of, keys_of, lines_of

WORDS_BETWEEN = 100  # mean number of words between numbers that stand alone and are headings
NAME_WORDS, TITLE_WORDS = 8, 12  # words of a name such as preface, and of a title below its label
TITLED = 0.6  # share of labels with a title below them where all of them have one
INSIDE = 0.3  # share of numbers inside of sentences where they are those of pages
FEW = 3  # numbers, of which any may be inside of a sentence

_END = ("the end", "finis", "the end.", "finis.", "end")
_PART_ORDER = (
    *("volume", "vol", "band", "tome", "том", "卷"),
    *("book", "livre", "buch", "libro", "книга", "部"),
)


@dataclass(frozen=True)
class BookHeading:
    """A heading of a book."""

    place: int  # its block
    text: str  # as printed, on one line
    # how it is worded; None for a name, and for a title that the contents list has
    division: Division | None
    is_listed: bool  # whether the contents list has it
    blocks: int = 1  # number of blocks that it takes up
    rest: str = ""  # text on the lines after it in its last block
    level: int = 1  # from 1

    @property
    def found_by(self) -> str:
        """``numbering``, ``name`` or ``style``."""
        return "numbering" if self.division else "name" if is_named(self.text) else "style"

    @property
    def rank(self) -> int:
        """That of its division; 0 without one."""
        return self.division.rank if self.division is not None else 0

    @property
    def word(self) -> str:
        """That of its division: ``chapter``; empty without one."""
        return self.division.word if self.division is not None else ""

    @property
    def is_label(self) -> bool:
        """Whether it is worded as a label without a title, and nothing is below it."""
        return self.division is not None and not self.division.title and not self.rest


def book_headings(blocks: Sequence[str], entries: Sequence[str]) -> dict[int, BookHeading]:
    """The headings of parts and chapters by their blocks; empty for a text that is no book.

    A heading is labelled (``CHAPTER I``), in the contents list, a number alone or with a title
    where the numbers run on, or has a name such as preface. At least two of the first three kinds
    make a book.
    """
    listed = _listed(entries)
    labelled, others = _candidates(blocks, listed)
    labelled = _with_titles(blocks, labelled, listed)
    has_chapters = any(heading.rank == CHAPTER for heading in labelled)
    numbers = [] if has_chapters else _with_titles(blocks, _numbers(blocks, listed), listed)
    sure = [*labelled, *numbers]
    taken = set(chain.from_iterable(range(own.place, own.place + own.blocks) for own in sure))
    others = [heading for heading in others if heading.place not in taken]
    # those that the contents list has count; names are headings only in a book
    others.sort(key=lambda heading: not heading.is_listed)
    sure_count = len(sure) + sum(heading.is_listed for heading in others)
    if sure_count < 2:
        return {}
    order = _parts_in_order(labelled)
    leveled = [replace(own, level=_level_of(own, order)) for own in (*sure, *others)]
    return {heading.place: heading for heading in leveled}


def _listed(entries: Sequence[str]) -> set[str]:
    """The forms of the entries of a contents list, each of which may have two lines."""
    wrapped = (f"{entry} {after}" for entry, after in pairwise(entries))
    return {form for entry in (*entries, *wrapped) for form in forms_of(entry)}


def _parts_in_order(labelled: Sequence[BookHeading]) -> list[str]:
    """The words of parts, the largest first."""
    parts = dict.fromkeys(heading.word for heading in labelled if heading.rank == PART)
    ranks = {word: number for number, word in enumerate(_PART_ORDER)}
    return sorted(parts, key=lambda word: ranks.get(word, len(ranks)))


def _level_of(heading: BookHeading, parts: Sequence[str]) -> int:
    if heading.found_by == "name":
        return 1
    is_part = heading.rank == PART
    level = parts.index(heading.word) + 1 if is_part else len(parts) + 1
    decimal = FORMS["decimal"].match(heading.text)
    return level + decimal[0].count(".") if decimal else level


def _candidates(
    blocks: Sequence[str], listed: set[str]
) -> tuple[list[BookHeading], list[BookHeading]]:
    """The blocks that are worded as headings, and those that are listed or have a name."""
    labelled: list[BookHeading] = []
    others: list[BookHeading] = []
    for place, block in enumerate(blocks):
        lines = lines_of(block)
        if not lines or len(lines[0]) > MAX_HEADING:
            continue
        is_listed = bool(listed) and not listed.isdisjoint(keys_of(block))
        heading = _labelled(place, lines, is_listed)
        is_same = heading is not None and labelled and heading.text == labelled[-1].text
        if heading is None:
            others += _unlabelled(place, lines, is_listed, listed)
        elif not is_same:
            labelled.append(heading)
    return labelled, others


def _whole(lines: Sequence[str]) -> str:
    """The lines of a block as one; empty if they are too many for a heading."""
    return one_line(" ".join(lines)) if len(lines) <= MAX_HEADING_LINES else ""


def _labelled(place: int, lines: Sequence[str], is_listed: bool) -> BookHeading | None:
    """The heading of a block that is, or begins with, a label."""
    whole, first = _whole(lines), division_of(lines[0])
    division = division_of(whole)
    is_label = first is not None and not first.title
    below = one_line(" ".join(lines[1:]))
    if division is not None:
        text = joined_title(one_line(lines[0]), below) if is_label and below else whole
        return BookHeading(place, one_line(text), division, is_listed)
    if not is_label or (whole and is_title(" ".join(lines[1:]))):
        return None
    return BookHeading(place, one_line(lines[0]), first, is_listed, rest="\n".join(lines[1:]))


def _unlabelled(
    place: int, lines: Sequence[str], is_listed: bool, listed: set[str]
) -> Iterator[BookHeading]:
    """The heading of a block that is listed, or has a name, if it is one."""
    whole = _whole(lines)
    if not whole or len(whole) > MAX_HEADING or whole.lower() in _END:
        return
    ends = ends_sentence(whole.rstrip("."))
    is_entry = is_listed and plain(whole) in listed and not ends
    if is_entry or (len(lines) == 1 and _is_name(whole)):
        yield BookHeading(place, whole, None, is_entry)


def _is_name(line: str) -> bool:
    """Whether a line is the name of a chapter without a number, and no sentence."""
    is_closed = line.endswith(".") and not line.isupper()
    return len(line.split()) <= NAME_WORDS and not is_closed and is_named(line)


def _with_titles(
    blocks: Sequence[str], labelled: Sequence[BookHeading], listed: set[str]
) -> list[BookHeading]:
    """Labels alone, with the title in the next block: in capitals, listed, or most labels have
    one.
    """
    places = {heading.place for heading in labelled}
    titles = [_title_below(blocks, heading, places) for heading in labelled]
    is_usual = sum(map(_is_shaped, titles)) >= TITLED * len(labelled)
    joined = []
    for heading, title in zip(labelled, titles, strict=True):
        is_in_list = plain(title) in listed
        is_sure = title.isupper() or is_in_list or (is_usual and _is_shaped(title))
        joined.append(_titled(heading, title, is_in_list) if is_sure else heading)
    return joined


def _titled(heading: BookHeading, title: str, is_listed: bool) -> BookHeading:
    """A label with the title below it, unless there is none."""
    if not title or is_named(title):
        return heading
    text = joined_title(heading.text, title)
    is_listed = is_listed or heading.is_listed
    return replace(heading, text=text, is_listed=is_listed, blocks=2, rest="")


def _title_below(blocks: Sequence[str], heading: BookHeading, places: set[int]) -> str:
    """The block below a label that may be its title; empty if it is none."""
    below = heading.place + 1
    if not heading.is_label or below in places or below == len(blocks):
        return ""
    title = one_line(blocks[below]).strip("_*")
    lines = blocks[below].strip().count("\n") + 1
    is_short = len(title.split()) <= TITLE_WORDS and lines <= MAX_HEADING_LINES
    has_letters = any(map(str.isalpha, title))
    return title if is_short and has_letters and is_title(title) else ""


def _is_shaped(title: str) -> bool:
    """Whether a text ends as a title does."""
    return bool(title) and not ends_sentence(title) and not title.endswith((":", "”", '"'))


@dataclass(frozen=True)
class _Number:
    """A number that may be a heading."""

    heading: BookHeading
    division: Division
    is_inside: bool  # whether no sentence ends before it


def _numbers(blocks: Sequence[str], listed: set[str]) -> list[BookHeading]:
    """Numbers alone or Roman ones with a title: those that run on from 1, with prose between them;
    new in each part.
    """
    candidates: list[_Number] = []
    for place, block in enumerate(blocks):
        division = _number_of(lines_of(block))
        if division is not None:
            is_listed = not listed.isdisjoint(keys_of(block))
            whole = one_line(" ".join(lines_of(block)))
            heading = BookHeading(place, whole, division, is_listed)
            is_inside = place > 0 and not ends_sentence(blocks[place - 1].rstrip())
            candidates.append(_Number(heading, division, is_inside))
    titled = [number for number in candidates if number.division.title]
    alone = [number for number in candidates if not number.division.title]
    return _run(blocks, titled) or _run(blocks, alone) or _run(blocks, candidates)


def _number_of(lines: Sequence[str]) -> Division | None:
    """The number that a block is, or begins with above or before a title."""
    whole = _whole(lines)
    division = numbered(whole) if whole else None
    if division is None or len(lines) > 1:
        return division
    is_item = whole[0].isdecimal() and division.title
    is_sentence = ends_sentence(division.title) and not division.title.isupper()
    return None if is_item or is_sentence else division


def _run(blocks: Sequence[str], candidates: Sequence[_Number]) -> list[BookHeading]:
    """The candidates that run on from 1, with prose between them."""
    numbers = _chain(candidates)
    headings = [number.heading for number in numbers]
    if len(numbers) < 2 or _are_page_numbers(numbers):
        return []
    between = blocks[headings[0].place : headings[-1].place]
    words = sum(len(block.split()) for block in between)
    return headings if words >= WORDS_BETWEEN * (len(numbers) - 1) else []


def _chain(candidates: Sequence[_Number]) -> list[_Number]:
    """The candidates whose numbers are consecutive; the count restarts at each 1."""
    run: list[_Number] = []
    last = -1  # the number before; none at first
    for candidate in candidates:
        number = candidate.division.number
        if number == 1 and last == 1:
            run.pop()  # the first "I" was none
        if number in (1, last + 1):
            run.append(candidate)
            last = number
    return run


def _are_page_numbers(numbers: Sequence[_Number]) -> bool:
    if len(numbers) <= FEW or any(number.heading.is_listed for number in numbers):
        return False
    return sum(number.is_inside for number in numbers) > INSIDE * len(numbers)
