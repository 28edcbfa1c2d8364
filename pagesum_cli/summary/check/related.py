"""Which passages to show for a claim: none of another file that has nothing to do with it but
common words, and one that has its numbers.
"""

from collections.abc import Callable, Sequence

from .moves import content_of
from .results import Place
from .tokens import Token

_KINDS = ("name", "number", "date")
_MIN_SHARE = 0.4  # of the words of a claim that a passage with its numbers has
_Tokens = Callable[[str], Sequence[Token]]


def related(
    chosen: Sequence[int],
    places: Sequence[Place],
    claim: Sequence[Token],
    tokens_of: _Tokens,
) -> list[int]:
    """Those of some passages, the best first, that are of the file of the first one, or have a
    name, a number or a date of the claim; with one that has its numbers.

    Args:
        chosen: The numbers of the passages.
        places: All passages, by their numbers.
        claim: The tokens of the claim.
        tokens_of: The tokens of a text.
    """
    facts = {one.norm for one in claim if one.fact in _KINDS or one.is_number}
    first = places[chosen[0]].document
    kept = [
        one
        for one in chosen
        if places[one].document == first
        or not facts.isdisjoint(it.norm for it in tokens_of(places[one].sentence.text))
    ]
    return _with_numbers(kept, places, claim, tokens_of)


def _with_numbers(
    chosen: Sequence[int], places: Sequence[Place], claim: Sequence[Token], tokens_of: _Tokens
) -> list[int]:
    """Some passages; if they lack numbers of the claim, the first one and the next best passage
    that has these and enough of its words, if there is one. For the arguments see :func:`related`.
    """
    norms = [{one.norm for one in tokens_of(place.sentence.text)} for place in places]
    has = set[str]().union(*map(norms.__getitem__, chosen))
    lacking = {one.norm for one in claim if one.fact == "number"} - has
    if not lacking:
        return list(chosen)
    words = {*content_of([claim])}
    least = _MIN_SHARE * len(words)
    numbers = range(len(places))
    found = [one for one in numbers if lacking <= norms[one] and len(words & norms[one]) >= least]
    return [*chosen[:1], *found[:1]] if found else list(chosen)
