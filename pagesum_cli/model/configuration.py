"""What shape a PageSum model has."""

from collections.abc import Mapping, Sequence
from typing import Any

from transformers import BartConfig


class PageSumConfig(BartConfig):
    """BART's configuration and how the model's documents are cut into pages.

    Args:
        page_tokens: tokens of a page, special tokens included, that the model was trained with. At most
            ``max_position_embeddings``.
        num_pages: the fixed number of pages that the model was trained with, a missing page being the text ``"."``
            (the official checkpoints); None where a document has as many pages as it needs.
        label_smoothing: ε of the training loss (paper, eq. 1).
        first_mark: the token of the first mark (see ``pagesum_cli.marks``); None for pages without marks.
        judge_layers: layers that judge a document's sentences beside each other, of a model with marks.
        sentence_ends: tokens that close a sentence: others are not planned to be said. Empty: all can be.
        pointing: tokens by which a sentence points to what the summary may not show (see ``decoding.plan.Pointing``).
            Empty: no sentence does.
        plans: whether ``generate`` first chooses the sentences that the summary is to say, and marks them. Needs marks.
        untrained_confidence: whether the confidence layer is new, as in a model made from a BART checkpoint.
    """

    model_type = "pagesum"

    def __init__(
        self,
        page_tokens: int = 1024,
        num_pages: int | None = None,
        label_smoothing: float = 0.1,
        first_mark: int | None = None,
        judge_layers: int = 0,
        sentence_ends: Sequence[int] = (),
        pointing: Mapping[str, Sequence[int]] | None = None,
        plans: bool = False,
        untrained_confidence: bool = False,
        **kwargs: Any,
    ) -> None:
        self.page_tokens = page_tokens
        self.num_pages = num_pages
        self.label_smoothing = label_smoothing
        self.first_mark = first_mark
        self.judge_layers = judge_layers
        self.sentence_ends = list(sentence_ends)
        self.pointing = {name: list(tokens) for name, tokens in (pointing or {}).items()}
        self.plans = plans
        self.untrained_confidence = untrained_confidence
        super().__init__(**kwargs)
