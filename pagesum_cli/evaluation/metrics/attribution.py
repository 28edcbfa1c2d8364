"""How often a sentence is attributed to the page that it comes from."""

from collections.abc import Sequence
from math import comb

from ...summary.summary import Summary
from ...text.words import ngrams, recall, stemmed_words
from .base import Metric, PagedSentence, Pair, Score


class Attribution(Metric):
    """How often the page that a sentence is attributed to is the one that holds most of its bigrams.

    A quoted sentence is attributed to the page that it is quoted from, a generated one to its most confident page. The
    other columns put this into perspective: how often a random page is right, how often the first page is, and the same
    for one of two pages (the two most confident, two random ones). Sentences that share no bigram with any page are
    left out, and so are documents of one page. Pages that hold equally many bigrams are all right, for random pages
    too.
    """

    signature = "attribution|support:rouge2-recall|stem:porter"

    def score(self, pair: Pair) -> dict[str, Score]:
        """The columns in 0–100."""
        sentences = [one for one in pair.sentences if len(one.support) > 1 and max(one.support) > 0]
        if not sentences:
            return {}
        right = [_best(one.support) for one in sentences]
        ranked = [_ranked(one) for one in sentences]
        counts = [(len(pages), len(one.support)) for one, pages in zip(sentences, right, strict=True)]
        hits: dict[str, Sequence[float]] = {
            "attribution": [order[0] in pages for order, pages in zip(ranked, right, strict=True)],
            "attribution-chance": [good / count for good, count in counts],
            "attribution-first": [0 in pages for pages in right],
            "attribution-top2": [not pages.isdisjoint(order[:2]) for order, pages in zip(ranked, right, strict=True)],
            "attribution-top2-chance": [1 - comb(count - good, 2) / comb(count, 2) for good, count in counts],
        }
        return {column: {"value": 100 * sum(values) / len(sentences)} for column, values in hits.items()}


def _ranked(sentence: PagedSentence) -> list[int]:
    """Pages by decreasing confidence; the page of a quoted sentence first."""
    pages = range(len(sentence.confidences))
    return sorted(pages, key=lambda page: (page != sentence.page, -sentence.confidences[page]))


def _best(support: Sequence[float]) -> set[int]:
    return {page for page, share in enumerate(support) if share == max(support)}


def paged_sentences(summary: Summary, pages: Sequence[str]) -> tuple[PagedSentence, ...]:
    """The sentences of a summary with the confidence and the support of each page.

    Args:
        summary: The summary.
        pages: The texts of its ``P`` pages.
    """
    bigrams = [set(ngrams(stemmed_words(page), 2)) for page in pages]
    paged = []
    for sentence in summary.sentences:
        grams = ngrams(stemmed_words(sentence.text), 2)
        shares = {share.page: share.confidence for share in sentence.pages}
        paged.append(
            PagedSentence(
                sentence.text,
                tuple(shares[page] for page in range(len(pages))),
                tuple(recall(grams, page) for page in bigrams),
                sentence.source.page if sentence.source else None,
            )
        )
    return tuple(paged)
