"""How much a prediction repeats itself."""

from ...text.ngrams import ngrams, plain_words
from .base import Metric, Pair, Score


class Repetition(Metric):
    """rep-1 and rep-2: the share of the words (pairs of words) that occur earlier in the same prediction.

    After Welleck et al. 2020, over words instead of model tokens, so that systems with other vocabularies compare; no
    stemming. Human summaries have about 5 % rep-2. A prediction of fewer than n words has no rep-n.
    """

    signature = "repetition|tok:alnum|lower:yes|stem:no"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``rep-1`` and ``rep-2`` in 0–100; lower is better."""
        words = plain_words(pair.prediction)
        return {
            f"rep-{n}": {"value": 100 * (1 - len(set(grams)) / len(grams))}
            for n in (1, 2)
            if (grams := ngrams(words, n))
        }
