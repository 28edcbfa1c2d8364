"""A convolutional sequence-to-sequence model (Gehring et al., 2017), plain or with DPP attention
(eq. 11–16).

As fairseq builds it: gated convolutions with weight normalization, attention in every decoder
layer, residual sums scaled by the square root of one half.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils import parametrize

from ..base import Generation, ModelConfig
from ..layers.attention import Past, diversity, reweighted, unit, wide
from ..layers.cache import follow
from ..layers.transformer import embedding
from .model import ConvolutionalConfig, Decoded, SequenceModel, Source

Layer = TypeVar("Layer", nn.Linear, nn.Conv1d)
HALF = math.sqrt(0.5)
EMBEDDING_STD = 0.1


@dataclass
class ConvolutionalState:
    """What the decoder remembers of the steps before."""

    windows: list[Tensor]  # for each layer, its last inputs, ``(B, K, kernel size − 1, D)``
    read: list[Tensor]  # for each layer but the last, the sum of its contexts, ``(B, K, E)``
    # what the past is compared with: the values with length 1, ``(B, J, E)``; None without DPP
    unit: Tensor | None
    steps: int  # number of steps so far
    temperature: float  # τ

    def advance(self, parents: Tensor | None) -> None:
        if parents is not None:
            self.windows = [follow(window, parents) for window in self.windows]
            self.read = [follow(total, parents) for total in self.read]


class Attention(nn.Module):
    """The attention of one decoder layer (eq. 13–16)."""

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.config = config
        self.in_proj = _linear(config.d_model, config.embedding_width)
        self.out_proj = _linear(config.embedding_width, config.d_model)

    def forward(
        self,
        states: Tensor,
        targets: Tensor,
        source: Source,
        unit_values: Tensor | None,
        past: Past | None,
        temperature: float,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Attend from ``(B, Q, D)``, the output of the layer's convolution.

        Targets are embeddings of the tokens read ``(B, Q, E)``; ``unit_values`` the source's with
        length 1 ``(B, J, E)``; the past is what the layer below has read. Returns the output ``(B,
        Q, D)``, the weights ``(B, Q, J)``, and the context ``(B, Q, E)``.
        """
        assert source.values is not None
        queries = (self.in_proj(states) + targets) * HALF
        scores = wide(queries @ source.states.mT) / temperature
        scores = scores.masked_fill(~source.mask[:, None], float("-inf"))
        beta = None
        if past is not None and unit_values is not None:
            beta = diversity(past.mean, unit_values, self.config.dpp_square)
        weights = reweighted(scores, beta, self.config.dpp_rescale)
        context = weights.to(states.dtype) @ source.values
        scaled = context
        if self.config.scale_context:
            scaled = context * source.lengths[:, None, None].to(weights.dtype).sqrt().to(
                states.dtype
            )
        return (self.out_proj(scaled) + states) * HALF, weights, context


