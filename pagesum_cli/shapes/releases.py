"""Press releases, and which of their sentences say what, when, for how much, who speaks, and whom
to ask (English).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from ..documents.model import Document
from ..locality.flow import Pages
from ..text.tables import patterns, table
from .points import Place, Point

WORDS = 2000  # maximum words of a press release
LINES = 10  # first paragraphs in which it says what it is
SHORT, LONG = 8, 70  # words of a sentence that says the news

_FORMS = patterns(__file__, "releases.toml")


@dataclass(frozen=True)
class Slot:
    """What a sentence must say; see ``releases.toml``."""

    ranks: Sequence[re.Pattern[str]]  # the first that holds is the best
    is_early: bool  # whether the first such sentence is the best; else the last one
    is_quoted: bool = False  # whether it is a quotation

    @classmethod
    def of(cls, row: dict[str, Any]) -> "Slot":
        """The slot of a row of the table."""
        ranks = tuple(re.compile(one) for one in row["ranks"])
        return cls(ranks, row["is_early"], row.get("is_quoted", False))

    def order(self, point: Point, position: int) -> tuple[int, int] | None:
        """What sentences for this slot are sorted by, smaller for better ones; None if a sentence
        does not fit.
        """
        if self.is_quoted != is_quotation(point.text):
            return None
        ranks = (number for number, rank in enumerate(self.ranks) if rank.search(point.text))
        rank = next(ranks, None)
        if rank is None or _FORMS["past"].search(point.text):
            return None
        if self.is_quoted:
            rank = 2 * (not names_speaker(point.text)) + point.needs_context
        return rank, position if self.is_early else -position


@cache
def _slots() -> dict[str, Slot]:
    return {name: Slot.of(row) for name, row in table(__file__, "releases.toml")["slots"].items()}


def is_release(document: Document) -> bool:
    """Whether a document is short and calls itself a press release in its title or first lines."""
    if len(document.text.split()) > WORDS:
        return False
    paragraphs = chain.from_iterable(one.paragraphs for one in document.sections)
    headings = (one.heading for one in document.sections[:2])
    first = (one.text for one in islice(paragraphs, LINES))
    return any(_FORMS["sign"].search(line) for line in (document.title, *headings, *first))


def is_quotation(text: str) -> bool:
    """Whether a sentence has what a person says: more than a name in quotation marks."""
    is_said = names_speaker(text) or _FORMS["alone"].search(text) is not None
    return is_said and _FORMS["quoted"].search(text) is not None


def names_speaker(text: str) -> bool:
    """Whether a sentence says who speaks."""
    return _FORMS["speaker"].search(text) is not None


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot, the best first; what says it less well than the
    others is left out.
    """
    told = [one for one in sorted(ranked, key=lambda one: one.place) if _tells(one)]
    positions: dict[Place, int] = {one.place: number for number, one in enumerate(told)}
    found: dict[str, list[Point]] = {}
    for name, slot in _slots().items():
        placed = [
            (order, one)
            for one in told
            if (order := slot.order(one, positions[one.place])) is not None
        ]
        placed.sort(key=itemgetter(0))
        found[name] = [one for (rank, _), one in placed if rank == placed[0][0][0]]
    return found


def _tells(point: Point) -> bool:
    """Whether a line is a sentence of the text, not of its head or its foot."""
    is_other = any(_FORMS[name].search(point.text) for name in ("other", "notice", "sign"))
    return SHORT <= point.words <= LONG and not is_other
