"""Back matter of papers: funding, contributions, interests, acknowledgements, licences … is not what a paper says.

Evidence is weighed, since a report may have a chapter "Funding" and a law one on conflicts of interest: the name of the
heading, its position after the text, and the words below it. Appendices are text.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

from ..model import LeftOut, Paragraph, Section
from .building import left_out
from .names import is_abstract, pattern

REASON = "back matter"

LONG = 400
"""Words of a section that is left out only if its own words say what it is."""

SHORT = 150
"""Words of a paragraph or a section that may be a note of the authors or the publisher."""

REQUIRED = 3
"""Points of evidence, see :func:`_evidence`."""

_STRONG = pattern("back_matter.strong")
_WEAK = pattern("back_matter.weak")
_SUBJECTS = pattern("back_matter.subjects")
_REFERENCES = pattern("references")
_LINKS = pattern("links")
_OF_ABSTRACT = pattern("back_matter.in_abstract")
_NUMBER = re.compile(r"\A(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+(?:[|–—]\s*)?")
_APPENDIX = pattern("appendix", before=r"\W{0,3}", after=r"\b(?!.{0,4}supplement)")
_LETTER = re.compile(r"[A-H]\.? ")
_RUN_IN = re.compile(r"\W{0,3}(?P<name>[^\W\d_][^:.—–|\n]{4,60}?)\s?[:.—–|]\s*(?P<rest>\S.*)", re.DOTALL)
"""``Funding: This work …``, ``Conflict of interest. The authors …``."""

NOTICE = pattern("beginnings.notice", before=r"\W{0,4}")
"""The beginning of paragraphs of the publisher, wherever they stand."""

STATEMENT = pattern("beginnings.statement")
"""The beginning of paragraphs of the authors about themselves and their work."""

_WORDING = pattern("beginnings.wording")
"""Further beginnings of what stands under names of back matter."""

_LIST_OF_ABBREVIATIONS = re.compile(r"(?:[^\s:;,=]{1,14} ?[:=–,] ?[^:;=]{3,80}(?:[;.]|$)\s*){2}")
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
                or (_SUBJECTS.fullmatch(_name(section.heading)) is not None and words[number] < SHORT)
                or (in_abstract[number] and _OF_ABSTRACT.fullmatch(_name(section.heading)) is not None)
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
    """Such a name, also without a mark after it (``Funding This work …``), and the text after it; else None."""
    beginning = text[:200]
    match = _RUN_IN.match(beginning)
    if match is not None and is_back_matter(match["name"]):
        return match["name"], text[match.start("rest") :]
    words = beginning.split()
    for count in range(min(6, len(words) - 1), 0, -1) if without_mark else ():
        after = words[count]
        if (after[0].isupper() or after[0].isdigit()) and is_back_matter(name := " ".join(words[:count])):
            return name, text.split(None, count)[count]
    return None


def _name(heading: str) -> str:
    name = _NUMBER.sub("", heading.strip(), count=1).strip(" .:|•*■▪–—-")
    before, mark, _ = name.partition(":")  # "Conflict of interest: None"
    return before.strip() if mark and _STRONG.fullmatch(before.strip()) else name


def _owners(sections: Sequence[Section], words: Sequence[int]) -> list[int | None]:
    """For each section the one with a name of back matter that it is, or is part of."""
    owners: list[int | None] = []
    for number, section in enumerate(sections):
        owner = owners[-1] if owners else None
        if section.heading and is_back_matter(section.heading):
            owners.append(number)
        elif (
            owner is not None
            and section.level > sections[owner].level
            and (words[number] < SHORT or _is_list(sections[owner].heading))
        ):
            owners.append(None if _APPENDIX.match(section.heading) else owner)
        else:
            owners.append(None)
    return owners


def _in_appendices(sections: Sequence[Section]) -> list[bool]:
    """Whether each section is an appendix or below one: by its name, or with a letter where others have numbers."""
    numbered = [*accumulate(section.heading[:1].isdecimal() for section in sections)]

    def is_appendix(number: int) -> bool:
        heading = sections[number].heading
        return bool(_APPENDIX.match(heading) or (numbered[number] >= 2 and _LETTER.match(heading)))

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

    Two for a name that means nothing else, one for another (none if numbered like a chapter); two if no text but
    appendices follows (one where no name is sure), else one for a short section in the second half; two if its own
    words begin so. A long section needs these.
    """
    name = _name(section.heading)
    words = len(section.text.split())
    text = " ".join(one.text for one in section.paragraphs[:2])
    points = 2 if _is_strong(name) else int(not _NUMBER.match(section.heading))
    points += 1 + is_paper if is_last else int(is_late and words < SHORT)
    beginnings = [section.heading.partition(":")[2].strip(), *(one.text for one in section.paragraphs[:3])]
    if any(map(_is_worded, beginnings)) or NOTICE.match(text):
        points += 2
    elif "abbreviation" in name.lower() and _LIST_OF_ABBREVIATIONS.match(text):
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
    return section if len(kept) == len(section.paragraphs) else replace(section, paragraphs=tuple(kept))
