"""Press releases, and which of their sentences say what, when, for how much, who speaks, and whom
to ask (English).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any

from ..documents.model import Document
from ..locality.flow import Pages
from ..text.tables import patterns, table
from .persons import Persons, aged, aged_names, continues, families_of, identifies, surnames
from .points import Place, Point

WORDS = 2000  # maximum words of a press release
TEXT, FIRST = 15, 2  # words of a line that is text, and the number of such lines that are read
LINES = 10  # first paragraphs in which it says what it is
HEAD = 40  # the same, of a web page with links above it, in a paragraph of its own
CONTACT = 16  # words of a line that says whom to ask
NAMES = 2  # lines above it with a name and an office
SHORT, LONG = 8, 70  # words of a sentence that says the news
LONGEST = 100  # words of a sentence that names the person of the news
FREE = {"quotation", "contact", "cleared", "event"}
"""Slots in which others than those of the news may be."""
NEAR, NEXT = 80, 30  # characters with what happened, after a name with an age, and without one

_FORMS = patterns(__file__, "releases.toml")


@dataclass(frozen=True)
class ReleaseSlot:
    """What a sentence must say; see ``releases.toml``."""

    ranks: Sequence[re.Pattern[str]]  # the first that holds is the best
    is_early: bool  # whether the first such sentence is the best; else the last one
    is_quoted: bool = False  # whether it is a quotation

    @classmethod
    def of(cls, row: dict[str, Any]) -> "ReleaseSlot":
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
        is_past = _FORMS["past"].search(point.text) and not has_dateline(point.text)
        if rank is None or is_past:
            return None
        if self.is_quoted:
            if not is_attributed(point.text):
                return None
            is_praise = _FORMS["praise"].search(point.text) is not None
            rank = 2 * is_praise + point.needs_context
        return rank, position if self.is_early else -position


@cache
def _slots() -> dict[str, ReleaseSlot]:
    return {
        name: ReleaseSlot.of(row) for name, row in table(__file__, "releases.toml")["slots"].items()
    }


@cache
def _deeds() -> list[tuple[str, re.Pattern[str]]]:
    rows = table(__file__, "releases.toml")["deeds"]
    return [(name, re.compile(row)) for name, row in rows.items()]


def is_release(document: Document) -> bool:
    """Whether a document is short and calls itself a press release in its title or first lines,
    ends as one, or begins with what somebody announced today.
    """
    if len(document.text.split()) > WORDS:
        return False
    lines = [one.text for section in document.sections for one in section.paragraphs]
    headings = [one.heading for one in document.sections[:2]]
    is_titled = _calls_itself_so([document.title, *headings], lines)
    return is_titled or _ends(lines) or _announces(lines)


def _announces(lines: Sequence[str]) -> bool:
    """Whether one of the first lines that are text says what was announced on the same day."""
    text = [line for line in lines if len(line.split()) >= TEXT][:FIRST]
    return any(_FORMS["announces"].search(line) for line in text)


def _calls_itself_so(titles: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether titles or the first lines have the sign of a press release."""
    is_whole = any(map(_FORMS["whole_sign"].fullmatch, lines[:HEAD]))
    return is_whole or any(map(_FORMS["sign"].search, [*titles, *lines[:LINES]]))


def _ends(lines: Sequence[str]) -> bool:
    """Whether lines end as a press release, and say whom to ask."""
    has_number = any(map(_FORMS["number"].search, lines))
    return has_number and any(map(_FORMS["end"].fullmatch, lines[2:]))


def unnamed(pages: Pages) -> set[Place]:
    """The sentences about somebody whom they do not name, where several persons are named with
    their ages: "The defendant is held without bail."
    """
    sentences = {
        (number, place): one.text
        for number, page in enumerate(pages.pages)
        for place, one in enumerate(page.sentences)
    }
    persons = {name for text in sentences.values() for name in _FORMS["aged"].findall(text)}
    if len(persons) < 2:
        return set()
    return {place for place, text in sentences.items() if _FORMS["unnamed"].match(text)}


