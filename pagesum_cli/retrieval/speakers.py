"""A question that names a speaker: what that speaker says answers it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..text.tables import table
from ..text.words import STOP_WORDS

SHORTEST = 2  # letters of a part of a name
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_DATA = table(__file__, "speakers.toml")
_ASKING = frozenset(_DATA["asking"].split())
_TITLES = frozenset(_DATA["titles"].split())


@dataclass(frozen=True)
class AskedSpeaker:
    """The speakers whom a question names, and what else it asks; empty if only for these."""

    names: frozenset[str]
    question: str


def asked_speaker(question: str, speakers: Iterable[str]) -> AskedSpeaker | None:
    """Whom of some speakers a question names: by the words of it that are parts of names, with a
    capital or beside words of asking only; several where no name has all of these.

    Returns:
        None if it names nobody.
    """
    parts = {name: _parts_of(name) for name in set(speakers) - {""}}
    words = _WORD.findall(question)
    naming = _naming(words, frozenset[str]().union(*parts.values()))
    named = frozenset(map(_bare, naming))
    others = [word for word in words if _says_what(word) and _bare(word) not in named]
    is_name = not any(map(str.islower, naming))
    if not named or (others and not is_name):
        return None
    return AskedSpeaker(_named(named, parts), " ".join(others))


def _naming(words: Sequence[str], known: frozenset[str]) -> list[str]:
    """The words of a question that are parts of known names."""
    return [word for word in words if _bare(word) in known and _may_name(word, words)]


def _named(words: frozenset[str], parts: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The speakers whose names have all of some words; if there are none, any of them."""
    whole = frozenset(name for name, own in parts.items() if words <= own)
    return whole or frozenset(name for name, own in parts.items() if words & own)


def of_speaker(
    shares: Sequence[float], speakers: Sequence[str], asked: AskedSpeaker
) -> list[float]:
    """How well sentences answer what was asked of a speaker, 0 for those of others; all of the
    speaker's if none answers, or nothing else is asked.
    """
    is_own = [name in asked.names for name in speakers]
    own = [share * is_mine for share, is_mine in zip(shares, is_own, strict=True)]
    return own if asked.question and any(own) else list(map(float, is_own))


def _parts_of(name: str) -> frozenset[str]:
    """The words of a name without forms of address, unless it has no others."""
    words = frozenset(map(_bare, _WORD.findall(name)))
    long = frozenset(word for word in words if len(word) >= SHORTEST)
    return long - _TITLES or words


def _bare(word: str) -> str:
    """A word in small letters without the genitive."""
    return re.sub(r"['’]s$", "", word.lower())


def _may_name(word: str, words: Sequence[str]) -> bool:
    """Whether a word of a question may be a name: a function word ("May", "Will") only with a
    capital that does not begin the question.
    """
    is_capital = word[0].isupper() and (word is not words[0] or len(words) == 1)
    return is_capital or _bare(word) not in STOP_WORDS


def _says_what(word: str) -> bool:
    """Whether a word is about a subject, and not about who says it."""
    bare = _bare(word)
    return bare not in STOP_WORDS and bare not in _ASKING and bare not in _TITLES
