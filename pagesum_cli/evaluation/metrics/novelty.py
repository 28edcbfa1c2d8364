"""How much of a prediction is not in the document."""

from ...text.ngrams import ngrams, plain_words
from .base import Metric, Pair, Score


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
