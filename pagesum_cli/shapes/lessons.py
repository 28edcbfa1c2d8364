"""Lessons with objectives and, at their end, key points (English)."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from operator import attrgetter

from ..documents.article.names import bare_name
from ..documents.model import Document
from ..locality.flow import Pages
from ..summary.summary import Summary, SummaryParagraph
from ..text.tables import patterns
from .points import Place, Point

_PARTS = ("point", "objective", "question", "task")


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    return patterns(__file__, "lessons.toml")


def is_lesson(document: Document) -> bool:
    """Whether a document has key points, and objectives or questions that it answers."""
    named = {_part(section.heading) for section in document.sections if section.paragraphs}
    return "point" in named and not named.isdisjoint({"objective", "question"})


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The objectives and the key points, in their order."""
    in_order = sorted(ranked, key=attrgetter("place"))
    parts = [(_part(_heading(one.place, pages)), one) for one in in_order]
    return {name: [one for part, one in parts if part == name] for name in ("objective", "point")}


def is_text(pages: Pages, place: Place) -> bool:
    """Whether a sentence says what is taught, not that it is; no exercise."""
    return _part(_heading(place, pages)) in ("", "point")


def is_step(text: str) -> bool:
    """Whether a sentence addresses the learner or goes on with an example."""
    return _forms()["step"].search(text) is not None


def items_apart(summary: Summary, paragraphs: Iterable[SummaryParagraph]) -> Summary:
    """The summary in paragraphs, which are cut after items of lists that have no full stop."""
    cut: list[SummaryParagraph] = []
    for one in paragraphs:
        title, numbers = one.title, one.sentences
        begin = 0
        for end, number in enumerate(numbers, 1):
            is_open = summary.sentences[number].shown[-1:].isalnum()
            if is_open or end == len(numbers):
                cut.append(SummaryParagraph(title, numbers[begin:end]))
                title, begin = "", end
    return summary.in_paragraphs(cut)


def _heading(place: Place, pages: Pages) -> str:
    page, number = place
    return pages.pages[page].sentences[number].heading


def _part(heading: str) -> str:
    """The part of a lesson that is below a heading; empty for its text."""
    name = bare_name(heading)
    return next((part for part in _PARTS if _forms()[part].fullmatch(name)), "")
