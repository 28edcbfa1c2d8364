"""The layers of Llama (Touvron et al., 2023; arXiv 2302.13971), under the names that Transformers
gives them.

Root mean square normalization before each part, rotary positions, grouped queries and SwiGLU: what
Llama, SmolLM2 and other decoder-only language models have in common. Used as an encoder: it returns
the states of some layers.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .packed import can_pack, linear


@dataclass(frozen=True)
class LlamaSize:
    """The shape of a model."""

    width: int  # ``D``
    inner_width: int  # of the feed-forward part
    layers: int
    heads: int  # of queries
    key_heads: int  # of keys and values; each serves ``heads / key_heads`` queries
    rope_theta: float = 10_000.0  # base of the rotary positions
    epsilon: float = 1e-5  # of the normalization

    @property
    def head_width(self) -> int:
        """Width of a head."""
        return self.width // self.heads


def _linear(inputs: int, outputs: int) -> nn.Linear:
    return nn.Linear(inputs, outputs, bias=False)


def rotary(length: int, size: LlamaSize, device: torch.device) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the positions ``(S, head width)`` (Su et al., 2021; the two halves of a
    head as pairs).
    """
    steps = torch.arange(0, size.head_width, 2, device=device, dtype=torch.float32)
    frequencies = size.rope_theta ** (-steps / size.head_width)
    angles = torch.outer(torch.arange(length, device=device, dtype=torch.float32), frequencies)
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos(), angles.sin()


def rotated(states: Tensor, positions: tuple[Tensor, Tensor]) -> Tensor:
    """Queries or keys ``(N, H, S, head width)`` turned by their positions."""
    cosines, sines = (one.to(states.dtype) for one in positions)
    first, second = states.chunk(2, dim=-1)
    return states * cosines + torch.cat([-second, first], dim=-1) * sines


def fuses(states: Tensor) -> bool:
    """Whether products can be fused with what follows them: on a CPU, without gradients."""
    return can_pack(states) and not torch.is_grad_enabled()


class LlamaAttention(nn.Module):
    """Causal self-attention with grouped queries."""

    def __init__(self, size: LlamaSize) -> None:
        super().__init__()
        self.size = size
        self.q_proj = _linear(size.width, size.heads * size.head_width)
        self.k_proj = _linear(size.width, size.key_heads * size.head_width)
        self.v_proj = _linear(size.width, size.key_heads * size.head_width)
        self.o_proj = _linear(size.heads * size.head_width, size.width)

    def forward(self, states: Tensor, positions: tuple[Tensor, Tensor]) -> Tensor:
        """``(N, S, D)`` → ``(N, S, D)``; padding stands at the end, where no token sees it."""
        return self.o_proj(self.mixed(states, positions))

    def mixed(self, states: Tensor, positions: tuple[Tensor, Tensor]) -> Tensor:
        """What each token attends to, before the last projection: ``(N, S, D)``."""
        queries, keys, values = (
            project(states).unflatten(-1, (-1, self.size.head_width)).transpose(1, 2)
            for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        queries, keys = rotated(queries, positions), rotated(keys, positions)
        mixed = F.scaled_dot_product_attention(
            queries, keys, values, is_causal=True, enable_gqa=True
        )
        return mixed.transpose(1, 2).flatten(2)


class SwiGlu(nn.Module):
    """The feed-forward part (Shazeer, 2020)."""

    def __init__(self, size: LlamaSize) -> None:
        super().__init__()
        self.gate_proj = _linear(size.width, size.inner_width)
        self.up_proj = _linear(size.width, size.inner_width)
        self.down_proj = _linear(size.inner_width, size.width)

    def forward(self, states: Tensor) -> Tensor:
        """``(N, S, D)`` → ``(N, S, D)``."""
        return self.down_proj(F.silu(self.gate_proj(states)) * self.up_proj(states))


class LlamaLayer(nn.Module):
    """A layer: attention, then the feed-forward part."""

    def __init__(self, size: LlamaSize) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(size.width, size.epsilon)
        self.self_attn = LlamaAttention(size)
        self.post_attention_layernorm = nn.RMSNorm(size.width, size.epsilon)
        self.mlp = SwiGlu(size)

    def forward(self, states: Tensor, positions: tuple[Tensor, Tensor]) -> Tensor:
        """``(N, S, D)`` → ``(N, S, D)``."""
        states = states + self.self_attn(self.input_layernorm(states), positions)
        return states + self.mlp(self.post_attention_layernorm(states))

    def fused(self, states: Tensor, positions: tuple[Tensor, Tensor]) -> Tensor:
        """The same where :func:`fuses` holds: what follows a product, SiLU, a product of two states
        or the sum with what it is added to, is computed in it.
        """
        mixed = self.self_attn.mixed(self.input_layernorm(states), positions)
        states = linear(mixed, self.self_attn.o_proj.weight, "add", states)
        normalized, inner = self.post_attention_layernorm(states), self.mlp
        gate = linear(normalized, inner.gate_proj.weight, "swish")
        widened = linear(normalized, inner.up_proj.weight, "mul", gate)
        return linear(widened, inner.down_proj.weight, "add", states)


class LlamaLayers(nn.Module):
    """A stack of layers, without the normalization above the last one."""

    def __init__(self, size: LlamaSize) -> None:
        super().__init__()
        self.size = size
        self.layers = nn.ModuleList(LlamaLayer(size) for _ in range(size.layers))

    def forward(self, embedded: Tensor, kept: Collection[int]) -> Tensor:
        """Word embeddings ``(N, S, D)`` → the states after the layers ``kept``, counted from 1:
        ``(K, N, S, D)``.
        """
        positions = rotary(embedded.shape[1], self.size, embedded.device)
        states, found = embedded, []
        is_fused = fuses(embedded)
        for number, module in enumerate(self.layers, start=1):
            layer = cast(LlamaLayer, module)
            states = (layer.fused if is_fused else layer)(states, positions)
            if number in kept:
                found.append(states)
        return torch.stack(found)
