"""Back matter of an article, which is not what it says: references, notes of its authors and its
publisher.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from ..model import LeftOut, Section
from .building import left_out
from .names import is_abstract, pattern
from .wording import FORMS

REASON = "back matter"

LONG = 400  # words of a section that is left out only if its own words say what it is
SHORT = 150  # words of a paragraph or a section that may be a note of the authors or the publisher
REQUIRED = 3  # points of evidence, see :func:`_evidence`
# share of the words after which short sections are late, and notes of the authors
LATE, LATE_NOTES = 0.5, 0.4
_STRONG = pattern("back_matter.strong")
_WEAK = pattern("back_matter.weak")
_LEGAL = pattern("back_matter.legal")
_DUTY = pattern("back_matter.duty", before=r"\b", after=r"\b")
_SUBJECTS = pattern("back_matter.subjects")
_REFERENCES = pattern("references")
_LINKS = pattern("links")
_OF_ABSTRACT = pattern("back_matter.in_abstract")
_APPENDIX = pattern("appendix", before=r"\W{0,3}", after=r"\b(?!.{0,4}supplement)")

_CLAUSE = re.compile(
    r"\s{0,9}\d{1,3}\.(?:\d|\s{1,3}(?i:disclaimers?|trade ?marks?|licen[cs]es?)\b)"
)
# of paragraphs of the publisher, wherever they stand
NOTICE = pattern("beginnings.notice", before=r"\W{0,4}")
# of paragraphs of the authors about themselves and their work
STATEMENT = pattern("beginnings.statement")
# further beginnings of what stands under names of back matter
_WORDING = pattern("beginnings.wording")
_ABOUT_WORK = pattern("beginnings.about_work")


def without_back_matter(sections: Sequence[Section]) -> tuple[list[Section], list[LeftOut]]:
    """Sections without back matter, and what it is: one entry for each heading."""
    article = _Article(sections)
    dropped: dict[int, list[Section]] = {}
    kept: list[Section] = []
    notes: list[LeftOut] = []
    for number, section in enumerate(sections):
        owner = article.owners[number]
        if owner is not None and article.is_back_matter(owner):
            dropped.setdefault(owner, []).append(section)
        else:
            is_last, is_late = number >= article.last, article.is_after(number, LATE_NOTES)
            rest, own = _without_notes(section, is_last, is_late)
            kept.append(rest)
            notes += own
    if not any(section.paragraphs for section in kept):
        return list(sections), []
    return kept, [*notes, *map(_entry, dropped.values())]


def _entry(sections: Sequence[Section]) -> LeftOut:
    """Sections of back matter under one heading."""
    is_list = _REFERENCES.fullmatch(_name(sections[0].heading)) is not None
    parts = (part for section in sections for part in section.parts)
    pages = (page for section in sections for page in section.pdf_pages)
    return left_out("references" if is_list else REASON, parts, pages)


class _Article:
    """The sections of an article, of which some may be back matter."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections
        self.words = [len(section.text.split()) for section in sections]
        self.before = [0, *accumulate(self.words)]
        self.owners = _owners(sections, self.words)
        self._decided: dict[int, bool] = {}

    @cached_property
    def last(self) -> int:
        """The last section that is neither back matter by its name nor an appendix; -1 if there is
        none.
        """
        appendices = _in_appendices(self.sections)
        places = zip(self.owners, appendices, strict=True)
        text = [
            number
            for number, (owner, is_other) in enumerate(places)
            if owner is None and not is_other
        ]
        return text[-1] if text else -1

    @cached_property
    def _is_paper(self) -> bool:
        owners = {owner for owner in self.owners if owner is not None}
        return any(_is_strong(_name(self.sections[owner].heading)) for owner in owners)

    @cached_property
    def _in_abstract(self) -> list[bool]:
        return _at_or_below(
            self.sections, lambda number: is_abstract(self.sections[number].heading)
        )

    def is_after(self, number: int, share: float) -> bool:
        """Whether more than a share of the words stand before a section."""
        return self.before[number] >= share * self.before[-1]

    def is_back_matter(self, number: int) -> bool:
        """Whether a section with a name of back matter is some."""
        if number not in self._decided:
            self._decided[number] = self._is_named_so(number) or self._is_evident(number)
        return self._decided[number]

    def _is_named_so(self, number: int) -> bool:
        """Whether the name alone says so where the section stands."""
        heading = self.sections[number].heading
        is_subject = _SUBJECTS.fullmatch(_name(heading)) is not None
        is_of_abstract = _OF_ABSTRACT.fullmatch(_name(heading)) is not None
        if is_subject and self.words[number] < SHORT:
            return True
        return _is_list(heading) or (is_of_abstract and self._in_abstract[number])

    def _is_evident(self, number: int) -> bool:
        is_clause = _LEGAL.fullmatch(_name(self.sections[number].heading)) is not None
        is_late = not is_clause and self.before[number] > LATE * self.before[-1]
        is_late = is_late and not self._is_duty(number)
        points = _evidence(self.sections[number], number > self.last, is_late, self._is_paper)
        return points >= REQUIRED

    def _is_duty(self, number: int) -> bool:
        """Whether a section states a duty and no other back matter, by its name, is next to it and
        what is below it: in the middle of guidelines, "Conflicts of interest" is a rule.
        """
        own = [place for place, owner in enumerate(self.owners) if owner == number]
        around = self.owners[max(number - 1, 0) : number] + self.owners[own[-1] + 1 : own[-1] + 2]
        is_apart = all(owner is None for owner in around)
        return is_apart and any(_DUTY.search(self.sections[place].text) for place in own)


