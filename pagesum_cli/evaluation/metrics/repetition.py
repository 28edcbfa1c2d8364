"""How much a prediction repeats itself."""

from ...text.ngrams import ngrams, plain_words
from .base import Metric, Pair, Score
from .protocol import protocol_signature, scored_sentences


class Repetition(Metric):
    """rep-1 and rep-2: the share of the words (pairs of words) that occur earlier in the same prediction.

    After Welleck et al. 2020, over words instead of model tokens, so that systems with other vocabularies compare; no
    stemming. With ``tokenize="ptb"`` they are Treebank tokens, punctuation included, as models with a vocabulary of
    words generate them. Human summaries have about 5 % rep-2. A prediction of fewer than n words has no rep-n.
    """

    @property
    def signature(self) -> str:
        """What a word is."""
        words = protocol_signature("ptb").removesuffix("+alnum") if self.tokenize == "ptb" else "tok:alnum"
        return f"repetition|{words}|lower:yes|stem:no"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``rep-1`` and ``rep-2`` in 0–100, lower is better; ``tokens``, the number of words."""
        if self.tokenize == "ptb":
            words = " ".join(scored_sentences(pair.prediction, "ptb")).split()
        else:
            words = plain_words(pair.prediction)
        scores: dict[str, Score] = {
            f"rep-{n}": {"value": 100 * (1 - len(set(grams)) / len(grams))}
            for n in (1, 2)
            if (grams := ngrams(words, n))
        }
        return {**scores, "tokens": {"value": float(len(words))}}
