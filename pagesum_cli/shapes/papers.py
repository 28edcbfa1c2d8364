"""The summary of a paper by sections or by roles, and of other documents under their own
headings.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from math import inf
from operator import itemgetter

from ..documents.article.names import core_name, is_abstract
from ..documents.model import Document
from ..locality.flow import Pages
from ..options import GenerationOptions
from ..quoting.parts import parts_of
from ..summary.summary import Summary, SummaryParagraph
from .points import Place, Point, points_of
from .slots import slots

SENTENCES = 6  # of a summary that is a single paragraph
TITLES = {"aim": "Question", "method": "Method", "finding": "Findings", "limitation": "Limits"}
"""The roles of sentences in a brief summary, in order, and their headings."""
UNTITLED = ""  # the heading of a sentence that fits no slot

# maximum number of sentences of each role
NUMBERS = {"aim": 1, "method": 2, "finding": 3, "limitation": 2}
# the order in which roles get a sentence while words last
ROUNDS = ("finding", "aim", "method", "limitation")
MIN_SCORE = -15.0  # of a sentence in a slot: a worse one is a list, a fragment or very long
TOLERANCE = 1.1  # share of a number of words that is not exceeded


def is_paper(documents: Sequence[Document]) -> bool:
    """Whether there is one document, with an abstract or two sections that papers have."""
    if len(documents) != 1:
        return False
    headings = [section.heading for section in documents[0].sections]
    return any(map(is_abstract, headings)) or len(set(map(core_name, headings)) - {""}) > 1


class TopSections:
    """The sections of the highest level of a document that has several ones, by offset."""

    def __init__(self, document: Document) -> None:
        levels = Counter(section.level for section in document.sections if section.heading)
        level = min((one for one, number in levels.items() if number > 1), default=0)
        headings = [(0, "")]
        for section, start in zip(document.sections, document.starts, strict=True):
            if section.heading and section.level <= level:
                headings.append((start, section.heading))
        self._headings = headings

    def heading(self, offset: int) -> tuple[int, str]:
        """The offset and the heading of the section that holds a character."""
        return self._headings[bisect_right(self._headings, offset, key=itemgetter(0)) - 1]


def under_headings(summary: Summary, documents: Sequence[Document], *, titled: bool) -> Summary:
    """A summary of quotes in paragraphs, one for each top-level section or, of several documents,
    each document.
    """
    sections = {document.name: TopSections(document) for document in documents}
    titles = {document.name: document.title or document.name for document in documents}

    def section_of(number: int) -> tuple[str, int, str]:
        source = summary.sentences[number].source
        if source is None or source.file not in sections:
            return "", 0, ""
        if len(documents) > 1:
            return source.file, 0, titles[source.file]
        return (source.file, *sections[source.file].heading(source.start))

    groups = [
        (key, tuple(numbers))
        for key, numbers in groupby(range(len(summary.sentences)), key=section_of)
    ]
    if len(groups) < 2 and not (titled and groups and groups[0][0][2]):
        return summary
    return summary.in_paragraphs(
        SummaryParagraph(key[2] if titled else "", numbers) for key, numbers in groups
    )


def in_sections(summary: Summary, documents: Sequence[Document]) -> Summary:
    """A summary with a paragraph for each document with a title, or each top-level section of a
    paper's longer one.
    """
    if len(documents) > 1 and all(one.title for one in documents):
        return under_headings(summary, documents, titled=True)
    if len(summary.sentences) <= SENTENCES or not is_paper(documents):
        return summary
    return under_headings(summary, documents, titled=False)


def _fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot: those from the best part of the paper first, in their
    order. Only the aim, which introduces itself, may point at something before it.
    """
    parts = parts_of(pages.pages)
    found: dict[str, list[Point]] = {}
    for name, slot in slots().items():
        places: list[tuple[int, Point]] = []
        for point in (one for one in ranked if one.score > MIN_SCORE):
            page, number = point.place
            heading = pages.pages[page].sentences[number].heading
            rank = slot.rank(point.text, heading, parts[point.place], point.role)
            if rank is not None and (name == "aim" or not point.needs_context):
                places.append((rank, point))
        found[name] = [point for _, point in sorted(places, key=itemgetter(0))]
    return found


def _turns() -> list[str]:
    """The roles in the order in which they get their sentences."""
    turns = product(range(max(NUMBERS.values())), ROUNDS)
    return [role for turn, role in turns if turn < NUMBERS[role]]


class Brief:
    """Chooses the sentences of a paper's brief summary: question, method, findings, limits."""

    def __init__(self, document: Document, options: GenerationOptions) -> None:
        self._document, self._options = document, options
        self._chosen: dict[str, list[Point]] = {name: [] for name in TITLES}

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        points = points_of(pages, scores, {}, [self._document.title])
        ranked = sorted(points, key=lambda one: -one.score)
        fitting = _fitting(ranked, pages)
        words = (self._options.words or inf) * TOLERANCE
        left = self._options.sentences or sum(NUMBERS.values())
        for role in _turns():
            best = self._best(role, fitting[role], words)
            if left and best:
                self._chosen[role].append(best)
                words, left = words - best.words, left - 1
        if not any(self._chosen.values()):  # no sentence fits a slot
            self._chosen[UNTITLED] = ranked[:1]
        return [point.place for _, points in self._in_order() for point in points]

    def _best(self, role: str, fitting: Sequence[Point], words: float) -> Point | None:
        """The best sentence for a slot that is not quoted yet and says something new there."""
        quoted = {one.place for points in self._chosen.values() for one in points}
        new = (one for one in fitting if one.place not in quoted)
        known = self._chosen[role]
        return next((one for one in new if one.words <= words and not one.repeats(known)), None)

    def _in_order(self) -> Iterator[tuple[str, list[Point]]]:
        for role, points in self._chosen.items():
            if points:
                yield TITLES.get(role, UNTITLED), sorted(points, key=lambda one: one.place)

    def titled(self, summary: Summary) -> Summary:
        """The summary of the chosen sentences, with a heading for each role."""
        numbers = iter(range(len(summary.sentences)))
        return summary.in_paragraphs(
            SummaryParagraph(title, tuple(next(numbers) for _ in points))
            for title, points in self._in_order()
        )
