"""Words of a claim behind other prepositions than in a passage, and names behind prepositions that
passages have for other names: "from A to B", "from B to A"; "led by A", "led by B".
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .differences import Difference
from .tokens import LISTS, Token
from .wordings import is_weak, without_ending

_TO = {"toward": "to", "towards": "to"}


class _Role(NamedTuple):
    """A word with the preposition and the word in front of it: (led) by Smith."""

    role: str
    norm: str
    head: str
    word: Token


def _roles(tokens: Sequence[Token]) -> list[_Role]:
    """The words behind prepositions."""
    found = []
    for place, token in enumerate(tokens):
        role = _TO.get(token.text.lower(), token.text.lower())
        if place and role in LISTS["roles"]:
            after = (one for one in tokens[place + 1 : place + 4] if not is_weak(one))
            if word := next(after, None):
                found.append(_Role(role, word.norm, tokens[place - 1].norm, word))
    return found


def exchanges(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """Words that have changed places behind prepositions: from A to B, from B to A; and names that
    stand where passages have others: led by A, led by B.
    """
    said, has = _roles(ours), [_roles(tokens) for tokens in theirs]
    yield from _crossed(said, has)
    names = [one for roles in has for one in roles if one.word.fact == "name"]
    for one, rival in _renamed([one for one in said if one.word.fact == "name"], names):
        if not _is_closer(ours, theirs, one.norm, rival.norm):
            yield Difference("name", one.word.text, rival.word.text, (one.word.start, one.word.end))


def _is_closer(
    ours: Sequence[Token], passages: Sequence[Sequence[Token]], name: str, rival: str
) -> bool:
    """Whether the passages with a name have more words of a claim than those with another one."""
    words = {one.norm for one in ours}
    has = [{it.norm for it in one} for one in passages]
    shares = [(len(words & norms), norms) for norms in has]
    most, other = (
        max((share for share, norms in shares if one in norms), default=0) for one in (name, rival)
    )
    return most > other


def _crossed(
    said: Sequence["_Role"], passages: Sequence[Sequence["_Role"]]
) -> Iterator[Difference]:
    """Neighbors each of which a passage has behind the preposition of the other."""
    has = [{(one.role, one.norm) for one in roles} for roles in passages]
    for first, second in pairwise(said):
        crossed = {(first.role, second.norm), (second.role, first.norm)}
        if first.role != second.role and any(crossed <= there for there in has):
            span = first.word.start, second.word.end
            yield Difference("order", first.word.text, second.word.text, span)


def _renamed(
    said: Sequence["_Role"], names: Sequence["_Role"]
) -> Iterator[tuple["_Role", "_Role"]]:
    """Names that stand behind words behind which passages have only other names, with one of
    these.
    """
    for one in said:
        rivals = [other for other in names if (other.role, other.head) == (one.role, one.head)]
        has = {(other.role, without_ending(other.norm)) for other in names}
        is_rival = bool(rivals) and rivals[0].norm.isalpha()
        if is_rival and (one.role, without_ending(one.norm)) not in has:
            yield one, rivals[0]
