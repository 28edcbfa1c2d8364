"""What the three small models share: the loss of copying and coverage, page confidences, and
generation.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ...decoding.scorer import Step
from ...errors import PagesumError
from ...locality.flow import Pages
from ...tokenization import PageTokenizer
from ..base import OnEncode, Output, PageBatch
from ..configuration import ModelConfig, choice
from ..generation import GeneratingModel
from ..layers import loss as losses
from ..layers.attention import DppOptions, observed, sum_by_group, with_projected_past
from ..layers.packing import PackedPages
from ..tasks import NO_LABEL


@dataclass
class SequenceConfig(DppOptions, ModelConfig):
    """What the three models share. The defaults are those of the authors' runs."""

    vocab_size: int = 50000
    d_model: int = 512
    max_position_embeddings: int = 4096
    page_tokens: int = 512
    # what the encoder and the decoder read for a word that the vocabulary lacks
    unk_token_id: int = 3
    decoder_start_token_id: int = 0  # the decoder's first input
    # λ of the coverage loss, which is added to that of each token; 0 for none
    coverage_loss: float = 0.0
    # ε of the training loss, where words are not copied: the loss of copying has none
    label_smoothing: float = 0.0
    # The checkpoint's own generation settings under Transformers' names
    generation: dict[str, Any] = field(default_factory=dict)


@dataclass
class RecurrentConfig(SequenceConfig):
    """A pointer-generator network."""

    model_type: ClassVar[str] = "pointer-generator"

    embedding_width: int = 128  # of word embeddings
    # of the bidirectional LSTM, each half as wide as ``D`` in either direction
    encoder_layers: int = 1
    # whether the source's states are changed by what has been read of them (+CovVec)
    coverage_vector: bool = False
    # What the loss is the mean of: all tokens of a batch alike, or documents, each the mean of its
    # tokens (the authors' runs, ``-copy_loss_by_seqlength``).
    loss_mean: str = choice("tokens", "documents")
    # What the past is the mean of: the decoder's ``output`` f(h, c), or the ``context`` c (eq. 8).
    dpp_recurrence: str = choice("output", "context")

    def check(self) -> None:
        super().check()
        if self.d_model % 2:
            raise ValueError(f"d_model is {self.d_model}, expected an even number")


@dataclass
class TransformerConfig(SequenceConfig):
    """A Transformer of which one head copies."""

    model_type: ClassVar[str] = "copy-transformer"
    activation_function: ClassVar[str] = "relu"

    encoder_layers: int = 4
    decoder_layers: int = 4
    encoder_attention_heads: int = 8
    decoder_attention_heads: int = 8
    encoder_ffn_dim: int = 2048
    decoder_ffn_dim: int = 2048
    dropout: float = 0.2
    attention_dropout: float = 0.1
    activation_dropout: float = 0.2
    # Normalize before each sublayer and at the end (the authors' program); otherwise after each
    # sublayer (eq. 17–19).
    norm_first: bool = True
    tie_output: bool = False  # whether the projection to the vocabulary is the word embeddings
    # Whether all decoder layers have the same projection of keys (ours, for dpp_past = "none"):
    # what the layer below has read is then a mean of the very keys that it is compared with.
    shared_keys: bool = False


@dataclass
class ConvolutionalConfig(SequenceConfig):
    """A convolutional sequence-to-sequence model (Gehring et al., 2017), which does not copy."""

    model_type: ClassVar[str] = "conv-seq2seq"

    d_model: int = 256  # channels of the convolutions
    embedding_width: int = 256  # of word and position embeddings
    output_width: int = 256  # before the projection to the vocabulary
    # encoder_layers, decoder_layers: convolutions
    encoder_layers: int = 4
    decoder_layers: int = 3
    kernel_size: int = 3  # tokens that a convolution sees
    dropout: float = 0.2
    max_position_embeddings: int = 1024
    # Whether the context is multiplied by the square root of the number of source tokens (the
    # authors' program), after the past has been taken.
    scale_context: bool = True
    dpp_rescale: bool = False

    @property
    def max_source_tokens(self) -> int:
        """One learned position a token."""
        return self.max_position_embeddings


# accumulated attention from which on a source position is read, and below which unread
READ, UNREAD = 0.6, 0.2


