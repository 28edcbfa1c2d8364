"""What parties argue in an opinion of a court, which is no finding of it (English)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..documents.model import Sentence
from ..locality.flow import Pages
from ..text.tables import patterns
from .points import Place

_FORMS = patterns(__file__, "arguments.toml")


def is_argument(text: str) -> bool:
    """Whether a sentence says that a party argues something, and no answer of the court."""
    return _FORMS["argues"].search(text) is not None and not _FORMS["answers"].search(text)


def attributed(pages: Pages) -> frozenset[Place]:
    """The places of the sentences that say that a party argues what is in them, or that complete
    such a sentence.
    """
    return frozenset(place for place, one in _placed(pages) if _is_attributed(one))


def unattributed(pages: Pages) -> frozenset[Place]:
    """The places of the sentences that go on with what a party argues, and do not say so."""
    placed = list(_placed(pages))
    found: set[Place] = set()
    argues = False
    for (_, before), (place, one) in pairwise(placed):
        argues = _goes_on(before, one) and (argues or _is_attributed(before))
        argues = argues and not _is_of_court(one)
        is_own = _is_attributed(one)
        if not is_own and (argues or _is_in_part(one)):
            found.add(place)
    return frozenset(found)


def _placed(pages: Pages) -> Iterator[tuple[Place, Sentence]]:
    """The sentences with their places."""
    for number, page in enumerate(pages.pages):
        for place, one in enumerate(page.sentences):
            yield (number, place), one


def _is_attributed(sentence: Sentence) -> bool:
    texts: Sequence[str] = [sentence.text, *(one.text for one in sentence.lead_ins)]
    return any(map(is_argument, texts))


def _goes_on(before: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence follows another one in its paragraph, also where a page cuts it."""
    if before.is_heading or sentence.is_heading:
        return False
    return 0 <= sentence.front_start - before.end <= 1 or sentence.text[:1].islower()


def _is_in_part(sentence: Sentence) -> bool:
    """Whether a sentence is in a part in which parties argue, and not the court's own."""
    return bool(_FORMS["part"].search(sentence.heading)) and not _is_of_court(sentence)


def _is_of_court(sentence: Sentence) -> bool:
    return _FORMS["court"].search(sentence.text) is not None
