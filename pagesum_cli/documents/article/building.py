"""What the readers share: sections with words → a Document."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from ...errors import PagesumError
from ...text.cleaning import one_line
from ..marked import NO_MARKS, Marks, paragraph_of
from ..model import Document, LeftOut, Paragraph, Section
from ..notes import INCLUDED
from ..run_together import parted
from ..speakers import with_speakers
from ..timed import with_times
from ..units import with_units
from ..unpunctuated import with_pieces
from .divisions import is_contents, plain
from .run_in_labels import with_parts

# without a space or a mark: data, in any script
_DATA = re.compile(r"(?<![\w+/=-])[\w+/=-]{1000,}+")
_IDEOGRAPHIC = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
# dots that lead to the number of a page
_TO_PAGE = re.compile(r"(?:\.{8,150}|(?:\. ){8,150})\s{0,9}(?:\d{1,4}|[ivxlIVXL]{1,7})(?!\w)")

MAX_ENTRY = 300  # characters of an entry of a contents page
MAX_CONTENTS = 50_000  # characters of a contents page that are compared
MIN_LISTED, LISTED_SHARE = 4, 0.4
"""Letters and digits of a heading that a contents page lists, and the share of the page's that all
headings have.
"""


class SectionBuilder:
    """Collects paragraphs under headings."""

    def __init__(self) -> None:
        self._done: list[Section] = []
        self._paragraphs: list[Paragraph] = []
        self._heading, self._level, self._found_by = "", 1, "fallback"

    def heading(self, text: str, level: int, found_by: str = "outline") -> None:
        """Begin a section."""
        self.sections()
        # a link of a web page to the heading itself
        self._heading = one_line(text).removesuffix("¶").rstrip()
        self._level, self._found_by = level, found_by if self._heading else "fallback"

    def paragraph(self, text: str, marks: Marks = NO_MARKS) -> None:
        """Add a paragraph to the section, unless it has no words."""
        if paragraph := paragraph_of(text, marks):
            self._paragraphs.append(paragraph)

    def add(self, paragraphs: Iterable[Paragraph]) -> None:
        """Add paragraphs to the section."""
        self._paragraphs += paragraphs

    def sections(self) -> list[Section]:
        """End the section; all sections so far, without those that have neither heading nor
        paragraphs.
        """
        if self._heading or self._paragraphs:
            self._done.append(
                Section(self._heading, tuple(self._paragraphs), self._level, self._found_by)
            )
        self._heading, self._level, self._found_by, self._paragraphs = "", 1, "fallback", []
        return self._done


MAX_NAMED = 200  # characters of the names of included files in a message
MAX_OUTLET = 60  # characters of an outlet's name that are kept


def origin_of(outlet: str, written: str) -> str:
    """Outlet and date of an article, whose date is given in ISO 8601: ``The Herald, 3 January
    2024``.
    """
    outlet = one_line(re.sub(r"[\[\]]", " ", outlet))[:MAX_OUTLET]
    try:
        day = date.fromisoformat(written[:10])
    except ValueError:
        return outlet
    return f"{outlet}, " * bool(outlet) + f"{day.day} {day:%B %Y}"


def document(
    name: str,
    sections: Iterable[Section],
    *,
    title: str = "",
    source: str = "",
    left_out: Iterable[LeftOut] = (),
    origin: str = "",
) -> Document:
    """A document of the sections that have words, without the contents page and data."""
    left_out = list(left_out)
    sections = _without_data([one for one in sections if one.paragraphs or one.heading], left_out)
    kept, entries = _without_contents(sections, left_out)
    kept = with_parts(_without_entries(kept, left_out))
    if not any(section.text for section in kept):
        raise _without_text(source or name, sections, left_out)
    headings = [plain(section.heading) for section in kept]
    listed = frozenset(n for n, heading in enumerate(headings) if heading and heading in entries)
    return Document(
        name,
        tuple(with_units(with_speakers(with_times(with_pieces(parted(kept)))))),
        title=title,
        source=source,
        left_out=tuple(left_out),
        listed=listed if len(listed) > 1 else frozenset(),
        origin=origin,
    )


def _without_text(
    name: str, sections: Sequence[Section], dropped: Sequence[LeftOut]
) -> PagesumError:
    """What a file holds instead of text, such as the names of the files that have it."""
    found = "headings only" if any(one.heading for one in sections) else "none"
    elsewhere = [one.text for one in dropped if one.reason == INCLUDED]
    hint = "choose a file that contains text"
    if elsewhere:
        hint = f"put the files with its text beside it: {', '.join(elsewhere)[:MAX_NAMED]}"
    return PagesumError(f"{name}: expected text, found {found}", hint)


def _without_entries(sections: Sequence[Section], dropped: list[LeftOut]) -> list[Section]:
    """Sections without paragraphs of entries that end with dots and the number of a page, and
    without the heading "Contents" above nothing else.
    """
    taken: list[Paragraph] = []
    kept = [_without_own_entries(section, taken) for section in sections]
    if taken:
        pages = (page for one in taken for page in one.pdf_pages())
        dropped.append(left_out("contents", [one.text for one in taken], pages))
    return list(filter(None, kept))


def _without_own_entries(section: Section, taken: list[Paragraph]) -> Section | None:
    entries = [one for one in section.paragraphs if _is_of_entries(one.text)]
    if not entries:
        return section
    taken += entries
    rest = tuple(one for one in section.paragraphs if one not in entries)
    return replace(section, paragraphs=rest) if rest or not is_contents(section.heading) else None


def _is_of_entries(text: str) -> bool:
    """Whether a text consists of entries of a contents page, of some words each."""
    *entries, end = _TO_PAGE.split(text)
    return bool(entries) and max(map(len, entries)) <= MAX_ENTRY and len(end) <= MAX_ENTRY // 4


def _without_data(sections: list[Section], dropped: list[LeftOut]) -> list[Section]:
    """Sections without endless words, which encode something else than text. Lines of a PDF are
    shorter.
    """
    for place, section in enumerate(sections):
        if any(_DATA.search(one.text) for one in section.paragraphs if not one.page_starts):
            dropped.append(
                LeftOut(
                    "data", " ".join(_DATA.findall(section.text)), len(_DATA.findall(section.text))
                )
            )
            mended = (_mended(one) for one in section.paragraphs)
            sections[place] = replace(section, paragraphs=tuple(one for one in mended if one.text))
    return sections


def _mended(paragraph: Paragraph) -> Paragraph:
    text = one_line(_DATA.sub(" ", paragraph.text))
    if text == paragraph.text:
        return paragraph
    return Paragraph(text, speaker=paragraph.speaker, depth=paragraph.depth)


def _without_contents(
    sections: Sequence[Section], dropped: list[LeftOut]
) -> tuple[list[Section], set[str]]:
    """Sections without the contents page, a section of that name which repeats the other headings;
    and these.
    """
    start = next((n for n, one in enumerate(sections) if is_contents(one.heading)), None)
    if start is None:
        return list(sections), set()
    end = _end_of_contents(sections, start)
    inside = [part for section in sections[start:end] for part in section.parts][1:]
    text = plain(" ".join(inside)[:MAX_CONTENTS])
    others = [*sections[:start], *sections[end:]]
    headings = {plain(section.heading) for section in others}
    listed = {name for name in headings if len(name) >= MIN_LISTED and name in text}
    if len(listed) < 2 or sum(map(len, listed)) < LISTED_SHARE * sum(map(str.isalpha, text)):
        return list(sections), set()
    pages = (page for section in sections[start:end] for page in section.pdf_pages)
    dropped.append(left_out("contents", inside, pages))
    return others, listed


def _end_of_contents(sections: Sequence[Section], start: int) -> int:
    """The first section after a contents page; its lines may have been taken for headings, which
    come again.
    """
    names = [plain(section.heading).rstrip("0123456789") for section in sections]
    last = {name: place for place, name in enumerate(names)}
    end = start + 1
    while end < len(sections) and not sections[end].paragraphs and last[names[end]] > end:
        end += 1
    return end


TABLES = ("table", "table or figure")  # reasons of text whose pieces are rows
CELL = " | "  # separates the cells of a row where they are known; one may be empty
_BETWEEN_CELLS = re.compile(r"(?:^|(?<= ))\|(?= |$)")


def row_of(cells: Iterable[str]) -> str:
    """A row of some cells, with its empty cells unless it has hardly any other."""
    cells = list(cells)
    filled = list(filter(None, cells))
    return CELL.join(cells if len(filled) > 1 else filled)


def cells_of_row(row: str) -> list[str]:
    """The cells of a row, also those that are empty."""
    return [cell.strip() for cell in _BETWEEN_CELLS.split(row)]


def left_out(reason: str, texts: Iterable[str], pdf_pages: Iterable[int] = ()) -> LeftOut:
    """Texts that are not part of the document, as one; those that are repeated are kept once."""
    texts = list(texts)
    pages = tuple(sorted(set(pdf_pages)))
    rows = tuple(map(one_line, texts)) if reason in TABLES else ()
    texts = [one.replace(CELL, " ") for one in texts] if rows else texts
    text = one_line(" ".join(dict.fromkeys(texts)))
    return LeftOut(reason, text, sum(map(_words, texts)), pages, rows)


def _words(text: str) -> int:
    """Number of words of a text; of Chinese and Japanese, which has no spaces, that of its
    characters.
    """
    if text.isascii():
        return len(text.split())
    rest, characters = _IDEOGRAPHIC.subn(" ", text)
    return characters + len(rest.split())


def without_title(sections: Sequence[Section]) -> tuple[str, list[Section]]:
    """The title and the other sections: a first heading that is the only one of its level is the
    title.
    """
    levels = [section.level for section in sections if section.heading]
    if len(levels) < 2 or min(levels[1:]) <= levels[0]:
        return "", list(sections)
    place = next(n for n, section in enumerate(sections) if section.heading)
    if any(section.paragraphs for section in sections[:place]):
        return "", list(sections)
    raised = max(min(levels[1:]) - 1, 0)
    others = [_raised(section, raised) for section in sections]
    others[place] = Section("", sections[place].paragraphs)
    return sections[place].heading, others


def _raised(section: Section, levels: int) -> Section:
    """A section whose heading is some levels higher."""
    return replace(section, level=section.level - levels if section.heading else 1)
