"""The parts of a paper, and what its sentences do in it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from ..documents.article.names import bare, core_name, is_abstract
from ..documents.model import Sentence
from ..locality.flow import Page
from .roles import roles_of

Place = tuple[int, int]  # a sentence as (page, index in ``page.sentences``)

PARTS_OF_PAPER = {"abstract", "introduction", "methods", "results", "discussion", "conclusion"}
MIN_PARTS = 2  # different parts of a paper, by the headings, which make a document one


def parts_of(pages: Sequence[Page]) -> dict[Place, str]:
    """The part of a paper that each sentence is in: ``abstract`` …; empty if unknown."""
    found: dict[Place, str] = {}
    for _, group in groupby(enumerate(pages), key=lambda one: one[1].source):
        sections = list(_sections(group))
        for section, part in zip(sections, _parts_of(sections), strict=True):
            found |= dict.fromkeys((place for place, _ in section), part)
    return found


Section = list[tuple[Place, Sentence]]


def _sections(pages: Iterator[tuple[int, Page]]) -> Iterator[Section]:
    """The sentences under each heading of a document."""
    items = [
        ((number, place), sentence)
        for number, page in pages
        for place, sentence in enumerate(page.sentences)
    ]
    for _, section in groupby(items, key=lambda item: item[1].section):
        yield list(section)


def _parts_of(sections: Sequence[Section]) -> Iterator[str]:
    """The part that each section of a document is, by its heading and number of words."""
    words = [sum(len(item.text.split()) for _, item in section) for section in sections]
    reading = _Reading(sum(words))
    for section, count in zip(sections, words, strict=True):
        yield reading.part_of(section[0][1], count)


class _Reading:
    """The parts of a document, section after section.

    Only the first abstract counts, and only in the first half: a summary for other readers, or at
    the end, says the same again. Where headings have numbers, one without a number is inside of the
    numbered one before it, and its part ends there. Text without a heading after an abstract is an
    introduction.
    """

    def __init__(self, words: int) -> None:
        self.words = words
        self.before = 0  # words
        self.part = ""
        self.numbered = ""  # the part of the last numbered heading
        self.abstract = ""  # its heading

    def part_of(self, first: Sentence, words: int) -> str:
        """The part of the next section, by its first sentence and its words."""
        is_first_half = 2 * self.before < self.words
        heading = first.within or first.heading
        if is_abstract(heading) and is_first_half and self.abstract in ("", heading):
            self.part, self.abstract = "abstract", heading
        else:
            self.part = self._named(first.heading)
        self.before += words
        return self.part

    def _named(self, heading: str) -> str:
        limits = "discussion" if "limitation" in heading.lower() else ""
        if not heading and self.part == "abstract":
            return "introduction"
        is_numbered = bare(heading) != heading
        before = self.numbered if is_numbered and self.numbered else self.part
        part = core_name(heading) or limits or (before if before != "abstract" else "")
        self.numbered = part if is_numbered else self.numbered
        return part


def roles_in(pages: Sequence[Page], parts: Mapping[Place, str]) -> dict[Place, dict[str, float]]:
    """The roles of the sentences of a paper; empty for another document."""
    if len(PARTS_OF_PAPER.intersection(parts.values())) < MIN_PARTS:
        return {}
    return {
        (place, number): roles_of(pages[place].sentences[number].text, part, index / len(parts))
        for index, ((place, number), part) in enumerate(parts.items())
    }
