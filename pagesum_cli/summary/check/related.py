"""Passages of other files that have nothing to do with a claim but common words."""

from collections.abc import Callable, Sequence

from .results import Place
from .tokens import Token

_KINDS = ("name", "number", "date")


def related(
    chosen: Sequence[int],
    places: Sequence[Place],
    claim: Sequence[Token],
    tokens_of: Callable[[str], Sequence[Token]],
) -> list[int]:
    """Those of some passages, the best first, that are of the file of the first one, or have a
    name, a number or a date of the claim.

    Args:
        chosen: The numbers of the passages.
        places: All passages, by their numbers.
        claim: The tokens of the claim.
        tokens_of: The tokens of a text.
    """
    facts = {one.norm for one in claim if one.fact in _KINDS or one.is_number}
    first = places[chosen[0]].document
    return [
        one
        for one in chosen
        if places[one].document == first
        or not facts.isdisjoint(it.norm for it in tokens_of(places[one].sentence.text))
    ]