def is_back_matter(heading: str) -> bool:
    """Whether a heading has a name that back matter usually has."""
    name = _name(heading)
    return any(one.fullmatch(name) for one in (_STRONG, _WEAK, _SUBJECTS, _REFERENCES, _LINKS))


def is_surely_back_matter(heading: str) -> bool:
    """Whether a heading has a name that nothing but back matter has."""
    return _is_strong(_name(heading))


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
    """The name in a heading; of a numbered clause, all of it: "4.13. Conflicts of interest" in a
    by-law is no note of authors.
    """
    if _CLAUSE.match(heading):
        return heading
    name = FORMS["number"].sub("", heading.strip(), count=1).strip(" .:|•*■▪–—-")
    before, mark, _ = name.partition(":")  # "Conflict of interest: None"
    return before.strip() if mark and _STRONG.fullmatch(before.strip()) else name


def _owners(sections: Sequence[Section], words: Sequence[int]) -> list[int | None]:
    """For each section the one with a name of back matter that it is, or is part of."""
    owners: list[int | None] = []
    for number, section in enumerate(sections):
        owner = owners[-1] if owners else None
        is_named = bool(section.heading) and is_back_matter(section.heading)
        if is_named and not _is_of_manual(sections, number):
            owners.append(number)
        elif owner is not None and _is_below(section, words[number], sections[owner]):
            owners.append(None if _APPENDIX.match(section.heading) else owner)
        else:
            owners.append(None)
    return owners