@dataclass(frozen=True)
class Source:
    """The tokens of all pages of a document, one after another. ``J`` tokens."""

    # ``(B, J)``; ids from ``V`` on stand for words of the document that the vocabulary lacks
    ids: Tensor
    mask: Tensor  # ``(B, J)``, True where a token is
    page: Tensor  # ``(B, J)``, the page of each token
    pages: int  # ``P``
    # ``(B, J, D)``, the encoder's; empty before it has run
    states: Tensor = field(default_factory=lambda: torch.empty(0))
    # ``(B, J, D)``, what contexts are sums of, where these are not the states
    values: Tensor | None = None

    @classmethod
    def join(cls, input_ids: Tensor, attention_mask: Tensor | None) -> Self:
        """Join pages ``(B, P, S)``."""
        packed = PackedPages.pack(input_ids, attention_mask)
        ids, mask, page = packed.join(packed.input_ids[..., None])
        return cls(ids[..., 0], mask, page, packed.pages)

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
        sums = sum_by_group(weights.detach().float(), self.page, self.pages)
        return sums / sums.sum(-1, keepdim=True)


@dataclass(frozen=True)
class Decoded:
    """Steps of a decoder. ``Q``: steps of a summary, or beams of one step."""

    states: Tensor  # ``(B, Q, D)``, before the projection to the vocabulary
    # ``(B, Q, J)``: the attention that copies; in models that do not copy, the mean over layers
    attention: Tensor
    mean_attention: Tensor  # ``(B, Q, J)``, the mean over heads and layers, for page confidences


