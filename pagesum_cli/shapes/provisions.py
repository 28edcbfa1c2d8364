"""Provisions of a law or contract that a summary names apart: penalties, deadlines, exceptions."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from .clauses import kinds_of
from .points import Point

NUMBERS = {"penalty": 2, "deadline": 2, "exception": 1, "definition": 1}
"""What is named apart, and the maximum number of sentences of each kind."""
TITLES = {
    "penalty": "Penalties",
    "deadline": "Deadlines",
    "exception": "Exceptions",
    "definition": "Definitions",
}
OFFERED = 3  # sentences of a kind that a chapter offers
MAX_WORDS = 60  # of such a sentence
_VALUE = re.compile(r"\d|\b(?:hundred|thousand|(?:thir|six|nine)ty|fourteen|ten|seven)\b", re.I)


@dataclass(frozen=True)
class Provisions:
    """The sentences of a kind."""

    title: str
    points: list[Point]


def kinds_named(text: str) -> tuple[str, ...]:
    """Which of the kinds that are named apart a sentence is of."""
    if len(text.split()) > MAX_WORDS:
        return ()
    return tuple(kind for kind in kinds_of(text) if kind in NUMBERS)


def offered(points: Sequence[Point]) -> list[Point]:
    """The best sentences of each kind in a chapter."""
    found: list[Point] = []
    for kind, ranked in _by_kind(points).items():
        found += (one for one in ranked[:OFFERED] if kind and one not in found)
    return found


def provisions_of(
    points: Sequence[Point],
    used: Sequence[Point],
    sentences: float = inf,
    words: float = inf,
) -> list[Provisions]:
    """The provisions that are named apart, kind by kind, in the order of the document.

    Args:
        points: The sentences of all chapters.
        used: Those that are quoted already.
        sentences, words: The maximum length of all together.
    """
    chosen: list[Point] = []
    found: list[Provisions] = []
    for kind, ranked in _by_kind(points).items():
        own: list[Point] = []
        for one in ranked:
            fits = len(chosen) < sentences and _words(chosen) + one.words <= words
            is_new = one not in used and not one.repeats([*used, *chosen])
            if len(own) < NUMBERS[kind] and fits and is_new:
                own.append(one)
                chosen.append(one)
        if own:
            in_order = sorted(own, key=lambda one: one.place)
            found.append(Provisions(TITLES[kind], in_order))
    return found


def _by_kind(points: Iterable[Point]) -> Mapping[str, list[Point]]:
    """The sentences of each kind, the best first: of the ones with a time or an amount, those that
    stand alone.
    """
    kinds: dict[str, list[Point]] = {kind: [] for kind in NUMBERS}
    for one in points:
        for kind in kinds_named(one.text) if one.is_whole else ():
            kinds[kind].append(one)
    return {kind: sorted(own, key=lambda one: _rank(kind, one)) for kind, own in kinds.items()}


def _rank(kind: str, point: Point) -> tuple[bool, bool, float]:
    has_value = kind not in ("penalty", "deadline") or _VALUE.search(point.text) is not None
    return not has_value, point.needs_context, -point.score


def _words(points: Collection[Point]) -> int:
    return sum(one.words for one in points)