def body_of(pages: Pages) -> set[Place]:
    """The places of the whole sentences before the line with which a press release ends."""
    places: set[Place] = set()
    for number, page in enumerate(pages.pages):
        for place, sentence in enumerate(page.sentences):
            if places and _FORMS["end"].fullmatch(sentence.text):
                return places
            if _FORMS["closed"].search(sentence.text):
                places.add((number, place))
    return places


def is_quotation(text: str) -> bool:
    """Whether a sentence has what a person says: more than a name in quotation marks."""
    is_said = names_speaker(text) or _FORMS["alone"].search(text) is not None
    return is_said and _FORMS["quoted"].search(text) is not None


def is_attributed(text: str) -> bool:
    """Whether a sentence says beside a quotation whose it is."""
    return _FORMS["attributed"].search(text) is not None


def names_speaker(text: str) -> bool:
    """Whether a sentence says who speaks."""
    return _FORMS["speaker"].search(text) is not None


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot, the best first; what says it less well than the
    others is left out, and so is what happened to persons who are not in the news.
    """
    body = body_of(pages)
    told = _told(ranked, body)
    found = {"news": _news_of(ranked, body)}
    found["person"] = _person_of(found["news"][:1], ranked, body)
    news = [*found["news"][:1], *found["person"]]
    persons = _persons(ranked, pages, news)
    own = [one for one in told if persons.are_own(one) and not one.repeats(news[:1])]
    for name in _slots().keys() - found.keys():
        found[name] = _best_of(name, told if name in FREE else own, told)
    if found["event"]:  # its time is that of the news, not the arrest's
        found["time"] = [one for one in found["time"] if not _FORMS["arrest"].search(one.text)]
    found["contact"] = found["contact"][:1] or _contact_in(_lines_of(pages))
    return found


def own_of(ranked: Sequence[Point], pages: Pages) -> list[Point]:
    """The sentences without those on persons who are not in the news."""
    body = body_of(pages)
    news = _news_of(ranked, body)[:1]
    persons = _persons(ranked, pages, [*news, *_person_of(news, ranked, body)])
    return list(filter(persons.are_own, ranked))


def _news_of(ranked: Sequence[Point], body: set[Place]) -> list[Point]:
    """The sentences that may say the news, the best first."""
    told = [one for one in _in_order(ranked, body) if _tells(one, LONGEST)]
    return _best_of("news", [one for one in told if not _FORMS["goes_on"].match(one.text)], told)


def _in_order(ranked: Sequence[Point], body: set[Place]) -> list[Point]:
    return sorted((one for one in ranked if one.place in body), key=lambda one: one.place)


def _persons(ranked: Sequence[Point], pages: Pages, news: Sequence[Point]) -> Persons:
    """The persons of a release with this news."""
    in_order = _in_order(ranked, body_of(pages))
    deeds = [deed for name, deed in _deeds() if name != "office"]
    return Persons(in_order, [one.text for one in _lines_of(pages)], news, deeds)


def _best_of(name: str, points: Sequence[Point], told: Sequence[Point]) -> list[Point]:
    """The best of some sentences of the text for a slot."""
    positions: dict[Place, int] = {one.place: number for number, one in enumerate(told)}
    slot = _slots()[name]
    orders = ((slot.order(one, positions[one.place]), one) for one in points)
    placed = [(order, one) for order, one in orders if order is not None]
    placed.sort(key=itemgetter(0))
    return [one for (rank, _), one in placed if rank == placed[0][0][0]]


def _person_of(news: Sequence[Point], ranked: Sequence[Point], body: set[Place]) -> list[Point]:
    """The sentence after the news that names the person accused; else the first that names a
    person with what happened in the news, after the one with the full name. None if the news says
    so itself, or no sentence before those on other persons of the case does.
    """
    name, deed = _deed_of(news[0].text) if news else ("", None)
    if deed is None or _befell(deed, _without_dateline(news[0].text), set()):
        return []
    after = list(_up_to_others(news[0], ranked, has_others=name == "charge"))
    points = [one for one in after if one.place in body and one.words <= LONGEST]
    named = next((one for one in after if identifies(one.text)), None)
    found = [named] if named else _befallen(deed, points, news[0].text)
    return found + _continued(deed, points, found)


def _befallen(deed: re.Pattern[str], points: Sequence[Point], news: str) -> list[Point]:
    """The first sentence on a person with what happened, after the one with the full name; of
    several persons only if the news is about several.
    """
    first: dict[str, Point] = {}
    for point in points:
        ages = aged_names(point.text)
        is_fit = len(ages) < 2 or _FORMS["several"].search(news)
        if is_fit and _befell(deed, point.text, set(first)):
            return [*(first[one] for one in surnames(point.text, first)), point]
        for family in ages:
            first.setdefault(family, point)
    return []


def _continued(
    deed: re.Pattern[str], points: Sequence[Point], found: Sequence[Point]
) -> list[Point]:
    """The sentence right after one that names a person, on what else happened to the person."""
    families = families_of(one.text for one in found)
    after = [one for one in points if len(found) == 1 and one.place > found[0].place][:1]
    return [one for one in after if continues(one.text, families) and deed.search(one.text)]


def _deed_of(news: str) -> tuple[str, re.Pattern[str] | None]:
    """What happened to a person in the news, and its forms."""
    return next(((name, deed) for name, deed in _deeds() if deed.search(news)), ("", None))


def _up_to_others(news: Point, ranked: Sequence[Point], *, has_others: bool) -> Iterator[Point]:
    """The sentences after the news that nobody says, up to those on other persons of the case
    unless the news is about them, too.
    """
    for point in sorted(ranked, key=lambda one: one.place):
        if point.place <= news.place or is_quotation(point.text):
            continue
        if not has_others and _FORMS["others"].search(point.text):
            return
        yield point


def _befell(deed: re.Pattern[str], text: str, families: set[str]) -> bool:
    """Whether a sentence says that this happened to a person with a full name, or with the family
    name of a person named before.
    """
    named = list(aged(text))
    after = [text[one.end() :][:NEAR] for one in named]
    before = [text[: one.start()].rsplit(None, 1)[-1:] for one in named]
    subject = _FORMS["subject"].search(text)
    if subject and (" " in subject[0].strip() or subject["family"] in families):
        after.append(text[subject.end() :][:NEXT])
    return any(map(deed.search, [*after, *chain.from_iterable(before)]))


def _without_dateline(text: str) -> str:
    """The news without the place and date in front of it."""
    return _slots()["news"].ranks[0].sub("", text)


def _told(ranked: Sequence[Point], body: set[Place]) -> list[Point]:
    """The sentences of the text in their order."""
    return list(filter(_tells, _in_order(ranked, body)))


def _lines_of(pages: Pages) -> list[Point]:
    """All sentences and short lines of a press release."""
    return [
        Point((number, place), 0, sentence.text, 0.0)
        for number, page in enumerate(pages.pages)
        for place, sentence in enumerate(page.sentences)
        if not sentence.is_heading
    ]


def _contact_in(lines: Sequence[Point]) -> list[Point]:
    """The first line with a telephone number or an address, and the names right above it."""
    last = next((number for number, one in enumerate(lines) if _is_contact(one)), 0)
    first = last
    while first > max(last - NAMES, 0) and _FORMS["name"].fullmatch(lines[first - 1].text):
        first -= 1
    return list(lines[first : last + 1]) if last else []


def _is_contact(line: Point) -> bool:
    """Whether a line is short, no sentence, and has a telephone number or an address."""
    is_line = line.words <= CONTACT and not _FORMS["closed"].search(line.text)
    return is_line and _FORMS["number"].search(line.text) is not None


def _tells(point: Point, longest: int = LONG) -> bool:
    """Whether a line is a sentence of the text, not of its head or its foot."""
    is_other = any(_FORMS[name].search(point.text) for name in ("other", "notice", "sign"))
    return SHORT <= point.words <= longest and (not is_other or has_dateline(point.text))


def has_dateline(text: str) -> bool:
    """Whether a sentence begins with the place from which the news comes."""
    return _slots()["news"].ranks[0].search(text) is not None
