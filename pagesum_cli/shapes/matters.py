"""Whether two documents are about the same matter, by the words that they use most and English
texts seldom.
"""

from collections import Counter
from collections.abc import Collection
from math import log

from ..documents.article.names import bare_name
from ..documents.model import Document
from ..text.words import STOP_WORDS, ranks, words_of
from .lines import terms_of

MAIN_WORDS = 20  # words that say what a document is about
SHARED = 0.15
"""Share of the main words of one of two documents that the other has, too: reports of one event
have it, and 75 of 3,741 pairs of papers, reports, lessons and stories."""
SHARED_TITLE = 0.5  # share of all words of the titles of two papers that both have, of one study
SHORT = 2  # letters of words that name nothing
UNKNOWN = 25_000  # rank of a word that is not among the known ones


class Matter:
    """What a document is about: some words, as those for what happens anywhere, do not say it."""

    def __init__(self, document: Document, without: Collection[str] = ()) -> None:
        reasons = {part.reason for part in document.left_out}
        headings = {bare_name(section.heading).lower() for section in document.sections}
        self.is_paper = "references" in reasons or "abstract" in headings
        self._title = terms_of(document.title)
        self._main = _main_words(f"{document.title} {document.text}", without)

    def is_of(self, other: "Matter") -> bool:
        """Whether another document may have a number for the same: two papers only if they have
        nearly one title, since each has numbers of its own study.
        """
        if self.is_paper and other.is_paper:
            shared, words = self._title & other._title, self._title | other._title
            return len(shared) >= SHARED_TITLE * max(len(words), 1)
        fewer = min(len(self._main), len(other._main))
        return len(self._main & other._main) >= SHARED * max(fewer, 1)


def _main_words(text: str, without: Collection[str]) -> frozenset[str]:
    """The words that are frequent in a text and rare in others."""
    counts = Counter(
        word
        for word in words_of(text)
        if len(word) > SHORT and word.isalpha() and word not in without
    )
    for word in STOP_WORDS:
        counts.pop(word, None)
    rank = ranks()
    weights = {
        word: (1 + log(count)) * log(1 + rank.get(word, UNKNOWN) / 1000)
        for word, count in counts.items()
    }
    return frozenset(sorted(weights, key=lambda word: -weights[word])[:MAIN_WORDS])