class SequenceModel(GeneratingModel):
    """A model that reads all pages of a document as one sequence, and attends to its tokens.

    Input ids and labels from ``vocab_size`` on stand for words of the document that the vocabulary
    lacks: they are read as unknown, and can be copied.
    """

    config: SequenceConfig
    copies: ClassVar[bool] = True
    vocabulary_of: ClassVar[str] = "words"
    traces: ClassVar[frozenset[str]] = frozenset({"page", "attention"})
    capabilities: ClassVar[frozenset[str]] = GeneratingModel.capabilities | {
        "attention",
        "attention_temperature",
    }

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
        """The decoder's state before its first step, with ``advance(parents)``: follow the
        beams.
        """

    @abstractmethod
    def step(self, source: Source, ids: Tensor, state: Any) -> Decoded:
        """Read one token ``(B, K)`` of each beam; changes the state."""

    @property
    def output(self) -> tuple[Any, Any]:
        """Weight ``(V, D)`` and bias ``(V,)`` of the projection to the vocabulary, by default
        ``to_vocabulary``.
        """
        layer: Any = self.to_vocabulary
        return layer.weight, layer.bias

    # What they share

    @classmethod
    def complete(
        cls, settings: dict[str, Any], weights: dict[str, Tensor]
    ) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """Add the projection of the past that DPP attention has, to a model that was trained
        without.
        """
        return settings, with_projected_past(settings, weights)

    def prepare(
        self, tokenizer: PageTokenizer, documents: Sequence[Pages], page_tokens: int, spaced: bool
    ) -> PageBatch:
        """Turn documents' pages into the model's input; see
        :meth:`~pagesum_cli.models.base.PageModel.prepare`.
        """
        if tokenizer.vocab_size != self.config.vocab_size:
            message = (
                f"the tokenizer has {tokenizer.vocab_size:,} tokens, but the model "
                f"has {self.config.vocab_size:,}"
            )
            raise PagesumError(message, "do tokenizer and weights belong together?")
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
        """Attention ``(B, Q, J)`` as a distribution to copy from: what DPP attention left,
        renormalized.
        """
        if self.config.dpp and not self.config.dpp_rescale:
            return weights / weights.sum(-1, keepdim=True)
        return weights

    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> Source:
        """Read the pages as one sequence."""
        source = Source.join(batch.input_ids, batch.attention_mask)
        limit = self.max_source_tokens
        if limit is not None and source.ids.shape[1] > limit:
            message = (
                f"a source of {source.ids.shape[1]:,} tokens, but the model has positions "
                f"for {limit:,}"
            )
            raise PagesumError(
                message, f"--source-tokens {limit - 2 * source.pages} reads as much as fits"
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
        """Compute log probabilities and page confidences of given summaries; see
        :meth:`GeneratingModel.forward`.

        ``decoder_attention_mask`` is not needed: padding stands after a summary, and steps see
        those before them. ``logits`` are log probabilities ``(B, T, V')`` where words are copied.
        """
        decoder_input_ids = self.decoder_inputs(decoder_input_ids, labels)
        source = self.encode(PageBatch(input_ids, attention_mask))
        decoded = self.decode(source, decoder_input_ids)
        loss = None if labels is None else self._loss(source, decoded, labels)
        if not return_logits:
            return Output(loss)
        return Output(loss, self.scores(source, decoded), source.shares(decoded.mean_attention))

    def scores(self, source: Source, decoded: Decoded) -> Tensor:
        """Log probabilities ``(B, Q, V')`` where words are copied, otherwise logits ``(B, Q,
        V)``.
        """
        logits = F.linear(decoded.states, *self.output)
        if not self.copies:
            return logits
        gate = self.copy_gate(decoded.states)
        entries = source.entries(self.config.vocab_size)
        return losses.copying_log_probabilities(
            logits, gate, decoded.attention, source.ids, entries
        )

    @torch.no_grad()
    def figures(self, batch: Mapping[str, Any]) -> dict[str, float]:
        """What β of DPP attention does: its mean on positions that the steps before have read and
        have not read, and the share of a step's attention that it moves to other positions (total
        variation).

        Means over layers, heads and steps but the first. What has been read is what the past is
        made of: the attention of the layer below, or that of the steps before. ``batch`` also has
        ``decoder_input_ids`` and ``labels``.
        """
        if not self.config.dpp:
            return {}
        seen: list[tuple[Tensor, Tensor | None, Tensor]] = []
        with observed(lambda *weights: seen.append(weights)):
            source = self.encode(PageBatch(batch["input_ids"], batch["attention_mask"]))
            self.decode(source, batch["decoder_input_ids"])
        known = (batch["labels"] != NO_LABEL)[:, 1:, None] & source.mask[:, None]  # (B, T - 1, J)
        by_step = seen[0][1] is not None  # a recurrent model: all entries are steps of one layer
        layers: Any = (
            [tuple(torch.cat(part, 1) for part in zip(*seen, strict=True))] if by_step else seen
        )
        found: dict[str, list[Tensor]] = {"beta_read": [], "beta_unread": [], "beta_moves": []}
        for number, (alpha, beta, _) in enumerate(layers):
            if beta is None:
                continue
            below = layers[max(number - 1, 0)][2]
            own, factors, before = (  # (H, B, T, J)
                (one if one.dim() == 4 else one[:, None]).transpose(0, 1).float()
                for one in (alpha, beta, below)
            )
            read = (before / before.sum(-1, keepdim=True)).cumsum(2)[:, :, :-1]
            own, factors = own[:, :, 1:], factors[:, :, 1:]
            found["beta_read"].append(factors[known & (read >= READ)])
            found["beta_unread"].append(factors[known & (read < UNREAD)])
            after = own * factors
            moved = (after / after.sum(-1, keepdim=True) - own).abs().sum(-1) / 2
            found["beta_moves"].append(moved[:, known.any(-1)].flatten())
        nothing = source.states.new_zeros(0)
        return {name: torch.cat([nothing, *values]).mean().item() for name, values in found.items()}

    def _loss(self, source: Source, decoded: Decoded, labels: Tensor) -> Tensor:
        known = labels != NO_LABEL
        targets = self.known(labels)[known]
        weight, bias = self.output
        if self.copies:
            scores = decoded.states.new_zeros(labels.shape, dtype=torch.float32)
            scores[known] = losses.label_log_probabilities(
                decoded.states[known], weight, bias, targets
            )
            gate = self.copy_gate(decoded.states)
            vocabulary = self.config.vocab_size
            loss = self.mean_loss(
                losses.copying_loss(
                    scores, gate, decoded.attention, source.ids, labels, vocabulary
                ),
                known,
            )
        else:
            smoothing = self.config.label_smoothing
            loss = losses.projected_cross_entropy(
                decoded.states[known], weight, bias, targets, smoothing
            )
        if self.config.coverage_loss:
            loss = loss + self.config.coverage_loss * self.mean_loss(
                losses.coverage_loss(decoded.attention.float()), known
            )
        return loss

    def mean_loss(self, values: Tensor, known: Tensor) -> Tensor:
        """The loss of a batch, of those of its tokens ``(B, T)``; ``known``: where a label is."""
        return values[known].mean()

    def scorer(
        self, memory: Source, beams: int, attention_temperature: float = 1.0
    ) -> "SequenceScorer":
        """A scorer of next tokens for ``K`` beams of each document; τ divides the scores of
        cross-attention.
        """
        return SequenceScorer(self, memory, beams, attention_temperature)


class SequenceScorer:
    """Scores next tokens; traces page confidences (``page``) and the attention ``(B, K, J)`` that
    copies.
    """

    def __init__(
        self, model: SequenceModel, source: Source, beams: int, temperature: float
    ) -> None:
        self.model = model
        self.source = source
        self.state = model.start(source, beams, temperature)

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        self.state.advance(parents)
        decoded = self.model.step(self.source, tokens, self.state)
        trace = {
            "page": self.source.shares(decoded.mean_attention),
            "attention": decoded.attention.float(),
        }
        return Step(self.model.scores(self.source, decoded), trace)
