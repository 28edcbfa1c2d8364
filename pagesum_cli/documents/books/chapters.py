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
CLEARLY = 1.1  # how many times as high the score of deeper divisions must be
# characters of a word in the mean, white space included, beyond which a script has no spaces
MAX_WORD = 8
LABELLED = 0.3  # share of headings that are labelled where labels tell the chapters
FRONT_WORDS = 150  # words before the first heading that are a chapter, not a title page
TITLE_PAGE_WORDS = 600  # words of a title page with the rights to the book
# words of a division that goes with the next one, unless it is labelled, listed or named as a
# chapter
TINY_WORDS = 40
# share of a document's words that is text, not pages before it, whatever their heading
LARGE = 0.25
# share of a document's words after which notes and an index may be as large
LATE = 0.6
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
    score, starts, is_explicit = _divisions(document, levels)
    is_divided = is_explicit or (score >= MIN_SCORE and total >= SHORT_WORDS)
    groups = _groups(document, starts) if is_divided and not document.is_recording else []
    chapters = [group for group in groups if group.kind == "chapter"]
    others = [group for group in groups if group.kind != "chapter"]
    if not chapters:
        return _parts(document, total)
    titles = _titles(chapters, document.sections, levels)
    read = [_only(document, group.start, group.end) for group in chapters]
    return Chapters(
        tuple(map(Chapter, titles, read)),
        _found_by(document, [group.named_by for group in chapters]),
        tuple(_left_out(group, document.sections) for group in others),
    )


def _divisions(document: Document, levels: Sequence[int]) -> tuple[float, list[int], bool]:
    """The divisions that are most like chapters: their score, where they start, and whether they
    are explicit.
    """
    best: tuple[float, list[int], bool] = (0.0, [], False)
    places = [place for place, section in enumerate(document.sections) if section.heading]
    for level in sorted({levels[place] for place in places}):
        starts = [place for place in places if levels[place] <= level]
        score, is_explicit = _score(document, starts)
        if score > CLEARLY * best[0]:
            best = (score, starts, is_explicit)
    return best


def _found_by(document: Document, headings: Sequence[int]) -> str:
    in_outline = sum(document.sections[number].found_by == "outline" for number in headings)
    in_contents = sum(number in document.listed for number in headings)
    if 2 * in_outline > len(headings):
        return "outline"
    return "contents" if 2 * in_contents > len(headings) else "headings"


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
        same = [place for place, own in enumerate(levels) if own == level]
        below = set(_below_parts(sections, same, ranks))
        if below:
            levels = [own + (own > level or n in below) for n, own in enumerate(levels)]
    return levels


def _below_parts(
    sections: Sequence[Section], same: Sequence[int], ranks: Sequence[int]
) -> list[int]:
    """Of sections with the same level, those that are below parts; none if there are no parts with
    chapters among them.
    """
    parts = [place for place in same if ranks[place] == PART]
    if not parts or CHAPTER not in [ranks[place] for place in same]:
        return []
    return [place for place in same if _is_below(sections[place], place, parts[0])]


def _is_below(section: Section, place: int, first_part: int) -> bool:
    """Whether a section with the level of a part is below it, or one of the next parts."""
    is_apart = is_named(section.heading) or is_no_chapter(section.heading)
    return place > first_part and _rank(section.heading) != PART and not is_apart


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
    total = sum(map(_size, document.sections))
    fit = sum(words * _size_fit(words) for _, words in filled) / total
    divisions = [division_of(document.sections[start].heading) for start, _ in filled]
    ranks = [division.rank if division is not None else 0 for division in divisions]
    labelled, parts = ranks.count(CHAPTER) / len(filled), ranks.count(PART) / len(filled)
    listed = sum(start in document.listed for start, _ in filled) / len(filled)
    number_fit = min(1.0, MAX_NUMBER[labelled >= LABELLED] / len(filled))
    explicit = 1 + 2 * labelled + 0.5 * listed - 0.5 * parts
    return fit * number_fit * explicit, labelled >= LABELLED or listed >= 0.5


def _size_fit(words: int) -> float:
    """How typical a number of words is of a chapter, up to 1."""
    small, large = TYPICAL_WORDS
    return min(1.0, (words / small) ** 0.5, large / words)


