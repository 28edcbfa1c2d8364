"""Metrics of words: how much a prediction repeats, how much is new, and whether pages are
attributed correctly.
"""

from collections.abc import Sequence
from math import comb

from ...summary.summary import Summary
from ...text.words import ngrams, plain_words, recall, stemmed_words
from .base import Metric, PagedSentence, Pair, Score, protocol_signature, scored_sentences


class Repetition(Metric):
    """rep-1 and rep-2: the share of the words (pairs of words) that occur earlier in the same
    prediction.

    After Welleck et al. 2020, over words instead of model tokens, so that systems with other
    vocabularies compare; no stemming. With ``tokenize="ptb"`` they are Treebank tokens, punctuation
    included, as models with a vocabulary of words generate them. Human summaries have about 5 %
    rep-2. A prediction of fewer than n words has no rep-n.
    """

    @property
    def signature(self) -> str:
        words = (
            protocol_signature("ptb").removesuffix("+alnum")
            if self.tokenize == "ptb"
            else "tok:alnum"
        )
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
    """The share of a prediction's different n-grams that occur nowhere in the documents, for n of 1
    to 4.

    A high share means an abstractive summary, which may also be an invented one.
    """

    signature = "novelty|tok:alnum|lower:yes|stem:no"

    def score(self, pair: Pair) -> dict[str, Score]:
        words = plain_words(pair.prediction)
        sources = [plain_words(source) for source in pair.sources]
        scores: dict[str, Score] = {}
        for n in range(1, 5):
            if grams := set(ngrams(words, n)):
                known = {gram for source in sources for gram in ngrams(source, n)}
                scores[f"novel-{n}"] = {"value": 100 * len(grams - known) / len(grams)}
        return scores


class Attribution(Metric):
    """How often the page that a sentence is attributed to is the one that holds most of its
    bigrams.

    A quoted sentence is attributed to the page that it is quoted from, a generated one to its most
    confident page. The other columns put this into perspective: how often a random page is right,
    how often the first page is, and the same for one of two pages (the two most confident, two
    random ones). Sentences that share no bigram with any page are left out, and so are documents of
    one page. Pages that hold equally many bigrams are all right, for random pages too.
    """

    signature = "attribution|support:rouge2-recall|stem:porter"

    def score(self, pair: Pair) -> dict[str, Score]:
        sentences = [one for one in pair.sentences if len(one.support) > 1 and max(one.support) > 0]
        if not sentences:
            return {}
        right = [
            {page for page, share in enumerate(one.support) if share == max(one.support)}
            for one in sentences
        ]
        ranked = [_ranked(one) for one in sentences]
        counts = [
            (len(pages), len(one.support)) for one, pages in zip(sentences, right, strict=True)
        ]
        hits: dict[str, Sequence[float]] = {
            "attribution": [order[0] in pages for order, pages in zip(ranked, right, strict=True)],
            "attribution-chance": [good / count for good, count in counts],
            "attribution-first": [0 in pages for pages in right],
            "attribution-top2": [
                not pages.isdisjoint(order[:2]) for order, pages in zip(ranked, right, strict=True)
            ],
            "attribution-top2-chance": [
                1 - comb(count - good, 2) / comb(count, 2) for good, count in counts
            ],
        }
        return {
            column: {"value": 100 * sum(values) / len(sentences)} for column, values in hits.items()
        }


def _ranked(sentence: PagedSentence) -> list[int]:
    """Pages by decreasing confidence; the page of a quoted sentence first."""
    pages = range(len(sentence.confidences))
    return sorted(pages, key=lambda page: (page != sentence.page, -sentence.confidences[page]))


def paged_sentences(summary: Summary, pages: Sequence[str]) -> tuple[PagedSentence, ...]:
    """The sentences of a summary with the confidence and the support of each page."""
    bigrams = [set(ngrams(stemmed_words(page), 2)) for page in pages]
    paged = []
    for sentence in summary.sentences:
        grams = ngrams(stemmed_words(sentence.text), 2)
        shares = {share.page: share.confidence for share in sentence.pages}
        confidences = tuple(shares[page] for page in range(len(pages)))
        support = tuple(recall(grams, page) for page in bigrams)
        quoted = sentence.source.page if sentence.source else None
        paged.append(PagedSentence(sentence.text, confidences, support, quoted))
    return tuple(paged)
