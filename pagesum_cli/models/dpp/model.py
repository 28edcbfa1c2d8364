"""What the three small models share: the loss of copying and coverage, page confidences, and generation."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ...decoding.scorer import Step
from ...errors import PagesumError, UsageError
from ...locality.flow import Pages
from ...tokenization import PageTokenizer
from ..base import OnEncode, Output, PageBatch
from ..generation import GeneratingModel
from ..layers.dpp import with_projected_past
from ..layers.loss import (
    copying_log_probabilities,
    copying_loss,
    coverage_loss,
    label_log_probabilities,
    projected_cross_entropy,
)
from ..layers.packing import PackedPages
from .configuration import SequenceConfig

NO_LABEL = -100


@dataclass(frozen=True)
class Source:
    """The tokens of all pages of a document, one after another. ``J`` tokens.

    Attributes:
        ids: ``(B, J)``; ids from ``V`` on stand for words of the document that the vocabulary lacks.
        mask: ``(B, J)``, True where a token is.
        page: ``(B, J)``, the page of each token.
        pages: ``P``.
        states: ``(B, J, D)``, the encoder's; empty before it has run.
        values: ``(B, J, D)``, what contexts are sums of, where these are not the states.
    """

    ids: Tensor
    mask: Tensor
    page: Tensor
    pages: int
    states: Tensor = field(default_factory=lambda: torch.empty(0))
    values: Tensor | None = None

    @classmethod
    def join(cls, input_ids: Tensor, attention_mask: Tensor | None) -> Self:
        """Join pages ``(B, P, S)``.

        Raises:
            ValueError: The shapes do not fit, or a document has no token at all.
        """
        packed = PackedPages.pack(input_ids, attention_mask)
        ids, mask, page = packed.join(packed.input_ids[..., None])
        return cls(ids[..., 0], mask, page, packed.pages)

    def encoded(self, states: Tensor, values: Tensor | None = None) -> Self:
        """The source with the encoder's states."""
        return replace(self, states=states, values=values)

    # Computed once: a GPU is waited for.

    @cached_property
    def keys_mask(self) -> Tensor | None:
        """``(B, 1, 1, J)``; None where nothing is padded."""
        return None if bool(self.mask.all()) else self.mask[:, None, None]

    @property
    def lengths(self) -> Tensor:
        """Tokens of each document, ``(B,)``."""
        return self.mask.sum(-1)

    @cached_property
    def largest_id(self) -> int:
        """Of all tokens."""
        return int(self.ids.max())

    def entries(self, vocabulary: int) -> int:
        """``V'``: the vocabulary and the words that only these documents have."""
        return max(vocabulary, self.largest_id + 1)

    def shares(self, weights: Tensor) -> Tensor:
        """Each page's share of attention ``(B, Q, J)`` → ``(B, Q, P)``, summing to 1."""
        weights = weights.detach().float()
        index = self.page[:, None].expand_as(weights)
        sums = torch.zeros(*weights.shape[:2], self.pages, device=weights.device).scatter_add_(-1, index, weights)
        return sums / sums.sum(-1, keepdim=True)


@dataclass(frozen=True)
class Decoded:
    """Steps of a decoder. ``Q``: steps of a summary, or beams of one step.

    Attributes:
        states: ``(B, Q, D)``, before the projection to the vocabulary.
        attention: ``(B, Q, J)``: the attention that copies; in models that do not copy, the mean over layers.
        mean_attention: ``(B, Q, J)``, the mean over heads and layers, for page confidences.
    """

    states: Tensor
    attention: Tensor
    mean_attention: Tensor


