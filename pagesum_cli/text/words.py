"""Words of a text, their stems, n-grams and frequency, and how much two texts share."""

import json
import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from .tables import table

_WORD = re.compile(r"\w+")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")

STOP_WORDS = frozenset(table(__file__, "languages.toml")["stop_words"].split())


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


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The Porter stem of a word; words of up to three characters stay as they are."""
    return _stemmer().stem(word) if len(word) > 3 else word


def stems_of(words: Iterable[str]) -> list[str]:
    """The stem of each word."""
    return [stem(word) for word in words]


def stemmed_words(text: str) -> list[str]:
    """The tokens of the rouge-score library with its Porter stemmer, each different word stemmed
    once.
    """
    return stems_of(plain_words(text))


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer  # takes a while to import, and few commands need it

    return PorterStemmer()


@cache
def ranks() -> Mapping[str, int]:
    """About 25 000 English words, in lower case, with their rank: the lower, the more frequent.

    The vocabulary's tokens are numbered by their frequency in the corpus that it was made from. It
    is read when it is first asked for, in some hundredths of a second.
    """
    written = _written()
    words = "\n".join(written).lower().split("\n")  # faster than word by word
    # of spellings, the most frequent one comes first in the vocabulary, and last here
    return dict(zip(reversed(words), reversed(written.values()), strict=True))


@cache
def _written() -> dict[str, int]:
    """The words with their rank as they are written: "Mark" and "mark" apart."""
    path = Path(__file__).parents[1] / "assets" / "bart" / "vocab.json"
    tokens = json.loads(path.read_text("utf-8")).items()
    # a token of a whole word begins with a space
    return {token[1:]: rank for token, rank in tokens if token[0] == "Ġ" and token[1:].isalpha()}


def is_usually_capital(word: str) -> bool:
    """Whether English texts write a word with a capital more often than without: names, and words
    that are not among the known ones.
    """
    plain = _written().get(word.lower())
    return plain is None or _written().get(word.capitalize(), plain) < plain


def ranks_as_written(word: str) -> tuple[float, float, float]:
    """The rank of a word in small letters, with a capital, and all in capitals; infinite where it
    is not among the known ones.
    """
    written = _written()
    small, capital, capitals = (
        float(written.get(one, inf)) for one in (word.lower(), word.capitalize(), word.upper())
    )
    return small, capital, capitals


def are_important(words: Sequence[str], reference: str) -> list[bool]:
    """Whether each word occurs in a reference summary and is no stop word: the labels of AdaPool
    (Pang et al., 2022).

    The paper lemmatizes and names neither lemmatizer nor list. Here Porter stems stand for lemmas,
    and stop words are :data:`~pagesum_cli.text.words.STOP_WORDS` and single letters.
    """
    stems = {stem(word) for word in words_of(reference) if not _is_stop_word(word)}
    return [not _is_stop_word(word) and stem(word) in stems for word in words]


def _is_stop_word(word: str) -> bool:
    return word in STOP_WORDS or not word or (len(word) == 1 and word.isalpha())


T = TypeVar("T")


def recall(grams: Collection[T], source: Container[T]) -> float:
    """The share of n-grams (of a list, of each of them; of a set, of different ones) that a source
    has, 0–1.
    """
    return sum(gram in source for gram in grams) / len(grams) if grams else 0.0


@dataclass(frozen=True)
class Units:
    """The words of a sentence that carry meaning, and its pairs of neighboring words; each counted
    once.
    """

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
    """How much of a sentence is in a source: recall of its words and of its pairs of words,
    averaged; 0–1.

    This is the recall side of ROUGE-1 (without stop words) and ROUGE-2, each unit counted once,
    nothing stemmed.
    """
    words = recall(sentence.words, source.words)
    return (words + recall(sentence.pairs, source.pairs)) / 2 if sentence.pairs else words


def covering(
    sentence: Units, sources: Sequence[Units], gain: float = 0.1
) -> tuple[list[int], float]:
    """The source that supports a sentence best, and one more if it adds at least ``gain``; and the
    support of both.
    """
    chosen: list[int] = []
    covered, value = Units(), 0.0
    for _ in range(min(2, len(sources))):
        supports = [support(sentence, covered | source) for source in sources]
        best = supports.index(max(supports))
        if supports[best] - value < (gain if chosen else 1e-9):
            break
        chosen.append(best)
        covered, value = covered | sources[best], supports[best]
    return chosen, value


def positions_of(tokens: Sequence[str]) -> dict[str, int]:
    """The set of places of each token, as bits."""
    positions: dict[str, int] = {}
    for place, token in enumerate(tokens):
        positions[token] = positions.get(token, 0) | 1 << place
    return positions


def lcs_pairs(
    tokens: Sequence[str], positions: Mapping[str, int], width: int
) -> list[tuple[int, int]]:
    """A longest common subsequence, as pairs of places: of several, the one that rouge-score
    chooses.

    Row i of the table has bits: entry (i, j), for the first i ``tokens`` and the first j of the
    ``width`` tokens on the other side, is the number of ones among its lowest j bits.

    Args:
        tokens: The one side.
        positions: The other side, see :func:`positions_of`.
        width: Number of tokens of the other side.
    """
    full = (1 << width) - 1
    row = full  # zeros are the steps of the table
    rows = [0]
    for token in tokens:
        step = row & positions.get(token, 0)
        if step:
            row = ((row + step) | (row - step)) & full
        rows.append(full ^ row)
    pairs = []
    i, j = len(tokens), width
    while low := rows[i] & ((1 << j) - 1):  # nothing in common with what is left once this is 0
        if positions.get(tokens[i - 1], 0) >> (j - 1) & 1:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif (
            low >> (j - 1) & 1 == 0 and (rows[i - 1] & ((1 << j) - 1)).bit_count() < low.bit_count()
        ):
            j -= 1
        else:
            i -= 1
    return pairs[::-1]
