"""How much of one text is in another: recall and F1 of words and n-grams."""

from collections.abc import Collection, Container
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from .ngrams import STOP_WORDS, words_of

T = TypeVar("T")


def recall(grams: Collection[T], source: Container[T]) -> float:
    """The share of n-grams that are also in a source, 0 to 1; 0 for no n-grams.

    A list counts each occurrence, a set each different n-gram once.
    """
    return sum(gram in source for gram in grams) / len(grams) if grams else 0.0


@dataclass(frozen=True)
class Units:
    """The words of a sentence that carry meaning, and its pairs of neighboring words; each counted once."""

    words: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, text: str) -> "Units":
        """The units of a text; a text of nothing but stop words keeps them."""
        words = words_of(text)
        return cls((frozenset(words) - STOP_WORDS) or frozenset(words), frozenset(pairwise(words)))

    def __or__(self, other: "Units") -> "Units":
        return Units(self.words | other.words, self.pairs | other.pairs)


def support(sentence: Units, source: Units) -> float:
    """How much of a sentence is in a source: recall of its words and of its pairs of words, averaged; 0–1.

    This is the recall side of ROUGE-1 (without stop words) and ROUGE-2, each unit counted once, nothing stemmed.
    """
    words = recall(sentence.words, source.words)
    return (words + recall(sentence.pairs, source.pairs)) / 2 if sentence.pairs else words
