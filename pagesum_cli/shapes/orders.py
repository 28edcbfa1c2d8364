"""Orders of courts: what is ordered, after the words that order it (English)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..documents.model import Document, Sentence
from ..documents.sentences import all_sentences
from ..locality.flow import Pages
from ..text.tables import patterns
from .opinions import asides, is_opinion
from .opinions import fitting as fitting_of_opinion
from .points import Place, Point
from .sisters import ClauseLists

FRONT = 1500  # characters of a document in which the court is named
MAX_ITEMS = 40  # sentences between the words that order and the end of what is ordered
NEAR = 8  # sentences after such words, in which there are others that go on with the same order
WHOLE, PART = 250, 180  # words of an order that is quoted whole, and of its part
SLOT = "disposition"

_FORMS = patterns(__file__, "orders.toml")
_WHOLE = re.compile(r"(?:[.;:,!?”\"’)]|\band|\bor)$")


def is_order(document: Document) -> bool:
    """Whether a document is the order of a court."""
    text = document.text
    if not _FORMS["orders"].search(text):
        return False
    front = f"{document.title} {text[:FRONT]}"
    is_of_court = bool(_FORMS["court"].search(front)) or is_opinion(document)
    return is_of_court and bool(ordered(all_sentences(document)))


def ordered(sentences: Sequence[Sentence]) -> list[int]:
    """The numbers of the sentences that say what is ordered last, in their order; a sentence that
    they complete is not among them.
    """
    places = [number for number, one in enumerate(sentences) if _orders(one)]
    if not places:
        return []
    start = _start(places)
    found = [*_until_end(sentences, start)] or [*_marked(sentences, start)]
    return _said([number for number in found if _is_whole(sentences[number])], sentences)


def _said(places: Sequence[int], sentences: Sequence[Sentence]) -> list[int]:
    """Some sentences without those that others of them complete; none if nothing but such words
    is left.
    """
    completed = {one.start for number in places for one in sentences[number].lead_ins}
    left = [number for number in places if sentences[number].start not in completed]
    is_said = any(not _FORMS["opens"].search(sentences[number].text) for number in left)
    return left if is_said else []


def _start(places: Sequence[int]) -> int:
    """The first of the last places that are near each other."""
    start = places[-1]
    for before in reversed(places):
        start = before if start - before <= NEAR else start
    return start


def _orders(sentence: Sentence) -> bool:
    """Whether a sentence has the words that order, outside of a quotation, or is below them."""
    is_quoted = sentence.block == "quotation" or "“" in sentence.text
    if is_quoted or _FORMS["ends"].match(sentence.text):
        return False
    if _FORMS["orders"].search(sentence.text):
        return True
    heading = sentence.heading
    return bool(_FORMS["orders"].search(heading) and _FORMS["opens"].search(heading))


def _until_end(sentences: Sequence[Sentence], start: int) -> Sequence[int]:
    """The sentences up to the words that come after an order; none if these do not come soon."""
    after = range(start + 1, min(start + MAX_ITEMS, len(sentences)))
    ends = (number for number in after if _FORMS["ends"].match(sentences[number].text))
    end = next(ends, start)
    return [number for number in range(start, end) if not sentences[number].is_heading]


def _marked(sentences: Sequence[Sentence], start: int) -> Iterator[int]:
    """The sentences of an order without words after it: those that order, and their items."""
    opened = {one.start for one in sentences[start:] if _orders(one)}
    for number, one in enumerate(sentences[start:], start):
        above = {one.start, *(lead_in.start for lead_in in one.lead_ins)}
        if above & opened:
            yield number


def _is_whole(sentence: Sentence) -> bool:
    """Whether a sentence has its beginning and its end."""
    text = sentence.text
    is_ended = _WHOLE.search(text) or _FORMS["opens"].search(text)
    return is_ended is not None and (bool(sentence.lead_in) or not text[0].islower())


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences of the court that may fill each slot, the best first; what is ordered is the
    disposition, and nothing else.
    """
    found = fitting_of_opinion(ranked, pages)
    places = _places(pages)
    own = sorted((one for one in ranked if one.place in places), key=lambda one: one.place)
    others = {name: [one for one in points if one not in own] for name, points in found.items()}
    return others | {SLOT: [*own[:1], *others[SLOT]]}


def lists_in(pages: Pages, points: Sequence[Point]) -> ClauseLists:
    """What is ordered, as a list."""
    places = _places(pages)  # once: every sentence of the document is examined for it
    lists = ClauseLists.on(pages, [one for one in points if one.place in places])
    clauses = sorted(lists.clauses.values(), key=lambda one: one.point.place)
    if not clauses:
        return lists
    order = clauses[0].offset
    items = [replace(one, within=order) for one in clauses]
    by_place = {one.point.place: one for one in items}
    return ClauseLists(by_place, {order: items}, whole=WHOLE, part=PART)


def _places(pages: Pages) -> set[Place]:
    """The places of what is ordered."""
    at = [
        (number, place)
        for number, page in enumerate(pages.pages)
        for place, _ in enumerate(page.sentences)
    ]
    found = ordered([pages.pages[page].sentences[place] for page, place in at])
    return {at[number] for number in found} - asides(pages)
