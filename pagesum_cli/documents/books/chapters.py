"""The chapters of a document, weighed from its headings, its contents page and the sizes of its
divisions.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

from ..article.building import left_out
from ..article.divisions import (
    CHAPTER,
    PART,
    division_of,
    is_contents,
    is_named,
    is_no_chapter,
    joined_title,
    numbered,
    plain,
)
from ..model import GAP, Document, LeftOut, Section

FOUND_BY = ("outline", "contents", "headings", "fallback")
"""How chapters are found: by navigation or markup, by a printed contents page, by their headings,
or not at all.
"""

PART_WORDS = 5000  # words of a part of a document without chapters
NEAR = 0.2  # share of a part by which its end may move to the beginning of a section
TYPICAL_WORDS = (1_000, 12_000)  # words of most chapters
# of chapters of most books, by whether they are labelled: more are sections
MAX_NUMBER = {True: 120, False: 40}
# words of a document that is one chapter, unless its chapters are labelled or listed
SHORT_WORDS = 2_000
MIN_SCORE = 0.25  # score of divisions that are chapters; see :func:`_score`
# characters of a word in the mean, white space included, beyond which a script has no spaces
MAX_WORD = 8
LABELLED = 0.3  # share of headings that are labelled where labels tell the chapters
FRONT_WORDS = 150  # words before the first heading that are a chapter, not a title page
TITLE_PAGE_WORDS = 600  # words of a title page with the rights to the book
# words of a division that goes with the next one, unless it is labelled, listed or named as a
# chapter
TINY_WORDS = 40
# title of the text before the first heading, if it is long enough for a chapter
OPENING = "Opening"


@dataclass(frozen=True)
class Chapter:
    """A chapter of a book."""

    # as printed (``Chapter 3: The Storm``); ``part 3 of 7`` where no chapters were found
    title: str
    # the whole book, all sections of other chapters in ``skipped``: offsets stay those of the book
    document: Document

    @property
    def words(self) -> int:
        """Number of words of its headings and text."""
        return sum(
            len(part.split())
            for section, _ in self.document.read_sections
            for part in section.parts
        )

    @property
    def span(self) -> tuple[int, int]:
        """The offsets in the document's text at which it starts and ends."""
        read = self.document.read_sections
        last, start = read[-1]
        return read[0][1], start + len(GAP.join(last.parts))

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """Its PDF pages, in order."""
        sections = (section for section, _ in self.document.read_sections)
        return tuple(dict.fromkeys(page for section in sections for page in section.pdf_pages))


@dataclass(frozen=True)
class Chapters:
    """The chapters of a document."""

    chapters: tuple[Chapter, ...]  # in reading order, at least one
    # ``outline`` (the outline of a PDF, the navigation of an EPUB, markup), ``contents`` (a printed
    # contents page), ``headings``, or ``fallback``
    found_by: str
    # What is in no chapter, besides what is not in the document: title page, copyright page, index
    # …
    left_out: tuple[LeftOut, ...] = ()


def chapters_of(document: Document) -> Chapters:
    """The chapters of a document; every section is in one of them or in ``left_out``.

    Headings of each level are weighed by what they say (``Chapter 3``), by whether a contents page
    lists them, and by the number and the sizes of the divisions that they make: of parts with
    chapters, that is the level most like chapters. A document without such headings is divided into
    parts of about :data:`PART_WORDS` words between paragraphs; one shorter than a chapter stays
    whole.
    """
    levels = _levels(document.sections)
    total = sum(map(_size, document.sections))
    best: tuple[float, list[int]] = (0.0, [])
    is_explicit = False
    for level in sorted(
        {level for level, section in zip(levels, document.sections, strict=True) if section.heading}
    ):
        starts = [
            n for n, one in enumerate(document.sections) if one.heading and levels[n] <= level
        ]
        score, explicit = _score(document, starts)
        if score > 1.1 * best[0]:
            best, is_explicit = (score, starts), explicit
    score, starts = best
    if document.is_recording or (not is_explicit and (score < MIN_SCORE or total < SHORT_WORDS)):
        return _parts(document, total)
    groups = _groups(document, starts, levels)
    chapters = [group for group in groups if group.kind == "chapter"]
    if not chapters:
        return _parts(document, total)
    titles = _titles(chapters, document.sections, levels)
    return Chapters(
        tuple(
            Chapter(title, _only(document, group.start, group.end))
            for group, title in zip(chapters, titles, strict=True)
        ),
        _found_by(document, [group.named_by for group in chapters]),
        tuple(_left_out(group, document.sections) for group in groups if group.kind != "chapter"),
    )


