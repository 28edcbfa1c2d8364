"""Do the page confidences point to the page that a sentence comes from?"""

from collections.abc import Sequence
from math import comb

from .pair import PagedSentence, Pair, Score
from .repetition import ngrams
from .rouge import StemmingTokenizer


class Attribution:
    """How often a sentence's most confident page is the page that holds most of its bigrams.

    Beside it stand the figures without which it means nothing: how often a page drawn by chance hits, how often the
    first page does, and the same for one of two pages (the two most confident, two drawn by chance). Sentences that
    share no bigram with any page say nothing and are left out, and so are documents of one page. Pages that hold
    equally many bigrams all count as right, for chance too.
    """

    name = "attribution"
    columns = ("attribution", "attribution-chance", "attribution-first", "attribution-top2", "attribution-top2-chance")
    needs = "sentences"
    heavy = False
    signature = "attribution|support:rouge2-recall|stem:porter"

    def score(self, pair: Pair) -> dict[str, Score]:
        """The columns in 0–100."""
        told = [one for one in pair.sentences if len(one.support) > 1 and max(one.support) > 0]
        if not told:
            return {}
        right = [_best(one.support) for one in told]
        ranked = [sorted(range(len(one.support)), key=one.confidences.__getitem__, reverse=True) for one in told]
        counts = [(len(pages), len(one.support)) for one, pages in zip(told, right, strict=True)]
        hits = {
            "attribution": [order[0] in pages for order, pages in zip(ranked, right, strict=True)],
            "attribution-chance": [good / count for good, count in counts],
            "attribution-first": [0 in pages for pages in right],
            "attribution-top2": [not pages.isdisjoint(order[:2]) for order, pages in zip(ranked, right, strict=True)],
            "attribution-top2-chance": [1 - comb(count - good, 2) / comb(count, 2) for good, count in counts],
        }
        return {column: {"value": 100 * sum(values) / len(told)} for column, values in hits.items()}


def _best(support: Sequence[float]) -> set[int]:
    return {page for page, share in enumerate(support) if share == max(support)}


def paged_sentences(
    sentences: Sequence[tuple[str, Sequence[float]]], pages: Sequence[str]
) -> tuple[PagedSentence, ...]:
    """Sentences with each page's confidence, and the texts of the pages → sentences with the pages' support.

    Args:
        sentences: text and P confidences in page order, of each sentence.
        pages: the P pages' texts.
    """
    tokenizer = StemmingTokenizer()
    known = [set(ngrams(tokenizer.tokenize(page), 2)) for page in pages]
    paged = []
    for text, confidences in sentences:
        grams = ngrams(tokenizer.tokenize(text), 2)
        support = tuple(sum(gram in page for gram in grams) / max(len(grams), 1) for page in known)
        paged.append(PagedSentence(text, tuple(confidences), support))
    return tuple(paged)