class ConvolutionalModel(SequenceModel):
    """The convolutional model, plain or with coverage (+CovLoss) and DPP attention."""

    config_class: ClassVar[type[ModelConfig]] = ConvolutionalConfig
    config: ConvolutionalConfig
    copies: ClassVar[bool] = False

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__(config)
        width, narrow = config.d_model, config.embedding_width
        self.shared = embedding(config.vocab_size, narrow, config.pad_token_id)
        self.source_positions = embedding(config.max_position_embeddings, narrow)
        self.target_positions = embedding(config.max_position_embeddings + 1, narrow)
        self.target_words = embedding(config.vocab_size, narrow, config.pad_token_id)
        self.source_in = _linear(narrow, width)
        self.encoder = nn.ModuleList(
            _convolution(config, padding=True) for _ in range(config.encoder_layers)
        )
        self.source_out = _linear(width, narrow)
        self.target_in = _linear(narrow, width)
        self.decoder = nn.ModuleList(_convolution(config) for _ in range(config.decoder_layers))
        self.attention = nn.ModuleList(Attention(config) for _ in range(config.decoder_layers))
        self.narrow = _linear(width, config.output_width)
        self.to_vocabulary = _linear(config.output_width, config.vocab_size)
        self.init_weights()

    def init_weights(self) -> None:
        """Weights that keep the variance of their inputs, dropout considered."""
        if self.device.type == "meta":
            return
        kept = 1 - self.config.dropout
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=EMBEDDING_STD)
                if module.padding_idx is not None:
                    nn.init.zeros_(module.weight.data[module.padding_idx])
            elif isinstance(module, nn.Linear | nn.Conv1d):
                inputs = module.weight[0].numel()
                std = math.sqrt((4 if isinstance(module, nn.Conv1d) else 1) * kept / inputs)
                module.weight = nn.init.normal_(torch.empty_like(module.weight), std=std)
                assert module.bias is not None
                nn.init.zeros_(module.bias)

    def encode_source(self, source: Source) -> Source:
        mask = source.mask[..., None]
        embedded = (
            self.shared(self.known(source.ids))
            + self.source_positions.weight[: source.ids.shape[1]]
        )
        embedded = self.dropped(embedded)
        states = self.source_in(embedded)
        for layer in self.encoder:
            inner = self.dropped(states.masked_fill(~mask, 0.0))
            states = (F.glu(layer(inner.mT).mT, -1) + states) * HALF
        states = self.source_out(states.masked_fill(~mask, 0.0))
        if states.requires_grad:  # every decoder layer adds to this gradient
            scale = 1 / (2 * self.config.decoder_layers)
            states.register_hook(lambda grad: grad * scale)
        return replace(
            source, states=states, values=((states + embedded) * HALF).masked_fill(~mask, 0.0)
        )

    def _embed(self, ids: Tensor, first: int) -> Tensor:
        return (
            self.target_words(self.known(ids))
            + self.target_positions.weight[first : first + ids.shape[1]]
        )

    def decode(self, source: Source, ids: Tensor) -> Decoded:
        """Compute whole summaries, all steps at once: the past of a layer is what the layer below
        has read.
        """
        targets = self.dropped(self._embed(ids, 0))
        states = self.target_in(targets)
        unit_values = self._unit(source)
        past: Past | None = None
        weights = []
        for layer, attention in zip(self.decoder, self.attention, strict=True):
            inner = F.pad(self.dropped(states), (0, 0, self.config.kernel_size - 1, 0))
            gated = F.glu(layer(inner.mT).mT, -1)
            attended, weight, context = attention(gated, targets, source, unit_values, past, 1.0)
            states = (attended + states) * HALF
            weights.append(weight)
            if self.config.dpp:
                past = Past.of_steps(context, self.config.dpp_first_step)
        return self._decoded(states, weights)

    def generate(self, *arguments: Any, **settings: Any) -> Generation:
        """Generate summaries; see :meth:`GeneratingModel.generate`. Weights are normalized once,
        not at every step.
        """
        with parametrize.cached():
            return super().generate(*arguments, **settings)

    def start(self, source: Source, beams: int, temperature: float) -> ConvolutionalState:
        config, shape = self.config, (source.ids.shape[0], beams)
        window = source.states.new_zeros(*shape, config.kernel_size - 1, config.d_model)
        read = [wide(source.states.new_zeros(*shape, config.embedding_width))] * (
            config.decoder_layers - 1
        )
        windows = [window] * config.decoder_layers
        return ConvolutionalState(
            windows, read if config.dpp else [], self._unit(source), 0, temperature
        )

    def step(self, source: Source, ids: Tensor, state: ConvolutionalState) -> Decoded:
        targets = self._embed(ids.flatten()[:, None], state.steps).view(*ids.shape, -1)  # (B, K, E)
        states = self.target_in(targets)
        weights, contexts = [], []
        for number, (layer, attention) in enumerate(zip(self.decoder, self.attention, strict=True)):
            # (B, K, kernel size, D)
            window = torch.cat([state.windows[number], states[:, :, None]], 2)
            state.windows[number] = window[:, :, 1:]
            gated = F.glu(layer(window.flatten(0, 1).mT).view(*ids.shape, -1), -1)
            past = (
                Past.of_sum(state.read[number - 1], state.steps, self.config.dpp_first_step)
                if number and state.read
                else None
            )
            attended, weight, context = attention(
                gated, targets, source, state.unit, past, state.temperature
            )
            states = (attended + states) * HALF
            weights.append(weight)
            contexts.append(context)
        # Only now: the past of a layer ends before this step.
        state.read = [total + context for total, context in zip(state.read, contexts, strict=False)]
        state.steps += 1
        return self._decoded(states, weights)

    def _unit(self, source: Source) -> Tensor | None:
        assert source.values is not None
        return unit(source.values) if self.config.dpp else None

    def _decoded(self, states: Tensor, weights: list[Tensor]) -> Decoded:
        mean = torch.stack(weights).mean(0)
        return Decoded(self.dropped(self.narrow(states)), mean, mean)


class WeightNorm(nn.Module):
    """Weights as a length and a direction of each output (Salimans & Kingma, 2016).

    Without PyTorch's own, since any arithmetic on the meta device imports for seconds.
    """

    def forward(self, length: Tensor, direction: Tensor) -> Tensor:
        """Length ``(outputs, 1, …)`` and direction ``(outputs, …)`` → weights ``(outputs, …)``."""
        return direction * (length / self._lengths(direction))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Length and direction of weights."""
        if weight.is_meta:
            return weight.new_empty(len(weight), *[1] * (weight.dim() - 1)), weight
        return self._lengths(weight), weight

    def _lengths(self, weight: Tensor) -> Tensor:
        return weight.square().sum(list(range(1, weight.dim())), keepdim=True).sqrt()


def _normalized(layer: Layer) -> Layer:
    # its shape stays the same
    parametrize.register_parametrization(layer, "weight", WeightNorm(), unsafe=True)
    return layer


def _linear(inputs: int, outputs: int) -> nn.Linear:
    return _normalized(nn.Linear(inputs, outputs))


def _convolution(config: ConvolutionalConfig, padding: bool = False) -> nn.Conv1d:
    size = config.kernel_size
    layer = nn.Conv1d(config.d_model, 2 * config.d_model, size, padding=size // 2 if padding else 0)
    return _normalized(layer)
