"""The importance tagger: which tokens of a document belong to words that its summary has (AdaPool)."""

from dataclasses import replace
from typing import Any, ClassVar, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ...errors import UsageError
from ...options import GenerationOptions
from ...tokenization import CONTROL_TOKENS
from ..base import ModelConfig, OnEncode, Output, PageBatch, PageModel
from ..layers.transformer import embedding
from ..pagesum.model import PageSumModel
from ..tasks import NO_LABEL
from .configuration import TaggerConfig, TopDownConfig
from .encoder import Joined, TopDownEncoder, init_updates, join, pack, with_repeated_positions
from .tasks import Importance


class Tagger(nn.Module):
    """A top-down encoder, whose pooling is the mean, and a linear layer."""

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__()
        self.config = config
        self.scale = config.d_model**0.5 if config.scale_embedding else 1.0
        self.shared = embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = TopDownEncoder(replace(config, pooling="average"))
        self.classifier = nn.Linear(config.d_model, 1)

    def forward(self, documents: Joined) -> Tensor:
        """The logit ``(B, L)`` of each token's importance."""
        states = self.encoder(self.shared(documents.ids) * self.scale, documents.mask, documents.places)
        return self.classifier(states).squeeze(-1)

    @torch.no_grad()
    def predict(self, documents: Joined) -> Tensor:
        """The probability ``(B, L)`` that each token is important; 0 for special and control tokens, as in labels."""
        was_training = self.training
        self.eval()
        probabilities = self(documents).float().sigmoid()
        self.train(was_training)
        return probabilities.masked_fill(~is_text(documents.ids, self.config), 0.0)


def is_text(ids: Tensor, config: TopDownConfig) -> Tensor:
    """Where token ids are neither start, end and padding nor control tokens."""
    is_special = (ids == config.bos_token_id) | (ids == config.eos_token_id) | (ids == config.pad_token_id)
    if (first := config.first_control_token) is not None:
        is_special |= (ids >= first) & (ids < first + CONTROL_TOKENS)
    return ~is_special


class TopDownTagger(PageModel):
    """A tagger as a model of its own: it is trained before the summarizer whose AdaPool it serves."""

    config_class: ClassVar[type[ModelConfig]] = TaggerConfig
    config: TaggerConfig
    generates = False
    tasks = (Importance(),)
    starts_from = PageSumModel

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__(config)
        self.tagger = Tagger(config)
        self.init_weights()

    def init_weights(self) -> None:
        """As in any model, and see :func:`~.encoder.init_updates`."""
        super().init_weights()
        init_updates(self)

    @classmethod
    @torch.no_grad()
    def from_bart(cls, model: PageSumModel, **changes: Any) -> Self:
        """A tagger whose encoder starts from that of a BART, PageSum or top-down transformer."""
        values = {**model.config.to_dict(), "source_tokens": None, "pooling": "average", **changes}
        new = cls(TaggerConfig.from_dict(values))
        weights = with_repeated_positions(model.state_dict(), new.config)
        new.tagger.load_state_dict(
            {name.removeprefix("model."): value for name, value in weights.items()}, strict=False
        )
        return new

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor | None = None, importance_labels: Tensor | None = None
    ) -> Output:
        """Compute each token's importance: its logit ``(B, P, S)``, minus infinity where no token is, and the mean
        binary cross entropy of the labeled tokens.

        Args:
            input_ids: ``(B, P, S)``.
            attention_mask: ``(B, P, S)``; a page without any token is left out.
            importance_labels: ``(B, P, S)``, 1 or 0; -100 where it does not matter.
        """
        pages = pack(PageBatch(input_ids, attention_mask), self.config)
        documents = join(pages, self.config)
        flat = self.tagger(documents)  # (B, L)
        loss = None
        if importance_labels is not None:
            labels = importance_labels[pages.document, pages.page, : pages.mask.shape[1]]  # (N, S)
            joined = pages.join(labels[..., None])[0][..., 0]
            is_labeled = documents.mask & (joined != NO_LABEL)
            loss = F.binary_cross_entropy_with_logits(flat[is_labeled].float(), joined[is_labeled].float())
        own = pages.part(flat[..., None], documents.mask)[..., 0].masked_fill(~pages.mask, float("-inf"))
        logits = own.new_full(input_ids.shape, float("-inf"))
        logits[pages.document, pages.page, : own.shape[1]] = own
        return Output(loss, logits)

    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> Tensor:
        """The probability of each token ``(B, P, S)``."""
        return self(batch.input_ids, batch.attention_mask).logits.float().sigmoid()

    def generation_options(self, options: GenerationOptions) -> GenerationOptions:
        """Refuse: a tagger makes no summaries.

        Raises:
            UsageError: Always.
        """
        raise UsageError(
            "an importance tagger predicts which words matter, and makes no summaries",
            "train a summarizer with it: --set architecture=topdown --set model.pooling=adaptive --set tagger=FOLDER",
        )