def _is_below(section: Section, words: int, owner: Section) -> bool:
    """Whether a section with so many words is part of back matter."""
    is_link = (
        _LINKS.fullmatch(_name(owner.heading)) is not None
    )  # each section of a manual has some
    may_be_part = words < SHORT or _is_list(owner.heading)
    return section.level > owner.level and not is_link and may_be_part


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
    if no text but appendices follows (one where no name is sure), else one for a short section that
    is late; two if its own words begin so. A long section needs these.
    """
    name = _name(section.heading)
    words = len(section.text.split())
    points = 2 if _is_strong(name) else int(not FORMS["number"].match(section.heading))
    points += 1 + is_paper if is_last else int(is_late and words < SHORT)
    if _begins_so(section):
        return points + 2
    text = " ".join(one.text for one in section.paragraphs[:2])
    if "abbreviation" in name.lower() and FORMS["list_of_abbreviations"].match(text):
        return points + 1
    return points - 2 if words > LONG and points < 4 else points


def _begins_so(section: Section) -> bool:
    """Whether the words after its name, or of one of its first paragraphs, are of back matter."""
    after_name = section.heading.partition(":")[2].strip()
    first = [paragraph.text for paragraph in section.paragraphs[:3]]
    is_notice = NOTICE.match(" ".join(first[:2])) is not None
    return is_notice or any(map(_is_worded, (after_name, *first)))


def _without_notes(section: Section, is_last: bool, is_late: bool) -> tuple[Section, list[LeftOut]]:
    """A section without notes of the authors or the publisher, and these paragraphs."""
    if section.given is not None or not section.paragraphs:
        return section, []
    reasons = list(_Notes(section, is_last, is_late).reasons())
    paired = list(zip(section.paragraphs, reasons, strict=True))
    notes = [left_out(why, [own.text], own.pdf_pages()) for own, why in paired if why]
    kept = tuple(paragraph for paragraph, why in paired if not why)
    return (replace(section, paragraphs=kept) if notes else section), notes


@dataclass(frozen=True)
class _Wording:
    """What the words of a paragraph say."""

    text: str
    words: int
    is_named: bool  # whether it begins with a name of back matter
    is_strong: bool  # whether that means nothing else
    is_worded: bool  # whether it, or what follows the name, has the words of back matter

    @classmethod
    def of(cls, text: str, *, is_last: bool) -> "_Wording":
        """What those of a text say, of the ``is_last`` section or another one."""
        named = _run_in(text, without_mark=is_last)
        name, rest = named if named is not None else ("", text)
        is_strong = named is not None and _is_strong(_name(name))
        return cls(text, len(text.split()), named is not None, is_strong, _is_worded(rest))

    def is_back_after(self, *, follows: bool) -> bool:
        """Whether it is a note in the last section, which ``follows`` another one or not."""
        return self.is_named and (self.is_worded or self.is_strong or follows)

    @property
    def is_named_note(self) -> bool:
        """Whether it is a note wherever it stands, by its name and its words."""
        return self.is_named and self.is_worded and self.words < 2 * SHORT

    @property
    def is_notice(self) -> bool:
        """Whether it is one of the publisher."""
        return self.words < 3 * SHORT and NOTICE.match(self.text) is not None

    @property
    def is_statement(self) -> bool:
        """Whether it is one of the authors about themselves and their work."""
        is_short = self.words < SHORT
        begins_so = is_short and STATEMENT.match(self.text) is not None
        return begins_so and _ABOUT_WORK.search(self.text) is not None

    @property
    def ends_notes(self) -> bool:
        """Whether notes before it end there."""
        return self.words > SHORT or _APPENDIX.match(self.text) is not None


class _Notes:
    """The paragraphs of a section, one after another."""

    def __init__(self, section: Section, is_last: bool, is_late: bool) -> None:
        self.paragraphs = section.paragraphs
        self.is_last = is_last
        self.may_state = is_last or is_late
        self.inside = False  # whether all that follows in the last section is of the same kind
        self.follows = False  # whether the paragraph before is left out

    def reasons(self) -> Iterator[str]:
        """Why each paragraph is left out; empty for one that stays."""
        rest = sum(len(one.text.split()) for one in self.paragraphs)
        for paragraph in self.paragraphs:
            own = _Wording.of(paragraph.text, is_last=self.is_last)
            self.follows = self._is_note(own, rest)
            yield "" if not self.follows else "notice" if own.is_notice else REASON
            rest -= own.words

    def _is_note(self, own: _Wording, rest: int) -> bool:
        """Whether a paragraph is one, with so many words from it to the end of the section."""
        is_back = self.is_last and own.is_back_after(follows=self.follows)
        if is_back and rest < LONG:
            self.inside = True
        elif own.ends_notes:
            self.inside = False
        is_own = own.is_named_note or own.is_notice or (self.may_state and own.is_statement)
        return self.inside or is_back or is_own
