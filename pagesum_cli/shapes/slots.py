"""Which sentences may fill a slot of a paper's brief summary, by their words, heading and part of
the paper (English).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..documents.article.names import bare_name, is_abstract, is_label
from ..text.announcements import is_announcement
from ..text.tables import table


def _pattern(alternatives: Sequence[str]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{one})" for one in alternatives)
    return re.compile(joined or "(?!)", re.IGNORECASE)  # nothing if there is none


@dataclass(frozen=True)
class Slot:
    """What a sentence must say; see ``slots.toml``."""

    name: str  # the role of its sentences
    parts: Sequence[Sequence[str]]
    headings: re.Pattern[str]
    beside: re.Pattern[str]
    under: re.Pattern[str]
    clear: re.Pattern[str]
    likely: re.Pattern[str]
    first: re.Pattern[str]
    veto: re.Pattern[str]

    @classmethod
    def of(cls, name: str, row: dict[str, Any]) -> "Slot":
        """The slot of a row of the table."""
        row = {"beside": [], "under": [""], "clear": [], "likely": [], "first": []} | row
        fields = ("headings", "beside", "under", "clear", "likely", "first", "veto")
        return cls(name, row["parts"], *(_pattern(row[field]) for field in fields))

    def rank(self, text: str, heading: str, part: str, role: str) -> int | None:
        """How far a sentence is from the best place for it, from 0, below
        for what comes first; None if it may not be here.

        Args:
            text: The sentence.
            heading: The heading above it.
            part: The part of the paper that it is in; see ``quoting.parts``.
            role: Its role, if that is clear; see ``quoting.roles``.
        """
        if self._is_excluded(text):
            return None
        states, name = self._states(text, role), bare_name(heading)
        if self.headings.fullmatch(name) and (part == "abstract" or _has_limits(heading)):
            is_first = self.first.search(text) is not None
            return 1 - states - 2 * is_first if self.under.search(text) else None
        if not states or (_is_labelled(heading, part) and not self.beside.fullmatch(name)):
            return None
        return self._place("limits" if _has_limits(heading) else part)

    def _is_excluded(self, text: str) -> bool:
        """Whether a sentence says what does not belong here, or only that others will."""
        return self.veto.search(text) is not None or is_announcement(text)

    def _states(self, text: str, role: str) -> bool:
        """Whether a sentence says by itself what belongs here."""
        if self.clear.search(text):
            return True
        return role == self.name and self.likely.search(text) is not None

    def _place(self, part: str) -> int | None:
        ranks = (rank for rank, parts in enumerate(self.parts) if part in parts)
        return next(ranks, None)


def _has_limits(heading: str) -> bool:
    """Whether a heading announces limits, in any part of the document."""
    return re.search(r"\b(?:limitation|caveat|future|threats to)", heading, re.I) is not None


def _is_labelled(heading: str, part: str) -> bool:
    """Whether a heading is a label inside of an abstract."""
    return part == "abstract" and is_label(heading) and not is_abstract(heading)


@cache
def slots() -> dict[str, Slot]:
    """The slots by the roles of their sentences."""
    rows = table(__file__, "slots.toml")
    return {name: Slot.of(name, row) for name, row in rows.items()}
