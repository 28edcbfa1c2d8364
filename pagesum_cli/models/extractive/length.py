"""How long a summary is: as predicted for the document, or as asked for."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ...options import GenerationOptions
from .selection import Candidate, Target

SCALES = {"short": 0.5, "medium": 1.0, "long": 2.0}

MAX_SHARE = 0.4
"""Maximum share of a short document that is quoted, unless more is asked for."""

LONG = 10_000
"""Tokens of a long document: predictions were learned from shorter ones. Summaries of longer ones grow with the square
root of their length."""

CLUSTER_SAVING = 0.2
"""The summary of a cluster is ``n ** -0.2`` times as long as those of its ``n`` documents together: 0.8 for three, 0.6
for twelve."""


def target_of(
    options: GenerationOptions, predicted: Sequence[float], candidates: Sequence[Candidate], max_predicted: int
) -> Target:
    """The length of a summary of a document, or of a cluster of documents.

    Args:
        options: What was asked for.
        predicted: Tokens of a summary of each document.
        candidates: The sentences of all of them.
        max_predicted: The longest summary that predictions were learned from.
    """
    if options.words is not None:
        return Target.of_words(options.words)
    if options.sentences is not None:
        return Target.of_sentences(options.sentences)
    tokens: Counter[int] = Counter()
    for one in candidates:
        tokens[one.document] += len(one.tokens) + 1
    sizes = [tokens[document] for document in sorted(tokens)]
    lengths = [
        min(length, max_predicted, MAX_SHARE * size) * max(1.0, size / LONG) ** 0.5
        for length, size in zip(predicted, sizes, strict=True)
    ]
    together = sum(lengths) * len(lengths) ** -CLUSTER_SAVING * distinct_share(candidates)
    length = SCALES[options.length or "medium"] * together
    limit = options.max_length if options.max_length is not None else max(length, max_predicted)
    return Target(length, options.min_length or 0, limit)


def distinct_share(candidates: Sequence[Candidate]) -> float:
    """The share of a cluster that no other document of it repeats: different pairs of tokens, over those of each."""
    pairs: dict[int, set[tuple[int, int]]] = {}
    for one in candidates:
        pairs.setdefault(one.document, set()).update(pairwise(one.tokens))
    total = sum(map(len, pairs.values()))
    return len(set().union(*pairs.values())) / total if total else 1.0
