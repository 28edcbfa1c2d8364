"""Which sentence of a text first names what a later one takes as known (English): a person by the
surname alone, or "the treaty".
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..text.words import STOP_WORDS

GOOD_FOR_NAME, GOOD_FOR_NOUN = 1.0, 2.0
"""Scores from which a sentence is quoted for what it introduces: a name, which is missed more, or a
noun.
"""

LONGEST = 40  # characters of a name before its last word
OFTEN = 4  # a name has a capital inside of sentences this many times as often as none

_WORD = re.compile(r"[^\W\d_][\w-]+")
_CAPITAL = re.compile(r"(?<=[\w,;)] )[A-Z][\w-]+")  # inside of a sentence
_BARE = re.compile(r"(?<![\w’'.-])(?<![A-Z]\. )[A-Z][\w-]+(?=['’]s?\b|(?! [A-Z])(?![\w’'-]))")
"""A name without one after it: not the "Mark" of "Mark Rogers"."""
_NAME_BEFORE = re.compile(r"([A-Z][\w’'.-]*) (?:of |the |de |von |van )*$")
_NOUN = re.compile(
    r"\b[Tt]he (?:[a-z][\w-]* ){0,2}?([a-z][\w-]+)(?=[.,;:)]| (?:is|was|were|are|ha[sd]|have|can|"
    r"could|will|would|should|must|may|might|does|did|to|in|on|at|by|for|from|with|that|which|who|"
    r"and|or|as|into|be|been|not|than|under|through|when|where|if|but)\b)"
)
"""The noun of a phrase that takes it as known, without an "of …" that says which."""
_NEW_NOUN = re.compile(r"\b[Aa]n? (?:[\w-]+ ){0,3}?([\w-]+)")
_ENDING = re.compile(r"(?:ies|es|s|ed|ing)$")


@dataclass(frozen=True)
class Named:
    """What a sentence names."""

    words: frozenset[str] = frozenset()  # its names, and the stems of all its words
    # those that its reader must know from before: names, then stems of nouns
    assumed: tuple[str, ...] = ()


def named_in(texts: Sequence[str], headings: Sequence[str]) -> list[Named]:
    """What each sentence of a document names; its reader knows the title and heading above it."""
    text = " ".join(texts)
    words, capitals = Counter(_WORD.findall(text)), Counter(_CAPITAL.findall(text))
    names = {word for word in capitals if capitals[word] >= OFTEN * words[word.lower()]}
    return [_named(*pair, names) for pair in zip(texts, headings, strict=True)]


def introductions(
    named: Sequence[Named], number: int, shown: Iterable[int]
) -> Iterator[tuple[int, float]]:
    """The sentences that first name what another one assumes and none of those ``shown`` names,
    each with the score from which it is worth quoting for that.
    """
    known = frozenset[str]().union(*(named[other].words for other in shown))
    for word in named[number].assumed:
        if word not in known:
            first = next((at for at in range(number) if word in named[at].words), number)
            yield first, GOOD_FOR_NAME if word[0].isupper() else GOOD_FOR_NOUN


def _named(text: str, heading: str, names: set[str]) -> Named:
    words = set(_WORD.findall(text))
    told = _stems(_WORD.findall(heading))
    bare = [name for name in _bare(text, names) if _stem(name) not in told]
    nouns = _stems(set(_NOUN.findall(text)) - STOP_WORDS) - told - _stems(_NEW_NOUN.findall(text))
    return Named(frozenset(words & names | _stems(words)), (*bare, *sorted(nouns)))


def _bare(text: str, names: set[str]) -> dict[str, None]:
    """The names that are not a part of longer ones, each once, in order."""
    return {
        match[0]: None
        for match in _BARE.finditer(text)
        if match[0] in names and not _goes_on(text, match.start(), names)
    }


def _goes_on(text: str, start: int, names: set[str]) -> bool:
    """Whether a name goes on here: not after the first word of a sentence, "Where Mark"."""
    before = _NAME_BEFORE.search(text, max(0, start - LONGEST), start)
    return before is not None and (before.start() > 0 or before[1] in names)


def _stems(words: Iterable[str]) -> set[str]:
    return set(map(_stem, words))


def _stem(word: str) -> str:
    small = word.lower()
    return _ENDING.sub("", small) if len(small) > 4 else small
