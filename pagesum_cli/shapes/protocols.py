"""Protocols, which plan a study and have no results yet, and which of their sentences say what each
slot of a brief summary needs (English).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..documents.article.names import bare_name, core_name, is_of_abstract
from ..documents.model import Document
from ..locality.flow import Pages
from ..text.tables import table
from .papers import has_parts_of_paper
from .points import Point

MIN_PLANNED = 8  # plans in the text of a protocol whose title does not call it so


@dataclass(frozen=True)
class ProtocolSlot:
    """What a sentence must say; see ``protocols.toml``."""

    ranks: Sequence[re.Pattern[str]]  # the first that holds is the best
    headings: re.Pattern[str]
    veto: re.Pattern[str]
    once: bool  # whether only the best of each rank fits

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "ProtocolSlot":
        """The slot of a row of the table."""
        ranks = tuple(map(re.compile, row["ranks"]))
        return cls(
            ranks,
            re.compile(row.get("headings", "(?!)")),
            re.compile(row["veto"]),
            row.get("once", False),
        )

    def rank(self, text: str, heading: str) -> int | None:
        """How far a sentence is from the best, from 0; None if it does not fit."""
        if self.veto.search(text) or _form("other").search(text):
            return None
        ranks = (number for number, rank in enumerate(self.ranks) if rank.search(text))
        is_below = self.headings.fullmatch(bare_name(heading)) is not None
        return next(ranks, len(self.ranks) if is_below else None)


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(table(__file__, "protocols.toml")[name])


@cache
def _slots() -> dict[str, ProtocolSlot]:
    rows = table(__file__, "protocols.toml")["slots"]
    return {name: ProtocolSlot.of(row) for name, row in rows.items()}


def is_protocol(document: Document) -> bool:
    """Whether a document has the parts of a paper, and plans a study: it has no section with
    results.
    """
    if not has_parts_of_paper(document) or any(
        core_name(section.heading) == "results" for section in document.sections
    ):
        return False
    text = document.text
    if not _form("primary").search(text):
        return False
    plans = len(_form("planned").findall(text))
    return plans >= MIN_PLANNED or _form("title").search(document.title) is not None


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot: the best of each rank, then the others."""
    return {name: _best_of_each(slot, ranked, pages) for name, slot in _slots().items()}


def _best_of_each(slot: ProtocolSlot, ranked: Sequence[Point], pages: Pages) -> list[Point]:
    """The sentences of a slot; those of the abstract first, what has no end last."""
    placed: list[tuple[int, bool, bool, Point]] = []
    for point in ranked:
        page, number = point.place
        sentence = pages.pages[page].sentences[number]
        rank = slot.rank(point.text, sentence.heading)
        if rank is not None:
            is_inside = not is_of_abstract(sentence.section)
            placed.append((rank, not point.text.endswith((".", ")")), is_inside, point))
    placed.sort(key=lambda one: one[:3])
    best = {rank: point for rank, *_, point in reversed(placed)}
    first = [best[rank] for rank in sorted(best)]
    if slot.once:
        return first
    return first + [point for *_, point in placed if point not in first]
