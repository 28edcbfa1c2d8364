"""What the words of a vote say about its matter: whether a proposal before it is needed."""

import re
from functools import cache

from ..text.tables import table
from ..text.words import STOP_WORDS, is_usually_capital, ranks
from .forms import compiled

_WORD = re.compile(r"[^\W\d_][\w’'-]*")


@cache
def _votes() -> frozenset[str]:
    """The words of votes that say nothing about the matter."""
    words: str = table(__file__, "motions.toml")["vote"]
    return STOP_WORDS | frozenset(words.split())


@cache
def _form(name: str) -> re.Pattern[str]:
    return compiled(table(__file__, "motions.toml")[name])


def lacks_matter(text: str) -> bool:
    """Whether a vote does not say what is voted on: "Four were in favour and one abstained"."""
    return is_tally(text) or not any(map(_says_matter, _WORD.findall(text)))


def matter_of(text: str) -> str:
    """The words of a motion that say what is voted on, without names."""
    return " ".join(filter(_says_matter, _WORD.findall(text)))


def _says_matter(word: str) -> bool:
    """Whether a word is neither a name nor one that every vote has."""
    plain = word.lower()
    is_name = word[0].isupper() and (plain not in ranks() or is_usually_capital(word))
    return not (is_name or len(word) == 1 or plain in _votes())


def is_tally(text: str) -> bool:
    """Whether a sentence only says how some voted, or who did not: "Absent: none"."""
    return any(fits(name, text) for name in ("dissents", "roll", "votes", "verdict")) or bool(
        _form("tally").match(text)
    )


def proposes(text: str) -> bool:
    """Whether a sentence proposes something on which one can vote."""
    return bool(_form("proposes").search(text)) and not lacks_matter(text)


def has_result(text: str) -> bool:
    """Whether a sentence has the result of a vote."""
    return _form("result").search(text) is not None


def seconds(text: str) -> bool:
    """Whether a sentence says who seconds a motion, and perhaps more."""
    return fits("seconds", text) or fits("seconding", text)


def fits(name: str, text: str) -> bool:
    """Whether a text has one of the forms of ``motions.toml``."""
    return _form(name).search(text) is not None


def refers_back(text: str) -> bool:
    """Whether a sentence is about somebody or something that the one before names: "He will …"."""
    return _form("refers").match(text) is not None