def _spans(sections: Sequence[Section], starts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Start, end and number of words of each division; no words if it is nothing but headings."""
    spans = []
    for start, end in pairwise([*starts, len(sections)]):
        inside = sections[start:end]
        has_text = any(section.paragraphs for section in inside)
        spans.append((start, end, sum(map(_size, inside)) if has_text else 0))
    return spans


@dataclass(frozen=True)
class _Group:
    """Sections ``start`` to ``end`` (exclusive), named by the heading of section ``named_by``."""

    start: int
    end: int
    named_by: int
    # ``chapter``, ``lead`` (goes with the chapter after it), or the reason why it is in none
    kind: str


def _groups(document: Document, starts: Sequence[int]) -> list[_Group]:
    """The divisions that begin at headings as chapters, leads and pages that are none; each section
    is in one.
    """
    divisions = _Divisions(document, starts)
    groups: list[_Group] = []
    if starts[0] > 0:
        opening = sum(map(_size, document.sections[: starts[0]]))
        kind = "chapter" if opening >= FRONT_WORDS else "front matter"
        groups.append(_Group(0, starts[0], 0, kind))
    for place, (start, end, _) in enumerate(divisions.spans):
        has_begun = any(group.kind == "chapter" for group in groups)
        groups.append(_Group(start, end, start, divisions.kind_of(place, has_begun)))
    return _with_leads(groups, document.sections)


class _Divisions:
    """The divisions of a document that begin at some headings."""

    def __init__(self, document: Document, starts: Sequence[int]) -> None:
        self.title = plain(document.title)
        self.sections = document.sections
        self.spans = _spans(document.sections, starts)
        self.headings = [plain(self.sections[start].heading) for start in starts]
        self.last_place = {heading: place for place, heading in enumerate(self.headings)}
        worded = [division_of(self.sections[start].heading) is not None for start in starts]
        is_labelled = sum(worded) >= LABELLED * len(starts)
        self.sure = [_is_sure(document, start, is_labelled) for start in starts]
        self.first_sure = self.sure.index(True) if True in self.sure else 0

    def kind_of(self, place: int, has_begun: bool) -> str:
        """The kind of a group that is one division; the first chapter ``has_begun`` before it, or
        not.
        """
        start, _, words = self.spans[place]
        heading = self.sections[start].heading
        is_tiny = words < TINY_WORDS and not self.sure[place]
        if self._is_too_large(place):
            return "chapter"
        if is_contents(heading) or self._is_entry(place):
            return "contents"
        is_front = self._may_be_front(place) and (is_tiny or self._is_title_page(place))
        if is_no_chapter(heading, words) and has_begun:
            return "back matter"
        if is_no_chapter(heading, words) or is_front:
            return "front matter"
        return "lead" if is_tiny or not words else "chapter"

    def _is_too_large(self, place: int) -> bool:
        """Whether it is too large for anything but text where it stands."""
        words = [own for _, _, own in self.spans]
        total = sum(words)
        is_large = words[place] > max(LARGE * total, TITLE_PAGE_WORDS)
        return is_large and sum(words[:place]) < LATE * total

    def _is_entry(self, place: int) -> bool:
        """Whether it is a heading alone that comes again."""
        return not self.spans[place][2] and self.last_place[self.headings[place]] > place

    def _may_be_front(self, place: int) -> bool:
        heading = self.sections[self.spans[place][0]].heading
        return place < self.first_sure and _rank(heading) != PART

    def _is_title_page(self, place: int) -> bool:
        start, end, words = self.spans[place]
        is_title = self.headings[place] == self.title
        return is_title and _is_front(self.sections[start:end], words)


def _is_front(sections: Sequence[Section], words: int) -> bool:
    has_rights = any("copyright" in part.casefold() for one in sections for part in one.parts)
    return words < FRONT_WORDS or (words < TITLE_PAGE_WORDS and has_rights)


def _with_leads(groups: Sequence[_Group], sections: Sequence[Section]) -> list[_Group]:
    """The groups without leads: each goes with the chapter right after it, else before it, else is
    one itself.
    """
    joined: list[_Group] = []
    for group in reversed(groups):
        kinds = (group.kind, joined[-1].kind if joined else "")
        if kinds == ("lead", "chapter"):
            joined[-1] = _led(group, joined[-1], sections)
        elif kinds == ("chapter", "lead"):
            joined[-1] = replace(group, end=joined[-1].end)
        else:
            joined.append(group)
    return [_as_chapter(group, sections) for group in reversed(joined)]


def _led(lead: _Group, chapter: _Group, sections: Sequence[Section]) -> _Group:
    """A chapter with what is before it; a label on a line of its own names it, but that of a part
    does not.
    """
    is_label = _rank(sections[lead.named_by].heading) == CHAPTER
    is_named_by_lead = is_label and not _rank(sections[chapter.named_by].heading)
    named_by = lead.named_by if is_named_by_lead else chapter.named_by
    return replace(chapter, start=lead.start, named_by=named_by)


def _as_chapter(group: _Group, sections: Sequence[Section]) -> _Group:
    """A lead that goes with no chapter, as one itself."""
    if group.kind != "lead":
        return group
    has_text = any(section.paragraphs for section in sections[group.start : group.end])
    return replace(group, kind="chapter" if has_text else "headings")


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
    titles = [_title(group, sections) for group in groups]
    if len(set(map(_label, titles))) < len(titles):
        parents = _parents(sections, levels)
        above = [parents[group.named_by] for group in groups]
        titles = [_below(_label(part), title) for part, title in zip(above, titles, strict=True)]
    counts = Counter(titles)
    return [
        _below(_heading_above(group, sections), title) if counts[title] > 1 else title
        for group, title in zip(groups, titles, strict=True)
    ]


def _below(part: str, title: str) -> str:
    return f"{part}, {title}" if part else title


def _title(group: _Group, sections: Sequence[Section]) -> str:
    """The title of a chapter: a label with the title under it."""
    section = sections[group.named_by]
    title, after = section.heading, group.named_by + 1
    label = division_of(title) or numbered(title)
    is_label = label is not None and label.rank == CHAPTER and not label.title
    if is_label and not section.paragraphs and after < group.end:
        below = sections[after].heading
        title = joined_title(title, below) if below and not _rank(below) else title
    return title or OPENING


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


_Piece = tuple[Section, int, int]  # a section, its number, the number of one of its paragraphs


def _parts(document: Document, total: int) -> Chapters:
    """Parts of about :data:`PART_WORDS` words, or the whole document where it has no more."""
    count = max(1, round(total / PART_WORDS))
    if count == 1:
        return Chapters((Chapter(document.title or document.name, document),), "fallback")
    pieces = [
        (section, number, paragraph)
        for number, section in enumerate(document.sections)
        for paragraph in range(max(1, len(section.paragraphs)))
    ]
    parted, ends = _cut(document, pieces, _cuts(pieces, total, count))
    chapters = [
        Chapter(f"part {number} of {len(ends) - 1}", _only(parted, start, end))
        for number, (start, end) in enumerate(pairwise(ends), start=1)
    ]
    return Chapters(tuple(chapters), "fallback")


def _cuts(pieces: Sequence[_Piece], total: int, count: int) -> list[int]:
    """The first piece of each of ``count`` parts: at the beginning of a section, if one is near."""
    sizes = [_size(_piece(section, place, place + 1)) for section, _, place in pieces]
    before = [0, *accumulate(sizes)]
    near = NEAR * PART_WORDS
    cuts = [0]
    for number in range(1, count):
        target = total * number / count
        first, last = bisect_left(before, target - near), bisect_right(before, target + near)
        places = range(max(first - 1, cuts[-1] + 1), min(last + 1, len(pieces)))
        distances = {place: abs(before[place] - target) for place in places}
        begins = [place for place in places if pieces[place][2] == 0 and distances[place] <= near]
        if places:
            cuts.append(min(begins or places, key=distances.__getitem__))
    return cuts


def _cut(
    document: Document, pieces: Sequence[_Piece], cuts: Sequence[int]
) -> tuple[Document, list[int]]:
    """A document whose sections are cut between parts, and the first section of each part."""
    sections: list[Section] = []
    listed, skipped, ends = set[int](), set[int](), [0]
    for start, end in pairwise([*cuts, len(pieces)]):
        for number, same in groupby(pieces[start:end], key=lambda piece: piece[1]):
            inside = [place for _, _, place in same]
            if number in document.listed and inside[0] == 0:
                listed.add(len(sections))
            if number in document.skipped:
                skipped.add(len(sections))
            sections.append(_piece(document.sections[number], inside[0], inside[-1] + 1))
        ends.append(len(sections))
    parted = replace(
        document,
        sections=tuple(sections),
        listed=frozenset(listed),
        skipped=frozenset(skipped),
        given=None,
        line_starts=(),
        source_lines=(),
    )
    return parted, ends


def _piece(section: Section, start: int, end: int) -> Section:
    if end - start >= len(section.paragraphs):
        return section
    heading, found_by = (section.heading, section.found_by) if start == 0 else ("", "fallback")
    paragraphs = section.paragraphs[start:end]
    return Section(heading, paragraphs, section.level, found_by)
