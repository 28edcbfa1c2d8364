"""Marks: what a page, read alone, cannot know of the whole document.

A page does not see the others, so it cannot know which of its sentences say what the document as a whole is about, nor
where in the document it stands. A checkpoint can ask for tokens that tell it (``first_mark`` in its configuration):

- behind the start token, where in its document the page stands;
- before a heading, that it is one; each page begins with the document's title, as a heading;
- before every sentence, how central it is to everything that is summarized: its rank by cosine with the centroid of all
  sentences' TF-IDF vectors (Radev et al., "Centroid-based summarization of multiple documents", 2004), in steps that
  double; or, once it is planned to be said, its number among those that are. The summary names that number before it
  says the sentence, so that each page knows whether it has what comes next.

Known without torch.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

PLACES, RANKS = 8, 7
HEADING = PLACES
FIRST_RANK = HEADING + 1
WANTED = FIRST_RANK + RANKS
"""Before the first sentence that is to be said, in the document and in the summary; the next marks for the others."""
MOST_WANTED = 40
MARKS = WANTED + MOST_WANTED
"""How many there are."""

_WORD = re.compile(r"\w+")
STEM = 6
"""Letters of a word that count: "summarizes" and "summarization" are the same."""


def place_marks(sources: Sequence[str]) -> list[int]:
    """Which mark each page begins with.

    Args:
        sources: the document that each page is from; pages of one document follow each other.

    Returns:
        0 for a document's first page, then 1 to ``PLACES - 1`` from its second page to its last.
    """
    starts = [number for number, source in enumerate(sources) if number == 0 or sources[number - 1] != source]
    starts.append(len(sources))
    marks: list[int] = []
    for start, end in pairwise(starts):
        rest = end - start - 1
        marks += [0, *(1 + (PLACES - 1) * number // rest for number in range(rest))]
    return marks


def rank_marks(sentences: Sequence[str]) -> list[int]:
    """Which mark each sentence has: the two most central ones the first, the next four the second, and so on."""
    ranks = np.empty(len(sentences), dtype=int)
    ranks[np.argsort(-centrality(sentences), kind="stable")] = np.arange(len(sentences))
    return [FIRST_RANK + min((int(rank) // 2 + 1).bit_length(), RANKS) - 1 for rank in ranks]


def centrality(sentences: Sequence[str]) -> np.ndarray:
    """Cosine of each sentence's TF-IDF vector with the centroid of all of them ``(sentences,)``. Takes linear time."""
    known: dict[str, int] = {}
    said = [
        [known.setdefault(word[:STEM], len(known)) for word in _WORD.findall(sentence.lower())]
        for sentence in sentences
    ]
    if not known:
        return np.zeros(len(said))
    owners = np.repeat(np.arange(len(said)), [len(words) for words in said])
    words = np.array([word for words in said for word in words], dtype=np.int64)
    pairs, counts = np.unique(owners * len(known) + words, return_counts=True)
    owner, word = np.divmod(pairs, len(known))
    weights = counts * np.log(len(said) / np.bincount(word))[word]
    norms = np.sqrt(np.bincount(owner, weights**2, len(said)))
    unit = weights / np.maximum(norms, 1e-9)[owner]
    centroid = np.bincount(word, unit)
    centroid /= max(float(np.linalg.norm(centroid)), 1e-9)
    return np.bincount(owner, unit * centroid[word], len(said))
