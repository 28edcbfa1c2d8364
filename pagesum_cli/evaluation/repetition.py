"""How much a prediction repeats itself, and how much of it is not in the document."""

from collections.abc import Sequence

from .pair import Pair, Score


class Repetition:
    """rep-1 and rep-2: the share of the next words (pairs of words) that stand earlier in the same prediction.

    After Welleck et al. 2020, over words instead of model tokens, so that systems with other vocabularies compare; no
    stemming. Human summaries have about 5 % rep-2. A prediction of fewer than n words has no rep-n.
    """

    name = "repetition"
    columns = ("rep-1", "rep-2")
    needs = ""
    heavy = False
    signature = "repetition|tok:alnum|lower:yes|stem:no"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``rep-1`` and ``rep-2`` in 0–100; lower is better."""
        words = plain_words(pair.prediction)
        return {
            f"rep-{n}": {"value": 100 * (1 - len(set(grams)) / len(grams))}
            for n in (1, 2)
            if (grams := ngrams(words, n))
        }


class Novelty:
    """The share of a prediction's different n-grams that stand nowhere in the documents, for n of 1 to 4.

    High is abstractive, and also where inventions hide.
    """

    name = "novelty"
    columns = ("novel-1", "novel-2", "novel-3", "novel-4")
    needs = "sources"
    heavy = False
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


def plain_words(text: str) -> list[str]:
    """Lower-case runs of a–z and 0–9, as ROUGE has them, not stemmed."""
    from rouge_score.tokenize import tokenize

    return tokenize(text, None)


def ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Every run of ``n`` words, in order."""
    return list(zip(*(words[start:] for start in range(n)), strict=False))
