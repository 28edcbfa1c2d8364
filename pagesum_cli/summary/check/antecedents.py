"""Names of a claim that a document has otherwise: instead of pronouns, "The mill was sold", "It was
sold", and in full where it has the last name, "Ada Lee", "Lee".
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from .differences import Difference
from .known import Known
from .tokens import LISTS, pieces_of
from .wordings import without_ending

_NEAR = 40  # characters behind a first name in which the last name stands


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


def with_full_names(
    differences: Iterable[Difference], claim: str, known: Known
) -> Iterator[Difference]:
    """Differences, where the first name in front of a last one is no other name if the documents
    have both together, and nobody else of this last name.

    A claim with only the last name may be of somebody else, and is other words.
    """
    for one in differences:
        behind = [piece.norm for piece in pieces_of(claim[one.span[1] :][:_NEAR])][:1]
        is_name = one.kind == "name" and bool(behind)
        yield replace(one, kind=_kind_before(one, behind[0], known)) if is_name else one


def _kind_before(one: Difference, last: str, known: Known) -> str:
    """The kind of a difference of names in front of a word."""
    ours, theirs = _words(one.claim), _words(one.document)
    if theirs <= LISTS["titles"] and _are_in_front(ours, last, known):
        return "insertion"
    if ours:
        return one.kind
    if _are_in_front(theirs, last, known):
        return "wording"
    suffix, _, rest = one.document.partition(",")
    is_suffix = suffix.strip(" .").lower() in LISTS["suffixes"]
    return "omission" if is_suffix and (not rest or rest.endswith(",")) else one.kind


def _words(text: str) -> set[str]:
    return {piece.norm for piece in pieces_of(text) if piece.is_word}


def _are_in_front(words: Collection[str], last: str, known: Known) -> bool:
    """Whether some words are one first name of a last one, and no title."""
    is_name = len(words) == 1 and LISTS["titles"].isdisjoint(words)
    return is_name and all(known.is_full_name(word, last) for word in words)
