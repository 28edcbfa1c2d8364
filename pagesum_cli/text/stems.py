"""Porter stems, as ROUGE compares words."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from .ngrams import plain_words


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The Porter stem of a word; words of up to three characters stay as they are."""
    return _stemmer().stem(word) if len(word) > 3 else word


def stems_of(words: Iterable[str]) -> list[str]:
    """The stem of each word."""
    return [stem(word) for word in words]


def stemmed_words(text: str) -> list[str]:
    """The tokens of the rouge-score library with its Porter stemmer, each different word stemmed once."""
    return stems_of(plain_words(text))


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer  # takes a while to import, and few commands need it

    return PorterStemmer()
