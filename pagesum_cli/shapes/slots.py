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

PATTERNS = (
    *(
        "headings",
        "beside",
        "under",
        "mixed",
        "clear",
        "likely",
        "first",
        "measured",
        "last",
        "veto",
        "routine",
    ),
)


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
    mixed: re.Pattern[str]
    clear: re.Pattern[str]
    likely: re.Pattern[str]
    first: re.Pattern[str]
    measured: re.Pattern[str]
    last: re.Pattern[str]
    veto: re.Pattern[str]
    routine: re.Pattern[str]

    @classmethod
    def of(cls, name: str, row: dict[str, Any]) -> "Slot":
        """The slot of a row of the table."""
        row = {"under": [""], "mixed": [""]} | row
        patterns = (_pattern(row.get(field, [])) for field in PATTERNS)
        return cls(name, row["parts"], *patterns)

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
        name = bare_name(heading)
        is_labelled = _is_labelled(heading, part)
        part = "limits" if _has_limits(heading) else part
        if part in ("abstract", "limits") and self.headings.fullmatch(name):
            return self._rank_below_own(text, name, role)
        is_beside = is_labelled and self.beside.fullmatch(name) is not None
        if is_labelled and not is_beside and not self._is_open(text):
            return None
        return self._rank_elsewhere(text, part, self.name if is_beside else role)

    def has_number(self, text: str) -> bool:
        """Whether a sentence has a number that was measured."""
        return self.measured.search(text) is not None

    def is_left_to_others(self, text: str) -> bool:
        """Whether a sentence is a last choice: it says what the study leaves to others, or only
        what it makes.
        """
        return self.last.search(text) is not None

    def _is_open(self, text: str) -> bool:
        """Whether a sentence says what is left to others, under whatever label that is."""
        return self.name == "limitation" and self.is_left_to_others(text)

    def _rank_below_own(self, text: str, name: str, role: str) -> int | None:
        """The rank of a sentence below a heading that says that it belongs here."""
        is_mixed = "strength" in name.lower()
        if not (self.mixed if is_mixed else self.under).search(text):
            return None
        states, is_first = self._states(text, role), self.first.search(text) is not None
        return 1 - (states or (self.has_number(text) and not is_first)) - 2 * is_first

    def _rank_elsewhere(self, text: str, part: str, role: str) -> int | None:
        """The rank of a sentence by its words and its part of the paper."""
        is_measured = role == self.name and part in self.parts[0] and self.has_number(text)
        place = self._place(part)
        if place is None or self._states(text, role) or is_measured:
            return place
        return place + len(self.parts) if self.is_left_to_others(text) else None

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
