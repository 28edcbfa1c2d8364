"""Who does something to whom: "A paid B", "B paid A"."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from ...text.words import stem
from .differences import Difference
from .tokens import Token
from .wordings import is_weak

_NEAR = 4  # words behind a verb in which the name of an object stands
_Names = frozenset[str]


class _Act(NamedTuple):
    """A verb right behind names, and the names behind it."""

    verb: str
    subject: _Names
    object: _Names
    first: Token  # the last name of the subject
    last: Token  # the first name of the object

    def is_by_same(self, other: "_Act") -> bool:
        """Whether both have a subject in common."""
        return bool(self.subject & other.subject)

    def is_exchanged(self, other: "_Act") -> bool:
        """Whether each has its subject where the other one has its object."""
        return bool(self.subject & other.object and self.object & other.subject)


def other_roles(ours: Sequence[Token], passages: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """Names of a claim each of which a passage has in the role of the other one."""
    others = [act for tokens in passages for act in _acts(tokens)]
    for one in _acts(ours):
        alike = [act for act in others if act.verb == one.verb]
        if not any(map(one.is_by_same, alike)) and any(map(one.is_exchanged, alike)):
            span = one.first.start, one.last.end
            yield Difference("order", one.first.text, one.last.text, span)


def _acts(tokens: Sequence[Token]) -> Iterator[_Act]:
    """What names do to others."""
    for place, verb in enumerate(tokens):
        if not _is_verb(verb):
            continue
        before = list(takewhile(_is_name, reversed(tokens[:place])))
        behind = takewhile(_is_of_object, tokens[place + 1 : place + 1 + _NEAR])
        after = list(filter(_is_name, behind))
        if before and after:
            names = _norms(before), _norms(after)
            yield _Act(stem(verb.norm), *names, before[0], after[0])


def _is_verb(token: Token) -> bool:
    """Whether a word may be a verb with a meaning of its own."""
    return not token.fact and not is_weak(token)


def _is_name(token: Token) -> bool:
    return token.fact == "name"


def _is_of_object(token: Token) -> bool:
    """Whether a word may stand between a verb and the name of its object, or is of that name."""
    return _is_name(token) or _is_verb(token) or token.norm in ("the", "a", "an")


def _norms(tokens: Sequence[Token]) -> _Names:
    return frozenset(one.norm for one in tokens)
