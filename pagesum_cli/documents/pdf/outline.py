"""Headings of a PDF by its outline (bookmarks)."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from pypdfium2 import PdfDocument

from ...text.cleaning import one_line
from ..article.divisions import plain
from ..article.names import ABSTRACT, bare, is_label, is_name
from ..article.wording import CAPTION
from .headings import Heading
from .lines import Line
from .patterns import joined, similarity

MAX_ENTRIES, MAX_DEPTH = 5000, 50

MAX_TITLE = 500  # characters of a bookmark that may be a heading
MAX_COVERS = 4  # pages on which a document's title is: covers may be before it
MAX_GROUPS = 1000  # groups of lines of a page among which a bookmark is looked for
LONGEST_NOTE = 200  # characters of a note behind a heading: [Amended 4-26-2004 …]
_NOTE = re.compile(r"(?<=\S)\s*\[[^\[\]]{0,200}\]$")
_DIGITS = re.compile(r"\d+")
LONG = 50  # characters of a bookmark that may be cut off
STOPS = (".", ":", "?", "!")  # ends of a heading that text follows on its line
SIMILAR = 0.85  # similarity of a bookmark and a heading


@dataclass(frozen=True)
class OutlineEntry:
    """A bookmark: title, depth from 1, PDF page from 1 (0 where it points nowhere)."""

    title: str
    depth: int
    page: int


def outline_of(pdf: PdfDocument) -> list[OutlineEntry]:
    """The bookmarks of a file with their depth and page, in order."""
    entries: list[OutlineEntry] = []
    for bookmark in islice(pdf.get_toc(MAX_DEPTH), MAX_ENTRIES):
        destination = bookmark.get_dest()
        page = destination.get_index() if destination is not None else None
        if title := one_line(bookmark.get_title()):
            entries.append(OutlineEntry(title, bookmark.level + 1, 0 if page is None else page + 1))
    return entries


def by_outline(
    lines: Sequence[Line],
    groups: Sequence[tuple[int, int]],
    outline: Sequence[OutlineEntry],
    title: str,
) -> list[Heading]:
    """The bookmarks whose text is on their pages; none where fewer than three, or few of those that
    point to a page of the file, are.
    """
    by_page: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for first, last in groups:
        if len(by_page[lines[first].page]) < MAX_GROUPS:
            by_page[lines[first].page].append((first, last))
    headings: list[Heading] = []
    after = -1
    entries = [
        entry
        for entry in _without_labels(outline)
        if entry.page and len(entry.title) <= MAX_TITLE and plain(entry.title) != plain(title)
    ]
    for entry in entries:
        if len(plain(bare(entry.title))) < 3 or CAPTION.match(entry.title):
            continue
        near = [*by_page[entry.page], *by_page[entry.page + 1][:8]]
        heading = _best(lines, [group for group in near if group[0] > after], entry)
        if heading is not None:
            headings.append(heading)
            after = heading.last
    if len(headings) < 3 or len(headings) < 0.4 * len(entries):
        return []
    if _is_over_all([heading.level for heading in headings]) and not is_name(headings[0].text):
        del headings[0]  # the title
    top = min(heading.level for heading in headings)
    for heading in headings:
        heading.level -= top - 1
    return headings


def page_of_title(outline: Sequence[OutlineEntry]) -> int:
    """The page that the only bookmark at the top points to, behind a few others at most; 0 without
    one.
    """
    page = outline[0].page if _is_over_all([entry.depth for entry in outline]) else 0
    return page if page <= MAX_COVERS else 0


def _is_over_all(levels: Sequence[int]) -> bool:
    """Whether the first of some levels is above all others."""
    return len(levels) > 3 and levels[0] < min(levels[1:])


def _without_labels(outline: Sequence[OutlineEntry]) -> list[OutlineEntry]:
    """The bookmarks, but for those below the abstract: they have the names of sections of the
    paper.
    """
    kept: list[OutlineEntry] = []
    abstract: int | None = None  # its depth
    for entry in outline:
        if abstract is None or entry.depth <= abstract:
            abstract = entry.depth if ABSTRACT.fullmatch(entry.title) else None
            kept.append(entry)
        elif not is_label(entry.title):  # the paper itself is below its abstract
            abstract = None
            kept.append(entry)
    return kept


def _best(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], entry: OutlineEntry
) -> Heading | None:
    """The group of lines with the greatest similarity to a bookmark, the first of equals."""
    whole, name = plain(entry.title), plain(bare(entry.title))
    best, heading = SIMILAR, None
    for first, last in groups:
        length = sum(len(line.text) for line in lines[first : last + 1])
        if not 0.5 * len(name) < length < 1.5 * len(entry.title) + LONGEST_NOTE:
            continue
        text = joined(line.text for line in lines[first : last + 1])
        score = _score(_NOTE.sub("", text), entry, whole, name)
        if score > best:
            if plain(text) == whole and len(text.split()) < len(entry.title.split()):
                text = entry.title  # printed without visible spaces
            best, heading = score, Heading(first, last, text, entry.depth, "outline")
    return heading


def _score(text: str, entry: OutlineEntry, whole: str, name: str) -> float:
    """The similarity of a heading and a bookmark, of which ``whole`` is the plain title and
    ``name`` that without its number; 1 for one that is cut off at its end.
    """
    rest = text.removeprefix(entry.title)
    is_open = not entry.title.endswith(STOPS) and not rest.startswith(STOPS)
    if len(entry.title) >= LONG and rest != text and is_open:
        return 1.0
    if len(text) >= 1.5 * len(entry.title) + 20:
        return 0.0
    score = max(similarity(plain(text), whole), similarity(plain(bare(text)), name))
    return 0.0 if score < 1 and _is_other_number(plain(text), whole) else score


def _is_other_number(text: str, title: str) -> bool:
    """Whether two plain titles differ only in their numbers: those of two sections."""
    numbers, numbers_of_title = _DIGITS.findall(text), _DIGITS.findall(title)
    has_both = bool(numbers and numbers_of_title) and numbers != numbers_of_title
    return has_both and _DIGITS.sub("", text) == _DIGITS.sub("", title)
