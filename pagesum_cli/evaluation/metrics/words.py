"""How much a prediction repeats itself, and how much of it is not in the document."""

from ...text.words import ngrams, plain_words
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


class Novelty(Metric):
    """The share of a prediction's different n-grams that occur nowhere in the documents, for n of 1 to 4.

    A high share means an abstractive summary, which may also be an invented one.
    """

    signature = "novelty|tok:alnum|lower:yes|stem:no"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``novel-1`` to ``novel-4`` in 0–100."""
        words = plain_words(pair.prediction)
        sources = [plain_words(source) for source in pair.sources]
        scores: dict[str, Score] = {}
        for n in range(1, 5):
            if grams := set(ngrams(words, n)):
                known = {gram for source in sources for gram in ngrams(source, n)}
                scores[f"novel-{n}"] = {"value": 100 * len(grams - known) / len(grams)}
        return scores
