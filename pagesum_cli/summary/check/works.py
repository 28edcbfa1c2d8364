"""Works that a claim cites by author and year, "(Lee et al., 2020)" and "Lee et al. (2020) found":
they say where it comes from, and are no words of it.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

from ...documents.model import Document
from ...text.tables import table
from .known import ABOUT_ITSELF
from .tokens import LISTS, pieces_of

_PARTICLE = r"(?:(?:[Vv]an|[Dd]e|[Dd]er|[Vv]on|[Ll]a|[Dd]i) ){0,3}"
_NAME = rf"{_PARTICLE}[A-Z][^\W\d_]{{0,30}}(?:[-'’][A-Z]?[^\W\d_]{{1,30}}){{0,3}}"
_OTHERS = rf"(?:(?:, {_NAME}){{0,6}},? (?:et al\b\.?|(?:and|&) (?:others|{_NAME})))"
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_PLACE = r"(?:, ?pp?\. ?[\d–-]{1,12}){0,1}"
_WORK = rf"{_NAME}{_OTHERS}?,? {_YEAR}(?:, {_YEAR}){{0,3}}{_PLACE}"
_WORKS = rf"(?P<works>{_WORK}(?:; {_WORK}){{0,12}})"
_IN_BRACKETS = re.compile(rf"\s?[(\[](?:(?:see|cf\.|e\.g\.,?|see also) ){{0,1}}{_WORKS}[)\]]")
_FINDS = rf"(?:{'|'.join(table(__file__, 'works.toml')['finds'].split())})"
_IN_TEXT = re.compile(
    r"(?:\b(?:According to|As shown by|As|In) ){0,1}\b"
    rf"(?P<works>{_NAME}{_OTHERS},? [(\[]{_YEAR}{_PLACE}[)\]])"
    rf"(?:,|(?:,? {_FINDS}\b(?: that\b){{0,1}})){{0,1}}"
)
_KEYS = re.compile(r"\s?\[-?@[\w:.#$%&+?<>~/-]{1,80}(?:; ?-?@[\w:.#$%&+?<>~/-]{1,80}){0,12}\]")
_PARTS = re.compile(rf"(?P<name>{_NAME}){_OTHERS}?,? [(\[]{{0,1}}(?P<year>{_YEAR})")
_YEARS = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_FIRST = 1000  # characters of a title page
_MONTHS = LISTS["dates"]
_HEAD = re.compile(rf"({_NAME}) et al\b")
"""The first author in a running head: Lee et al. Journal 2020."""
_STATED = re.compile(
    r"(?:[(©]|(?i:copyright|published|vol\.? ?\d{1,4})\b)[^\n.;]{0,60}?"
    rf"\b(?P<year>{_YEAR})"
)
"""The year of a document in its running head or notice: (2020) 20:537; © The Authors 2020."""


class Work(NamedTuple):
    """A work that a claim cites."""

    name: str  # the last name of its first author
    year: str  # without a letter
    span: tuple[int, int]  # of the year, in the claim


def works_in(text: str) -> list[Work]:
    """The works that a text cites by author and year."""
    return [
        Work(one["name"].split()[-1], one["year"][:4], (one.start("year"), one.start("year") + 4))
        for match in _citations(text)
        for one in _PARTS.finditer(text, *match.span())
    ]


def without_works(text: str) -> str:
    """A text with spaces for its citations of works by author and year, or by key: the rest keeps
    its place.
    """
    for match in [*_citations(text), *_KEYS.finditer(text)]:
        start, end = match.span()
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _citations(text: str) -> Iterator[re.Match[str]]:
    for form in (_IN_BRACKETS, _IN_TEXT):
        for match in form.finditer(text):
            first = _PARTS.match(match["works"])
            if first is not None and first["name"].lower() not in _MONTHS:
                yield match


class Authorship:
    """Who wrote a document, and when, as far as it says so.

    Args:
        document: The document.
    """

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _about(self) -> list[str]:
        pieces = self._document.left_out
        own = ABOUT_ITSELF - {"references"}
        texts = [piece.text for piece in pieces if piece.reason in own]
        return [*self._document.authors, self._document.origin, *texts]

    @cached_property
    def _names(self) -> set[str]:
        return {one.norm for text in self._about for one in pieces_of(text[:_FIRST])}

    @cached_property
    def years(self) -> list[str]:
        """The years that it may be from, those that it states first."""
        texts = [*self._about, self._document.text[:_FIRST]]
        stated = [one["year"] for text in self._about for one in _STATED.finditer(text)]
        return [*stated, *(one for text in texts for one in re.findall(rf"\b{_YEAR}\b", text))]

    @cached_property
    def has_year(self) -> bool:
        """Whether its running head or a notice states a year."""
        return any(_STATED.search(text) for text in self._about)

    def is_by(self, work: Work) -> bool:
        """Whether it names the author of a work as its own."""
        return {one.norm for one in pieces_of(work.name) if one.is_word} <= self._names

    def is_work(self, work: Work) -> bool:
        """Whether it is a work: its first author, or its running head or file name, has the name,
        and it states the year.
        """
        return self._is_headed_by(work) and work.year in self._own_years

    def _is_headed_by(self, work: Work) -> bool:
        """Whether the name of a work is that of the first author."""
        name = {one.norm for one in pieces_of(work.name) if one.is_word}
        first = next(iter(self._document.authors), "")
        heads = [head for text in self._about for head in _HEAD.findall(text)]
        own = (first, *heads, PurePath(self._document.name).stem)
        # a name that a PDF garbles in one place may be whole in another one
        whole = f"{first.partition(' ')[0]} {work.name}"
        is_whole = " " in first and any(whole in text for text in self._about)
        return is_whole or any(name <= {one.norm for one in pieces_of(text)} for text in own)

    @cached_property
    def _own_years(self) -> set[str]:
        """The years of its notices, its running head and its file name."""
        texts = [*self._about, PurePath(self._document.name).stem]
        return {year for text in texts for year in _YEARS.findall(text)}

    def other_year(self, work: Work) -> str:
        """The year that it states instead of that of a work; empty if there is none."""
        is_other = self.has_year and self.is_by(work) and work.year not in self.years
        return self.years[0] if is_other and not self._refers_to(work) else ""

    def _refers_to(self, work: Work) -> bool:
        """Whether its references may have another work of the author, of that year."""
        pieces = self._document.left_out
        texts = [piece.text for piece in pieces if piece.reason == "references"]
        entry = re.compile(
            rf"(?:^|[\d.\]]\s{{1,3}}){re.escape(work.name)}\b[^\n]{{0,300}}?\b{work.year}"
        )
        return any(entry.search(text) for text in texts)
