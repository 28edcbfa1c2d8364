"""Contracts, and which of their clauses say what each slot of a brief summary needs (English)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

from ..documents.model import Document
from ..locality.flow import Pages
from ..text.tables import table
from .clauses import has_clauses, kinds_of
from .points import Point


@dataclass(frozen=True)
class Slot:
    """What a clause must say; see ``contracts.toml``."""

    headings: re.Pattern[str]
    words: re.Pattern[str]
    veto: re.Pattern[str]

    def rank(self, text: str, heading: str) -> int | None:
        """How far a clause is from the best, which stands under such a heading, says this and
        binds somebody; None if it does not fit.
        """
        says = self.words.search(text) is not None
        if not says or self.veto.search(text):
            return None
        return 2 * (self.headings.search(heading) is None) + (not kinds_of(text))


@cache
def _slots() -> dict[str, Slot]:
    rows = table(__file__, "contracts.toml")["slots"]
    return {
        name: Slot(*(re.compile(row[field]) for field in ("headings", "words", "veto")))
        for name, row in rows.items()
    }


def is_contract(document: Document) -> bool:
    """Whether a document of clauses has the title of a contract."""
    title = re.compile(table(__file__, "contracts.toml")["title"])
    return title.search(document.title) is not None and has_clauses(document)


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The clauses that may fill each slot, the best first."""
    found: dict[str, list[Point]] = {}
    for name, slot in _slots().items():
        placed: list[tuple[int, Point]] = []
        for point in ranked:
            page, number = point.place
            sentence = pages.pages[page].sentences[number]
            rank = slot.rank(point.text, sentence.heading)
            if rank is not None:
                placed.append((rank, point))
        found[name] = [one for _, one in sorted(placed, key=itemgetter(0))]
    return found
