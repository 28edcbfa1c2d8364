"""Words of a text and their n-grams."""

import re
from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")

STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be been between both but by can could did do does during each
    for from had has have he her his how i if in into is it its many may more most no not of on one only or
    other our over she should so some such than that the their them then there these they this those through to
    under up was we were what when where which while who will with within would you your
    """.split()  # noqa: SIM905
)


def words_of(text: str) -> list[str]:
    """The words of a text in any script, in lower case."""
    return _WORD.findall(text.lower())


def places_of_words(text: str) -> list[tuple[int, int]]:
    """Start and end of each word."""
    return [match.span() for match in _WORD.finditer(text)]


def plain_words(text: str) -> list[str]:
    """Lower-case runs of a–z and 0–9: the tokens of ROUGE before stemming."""
    return _PLAIN_WORD.findall(text.lower())


def ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Every run of ``n`` words, in order."""
    return list(zip(*(words[start:] for start in range(n)), strict=False))
