"""How long a selection of quotes is."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from ..options import GenerationOptions
from .candidates import Candidate

TOLERANCE = 0.1  # a number of words that was asked for is met within this share of it

SCALES = {"short": 0.5, "medium": 1.0, "long": 2.0}
MAX_SHARE = 0.4  # maximum share of a short document that is quoted, unless more is asked for

LEAST_SHARE, LEAST = 0.1, 80
"""The summary of a single document has at least this share of its tokens, up to this many, about 60
words: of 287 documents, editors quoted two sentences and 44 words or more.
"""

LONG = 10_000
"""Tokens of a long document: predictions were learned from shorter ones. Summaries of longer ones
grow with the square root of their length.
"""

CLUSTER_SAVING = 0.2
"""The summary of a cluster is ``n ** -0.2`` times as long as those of its ``n`` documents together:
0.8 for three, 0.6 for twelve.
"""

MAX_EXCESS = 1.5
"""What is begun with, an abstract, is quoted whole where it is longer than the target by no more
than this times the target.
"""


def tokens_of(candidate: Candidate) -> int:
    """The length of a sentence in tokens, with a space after it."""
    return len(candidate.tokens) + 1


@dataclass(frozen=True)
class Target:
    """How long a selection is, in tokens unless ``size`` says otherwise."""

    length: float  # the length to come nearest to
    min_length: float = 0  # selected in any case, whatever ``length`` says
    max_length: float = inf  # limit
    size: Callable[[Candidate], int] = tokens_of  # the length of a sentence
    # whether the length was asked for: then the last sentence is one that fits
    is_exact: bool = False
    tolerance: float = TOLERANCE  # the share within which it is met

    def size_of(self, candidates: Collection[Candidate]) -> float:
        """The length of some sentences."""
        return float(sum(map(self.size, candidates)))

    @property
    def limit(self) -> float:
        """The length that a selection does not exceed; the first sentence may."""
        return (1 + self.tolerance) * self.length if self.is_exact else self.max_length

    @property
    def limit_of_beginning(self) -> float:
        """The length up to which an abstract is quoted whole."""
        return min(self.limit, (1 + MAX_EXCESS) * self.length)

    def is_met(self, length: float) -> bool:
        """Whether a length that was asked for is met."""
        return length >= (1 - self.tolerance) * self.length

    def is_enough(self, length: float, more: float) -> bool:
        """Whether a selection is nearer to its target without ``more``."""
        return length >= self.min_length and length + more / 2 > self.length

    def spare_words(self, selected: Collection[Candidate]) -> float:
        """How many more words a selection can have."""
        size = self.size_of(selected)
        words = sum(item.words for item in selected)
        return ((1 + TOLERANCE) * self.length - size) * words / max(size, 1)


def target_of(
    options: GenerationOptions,
    predicted: Sequence[float],
    candidates: Sequence[Candidate],
    max_predicted: int,
) -> Target:
    """The length of a summary of a document, or of a cluster of documents."""
    if options.words is not None:
        return Target(options.words, size=lambda candidate: candidate.words, is_exact=True)
    if options.sentences is not None:
        return Target(options.sentences, size=lambda candidate: 1, is_exact=True, tolerance=0)
    length = SCALES[options.length or "medium"] * usual_length(predicted, candidates, max_predicted)
    limit = options.max_length or max((1 + MAX_EXCESS) * length, max_predicted)
    return Target(length, options.min_length or 0, limit)


def usual_length(
    predicted: Sequence[float], candidates: Sequence[Candidate], max_predicted: int
) -> float:
    """The tokens of a summary of documents, from the lengths that were predicted for each."""
    tokens: Counter[int] = Counter()
    for item in candidates:
        tokens[item.document] += tokens_of(item)
    if not tokens:
        return 0.0
    sizes = [tokens[document] for document in sorted(tokens)]
    least = min(LEAST_SHARE * sizes[0], LEAST) if len(sizes) == 1 else 0.0
    lengths = [
        min(max(length, least), max_predicted, MAX_SHARE * size) * max(1.0, size / LONG) ** 0.5
        for length, size in zip(predicted, sizes, strict=True)
    ]
    return sum(lengths) * len(lengths) ** -CLUSTER_SAVING * distinct_share(candidates)


def distinct_share(candidates: Sequence[Candidate]) -> float:
    """The share of a cluster that no other document of it repeats: different pairs of tokens, over
    those of each.
    """
    pairs: dict[int, set[tuple[int, int]]] = {}
    for item in candidates:
        pairs.setdefault(item.document, set()).update(pairwise(item.tokens))
    total = sum(map(len, pairs.values()))
    return len(set().union(*pairs.values())) / total if total else 1.0
