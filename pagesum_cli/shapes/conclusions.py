"""Conclusions of a paper that are the items of a short list, which is quoted whole (English)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile, groupby

from ..documents.model import Sentence
from ..locality.flow import Pages
from .points import Place, Point

WHOLE = 150  # words of a list that is quoted whole
MIN_ITEMS = 2

_CONCLUDES = re.compile(r"\bconclusions?\b.{0,80}:$", re.IGNORECASE)

_Placed = tuple[Place, Sentence]


def concludes(sentence: Sentence) -> bool:
    """Whether a sentence says that conclusions follow: "The conclusions are:"."""
    return _CONCLUDES.search(sentence.text) is not None


def conclusions_in(pages: Pages) -> list[list[Place]]:
    """The places of all sentences after each such lead-in, up to the next heading, where these are
    few words.
    """
    placed = (
        ((page, number), one)
        for page, own in enumerate(pages.pages)
        for number, one in enumerate(own.sentences)
    )
    sections = (list(group) for _, group in groupby(placed, key=lambda one: one[1].section))
    return [listed for section in sections for listed in _listed(section)]


def _listed(section: Sequence[_Placed]) -> Iterator[list[Place]]:
    """The conclusions of a section, if they are its end, and short."""
    items = list(dropwhile(lambda item: not concludes(item[1]), section))[1:]
    if len(items) >= MIN_ITEMS and _is_whole([one for _, one in items]):
        yield [place for place, _ in items]


def _is_whole(items: Sequence[Sentence]) -> bool:
    """Whether sentences after a lead-in can be quoted together."""
    is_short = sum(len(one.text.split()) for one in items) <= WHOLE
    return is_short and items[0].lead_in is not None and all(one.is_quotable for one in items)


def beside(points: Sequence[Point], pages: Pages) -> Mapping[Place, Sequence[Point]]:
    """The other conclusions of the list of each one, all of which are quoted together."""
    by_place = {one.place: one for one in points}
    found: dict[Place, list[Point]] = {}
    for listed in conclusions_in(pages):
        known = [by_place[place] for place in listed if place in by_place]
        found |= {place: [one for one in known if one.place != place] for place in listed}
    return found
