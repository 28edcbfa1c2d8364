"""Names of a claim instead of pronouns of a document: "The mill was sold", "It was sold"."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from .differences import Difference
from .tokens import LISTS, pieces_of
from .wordings import without_ending


def resolved(differences: Iterable[Difference], before: Collection[str]) -> Iterator[Difference]:
    """Differences, where a name is only other words for a pronoun if the sentences before have it.

    Args:
        differences: How a claim differs from a sentence.
        before: The words of the sentences before that.
    """
    known = {without_ending(one) for one in before}
    for one in differences:
        names = [without_ending(piece.norm) for piece in pieces_of(one.claim) if piece.is_word]
        words = {piece.norm for piece in pieces_of(one.document)}
        is_pronoun = bool(words) and words <= LISTS["pronouns"]
        is_named = one.kind == "name" and is_pronoun and known.issuperset(names)
        yield replace(one, kind="wording") if is_named else one
