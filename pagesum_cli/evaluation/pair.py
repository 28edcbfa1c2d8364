"""What a metric is given, and what it gives back."""

from dataclasses import dataclass
from typing import Protocol

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
DEFAULT_TYPES = ("rouge1", "rouge2", "rougeLsum")

Score = dict[str, float]
"""One score of one document in 0–100: ``{"f", "p", "r"}``, or ``{"value"}`` for what is a single number."""


@dataclass(frozen=True)
class PagedSentence:
    """A sentence of a prediction, and what the pages say about it.

    Attributes:
        text: the sentence.
        confidences: each page's confidence ĉ in 0–1, averaged over the sentence's tokens, in page order.
        support: the share of the sentence's bigrams that stand on each page (ROUGE-2 recall, 0–1), in page order.
    """

    text: str
    confidences: tuple[float, ...]
    support: tuple[float, ...]


@dataclass(frozen=True)
class Pair:
    """A prediction, its reference, and what else a metric may need.

    Attributes:
        id: of the document.
        prediction: what a system wrote.
        reference: what the author wrote.
        sources: the texts of the documents; empty where they are not known.
        sentences: the prediction's sentences with their pages; empty where the system has no pages.
    """

    id: str
    prediction: str
    reference: str
    sources: tuple[str, ...] = ()
    sentences: tuple[PagedSentence, ...] = ()


class Metric(Protocol):
    """A way to score a prediction.

    Attributes:
        name: what ``--metrics`` calls it.
        columns: the names of its scores.
        signature: everything that moves its scores, as ``name|key:value|…``.
        needs: ``sources`` or ``sentences`` where the metric reads that part of a :class:`Pair`; else empty.
        heavy: whether it holds a model, which one process keeps; other metrics are computed by many processes.
    """

    name: str
    columns: tuple[str, ...]
    signature: str
    needs: str
    heavy: bool

    def score(self, pair: Pair) -> dict[str, Score]:
        """The scores of one document by column. A column that has no meaning for it is left out."""
        ...
