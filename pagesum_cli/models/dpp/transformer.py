"""A Transformer that copies with one head of its last decoder layer, plain or with DPP attention (eq. 17–22)."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..base import ModelConfig
from ..layers.attention import Attention
from ..layers.cache import BeamCache
from ..layers.dpp import DppAttention, DppKeys, Past, Reading, wide
from ..layers.transformer import embedding
from .configuration import TransformerConfig
from .model import Decoded, SequenceModel, follow
from .source import Source

COPYING_HEAD = 0
"""Of the last decoder layer."""


class Block(nn.Module):
    """A self-attention and a feed-forward sublayer, normalized before or after each."""

    def __init__(self, config: TransformerConfig, heads: int, width: int) -> None:
        super().__init__()
        self.config = config
        self.self_attn = Attention(config.d_model, heads, config.attention_dropout)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.fc1 = nn.Linear(config.d_model, width)
        self.fc2 = nn.Linear(width, config.d_model)
        self.final_layer_norm = nn.LayerNorm(config.d_model)

    def sublayer(self, states: Tensor, norm: nn.LayerNorm, change: Callable[[Tensor], Tensor]) -> Tensor:
        """States with a change added to them."""
        if self.config.norm_first:
            return states + F.dropout(change(norm(states)), self.config.dropout, self.training)
        return norm(states + F.dropout(change(states), self.config.dropout, self.training))

    def feed_forward(self, states: Tensor) -> Tensor:
        """The feed-forward sublayer."""

        def change(states: Tensor) -> Tensor:
            inner = F.dropout(self.fc1(states).relu(), self.config.activation_dropout, self.training)
            return self.fc2(inner)

        return self.sublayer(states, self.final_layer_norm, change)


class EncoderBlock(Block):
    """A layer of the encoder."""

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """``(B, J, D)`` → ``(B, J, D)``; mask ``(B, 1, 1, J)``."""

        def attend(states: Tensor) -> Tensor:
            return self.self_attn(states, self.self_attn.keys_values(states), mask)

        return self.feed_forward(self.sublayer(states, self.self_attn_layer_norm, attend))


class DecoderBlock(Block):
    """A layer of the decoder, whose cross-attention can be DPP attention."""

    def __init__(self, config: TransformerConfig, number: int) -> None:
        heads, has_next = config.decoder_attention_heads, number + 1 < config.decoder_layers
        super().__init__(config, heads, config.decoder_ffn_dim)
        self.encoder_attn = DppAttention(config.d_model, heads, config.attention_dropout, config, number > 0, has_next)
        self.encoder_attn_layer_norm = nn.LayerNorm(config.d_model)

    def cross(
        self, states: Tensor, source: DppKeys, mask: Tensor | None, past: Past | None, temperature: float
    ) -> tuple[Tensor, Reading]:
        """Everything after the self-attention, for ``(B, Q, D)``."""
        readings: list[Reading] = []

        def attend(states: Tensor) -> Tensor:
            output, reading = self.encoder_attn.read(states, source, mask, past, temperature)
            readings.append(reading)
            return output

        return self.feed_forward(self.sublayer(states, self.encoder_attn_layer_norm, attend)), readings[0]


@dataclass
class TransformerState:
    """What the decoder remembers of the steps before.

    Attributes:
        sources: Of each layer.
        cache: The summary's own keys and values.
        read: For each layer but the last, the sum of the keys that it read, ``(B, K, D)``.
        mask: Which slots of the cache each beam may see.
        temperature: τ.
    """

    sources: list[DppKeys]
    cache: BeamCache
    read: list[Tensor]
    mask: Tensor | None
    temperature: float

    def advance(self, parents: Tensor | None) -> None:
        """Follow the beams."""
        self.mask = self.cache.advance(parents)
        if parents is not None:
            self.read = [follow(total, parents) for total in self.read]


class CopyTransformer(SequenceModel):
    """The Transformer, plain or with coverage (+CovLoss) and DPP attention."""

    config_class: ClassVar[type[ModelConfig]] = TransformerConfig
    config: TransformerConfig

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.shared = embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = nn.ModuleList(
            EncoderBlock(config, config.encoder_attention_heads, config.encoder_ffn_dim)
            for _ in range(config.encoder_layers)
        )
        self.decoder = nn.ModuleList(DecoderBlock(config, number) for number in range(config.decoder_layers))
        if config.norm_first:
            self.encoder_norm = nn.LayerNorm(config.d_model)
            self.decoder_norm = nn.LayerNorm(config.d_model)
        self.output_bias = nn.Parameter(torch.zeros(config.vocab_size))
        if not config.tie_output:
            self.to_vocabulary = nn.Parameter(torch.empty(config.vocab_size, config.d_model))
        self.init_weights()

    def init_weights(self) -> None:
        """Glorot's uniform weights for all matrices."""
        if self.device.type != "meta":
            for weight in self.parameters():
                if weight.dim() > 1:
                    nn.init.xavier_uniform_(weight)
            nn.init.zeros_(self.shared.weight.data[self.config.pad_token_id])

    @property
    def output(self) -> tuple[Tensor, Tensor]:
        """The projection to the vocabulary."""
        return self.shared.weight if self.config.tie_output else self.to_vocabulary, self.output_bias

    def embed(self, ids: Tensor, first: int = 0) -> Tensor:
        """Scaled word embeddings of ids ``(rows, tokens)`` with sinusoidal positions from ``first`` on."""
        words = self.shared(self.known(ids)) * self.config.d_model**0.5
        positions = sinusoids(first, ids.shape[1], self.config.d_model, words)
        return self.dropped(words + positions)

    def encode_source(self, source: Source) -> Source:
        """Run the encoder over all tokens."""
        states, mask = self.embed(source.ids), source.keys_mask
        for block in self.encoder:
            states = block(states, mask)
        return source.encoded(self.encoder_norm(states) if self.config.norm_first else states)

    @property
    def blocks(self) -> list[DecoderBlock]:
        """The decoder's layers with their type."""
        return [block for block in self.decoder if isinstance(block, DecoderBlock)]

    def decode(self, source: Source, ids: Tensor) -> Decoded:
        """Compute whole summaries, all steps at once: the past of a layer is what the layer below has read."""
        states, mask = self.embed(ids), source.keys_mask
        past: Past | None = None
        readings = []
        for block in self.blocks:
            attention = block.self_attn

            def attend(states: Tensor, attention: Attention = attention) -> Tensor:
                return attention(states, attention.keys_values(states), causal=True)

            states = block.sublayer(states, block.self_attn_layer_norm, attend)
            states, reading = block.cross(states, block.encoder_attn.dpp_keys(source.states), mask, past, 1.0)
            readings.append(reading)
            if reading.keys is not None:
                past = Past.of_steps(reading.keys, self.config.dpp_first_step)
        return self._decoded(states, readings)

    def start(self, source: Source, beams: int, temperature: float) -> TransformerState:
        """A state before the first step."""
        config, batch = self.config, source.ids.shape[0]
        heads = [config.decoder_attention_heads] * config.decoder_layers
        width = config.d_model // config.decoder_attention_heads
        cache = BeamCache([batch] * config.decoder_layers, heads, width, beams, batch, source.states)
        nothing = wide(source.states.new_zeros(batch, beams, config.d_model))  # sums are longer than half precision
        read = [nothing] * (config.decoder_layers - 1) if config.dpp else []
        sources = [block.encoder_attn.dpp_keys(source.states).stored() for block in self.blocks]
        return TransformerState(sources, cache, read, None, temperature)

    def step(self, source: Source, ids: Tensor, state: TransformerState) -> Decoded:
        """Read one token of each beam."""
        steps = state.cache.steps - 1
        states = self.embed(ids.flatten()[:, None], steps).view(*ids.shape, -1)  # (B, K, D)
        readings = []
        for number, (block, keys) in enumerate(zip(self.blocks, state.sources, strict=True)):
            attention = block.self_attn

            def attend(states: Tensor, attention: Attention = attention, number: int = number) -> Tensor:
                return attention(states, state.cache.put(number, attention.keys_values(states)), state.mask)

            states = block.sublayer(states, block.self_attn_layer_norm, attend)
            past = (
                Past.of_sum(state.read[number - 1], steps, self.config.dpp_first_step)
                if number and state.read
                else None
            )
            states, reading = block.cross(states, keys, source.keys_mask, past, state.temperature)
            readings.append(reading)
        # Only now: the past of a layer ends before this step.
        state.read = [
            total + reading.keys
            for total, reading in zip(state.read, readings, strict=False)
            if reading.keys is not None
        ]
        return self._decoded(states, readings)

    def _decoded(self, states: Tensor, readings: list[Reading]) -> Decoded:
        copying = self.copying(readings[-1].weights[:, COPYING_HEAD])
        mean = torch.stack([reading.weights.detach().mean(1) for reading in readings]).mean(0)
        return Decoded(self.decoder_norm(states) if self.config.norm_first else states, copying, mean)

    def page_memory_bytes(self, tokens: int, beams: int, max_length: int) -> int:
        """Keys and values of the source, and of the summary that is generated."""
        size = self.shared.weight.element_size()
        return 3 * self.config.decoder_layers * self.config.d_model * size * (tokens + beams * max_length)


def sinusoids(first: int, tokens: int, width: int, like: Tensor) -> Tensor:
    """Sinusoidal positions ``(tokens, D)``, sine and cosine in turn (Vaswani et al., 2017)."""
    places = torch.arange(first, first + tokens, device=like.device, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, width, 2, device=like.device) * (-math.log(10000.0) / width))
    angles = places * rates  # (tokens, D/2)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :width].to(like.dtype)
