"""PageSum: a BART that reads each page alone and mixes the pages' decoder states by learned
confidences.

Liu et al., "Leveraging Locality in Abstractive Text Summarization", EMNLP 2022. One page is exactly
BART.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..decoding.scorer import Step
from ..errors import UsageError
from ..tokenization import PageTokenizer
from .base import OnEncode, Output, PageBatch
from .configuration import ModelConfig, choice
from .generation import GeneratingModel
from .layers.attention import (
    DppAttention,
    DppOptions,
    Past,
    Reading,
    sum_by_group,
    with_projected_past,
)
from .layers.cache import DecoderSteps
from .layers.loss import projected_cross_entropy
from .layers.packed import PackedLinear, can_pack, packed
from .layers.packing import PackedPages
from .layers.transformer import Decoder, DecoderLayer, Encoded, Encoder, embedding


@dataclass
class PageSumConfig(DppOptions, ModelConfig):
    """BART's configuration, and how pages are decoded."""

    model_type: ClassVar[str] = "pagesum"

    encoder_layers: int = 12
    decoder_layers: int = 12
    encoder_attention_heads: int = 16
    decoder_attention_heads: int = 16
    encoder_ffn_dim: int = 4096
    decoder_ffn_dim: int = 4096
    activation_function: str = "gelu"
    decoder_start_token_id: int = 2  # the decoder's first input
    # whether word embeddings are multiplied by the square root of ``D``
    scale_embedding: bool = False
    # ``pages``: each page is decoded alone, mixed by page confidences (the paper, eq. 7-9).
    # ``global``: one ordinary decoder attends to the encodings of all pages (the paper's ablation).
    decoding: str = choice("pages", "global")
    label_smoothing: float = 0.1  # ε of the training loss (eq. 1).
    # whether the confidence layer is new, as in a model made from a BART checkpoint
    untrained_confidence: bool = False
    # Where the past of DPP attention was read. ``own``: on the page itself, so that pages stay
    # apart. ``uniform``: on all pages of the document, the mean. ``confidence``: on all pages,
    # weighted by the layer's own confidences: eq. 7–8 applied, with the model's confidence layer
    # and without gradients, to the output states of the layer that has read. (The paper's page
    # confidences exist only after the last layer.)
    dpp_pages: str = choice("own", "uniform", "confidence")
    # The checkpoint's own generation settings under Transformers' names
    generation: dict[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        super().check()
        if self.dpp and self.decoder_layers < 2:
            raise ValueError(
                f"decoder_layers is {self.decoder_layers}, expected 2 or more with dpp: the "
                f"first has no past"
            )
        if self.decoding == "global" and self.dpp_pages != "own":  # there is one row a document
            raise ValueError(f"dpp_pages is {self.dpp_pages!r}, expected own with global decoding")


# tokens encoded at a time at inference: the encoder's memory does not grow with the document
ENCODER_TOKENS = 8192
# on a CPU: of larger tensors, the system takes the memory back at each layer
CPU_ENCODER_TOKENS = 2048

# Copies of the shared embeddings that BART checkpoints carry.
COPIES = (
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
)


@dataclass(frozen=True)
class Memory(Encoded):
    """Encoded documents; with global decoding ``states`` are ``(B, L, D)``, all pages one after
    another.
    """

    pages: PackedPages  # the pages
    page: Tensor | None = None  # with global decoding ``(B, L)``, the page of each token


class BartBody(nn.Module):
    """Shared word embeddings, encoder and decoder, under the names of the official checkpoints."""

    def __init__(self, config: PageSumConfig, encoder: nn.Module) -> None:
        super().__init__()
        self.scale = config.d_model**0.5 if config.scale_embedding else 1.0
        self.shared = embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = encoder
        self.decoder = Decoder(config)

    def embed(self, ids: Tensor) -> Tensor:
        """Word embeddings of token ids."""
        return self.shared(ids) * self.scale


class PageSumModel(GeneratingModel):
    """PageSum with its confidence layer; the vocabulary projection is the shared word
    embeddings.
    """

    config_class: ClassVar[type[ModelConfig]] = PageSumConfig
    training_settings: ClassVar[frozenset[str]] = frozenset({"decoding"})
    config: PageSumConfig

    def __init__(self, config: PageSumConfig) -> None:
        super().__init__(config)
        self.model = BartBody(config, self.new_encoder(config))
        self.lin = nn.Linear(config.d_model, 1)
        self.final_logits_bias: Tensor
        self.register_buffer("final_logits_bias", torch.zeros(1, config.vocab_size))
        self.init_weights()

    @classmethod
    def capabilities_of(cls, config: Mapping[str, Any]) -> frozenset[str]:
        """What a generating model offers; DPP attention has a temperature, too."""
        return cls.capabilities | ({"attention_temperature"} if config.get("dpp") else set())

    def new_encoder(self, config: Any) -> nn.Module:
        return Encoder(config)

    def init_weights(self) -> None:
        super().init_weights()
        for module in self.modules() if self.device.type != "meta" else ():
            if isinstance(module, DppAttention) and hasattr(module, "past_proj"):
                nn.init.eye_(module.past_proj.weight)

    def reset_head(self) -> None:
        """All pages weigh the same."""
        nn.init.zeros_(self.lin.weight)

    def trainable_parameters(self, head_only: bool) -> list[nn.Parameter]:
        """All that the loss depends on: with global decoding there are no pages to score."""
        unused = set(self.lin.parameters()) if self.config.decoding == "global" else set()
        return [parameter for parameter in self.parameters() if parameter not in unused]

    def adopt(self, settings: Any, tokenizer: PageTokenizer, start: ModelConfig | None) -> None:
        """Take over how pages are decoded; the confidence layer is trained from now on."""
        self.config.untrained_confidence = False
        if settings.decoding != "auto":
            self.config.decoding = settings.decoding
            try:
                self.config.check()
            except ValueError as error:
                raise UsageError(f"decoding = {settings.decoding}: {error}") from error

    @classmethod
    def complete(
        cls, settings: dict[str, Any], weights: dict[str, Tensor]
    ) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """Add what an official checkpoint or a BART lacks."""
        if not any(key.startswith("model.") for key in weights):  # a BART without its head
            weights = {
                key if key == "final_logits_bias" else f"model.{key}": value
                for key, value in weights.items()
            }
        weights = {key: value for key, value in weights.items() if key not in COPIES}
        shared = weights.get("model.shared.weight")
        if shared is None or shared.dim() != 2:
            return settings, weights
        rows, width = shared.shape
        settings = {**settings, "vocab_size": rows}  # released checkpoints have 50 264 or 50 265
        weights.setdefault("final_logits_bias", torch.zeros(1, rows, dtype=shared.dtype))
        if "lin.weight" not in weights:
            # Fixed, so that the same checkpoint gives the same summaries.
            noise = torch.Generator().manual_seed(0)
            std = float(settings.get("init_std", 0.02))
            weights["lin.weight"] = torch.randn(1, width, generator=noise).mul(std).to(shared.dtype)
            weights["lin.bias"] = torch.zeros(1, dtype=shared.dtype)
            settings["untrained_confidence"] = True
        return settings, with_projected_past(settings, weights)

    # Encoding

    def pack(self, batch: PageBatch) -> PackedPages:
        """The pages that hold any token."""
        return PackedPages.pack(batch.input_ids, batch.attention_mask)

    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> Memory:
        pages = self.pack(batch)
        states = self.encode_pages(pages, batch, on_encode)
        if self.config.decoding == "pages":
            return Memory(states, pages.keys_mask, pages.document, pages)
        joined, mask, page = pages.join(states)
        document = torch.arange(pages.batch, device=joined.device)
        return Memory(joined, mask[:, None, None], document, pages, page)

    def encode_pages(
        self, pages: PackedPages, batch: PageBatch, on_encode: OnEncode | None = None
    ) -> Tensor:
        """Encode pages, a few at a time → states ``(N, S, D)``; a family may use further fields of
        the batch.
        """
        width, weight = pages.mask.shape[1], self.model.shared.weight
        at_once = (
            min(ENCODER_TOKENS, CPU_ENCODER_TOKENS)
            if weight.device.type == "cpu"
            else ENCODER_TOKENS
        )
        limit = None if torch.is_grad_enabled() else at_once
        states = torch.zeros(
            len(pages), width, weight.shape[1], dtype=weight.dtype, device=weight.device
        )
        groups = pages.by_length(limit)
        pays = limit is not None and len(groups) > 1 and can_pack(weight)
        encoder = packed(self.model.encoder, fuse=False) if pays else self.model.encoder
        done = 0
        for rows in groups:
            encoded = self._encode_group(pages.take(rows), encoder)
            states[rows, : encoded.shape[1]] = encoded.to(states.dtype)
            done += len(rows)
            if on_encode is not None:
                on_encode(done, len(pages))
        return states

    def _encode_group(self, group: PackedPages, encoder: nn.Module) -> Tensor:
        """Encode pages together, in smaller groups where memory does not suffice."""
        try:
            return encoder(self.model.embed(group.input_ids), group.mask)
        except torch.OutOfMemoryError:
            if len(group) == 1 or torch.is_grad_enabled():
                raise
            torch.cuda.empty_cache()
        half = len(group) // 2
        width = group.mask.shape[1]
        parts = [
            self._encode_group(group.take(part), encoder)
            for part in (slice(0, half), slice(half, len(group)))
        ]
        return torch.cat([F.pad(part, (0, 0, 0, width - part.shape[1])) for part in parts])

    def group_states(self, pages: PackedPages, batch: PageBatch) -> Callable[[Tensor], Tensor]:
        """A function that gives the states ``(rows, tokens, D)`` of some of the pages, by row
        number.

        Here pages are encoded only then, so that the memory of a group can be free before the next
        one.
        """

        def states(rows: Tensor) -> Tensor:
            group = pages.take(rows)
            return self.model.encoder(self.model.embed(group.input_ids), group.mask)

        return states

    # Teacher forcing

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        return_logits: bool = True,
        importance: Tensor | None = None,
        **_: Any,
    ) -> Output:
        """Compute logits and page confidences of given summaries.

        Args:
            input_ids, attention_mask: ``(B, P, S)``; a page without any token is left out.
            decoder_input_ids: ``(B, T)``; by default the labels moved one to the right after the
                start token.
            decoder_attention_mask: ``(B, T)``; 0 for padding, which stands after a summary.
            labels: ``(B, T)``, the token expected at each place; -100 for none.
            return_logits: False to get the loss alone, for which the logits are never held in
                memory.
            importance: ``(B, P, S)``, see :class:`~pagesum_cli.models.base.PageBatch`.

        Raises:
            ValueError: Shapes that do not fit, a document without any token, or neither labels nor
                decoder_input_ids.
        """
        decoder_input_ids = self.decoder_inputs(decoder_input_ids, labels)
        batch = PageBatch(input_ids, attention_mask, importance=importance)
        decode = self._decode_pages if self.config.decoding == "pages" else self._decode_globally
        mixed, confidences, scores = decode(batch, decoder_input_ids, decoder_attention_mask)
        logits = loss = None
        if return_logits:
            logits = self.project(mixed)
            if labels is not None:
                loss = F.cross_entropy(
                    logits.flatten(0, -2).float(),
                    labels.flatten(),
                    label_smoothing=self.config.label_smoothing,
                )
        elif labels is not None:
            known = labels != -100
            weight, bias = self.model.shared.weight, self.final_logits_bias[0]
            loss = projected_cross_entropy(
                mixed[known], weight, bias, labels[known], self.config.label_smoothing
            )
        return Output(loss, logits, confidences, scores)

    def _decode_pages(
        self, batch: PageBatch, decoder_input_ids: Tensor, decoder_mask: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Mixed states ``(B, T, D)``, confidences and scores ``(B, T, P)``.

        Pages of similar length go through encoder and decoder together, so that little is padded;
        without gradients a group's memory is free for the next one. Where the pages meet in every
        layer (DPP attention across pages), all groups go through the decoder together.
        """
        pages = self.pack(batch)
        rows = pages.by_length(None if torch.is_grad_enabled() else ENCODER_TOKENS)
        ordered = pages.take(torch.cat(rows))
        states_of = self.group_states(pages, batch)
        embedded = self.model.embed(decoder_input_ids)
        mix = partial(self.mix_readings, pages=ordered) if self.reads_across_pages else None
        states: list[Tensor] = []
        for together in [[some] for some in rows] if mix is None else [rows]:
            groups = [pages.take(some) for some in together]
            encoded = [
                Encoded(states_of(some), group.keys_mask, group.document)
                for some, group in zip(together, groups, strict=True)
            ]
            states += self.model.decoder(embedded, decoder_mask, encoded, mix)
        mixed, confidences, scores = self.mix(torch.cat(states), ordered)
        return mixed, confidences.transpose(1, 2), scores.transpose(1, 2)

    def _decode_globally(
        self, batch: PageBatch, decoder_input_ids: Tensor, decoder_mask: Tensor | None
    ) -> tuple[Tensor, Tensor, None]:
        """States ``(B, T, D)`` and each page's share of the cross-attention ``(B, T, P)``, mean of
        heads and layers.
        """
        memory = self.encode(batch)
        stack = self.model.decoder
        embedded = self.model.embed(decoder_input_ids)
        states = stack.embed(embedded)
        length = states.shape[1]
        mask = torch.ones(length, length, dtype=torch.bool, device=states.device).tril()
        if decoder_mask is not None:
            mask = mask & decoder_mask.bool()[:, None, None]
        shares = []
        past: Past | None = None
        for layer in stack.decoder_layers:
            states = layer.read_summary(states, mask)
            source, queries = layer.source(memory.states), states
            states, reading = stack.run(layer.cross, states, source, memory.keys_mask, None, past)
            shares.append(self.attention_shares(layer, queries, source, reading, memory))
            if reading is not None and reading.keys is not None:
                past = Past.of_steps(reading.keys, self.config.dpp_first_step)
        return states, torch.stack(shares).mean(0), None

    @torch.no_grad()
    def attention_shares(
        self,
        layer: DecoderLayer,
        states: Tensor,
        source: Any,
        reading: Reading | None,
        memory: Memory,
    ) -> Tensor:
        """Each page's share of a layer's cross-attention from ``states``, ``(B, T, P)``, mean over
        heads.
        """
        if memory.keys_mask is None or memory.page is None:
            raise ValueError("the memory is not that of global decoding")
        if reading is None:
            mask = memory.keys_mask[:, 0, 0]
            return layer.encoder_attn.shares(
                states, source[0], mask, memory.page, memory.pages.pages
            )
        sums = sum_by_group(reading.weights.mean(1).float(), memory.page, memory.pages.pages)
        return sums / sums.sum(-1, keepdim=True)

    def mix(self, states: Tensor, pages: PackedPages) -> tuple[Tensor, Tensor, Tensor]:
        """Average the pages' states by confidence (eq. 7-9): ``(B, T, D)``, confidences and scores
        ``(B, P, T)``.
        """
        scores = self.page_scores(states, pages)
        confidences = scores.softmax(dim=1)
        return average(states, confidences, pages), confidences, scores

    def page_scores(self, states: Tensor, pages: PackedPages) -> Tensor:
        """Score the pages by their decoder states ``(N, T, D)`` → ``(B, P, T)``; minus infinity for
        none (eq. 7).
        """
        return pages.unpack(self.lin(states).squeeze(-1).float(), float("-inf"))

    @property
    def reads_across_pages(self) -> bool:
        """Whether the past of DPP attention is what was read on all pages."""
        return (
            self.config.dpp and self.config.dpp_pages != "own" and self.config.decoding == "pages"
        )

    def mix_readings(self, states: Tensor, readings: Tensor, pages: PackedPages) -> Tensor:
        """Average ``readings`` ``(N, T, D)`` of a layer on a document's pages, as ``dpp_pages``
        says → ``(B, T, D)``.

        The confidences (without gradients) of ``states`` ``(N, T, D)``, the layer's output, can be
        the weights.
        """
        with torch.no_grad():
            if self.config.dpp_pages == "uniform":
                scores = pages.unpack(states.new_zeros(states.shape[:2]), float("-inf"))
            else:
                scores = self.page_scores(states, pages)
        return average(readings, scores.softmax(dim=1), pages)

    def project(self, mixed: Tensor) -> Tensor:
        """States ``(..., D)`` → logits ``(..., V)``."""
        return F.linear(mixed, self.model.shared.weight) + self.final_logits_bias[0].to(mixed.dtype)

    # Generation

    def scorer(
        self, memory: Memory, beams: int, attention_temperature: float = 1.0
    ) -> "PageScorer":
        return PageScorer(self, memory, beams, attention_temperature)

    def page_memory_bytes(self, tokens: int, beams: int, max_length: int) -> int:
        """Keys and values of a page and of the summary that is generated on it, in all decoder
        layers.
        """
        weight = self.model.shared.weight
        per_token = 2 * len(self.model.decoder.layers) * weight.shape[1] * weight.element_size()
        return per_token * (tokens + beams * max_length)


class PageScorer:
    """Scores next tokens of ``K`` hypotheses of each document."""

    def __init__(
        self, model: PageSumModel, memory: Memory, beams: int, temperature: float = 1.0
    ) -> None:
        self.model = model
        self.memory = memory
        self.shape = (memory.pages.batch, beams, -1)
        mix = partial(model.mix_readings, pages=memory.pages) if model.reads_across_pages else None
        layers, first_step = model.model.decoder.decoder_layers, model.config.dpp_first_step
        self.steps = DecoderSteps(
            layers, memory, memory.pages.batch, beams, temperature, first_step, mix
        )
        weight, bias = model.model.shared.weight, model.final_logits_bias[0]
        self.project = (
            PackedLinear(weight, bias.to(weight.dtype)) if can_pack(weight) else model.project
        )

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        body, memory = self.model.model, self.memory
        embedded = body.embed(tokens.flatten())[:, None]
        states = body.decoder.embed(embedded, self.steps.cache.steps).view(self.shape)  # (B, K, D)
        states, done = self.steps.advance(states, parents)
        if memory.page is not None:
            shares = [
                self.model.attention_shares(
                    item.layer, item.queries, item.source, item.reading, memory
                )
                for item in done
            ]
            return Step(self.project(states), {"page": torch.stack(shares).mean(0)})
        mixed, confidences, _ = self.model.mix(states, memory.pages)  # (B, K, D), (B, P, K)
        return Step(self.project(mixed), {"page": confidences.transpose(1, 2)})


def average(states: Tensor, weights: Tensor, pages: PackedPages) -> Tensor:
    """Average rows ``(N, T, D)`` by document, with weights ``(B, P, T)`` that sum to 1 → ``(B, T,
    D)``.
    """
    weighted = states * weights[pages.document, pages.page].to(states.dtype).unsqueeze(-1)
    return states.new_zeros(pages.batch, *states.shape[1:]).index_add_(0, pages.document, weighted)