class SequenceModel(GeneratingModel):
    """A model that reads all pages of a document as one sequence, and attends to its tokens.

    Input ids and labels from ``vocab_size`` on stand for words of the document that the vocabulary lacks: they are
    read as unknown, and can be copied.
    """

    config: SequenceConfig
    copies: ClassVar[bool] = True
    vocabulary_of: ClassVar[str] = "words"
    traces: ClassVar[frozenset[str]] = frozenset({"page", "attention"})
    capabilities: ClassVar[frozenset[str]] = GeneratingModel.capabilities | {"attention", "attention_temperature"}

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        if self.copies:
            self.copy_gate = nn.Linear(config.d_model, 1)

    # What each model defines

    @abstractmethod
    def encode_source(self, source: Source) -> Source:
        """Run the encoder."""

    @abstractmethod
    def decode(self, source: Source, ids: Tensor) -> Decoded:
        """Compute whole summaries (teacher forcing) of token ids ``(B, T)``."""

    @abstractmethod
    def start(self, source: Source, beams: int, temperature: float) -> Any:
        """The decoder's state before its first step, with ``advance(parents)``: follow the beams."""

    @abstractmethod
    def step(self, source: Source, ids: Tensor, state: Any) -> Decoded:
        """Read one token ``(B, K)`` of each beam; changes the state."""

    @property
    @abstractmethod
    def output(self) -> tuple[Tensor, Tensor]:
        """Weight ``(V, D)`` and bias ``(V,)`` of the projection to the vocabulary."""

    # What they share

    @classmethod
    def complete(cls, settings: dict[str, Any], weights: dict[str, Tensor]) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """Add the projection of the past that DPP attention has, to a model that was trained without."""
        return settings, with_projected_past(settings, weights)

    def enable_gradient_checkpointing(self) -> None:
        """Refuse: these models are small.

        Raises:
            UsageError: Always.
        """
        raise UsageError(
            f"gradient_checkpointing with a {self.config.model_type} model, which does without", "leave it out"
        )

    def prepare(
        self, tokenizer: PageTokenizer, documents: Sequence[Pages], page_tokens: int, spaced: bool
    ) -> PageBatch:
        """Turn documents' pages into the model's input; see :meth:`~pagesum_cli.models.base.PageModel.prepare`.

        Raises:
            PagesumError: The tokenizer has more or fewer tokens than the model: ids after it would mean other words.
        """
        if tokenizer.vocab_size != self.config.vocab_size:
            raise PagesumError(
                f"the tokenizer has {tokenizer.vocab_size:,} tokens, but the model has {self.config.vocab_size:,}",
                "do tokenizer and weights belong together?",
            )
        return super().prepare(tokenizer, documents, page_tokens, spaced)

    def check_ids(self, largest: int) -> None:
        """Accept ids beyond the vocabulary."""

    def known(self, ids: Tensor) -> Tensor:
        """Token ids with the unknown word in place of those beyond the vocabulary."""
        return ids.masked_fill(ids >= self.config.vocab_size, self.config.unk_token_id)

    def dropped(self, states: Tensor) -> Tensor:
        """States with dropout in training."""
        return F.dropout(states, self.config.dropout, self.training)

    def copying(self, weights: Tensor) -> Tensor:
        """Attention ``(B, Q, J)`` as a distribution to copy from: what DPP attention left, renormalized."""
        if self.config.dpp and not self.config.dpp_rescale:
            return weights / weights.sum(-1, keepdim=True)
        return weights

    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> Source:
        """Read the pages as one sequence."""
        source = Source.join(batch.input_ids, batch.attention_mask)
        limit = self.max_source_tokens
        if limit is not None and source.ids.shape[1] > limit:
            raise PagesumError(
                f"a source of {source.ids.shape[1]:,} tokens, but the model has positions for {limit:,}",
                f"--source-tokens {limit - 2 * source.pages} reads as much as fits",
            )
        encoded = self.encode_source(source)
        if on_encode is not None:
            pages = int(batch.input_ids.shape[0] * batch.input_ids.shape[1])
            on_encode(pages, pages)
        return encoded

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        return_logits: bool = True,
        **_: Any,
    ) -> Output:
        """Compute log probabilities and page confidences of given summaries; see :meth:`GeneratingModel.forward`.

        ``decoder_attention_mask`` is not needed: padding stands after a summary, and steps see those before them.
        ``logits`` are log probabilities ``(B, T, V')`` where words are copied.
        """
        decoder_input_ids = self.decoder_inputs(decoder_input_ids, labels)
        source = self.encode(PageBatch(input_ids, attention_mask))
        decoded = self.decode(source, decoder_input_ids)
        loss = None if labels is None else self._loss(source, decoded, labels)
        if not return_logits:
            return Output(loss)
        return Output(loss, self.scores(source, decoded), source.shares(decoded.mean_attention))

    def scores(self, source: Source, decoded: Decoded) -> Tensor:
        """Log probabilities ``(B, Q, V')`` where words are copied, otherwise logits ``(B, Q, V)``."""
        logits = F.linear(decoded.states, *self.output)
        if not self.copies:
            return logits
        gate = self.copy_gate(decoded.states)
        entries = source.entries(self.config.vocab_size)
        return copying_log_probabilities(logits, gate, decoded.attention, source.ids, entries)

    def _loss(self, source: Source, decoded: Decoded, labels: Tensor) -> Tensor:
        known = labels != NO_LABEL
        targets = self.known(labels)[known]
        weight, bias = self.output
        if self.copies:
            scores = decoded.states.new_zeros(labels.shape, dtype=torch.float32)
            scores[known] = label_log_probabilities(decoded.states[known], weight, bias, targets)
            gate = self.copy_gate(decoded.states)
            vocabulary = self.config.vocab_size
            loss = copying_loss(scores, gate, decoded.attention, source.ids, labels, vocabulary)[known].mean()
        else:
            loss = projected_cross_entropy(decoded.states[known], weight, bias, targets, self.config.label_smoothing)
        if self.config.coverage_loss:
            loss = loss + self.config.coverage_loss * coverage_loss(decoded.attention.float())[known].mean()
        return loss

    def scorer(self, memory: Source, beams: int, attention_temperature: float = 1.0) -> "SequenceScorer":
        """A scorer of next tokens for ``K`` beams of each document; τ divides the scores of cross-attention."""
        return SequenceScorer(self, memory, beams, attention_temperature)


class SequenceScorer:
    """Scores next tokens; see :class:`~pagesum_cli.decoding.scorer.Scorer`.

    Its trace holds page confidences (``page``, ``(B, K, P)``) and the attention that copies (``attention``,
    ``(B, K, J)``).
    """

    def __init__(self, model: SequenceModel, source: Source, beams: int, temperature: float) -> None:
        self.model = model
        self.source = source
        self.state = model.start(source, beams, temperature)

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        """See :class:`~pagesum_cli.decoding.scorer.Scorer`."""
        self.state.advance(parents)
        decoded = self.model.step(self.source, tokens, self.state)
        trace = {"page": self.source.shares(decoded.mean_attention), "attention": decoded.attention.float()}
        return Step(self.model.scores(self.source, decoded), trace)
