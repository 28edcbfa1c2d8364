"""The recommendations of a report that are the items of one list (English)."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import takewhile

from ..documents.model import Sentence
from ..text.tables import table

MIN_ITEMS, MAX_ITEMS = 2, 20  # items of such a list
_NUMBER = re.compile(r"\(?(\d{1,2})[.)]{0,2}")


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(table(__file__, "recommended.toml")[name])


@cache
def _numbers() -> Sequence[str]:
    return table(__file__, "recommended.toml")["numbers"]


def recommended(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The first sentence of each item of the list that recommends; empty for a report with several
    such lists, or with one whose items are not all there.
    """
    found: dict[str, list[Sentence]] = {}
    for number, one in enumerate(sentences):
        if _introduces(one):
            items = _items(sentences[number + 1 :], one)
            if not _is_whole(one, items):
                return []
            found.setdefault(items[0].text, items)
    return next(iter(found.values())) if len(found) == 1 else []


def _introduces(sentence: Sentence) -> bool:
    """Whether a sentence says that a list of recommendations follows."""
    is_earlier = _form("earlier").search(f"{sentence.heading} {sentence.text}") is not None
    is_lead_in = sentence.role == "lead-in" and not sentence.parents and not sentence.label
    return is_lead_in and not is_earlier and _form("recommends").search(sentence.text) is not None


def _items(sentences: Iterable[Sentence], lead_in: Sentence) -> list[Sentence]:
    """The first sentence of each item after a lead-in, under its heading."""
    items: list[Sentence] = []
    for one in takewhile(lambda one: _is_under(one, lead_in), sentences):
        if _begins_item(one, lead_in, items):
            items.append(one)
    return items


def _is_under(sentence: Sentence, lead_in: Sentence) -> bool:
    return not sentence.is_heading and sentence.heading == lead_in.heading


def _begins_item(sentence: Sentence, lead_in: Sentence, items: Sequence[Sentence]) -> bool:
    """Whether a sentence begins the next item: with the next number, or without one."""
    number = _NUMBER.fullmatch(sentence.label)
    if number is None:
        return sentence.lead_in == lead_in
    is_numbered = not items or _NUMBER.fullmatch(items[0].label) is not None
    return is_numbered and int(number[1]) == len(items) + 1 and not sentence.parents


def _is_whole(lead_in: Sentence, items: Sequence[Sentence]) -> bool:
    """Whether the items are all that a lead-in announces, and each of them is a sentence."""
    said = _form("counted").search(lead_in.text)
    count = _numbers().index(said[1].lower()) + 2 if said else len(items)
    is_fitting = MIN_ITEMS <= len(items) <= MAX_ITEMS and count == len(items)
    return is_fitting and all(_is_item(one) for one in items)


def _is_item(sentence: Sentence) -> bool:
    return bool(sentence.label) and sentence.is_quotable and not sentence.text.endswith(":")
