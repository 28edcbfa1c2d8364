"""Directives, policies and orders with a part that says what must be done ("Required Actions"), and
their brief summary: all of its deadlines, and the actions without one (English).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from ..documents.article.names import bare
from ..documents.model import GAP, Document, Section, Sentence
from ..documents.sentences import sentences_of
from ..locality.flow import Pages
from ..quoting.eligibility import completed
from ..text.tables import table
from . import regulations
from .acts import act_of
from .points import Point

MAX_DATED = 8  # clauses with a deadline
MAX_UNDATED = 4  # clauses without one
MAX_ORDERED = 10  # clauses of both kinds
MIN_ORDERS = 3  # sentences of the part that orders
SHARE = 0.4  # of the sentences that oblige somebody, at least so many are in that part
ACTS = ("requirement", "fee", "")  # what a clause of that part may do; see :func:`~.acts.act_of`

Spans = tuple[tuple[int, int], ...]  # parts of a document's text, as offsets


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(table(__file__, "directives.toml")[name])


def is_directive(document: Document) -> bool:
    """Whether a document is called a directive or a policy, and has a part that says what must be
    done.
    """
    headings = (one.heading for one in document.sections if one.heading)
    title = document.title or next(headings, "")
    return _form("title").search(title) is not None and bool(ordering(document))


def ordering(document: Document) -> Spans:
    """The spans of the part that says what must be done; empty if it says little."""
    sections = list(_sections(document))
    ordered = [(section, start) for section, start, order in sections if order]
    inside = _binding(section for section, _ in ordered)
    every = _binding(section for section, _, _ in sections)
    is_named = any(_form("orders").fullmatch(order) for _, _, order in sections)
    is_main = is_named or inside >= max(SHARE * every, 1)
    return _spans(ordered) if is_main else ()


def _spans(sections: Sequence[tuple[Section, int]]) -> Spans:
    """The spans of some sections; none if they have few sentences."""
    if sum(len(_quotable(section)) for section, _ in sections) < MIN_ORDERS:
        return ()
    return tuple((start, start + len(GAP.join(section.parts))) for section, start in sections)


def _binding(sections: Iterable[Section]) -> int:
    """Number of sentences that oblige somebody."""
    texts = (completed(one) for section in sections for one in _quotable(section))
    return sum(act_of(text) == "requirement" for text in texts)


def _quotable(section: Section) -> list[Sentence]:
    return [one for one in sentences_of(section) if one.is_quotable]


def _sections(document: Document) -> Iterator[tuple[Section, int, str]]:
    """The sections that are read, each with its offset and the heading of the part that says what
    must be done; with an empty one outside of such a part. Answers to questions are left out.
    """
    order, level = "", 0
    for section, start in document.read_sections:
        name = bare(section.heading).strip(" .:")
        if order and section.level <= level:
            order = ""
        if not order and _form("heading").fullmatch(name):
            order, level = name, section.level
        if not section.heading.endswith("?"):
            yield section, start, order


def fitting(spans: Spans, ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The clauses that may fill each slot, the best first; what must be done, and what must not, is
    from some spans of the document.
    """
    found = regulations.fitting(ranked, pages)
    inside = [one for one in regulations.clauses(ranked, pages) if _is_in(spans, one, pages)]
    prohibited = [one for one in found["prohibition"] if one in inside]
    required = _required(inside, pages)
    return found | {"requirement": required, "prohibition": prohibited, "deadline": []}


def _required(inside: Sequence[Point], pages: Pages) -> list[Point]:
    """Of the clauses of the part that orders, what must be done: first what has a deadline."""
    whole = [one for one in inside if not _sentence(one, pages).text.endswith(":")]
    ordered = [one for one in whole if act_of(one.text) in ACTS]
    dated = [one for one in ordered if _is_dated(one, pages)]
    others = [one for one in ordered if one not in dated and _orders(one, pages)]
    return [*dated[:MAX_DATED], *others[:MAX_UNDATED]][:MAX_ORDERED]


def _is_in(spans: Spans, point: Point, pages: Pages) -> bool:
    """Whether a sentence is in one of some spans of the document."""
    place = _sentence(point, pages).start
    return any(start <= place < end for start, end in spans)


def _sentence(point: Point, pages: Pages) -> Sentence:
    page, number = point.place
    return pages.pages[page].sentences[number]


def _is_dated(point: Point, pages: Pages) -> bool:
    """Whether a clause has a deadline, or is the first item below a sentence with one."""
    page, number = point.place
    before, sentence = pages.pages[page].sentences[max(number - 1, 0)], _sentence(point, pages)
    is_first = sentence.lead_in is not None and sentence.lead_in == before
    return any(map(regulations.has_deadline, [sentence.text, before.text][: 1 + is_first]))


def _orders(point: Point, pages: Pages) -> bool:
    """Whether a clause obliges somebody, or begins a numbered item: "2. Report the status"."""
    page, number = point.place
    sentences = pages.pages[page].sentences
    before = sentences[number - 1] if number else None
    is_first = before is None or before.is_heading or sentences[number].start - before.end > 1
    is_item = bool(sentences[number].label) and is_first
    binds = is_item or act_of(point.text) == "requirement"
    return binds and not sentences[number].parents
