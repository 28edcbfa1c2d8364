"""Words that a claim and a text have at different places, where both state the same."""

from collections.abc import Iterable, Sequence

from .tokens import LISTS, Token
from .wordings import is_weak


def norms_of(tokens: Iterable[Token]) -> list[str]:
    """The norms of tokens."""
    return [one.norm for one in tokens]


def content_of(parts: Iterable[Sequence[Token]]) -> list[str]:
    """The norms of the words that carry meaning, of several parts."""
    return [one.norm for part in parts for one in part if not is_weak(one)]


def is_genitive(before: Sequence[Token], behind: Sequence[Token]) -> bool:
    """Whether a noun is at two places, once with a link to the noun that is between them: "the
    Harlow log", "the log of Harlow", "the log associated with Harlow".
    """
    words, other = content_of([before]), content_of([behind])
    if norms_of(behind[:1]) == ["of"] or {*norms_of(behind[:1])} <= LISTS["linked"]:
        return bool(words) and {*words} <= {*other}
    last = [one for one in norms_of(before) if one == "of" or one in LISTS["linked"]][-1:]
    return bool(last) and {*other} == {*words} - {*last} and last[0] in norms_of(before[-2:])


def is_adverbial(parts: Sequence[tuple[Sequence[Token], Sequence[Token]]]) -> bool:
    """Whether parts are one adverbial at two places: "in May" at the beginning or at the end."""
    if len(parts) != 2 or any(ours and theirs for ours, theirs in parts):
        return False
    words = [[one.norm for one in ours or theirs if one.is_word] for ours, theirs in parts]
    return {next(iter(one), "") for one in words} <= LISTS["adverbial"]
