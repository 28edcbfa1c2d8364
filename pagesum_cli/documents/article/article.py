"""The parts of an article: its title, its abstract, and its back matter, which is not what a paper
says.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

from ..model import Document, LeftOut, Paragraph, Section
from .building import left_out, without_title
from .names import is_abstract, is_label, pattern
from .wording import FORMS, is_prose

REASON = "back matter"

LONG = 400  # words of a section that is left out only if its own words say what it is
SHORT = 150  # words of a paragraph or a section that may be a note of the authors or the publisher
REQUIRED = 3  # points of evidence, see :func:`_evidence`
_STRONG = pattern("back_matter.strong")
_WEAK = pattern("back_matter.weak")
_SUBJECTS = pattern("back_matter.subjects")
_REFERENCES = pattern("references")
_LINKS = pattern("links")
_OF_ABSTRACT = pattern("back_matter.in_abstract")
_APPENDIX = pattern("appendix", before=r"\W{0,3}", after=r"\b(?!.{0,4}supplement)")

# of paragraphs of the publisher, wherever they stand
NOTICE = pattern("beginnings.notice", before=r"\W{0,4}")
# of paragraphs of the authors about themselves and their work
STATEMENT = pattern("beginnings.statement")
# further beginnings of what stands under names of back matter
_WORDING = pattern("beginnings.wording")
_ABOUT_WORK = pattern("beginnings.about_work")


def without_back_matter(sections: Sequence[Section]) -> tuple[list[Section], list[LeftOut]]:
    """Sections without back matter, and what it is: one entry for each heading."""
    words = [len(section.text.split()) for section in sections]
    owners = _owners(sections, words)
    appendices = _in_appendices(sections)
    in_abstract = _at_or_below(sections, lambda number: is_abstract(sections[number].heading))
    last = max((n for n, one in enumerate(owners) if one is None and not appendices[n]), default=-1)
    is_paper = any(_is_strong(_name(sections[n].heading)) for n in set(owners) if n is not None)
    before, total = 0, sum(words)
    dropped: dict[int, list[Section]] = {}
    decided: dict[int, bool] = {}
    kept: list[Section] = []
    notes: list[LeftOut] = []
    for number, section in enumerate(sections):
        owner = owners[number]
        if owner == number:
            decided[number] = (
                _is_list(section.heading)
                or (
                    _SUBJECTS.fullmatch(_name(section.heading)) is not None
                    and words[number] < SHORT
                )
                or (
                    in_abstract[number]
                    and _OF_ABSTRACT.fullmatch(_name(section.heading)) is not None
                )
                or _evidence(section, number > last, before > 0.5 * total, is_paper) >= REQUIRED
            )
        if owner is not None and decided[owner]:
            dropped.setdefault(owner, []).append(section)
        else:
            kept.append(_without_notes(section, number >= last, before >= 0.4 * total, notes))
        before += words[number]
    if not any(section.paragraphs for section in kept):
        return list(sections), []
    entries = []
    for inside in dropped.values():
        reason = "references" if _REFERENCES.fullmatch(_name(inside[0].heading)) else REASON
        parts = (part for one in inside for part in one.parts)
        entries.append(left_out(reason, parts, (page for one in inside for page in one.pdf_pages)))
    return kept, [*notes, *entries]


def is_back_matter(heading: str) -> bool:
    """Whether a heading has a name that back matter usually has."""
    name = _name(heading)
    return any(one.fullmatch(name) for one in (_STRONG, _WEAK, _SUBJECTS, _REFERENCES, _LINKS))


def begins_back_matter(text: str) -> bool:
    """Whether a line begins with such a name, run into the text: ``Funding: This work …``."""
    return _run_in(text) is not None


def _run_in(text: str, *, without_mark: bool = False) -> tuple[str, str] | None:
    """Such a name, also without a mark after it (``Funding This work …``), and the text after it;
    else None.
    """
    beginning = text[:200]
    match = FORMS["run_in"].match(beginning)
    if match is not None and is_back_matter(match["name"]):
        return match["name"], text[match.start("rest") :]
    words = beginning.split()
    for count in range(min(6, len(words) - 1), 0, -1) if without_mark else ():
        after = words[count]
        if (after[0].isupper() or after[0].isdigit()) and is_back_matter(
            name := " ".join(words[:count])
        ):
            return name, text.split(None, count)[count]
    return None


def _name(heading: str) -> str:
    name = FORMS["number"].sub("", heading.strip(), count=1).strip(" .:|•*■▪–—-")
    before, mark, _ = name.partition(":")  # "Conflict of interest: None"
    return before.strip() if mark and _STRONG.fullmatch(before.strip()) else name


def _owners(sections: Sequence[Section], words: Sequence[int]) -> list[int | None]:
    """For each section the one with a name of back matter that it is, or is part of."""
    owners: list[int | None] = []
    for number, section in enumerate(sections):
        owner = owners[-1] if owners else None
        if (
            section.heading
            and is_back_matter(section.heading)
            and not _is_of_manual(sections, number)
        ):
            owners.append(number)
        elif (
            owner is not None
            and section.level > sections[owner].level
            # "See also" in each section of a manual
            and not _LINKS.fullmatch(_name(sections[owner].heading))
            and (words[number] < SHORT or _is_list(sections[owner].heading))
        ):
            owners.append(None if _APPENDIX.match(section.heading) else owner)
        else:
            owners.append(None)
    return owners


def _is_of_manual(sections: Sequence[Section], number: int) -> bool:
    """Whether a section is the reference of a manual: it has sections of its own, or hardly any
    years.
    """
    section, below = sections[number], sections[number + 1 : number + 2]
    years = sum(
        FORMS["year"].search(paragraph.text) is not None for paragraph in section.paragraphs
    )
    is_text = any(one.level > section.level for one in below) or 3 * years < len(section.paragraphs)
    return _name(section.heading).lower() == "reference" and is_text


def _in_appendices(sections: Sequence[Section]) -> list[bool]:
    """Whether each section is an appendix or below one: by its name, or with a letter where others
    have numbers.
    """
    numbered = [*accumulate(section.heading[:1].isdecimal() for section in sections)]

    def is_appendix(number: int) -> bool:
        heading = sections[number].heading
        return bool(
            _APPENDIX.match(heading) or (numbered[number] >= 2 and FORMS["letter"].match(heading))
        )

    return _at_or_below(sections, is_appendix)


def _at_or_below(sections: Sequence[Section], is_top: Callable[[int], bool]) -> list[bool]:
    inside, level = [], 0  # of the last one; 0 outside of it
    for number, section in enumerate(sections):
        if is_top(number):
            level = section.level
        elif section.level <= level:
            level = 0
        inside.append(level > 0)
    return inside


def _is_worded(text: str) -> bool:
    return (STATEMENT.match(text) or _WORDING.match(text)) is not None


def _is_list(heading: str) -> bool:
    return any(one.fullmatch(_name(heading)) for one in (_REFERENCES, _LINKS))


def _is_strong(name: str) -> bool:
    return any(one.fullmatch(name) for one in (_STRONG, _REFERENCES))


def _evidence(section: Section, is_last: bool, is_late: bool, is_paper: bool) -> int:
    """Points for a section under a name of back matter.

    Two for a name that means nothing else, one for another (none if numbered like a chapter); two
    if no text but appendices follows (one where no name is sure), else one for a short section in
    the second half; two if its own words begin so. A long section needs these.
    """
    name = _name(section.heading)
    words = len(section.text.split())
    text = " ".join(one.text for one in section.paragraphs[:2])
    points = 2 if _is_strong(name) else int(not FORMS["number"].match(section.heading))
    points += 1 + is_paper if is_last else int(is_late and words < SHORT)
    beginnings = [
        section.heading.partition(":")[2].strip(),
        *(one.text for one in section.paragraphs[:3]),
    ]
    if any(map(_is_worded, beginnings)) or NOTICE.match(text):
        points += 2
    elif "abbreviation" in name.lower() and FORMS["list_of_abbreviations"].match(text):
        points += 1
    elif words > LONG:
        points -= 2 if points < 4 else 0
    return points


def _without_notes(section: Section, is_last: bool, is_late: bool, notes: list[LeftOut]) -> Section:
    if section.given is not None or not section.paragraphs:
        return section
    kept: list[Paragraph] = []
    rest = sum(len(one.text.split()) for one in section.paragraphs)
    inside = follows = False
    for paragraph in section.paragraphs:
        text = paragraph.text
        words = len(text.split())
        named = _run_in(text, without_mark=is_last)
        worded = _is_worded(named[1] if named else text)
        is_strong = named is not None and _is_strong(_name(named[0]))
        is_back = is_last and named is not None and (worded or is_strong or follows)
        if is_back and rest < LONG:
            inside = True  # all that follows in the last section is of the same kind
        elif _APPENDIX.match(text) or words > SHORT:
            inside = False
        begins_so = (
            STATEMENT.match(text) is not None
            and words < SHORT
            and (is_last or is_late)
            and _ABOUT_WORK.search(text) is not None
        )
        is_named = named is not None and worded and words < 2 * SHORT
        is_notice = words < 3 * SHORT and NOTICE.match(text) is not None
        follows = inside or is_back or is_named or is_notice or begins_so
        if follows:
            name = "notice" if is_notice else REASON
            notes.append(left_out(name, [text], paragraph.pdf_pages()))
        else:
            kept.append(paragraph)
        rest -= words
    return (
        section
        if len(kept) == len(section.paragraphs)
        else replace(section, paragraphs=tuple(kept))
    )


FIRST_SECTIONS = 8  # an abstract is one of the first sections
ABSTRACT_WORDS = 600  # a longer section under such a heading holds more than the abstract
PART_WORDS = 250  # maximum number of words of a part of a structured abstract
_IN_ABSTRACT = pattern("sections.in_abstract", before=r"\W{0,8}", after=r"\W{0,8}")


def parts_of_article(
    sections: Sequence[Section], dropped: list[LeftOut], title: str = ""
) -> tuple[str, list[Section]]:
    """The title of a text with marked headings, and what of it is read.

    Left out are what stands above the title, authors and addresses before an abstract, references,
    lists of links, and back matter.
    """
    sections = list(sections)
    if not title and _has_front(sections):
        found, rest = without_title(sections[1:])
        if found and len(sections[0].text) < sum(len(section.text) for section in rest):
            dropped.append(left_out("front matter", sections[0].parts))
            title, sections = found, rest
    if not title:
        title, sections = without_title(sections)
    sections, back_matter = without_back_matter(_without_authors(sections, dropped))
    dropped += back_matter
    return title, sections


def _has_front(sections: Sequence[Section]) -> bool:
    """Whether lines stand before the first heading that are no sentences."""
    first = sections[0] if len(sections) > 1 else None
    return first is not None and not first.heading and not any(map(is_prose, first.parts))


def _without_authors(sections: Sequence[Section], dropped: list[LeftOut]) -> list[Section]:
    places = (n for n, one in enumerate(sections[:4]) if is_abstract(one.heading))
    place = next(places, 0)
    kept = []
    for section in sections[:place]:
        prose = tuple(one for one in section.paragraphs if is_prose(one.text))
        if others := [one.text for one in section.paragraphs if one not in prose]:
            dropped.append(left_out("front matter", others, section.pdf_pages))
        if prose or (section.heading and not section.paragraphs):
            kept.append(replace(section, paragraphs=prose))
    return [*kept, *sections[place:]]


def without_abstract(document: Document) -> Document:
    """The document with its abstract skipped; the document itself if it has none, or nothing
    else.
    """
    skipped = _abstract_sections(document.sections)
    rest = [section for number, section in enumerate(document.sections) if number not in skipped]
    if not skipped or not any(section.text.strip() for section in rest):
        return document
    return replace(document, skipped=skipped)


def skipped_text(document: Document) -> str:
    """The text of the skipped sections."""
    return " ".join(document.sections[number].text for number in sorted(document.skipped))


def _abstract_sections(sections: tuple[Section, ...]) -> frozenset[int]:
    first = next(
        (n for n, one in enumerate(sections[:FIRST_SECTIONS]) if is_abstract(one.heading)), None
    )
    if first is None or len(sections[first].text.split()) > ABSTRACT_WORDS:
        return frozenset()
    end = first + 1
    while end < len(sections) and _is_part(sections[first], sections[end]):
        end += 1
    return frozenset(range(first, end))


def _is_part(abstract: Section, section: Section) -> bool:
    """Whether a section belongs to the abstract before it: below it, or a short part such as
    "Methods" of one whose heading has no text of its own."""
    if len(section.text.split()) > PART_WORDS:
        return False
    if section.level > abstract.level or is_abstract(section.heading):
        return True
    if abstract.text.strip() or "introduction" in section.heading.lower():
        return False
    return is_label(section.heading) or _IN_ABSTRACT.fullmatch(section.heading) is not None