def _found_by(document: Document, headings: Sequence[int]) -> str:
    if sum(document.sections[number].found_by == "outline" for number in headings) > 0.5 * len(
        headings
    ):
        return "outline"
    return (
        "contents"
        if sum(number in document.listed for number in headings) > 0.5 * len(headings)
        else "headings"
    )


def _left_out(group: "_Group", sections: Sequence[Section]) -> LeftOut:
    inside = sections[group.start : group.end]
    pages = (page for section in inside for page in section.pdf_pages)
    return left_out(group.kind, (part for section in inside for part in section.parts), pages)


def _size(section: Section) -> int:
    """Number of words; in a script without spaces, as many as have as many characters in others."""
    return sum(max(len(part.split()), len(part) // MAX_WORD) for part in section.parts)


def _only(document: Document, start: int, end: int) -> Document:
    others = frozenset(range(start)) | frozenset(range(end, len(document.sections)))
    return replace(document, skipped=document.skipped | others)


def _levels(sections: Sequence[Section]) -> list[int]:
    """Levels of the sections' headings, chapters below the parts that have the same level in the
    file.
    """
    levels = [section.level for section in sections]
    ranks = [_rank(section.heading) for section in sections]
    for level in sorted(set(levels), reverse=True):
        parts = [n for n, rank in enumerate(ranks) if rank == PART and levels[n] == level]
        if (
            not any(rank == CHAPTER and levels[n] == level for n, rank in enumerate(ranks))
            or not parts
        ):
            continue
        for n, section in enumerate(sections):
            is_below = n > parts[0] and ranks[n] != PART and not is_named(section.heading)
            if levels[n] > level or (
                levels[n] == level and is_below and not is_no_chapter(section.heading)
            ):
                levels[n] += 1
    return levels


def _rank(heading: str) -> int:
    division = (division_of(heading) or numbered(heading)) if heading else None
    return division.rank if division is not None else 0


def _score(document: Document, starts: Sequence[int]) -> tuple[float, bool]:
    """How much divisions are like chapters, from 0 to 3.5, and whether they are explicit: labelled
    or listed.

    The mean over words of how typical the size of their division is, times how typical the number
    is, times up to 3.5 for labels (``Chapter 3``, not ``Part 3``) and for being listed.
    """
    filled = [(start, words) for start, _, words in _spans(document.sections, starts) if words]
    if len(filled) < 2:
        return 0.0, False
    small, large = TYPICAL_WORDS
    total = sum(map(_size, document.sections))
    fit = (
        sum(words * min(1.0, (words / small) ** 0.5, large / words) for _, words in filled) / total
    )
    headings = [document.sections[start].heading for start, _ in filled]
    ranks = [one.rank if (one := division_of(text)) is not None else 0 for text in headings]
    labelled, parts = ranks.count(CHAPTER) / len(filled), ranks.count(PART) / len(filled)
    listed = sum(start in document.listed for start, _ in filled) / len(filled)
    number = min(1.0, MAX_NUMBER[labelled >= LABELLED] / len(filled))
    return fit * number * (
        1 + 2 * labelled + 0.5 * listed - 0.5 * parts
    ), labelled >= LABELLED or listed >= 0.5


def _spans(sections: Sequence[Section], starts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Start, end and number of words of each division; no words if it is nothing but headings."""
    spans = []
    for start, end in pairwise([*starts, len(sections)]):
        inside = sections[start:end]
        spans.append(
            (start, end, sum(map(_size, inside)) if any(one.paragraphs for one in inside) else 0)
        )
    return spans


@dataclass(frozen=True)
class _Group:
    """Sections ``start`` to ``end`` (exclusive), named by the heading of section ``named_by``."""

    start: int
    end: int
    named_by: int
    # ``chapter``, ``lead`` (goes with the chapter after it), or the reason why it is in none
    kind: str


def _groups(document: Document, starts: Sequence[int], levels: Sequence[int]) -> list[_Group]:
    """The divisions that begin at headings as chapters, leads and pages that are none; each section
    is in one.
    """
    sections = document.sections
    spans = _spans(sections, starts)
    headings = [plain(sections[start].heading) for start in starts]
    last_place = {heading: place for place, heading in enumerate(headings)}
    is_labelled = sum(
        division_of(sections[start].heading) is not None for start in starts
    ) >= LABELLED * len(starts)
    sure = [_is_sure(document, start, is_labelled) for start in starts]
    first_sure = next((place for place, one in enumerate(sure) if one), 0)
    groups: list[_Group] = []
    if starts[0] > 0:
        opening = sum(_size(section) for section in sections[: starts[0]])
        groups.append(
            _Group(0, starts[0], 0, "chapter" if opening >= FRONT_WORDS else "front matter")
        )
    for place, (start, end, words) in enumerate(spans):
        heading = sections[start].heading
        is_tiny = words < TINY_WORDS and not sure[place]
        is_title_page = headings[place] == plain(document.title) and _is_front(
            sections[start:end], words
        )
        if is_contents(heading) or (not words and last_place[headings[place]] > place):
            kind = "contents"
        elif is_no_chapter(heading):
            kind = "back matter" if any(one.kind == "chapter" for one in groups) else "front matter"
        elif place < first_sure and _rank(heading) != PART and (is_tiny or is_title_page):
            kind = "front matter"
        else:
            kind = "lead" if is_tiny or not words else "chapter"
        groups.append(_Group(start, end, start, kind))
    return _with_leads(groups, sections, levels)


def _is_front(sections: Sequence[Section], words: int) -> bool:
    is_short = words < TITLE_PAGE_WORDS and any(
        "copyright" in part.casefold() for one in sections for part in one.parts
    )
    return words < FRONT_WORDS or is_short


def _with_leads(
    groups: Sequence[_Group], sections: Sequence[Section], levels: Sequence[int]
) -> list[_Group]:
    """The groups without leads: each goes with the chapter right after it, else before it, else is
    one itself.
    """
    joined: list[_Group] = []
    for group in reversed(groups):
        after = joined[-1] if joined else None
        if group.kind == "lead" and after is not None and after.kind == "chapter":
            # A label on a line of its own names the chapter, but that of a part does not.
            is_label = _rank(sections[group.named_by].heading) == CHAPTER and not _rank(
                sections[after.named_by].heading
            )
            named_by = group.named_by if is_label else after.named_by
            joined[-1] = replace(after, start=group.start, named_by=named_by)
        elif group.kind != "chapter" or after is None or after.kind != "lead":
            joined.append(group)
        else:
            joined[-1] = replace(group, end=after.end)
    return [
        replace(
            group,
            kind="chapter"
            if any(one.paragraphs for one in sections[group.start : group.end])
            else "headings",
        )
        if group.kind == "lead"
        else group
        for group in reversed(joined)
    ]


def _is_sure(document: Document, place: int, is_labelled: bool) -> bool:
    heading = document.sections[place].heading
    is_listed = place in document.listed and _rank(heading) != PART and not is_labelled
    return _rank(heading) == CHAPTER or is_named(heading) or is_listed


def _titles(
    groups: Sequence[_Group], sections: Sequence[Section], levels: Sequence[int]
) -> list[str]:
    """The titles of chapters: a label with the title under it; with their parts where several are
    called the same.
    """
    titles = []
    for group in groups:
        section = sections[group.named_by]
        title, after = section.heading, group.named_by + 1
        label = division_of(title) or numbered(title)
        is_alone = (
            label is not None
            and label.rank == CHAPTER
            and not label.title
            and not section.paragraphs
            and after < group.end
        )
        if is_alone and sections[after].heading and not _rank(sections[after].heading):
            title = joined_title(title, sections[after].heading)
        titles.append(title or OPENING)
    labels = [_label(title) for title in titles]
    parts = [parent and _label(parent) for parent in _parents(sections, levels)]
    if len(set(labels)) < len(labels):
        titles = [
            f"{parts[group.named_by]}, {title}" if parts[group.named_by] else title
            for group, title in zip(groups, titles, strict=True)
        ]
    counts = Counter(titles)
    return [
        f"{above}, {title}"
        if counts[title] > 1 and (above := _heading_above(group, sections))
        else title
        for group, title in zip(groups, titles, strict=True)
    ]


def _heading_above(group: _Group, sections: Sequence[Section]) -> str:
    """The last heading without text before a chapter, which names a part though its level does not
    say so.
    """
    before = (
        one.heading
        for one in reversed(sections[: group.named_by])
        if one.heading and not one.paragraphs
    )
    return next(before, "")


def _label(title: str) -> str:
    division = division_of(title)
    if division is None:
        return title
    return title[: len(title) - len(division.title)].rstrip(" .:,–—-") or title


def _parents(sections: Sequence[Section], levels: Sequence[int]) -> list[str]:
    parents: list[str] = []
    above: list[int] = []
    for number, level in enumerate(levels):
        while above and levels[above[-1]] >= level:
            above.pop()
        parents.append(sections[above[-1]].heading if above else "")
        above.append(number)
    return parents


def _parts(document: Document, total: int) -> Chapters:
    count = max(1, round(total / PART_WORDS))
    if count == 1:
        return Chapters((Chapter(document.title or document.name, document),), "fallback")
    pieces = [
        (section, number, paragraph)
        for number, section in enumerate(document.sections)
        for paragraph in range(max(1, len(section.paragraphs)))
    ]
    before = [
        0,
        *accumulate(_size(_piece(section, place, place + 1)) for section, _, place in pieces),
    ]
    cuts = [0]
    for number in range(1, count):
        target, near = total * number / count, NEAR * PART_WORDS
        first, last = bisect_left(before, target - near), bisect_right(before, target + near)
        places = range(max(first - 1, cuts[-1] + 1), min(last + 1, len(pieces)))
        begins = [
            place
            for place in places
            if pieces[place][2] == 0 and abs(before[place] - target) <= near
        ]
        if places:
            cuts.append(min(begins or places, key=lambda place: abs(before[place] - target)))
    sections: list[Section] = []
    listed, skipped, ends = set[int](), set[int](), [0]
    for start, end in pairwise([*cuts, len(pieces)]):
        for number, same in groupby(pieces[start:end], key=lambda piece: piece[1]):
            inside = [place for _, _, place in same]
            listed |= {len(sections)} if number in document.listed and inside[0] == 0 else set()
            skipped |= {len(sections)} if number in document.skipped else set()
            sections.append(_piece(document.sections[number], inside[0], inside[-1] + 1))
        ends.append(len(sections))
    parted = replace(
        document,
        sections=tuple(sections),
        listed=frozenset(listed),
        skipped=frozenset(skipped),
        given=None,
        line_starts=(),
    )
    chapters = [
        Chapter(f"part {number} of {len(ends) - 1}", _only(parted, start, end))
        for number, (start, end) in enumerate(pairwise(ends), start=1)
    ]
    return Chapters(tuple(chapters), "fallback")


def _piece(section: Section, start: int, end: int) -> Section:
    if end - start >= len(section.paragraphs):
        return section
    heading, found_by = (section.heading, section.found_by) if start == 0 else ("", "fallback")
    paragraphs = section.paragraphs[start:end]
    return Section(heading, paragraphs, section.level, found_by)
