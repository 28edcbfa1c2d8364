"""A Transformer that copies with one head of its last decoder layer, plain or with DPP attention
(eq. 17–22).
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from ..configuration import ModelConfig
from ..layers.attention import Past, Reading
from ..layers.cache import DecoderSteps
from ..layers.transformer import DppDecoderLayer, Encoded, EncoderLayer, embedding
from .model import Decoded, SequenceModel, Source, TransformerConfig

COPYING_HEAD = 0  # of the last decoder layer


@dataclass
class TransformerState:
    """What the decoder remembers of the steps before."""

    layers: DecoderSteps  # of its layers
    parents: Tensor | None = None  # which beams the next step continues

    def advance(self, parents: Tensor | None) -> None:
        self.parents = parents


class CopyTransformer(SequenceModel):
    """The Transformer, plain or with coverage (+CovLoss) and DPP attention."""

    config_class: ClassVar[type[ModelConfig]] = TransformerConfig
    config: TransformerConfig

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.shared = embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = nn.ModuleList(
            EncoderLayer(config, config.encoder_attention_heads, config.encoder_ffn_dim)
            for _ in range(config.encoder_layers)
        )
        sizes, last = (
            (config, config.decoder_attention_heads, config.decoder_ffn_dim),
            config.decoder_layers - 1,
        )
        self.decoder = nn.ModuleList(
            DppDecoderLayer(*sizes, has_past=number > 0, has_next=number < last)
            for number in range(config.decoder_layers)
        )
        if config.shared_keys:
            first, *others = (
                layer.encoder_attn for layer in self.decoder if isinstance(layer, DppDecoderLayer)
            )
            for attention in others:  # not as a module of their own, which weights would have twice
                del attention.k_proj
                attention.__dict__["k_proj"] = first.k_proj
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
        return (
            self.shared.weight if self.config.tie_output else self.to_vocabulary,
            self.output_bias,
        )

    def embed(self, ids: Tensor, first: int = 0) -> Tensor:
        """Scaled word embeddings of ids ``(rows, tokens)`` with sinusoidal positions from ``first``
        on.
        """
        words = self.shared(self.known(ids)) * self.config.d_model**0.5
        positions = sinusoids(first, ids.shape[1], self.config.d_model, words)
        return self.dropped(words + positions)

    def encode_source(self, source: Source) -> Source:
        states, mask = self.embed(source.ids), source.keys_mask
        for block in self.encoder:
            states = block(states, mask)
        return replace(
            source, states=self.encoder_norm(states) if self.config.norm_first else states
        )

    def decode(self, source: Source, ids: Tensor) -> Decoded:
        """Compute whole summaries, all steps at once: the past of a layer is what the layer below
        has read.
        """
        states = self.embed(ids)
        past: Past | None = None
        readings = []
        for layer in self.decoder:
            states, reading = layer(states, source.states, source.keys_mask, None, None, past)
            readings.append(reading)
            if reading.keys is not None:
                past = Past.of_steps(reading.keys, self.config.dpp_first_step)
        return self._decoded(states, readings)

    def start(self, source: Source, beams: int, temperature: float) -> TransformerState:
        batch = source.ids.shape[0]
        encoded = Encoded(
            source.states, source.keys_mask, torch.arange(batch, device=source.ids.device)
        )
        layers = [layer for layer in self.decoder if isinstance(layer, DppDecoderLayer)]
        first_step = self.config.dpp_first_step
        return TransformerState(
            DecoderSteps(layers, encoded, batch, beams, temperature, first_step)
        )

    def step(self, source: Source, ids: Tensor, state: TransformerState) -> Decoded:
        # (B, K, D)
        states = self.embed(ids.flatten()[:, None], state.layers.cache.steps).view(*ids.shape, -1)
        states, done = state.layers.advance(states, state.parents)
        return self._decoded(states, [step.reading for step in done if step.reading is not None])

    def _decoded(self, states: Tensor, readings: list[Reading]) -> Decoded:
        copying = self.copying(readings[-1].weights[:, COPYING_HEAD])
        mean = torch.stack([reading.weights.detach().mean(1) for reading in readings]).mean(0)
        return Decoded(
            self.decoder_norm(states) if self.config.norm_first else states, copying, mean
        )


def sinusoids(first: int, tokens: int, width: int, like: Tensor) -> Tensor:
    """Sinusoidal positions ``(tokens, D)``, sine and cosine in turn (Vaswani et al., 2017)."""
    places = torch.arange(first, first + tokens, device=like.device, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, width, 2, device=like.device) * (-math.log(10000.0) / width))
    angles = places * rates  # (tokens, D/2)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :width].to(like.dtype)
