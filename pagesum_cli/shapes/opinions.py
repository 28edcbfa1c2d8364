"""Opinions of courts, and which of their sentences say what was asked and decided (English)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from ..documents.model import Document, Sentence
from ..locality.flow import Pages
from ..text.tables import table
from . import arguments
from .points import MIN_SCORE, Place, Point

MIN_SIGNS = 4  # names of parties by their parts, and mentions of a court, in an opinion
HALF = 0.5  # of an opinion, in which it says who wants what
FRONT = 3000  # characters in which a judgment gives its number
NEAR = 10  # sentences before what is decided that may argue for it
FINDINGS = ("holding", "reason", "disposition")  # slots of what the court says itself
END = 0.1  # shares of an opinion at its beginning and its end that say what is decided


@dataclass(frozen=True)
class OpinionSlot:
    """What a sentence must say; see ``opinions.toml``."""

    ranks: Sequence[re.Pattern[str]]  # the first that holds is the best
    veto: re.Pattern[str]
    is_early: bool  # whether the first such sentence is the best; else the one that scores best
    is_late: bool = False  # whether the last one is the best
    share: float = HALF  # of the opinion from its beginning, in which an early one is looked for

    @classmethod
    def of(cls, row: dict[str, Any]) -> "OpinionSlot":
        """The slot of a row of the table."""
        ranks = tuple(map(_pattern, row["ranks"]))
        is_late, share = row.get("is_late", False), row.get("share", HALF)
        return cls(ranks, _pattern(row["veto"]), row["is_early"], is_late, share)

    def order(self, point: Point, position: float) -> tuple[float, ...] | None:
        """What sentences for this slot are sorted by, smaller for better ones; None if a sentence
        does not fit.

        Args:
            point: The sentence.
            position: Its place in the document, from 0 to 1.
        """
        ranks = (number for number, rank in enumerate(self.ranks) if rank.search(point.text))
        rank = next(ranks, None)
        if rank is None or self.veto.search(point.text):
            return None
        if self.is_early:
            return (rank, position) if position < self.share else None
        if self.is_late:
            return (position < 1 - END, rank, -position)
        return self._order(point, rank, position)

    def _order(self, point: Point, rank: int, position: float) -> tuple[float, ...] | None:
        """The same for a sentence that stands best at one of the ends of the document."""
        is_inside = END < position < 1 - END
        is_listed = point.score <= MIN_SCORE
        return None if is_listed else (rank, is_inside, point.needs_context)


def _pattern(alternatives: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


@cache
def _slots() -> dict[str, OpinionSlot]:
    return {
        name: OpinionSlot.of(row) for name, row in table(__file__, "opinions.toml")["slots"].items()
    }


@cache
def _sign(name: str) -> re.Pattern[str]:
    return re.compile(table(__file__, "opinions.toml")[name])


def is_opinion(document: Document) -> bool:
    """Whether a document decides a case between parties."""
    text = document.text
    if _is_judgment(document):
        return _has_signs("party", text)
    is_decided = _sign("decides").search(text) is not None
    return is_decided and _has_signs("party", text) and _has_signs("court", text)


def _has_signs(name: str, text: str) -> bool:
    """Whether a text names parties, or a court, often enough."""
    return len(_sign(name).findall(text)) >= MIN_SIGNS


def _is_judgment(document: Document) -> bool:
    """Whether a document has the number of a judgment and its heading at its beginning, or is
    certified as one.
    """
    above = [one.text for one in document.left_out if one.reason == "front matter"]
    front = "\n".join([*above, document.text[:FRONT]])
    has_heading = _sign("judgment").search(front) or _sign("certified").search(document.text)
    return bool(has_heading and _sign("neutral").search(front))


def is_aside(text: str, heading: str) -> bool:
    """Whether a sentence is not the court's: in the opinion of a judge who concurs or dissents, or
    about the printing of the opinion.
    """
    return any(_sign(name).search(one) for name, one in (("separate", heading), ("notice", text)))


def asides(pages: Pages) -> frozenset[Place]:
    """The places of the sentences that are not the court's: ``is_aside``, after the line above
    the opinion of a judge who concurs or dissents, or an argument of a party that does not say so.
    """
    sentences = {
        (number, place): one
        for number, page in enumerate(pages.pages)
        for place, one in enumerate(page.sentences)
    }
    found = {place for place, one in sentences.items() if is_aside(one.text, one.heading)}
    is_separate = False
    for place, one in sentences.items():
        if _sign("opens_own" if is_separate else "opens_separate").match(one.text):
            is_separate = not is_separate
        if is_separate:
            found.add(place)
    return frozenset(found) | arguments.unattributed(pages)


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences of the court that may fill each slot, the best first."""
    others = asides(pages)
    at = {one: pages.pages[one.place[0]].sentences[one.place[1]] for one in ranked}
    own = [one for one, sentence in at.items() if not (one.place in others or _is_quoted(sentence))]
    found = _fitting(own or ranked)
    claims = arguments.attributed(pages)
    for name in FINDINGS:
        found[name] = [one for one in found[name] if one.place not in claims]
    return found


def _is_quoted(sentence: Sentence) -> bool:
    """Whether a sentence is in a quotation, by its block or by a quotation mark without its
    other one.
    """
    return sentence.block == "quotation" or sentence.text.count("“") != sentence.text.count("”")


def _fitting(ranked: Sequence[Point]) -> dict[str, list[Point]]:
    places = {one: number for number, one in enumerate(sorted(one.place for one in ranked))}
    found: dict[str, list[Point]] = {}
    for name, slot in _slots().items():
        found[name] = _for_slot(slot, ranked, places)
    found["reason"] += _near(found.pop("near"), found, places)
    return found


def _for_slot(
    slot: OpinionSlot, ranked: Sequence[Point], places: Mapping[Place, int]
) -> list[Point]:
    """The sentences that may fill a slot, the best first."""
    orders = ((slot.order(one, places[one.place] / len(places)), one) for one in ranked)
    placed = [(order, one) for order, one in orders if order is not None]
    placed.sort(key=itemgetter(0))
    if slot.is_late and placed:  # nothing before the end, where that says it
        at_end = placed[0][0][0]
        placed = [(order, one) for order, one in placed if order[0] == at_end]
    return [one for _, one in placed]


def _near(
    points: Sequence[Point], found: Mapping[str, Sequence[Point]], places: Mapping[Place, int]
) -> list[Point]:
    """Which of some sentences are shortly before what is decided, and are no known reasons."""
    if not found["disposition"]:
        return []
    last = places[found["disposition"][0].place]
    near = [one for one in points if 0 < last - places[one.place] <= NEAR]
    return [one for one in near if one not in found["reason"]]
