"""How much of a sentence has been selected before: by overlap, or by a determinantal point process (greedy MAP)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from ...text.greedy_map import GreedyMap
from ...text.tfidf import TfIdf

MAX_OVERLAP = 0.4
"""A sentence is redundant where this share of its token pairs was selected before."""

MAX_SAME_WORDS = 0.65
"""A sentence is also redundant where this share of its different tokens is in one selected sentence, in any order."""

DIVERSITY = 6.0
"""Weight of diversity beside the scores: a sentence loses this times the logarithm of what it adds to the volume."""

MIN_LEFT = 0.1
"""A sentence is redundant where less than this of its vector, squared, is outside the span of the selected ones."""

Pairs = Collection[tuple[int, int]]


class Overlap:
    """A sentence is redundant, and never selected, where most of it was selected before.

    Args:
        sentences: The token ids of each, ``M`` of them.
        known: Pairs of tokens that the reader knows: what repeats them is redundant.

    Attributes:
        penalties: ``(M,)``, added to the scores.
    """

    def __init__(self, sentences: Sequence[Sequence[int]], known: Pairs = ()) -> None:
        self.penalties = np.zeros(len(sentences))
        self._tokens = [set(one) for one in sentences]
        self._pairs = [set(pairwise(one)) for one in sentences]
        self._holders: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, pairs in enumerate(self._pairs):
            for pair in pairs:
                self._holders[pair].append(number)
        self._sizes = np.array([len(pairs) for pairs in self._pairs])
        self._covered = np.zeros(len(sentences))
        self._known: set[tuple[int, int]] = set()
        self._selected: list[int] = []
        self._cover(known)

    def add(self, number: int) -> None:
        """Select a sentence."""
        self._selected.append(number)
        self._cover(self._pairs[number])

    @property
    def redundant(self) -> np.ndarray:
        """The sentences of which too many pairs of tokens are known ``(M,)``."""
        return self._covered > MAX_OVERLAP * self._sizes

    def repeats(self, number: int) -> bool:
        """Whether a sentence is redundant, also because one selected sentence has most of its words."""
        if self._covered[number] > MAX_OVERLAP * self._sizes[number]:
            return True
        tokens = self._tokens[number]
        return any(len(tokens & self._tokens[one]) > MAX_SAME_WORDS * len(tokens) for one in self._selected)

    def _cover(self, pairs: Pairs) -> None:
        for pair in set(pairs) - self._known:
            self._known.add(pair)
            self._covered[self._holders.get(pair, [])] += 1


class Volume(Overlap):
    """Greedy MAP of a determinantal point process with qualities exp(score / 2θ) and TF-IDF vectors, θ = DIVERSITY.

    Each selected sentence is the one that makes the determinant largest: its score plus θ · log of what it adds to the
    volume of the vectors. Pairs that the reader knows count as in :class:`Overlap`.
    """

    def __init__(self, sentences: Sequence[Sequence[int]], known: Pairs = ()) -> None:
        super().__init__(sentences, known)
        words = [list(map(str, one)) for one in sentences]
        vectors = TfIdf.of([[*one, *map(" ".join, pairwise(one))] for one in words])
        self._volume = GreedyMap(len(sentences), vectors.similarities)

    def add(self, number: int) -> None:
        """Select a sentence."""
        self._volume.add(number)
        self.penalties = DIVERSITY * np.log(np.maximum(self._volume.left, 1e-9))

    @property
    def redundant(self) -> np.ndarray:
        """The sentences that add too little, or of which the reader knows too many pairs of tokens ``(M,)``."""
        return super().redundant | (self._volume.left < MIN_LEFT)

    def repeats(self, number: int) -> bool:
        """Whether a sentence is redundant."""
        return bool(self.redundant[number])


RULES: dict[str, type[Overlap]] = {"overlap": Overlap, "map": Volume}
