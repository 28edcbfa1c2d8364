"""Motions and letters to courts, and which of their sentences say what is requested and why
(English).
"""

from collections.abc import Sequence
from itertools import chain

from ..documents.model import Document
from ..locality.flow import Pages
from ..text.tables import patterns
from .points import Point

MAX_WORDS = 8000  # of a motion or a letter; briefs and complaints are longer
MIN_SIGNS = 2  # times that a motion names a court, and a party
LONG = 90  # words of a sentence in a slot

_FORMS = patterns(__file__, "filings.toml")


def is_filing(document: Document) -> bool:
    """Whether a document is a motion or a letter to a court: it calls itself a motion, or speaks to
    the court, and asks the court for something.
    """
    if len(document.text.split()) > MAX_WORDS:
        return False
    headings = chain([document.title], (one.heading for one in document.sections))
    front = (one.text for one in document.left_out if one.reason == "front matter")
    lines = document.text[:3000].split("\n")
    first = [*headings, *front, *lines]
    is_named = any(map(_FORMS["name"].search, first))
    has_request = _FORMS["request"].search(document.text) is not None
    return is_named and has_request and _is_of_court(document.text)


def _is_of_court(text: str) -> bool:
    """Whether a text names courts and parties."""
    signs = [_FORMS[name].findall(text) for name in ("court", "party")]
    return min(map(len, signs)) >= MIN_SIGNS


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot, the first ones first."""
    short = [one for one in ranked if one.words <= LONG]
    told = sorted(short, key=lambda one: one.place)
    alternatives = [one for one in told if _FORMS["alternative"].match(one.text)]
    own = [one for one in told if one not in alternatives]
    found = {name: _saying(name, own) for name in ("request", "reason", "position", "deadline")}
    found["request"] = _main_of(found["request"])
    return found | {"alternative": _after(found["request"], _saying("request", alternatives))}


def _after(requests: Sequence[Point], alternatives: Sequence[Point]) -> list[Point]:
    """The alternatives to a request before them."""
    return [one for one in alternatives if requests and one.place > requests[0].place]


def _main_of(requests: Sequence[Point]) -> list[Point]:
    """The main request: the first that is not an additional one, else the last, a repetition."""
    main = [one for one in requests if not _FORMS["later"].match(one.text)]
    return main[:1] if main else list(requests[-1:])


def _saying(name: str, points: Sequence[Point]) -> list[Point]:
    """The sentences that say this themselves; not those of other courts and cases."""
    return [
        one
        for one in points
        if _FORMS[name].search(one.text) and not _FORMS["other"].search(one.text)
    ]
