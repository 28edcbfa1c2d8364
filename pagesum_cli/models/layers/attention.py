"""Multi-head attention, plain and as DPP attention: weights multiplied by how different each source
position is from what has been read so far.

Perez-Beltrachini & Lapata, "Multi-Document Summarization with Determinantal Point Process
Attention", JAIR 2021. ``Q`` queries (steps when a whole summary is computed, beams when it is
generated), ``J`` source tokens.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..configuration import choice

KeysValues = tuple[Tensor, Tensor]
# more queries with as many keys take the memory of their weights
FEW_QUERIES, MANY_QUERIES = 16, 2048
AT_ONCE = 1 << 20  # weights of many queries that are computed at once: they stay in the cache


class Attention(nn.Module):
    """Multi-head attention under BART's parameter names."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.dropout = dropout
        self.k_proj = nn.Linear(width, width)
        self.v_proj = nn.Linear(width, width)
        self.q_proj = nn.Linear(width, width)
        self.out_proj = nn.Linear(width, width)

    def split(self, states: Tensor) -> Tensor:
        """``(rows, tokens, D)`` → ``(rows, H, tokens, D/H)``."""
        return states.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def keys_values(self, states: Tensor) -> KeysValues:
        """Keys and values of states ``(rows, tokens, D)``, ``(rows, H, tokens, D/H)`` each."""
        return self.split(self.k_proj(states)), self.split(self.v_proj(states))

    def stored_keys_values(self, states: Tensor) -> KeysValues:
        """The same in memory as a few queries at a time read them quickly: on most CPUs, by
        component.
        """
        if states.device.type != "cpu" or is_bfloat16_without_tiles(states):
            keys, values = self.keys_values(states)
            return keys.contiguous(), values.contiguous()
        keys, values = (
            # (rows, D, tokens)
            torch.baddbmm(layer.bias[:, None], layer.weight.expand(len(states), -1, -1), states.mT)
            for layer in (self.k_proj, self.v_proj)
        )
        return keys.unflatten(1, (self.heads, -1)).mT, values.unflatten(1, (self.heads, -1)).mT

    def forward(
        self,
        states: Tensor,
        keys_values: KeysValues,
        mask: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        """Attend from ``(rows, queries, D)`` to keys and values ``(rows, H, tokens, D/H)`` →
        ``(rows, queries, D)``.
        """
        dropout = self.dropout if self.training else 0.0
        queries = self.split(self.q_proj(states))
        is_plain = states.device.type == "cpu" and not causal and not torch.is_grad_enabled()
        if is_plain and states.shape[1] <= FEW_QUERIES:
            mixed = attend_few(queries, *keys_values, mask)
        elif is_plain and states.shape[1] <= MANY_QUERIES and is_bfloat16_without_tiles(states):
            mixed = attend_many(queries, *keys_values, mask)
        else:
            mixed = F.scaled_dot_product_attention(
                queries, *keys_values, mask, dropout, is_causal=causal
            )
        return self.out_proj(mixed.transpose(1, 2).flatten(2))

    def shares(
        self, states: Tensor, keys: Tensor, mask: Tensor, group: Tensor, groups: int
    ) -> Tensor:
        """Sum the attention of states ``(rows, queries, D)`` to keys ``(rows, H, tokens, D/H)`` by
        groups of keys.

        The fused kernel does not return its weights: they are computed beside it, without dropout,
        the mean over heads. ``mask`` and ``group`` are ``(rows, tokens)``; the result is ``(rows,
        queries, groups)``, summing to 1.
        """
        queries = self.split(self.q_proj(states))
        # (rows, H, queries, tokens)
        scores = (queries @ keys.transpose(-1, -2)).float() / keys.shape[-1] ** 0.5
        # (rows, queries, tokens)
        weights = scores.masked_fill(~mask[:, None, None], float("-inf")).softmax(-1).mean(1)
        return sum_by_group(weights, group, groups)


def attend_few(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """Attention without dropout of few queries, for which PyTorch's fused kernel for CPUs is
    slower.
    """
    scores = (queries / keys.shape[-1] ** 0.5) @ keys.mT
    if mask is not None:
        scores = scores.masked_fill_(~mask, float("-inf"))
    return scores.softmax(-1) @ values


def attend_many(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """The same of many, a few heads at a time: in bfloat16 without tiles, the fused kernel takes
    1.5 times as long.
    """
    rows, heads, count, width = queries.shape
    bias = (
        queries.new_zeros(1, 1, 1, 1)
        if mask is None
        else torch.where(mask, 0.0, float("-inf")).to(queries.dtype)
    )
    bias, size = bias.expand(rows, -1, -1, -1), count * keys.shape[2]
    some = next(
        part for part in range(heads, 0, -1) if not heads % part and (part - 1) * size < AT_ONCE
    )
    scores, weights = queries.new_empty(2, some, count, keys.shape[2])
    mixed = queries.new_empty(rows, count, heads, width).transpose(1, 2)
    for row in range(rows):
        for first in range(0, heads, some):
            part = (row, slice(first, first + some))
            torch.baddbmm(bias[row], queries[part], keys[part].mT, alpha=width**-0.5, out=scores)
            torch.softmax(scores, -1, out=weights)
            mixed[part] = torch.bmm(weights, values[part])
    return mixed


def is_bfloat16_without_tiles(states: Tensor) -> bool:
    """Whether products are slow beside exponentials and copies: in tiles (AMX), bfloat16 is
    multiplied much faster.
    """
    has_tiles = getattr(torch.cpu, "_is_amx_tile_supported", bool)()
    return states.device.type == "cpu" and states.dtype == torch.bfloat16 and not has_tiles


def sum_by_group(weights: Tensor, group: Tensor, groups: int) -> Tensor:
    """Attention weights ``(rows, queries, tokens)`` in float32, summed by the tokens' groups
    ``(rows, tokens)``.
    """
    index = group[:, None].expand_as(weights)
    return torch.zeros(*weights.shape[:2], groups, device=weights.device).scatter_add_(
        -1, index, weights
    )


# the smallest β: less is rounding. Where all of a source has been read, relevance alone is left
SMALLEST = 1e-6
SHORTEST = 1e-12  # the shortest vector with a direction

# In all decoder layers but the first, which has no past.
_KEYS_OF_SOURCE = re.compile(
    r"(?:model\.)?decoder\.(?:layers\.)?[1-9]\d*\.encoder_attn\.k_proj\.weight"
)


@dataclass
class DppOptions:
    """Fields of a configuration: whether cross-attention is DPP attention, and how it is computed.

    By default as the authors' program; the paper's own formulas for Transformers have ``dpp_square
    = False``, ``dpp_past = "none"``, ``dpp_rescale = False``.
    """

    dpp: bool = False  # whether attention weights are multiplied by β
    dpp_square: bool = True  # β = 1 − cos² (eq. 8, 15); otherwise β = 1 − cos (eq. 21).
    # What projects the past before it is compared with the keys: a layer of its ``own``, the layer
    # of the keys (``key``), or ``none`` (Transformers only; elsewhere the past is compared as it
    # is).
    dpp_past: str = choice("own", "key", "none")
    dpp_rescale: bool = True  # whether the weights are renormalized to sum to 1
    # The first step has read nothing: ``relevance`` alone counts, or its past is a vector of
    # ``ones`` (the authors' program, except for recurrent models).
    dpp_first_step: str = choice("relevance", "ones")


def wide(values: Tensor) -> Tensor:
    """Values in float32, in which attention is computed, or in float64 where they are."""
    return values if values.dtype == torch.float64 else values.float()


def unit(vectors: Tensor) -> Tensor:
    """Vectors ``(…, d)`` of length 1, as :func:`wide`; zero vectors stay zero, and so do their
    gradients.
    """
    return wide(vectors) * inverse_length(vectors)


def inverse_length(vectors: Tensor) -> Tensor:
    """1 / length of vectors ``(…, d)`` → ``(…, 1)``, as :func:`wide`; 0 for zero vectors."""
    lengths = wide(vectors).norm(dim=-1, keepdim=True)
    return 1 / lengths.masked_fill(lengths < SHORTEST, float("inf"))


def diversity(past: Tensor, unit_keys: Tensor, square: bool) -> Tensor:
    """β: how different source positions are from what has been read (eq. 8, 15, 21) → ``(…, Q,
    J)``, as :func:`wide`.

    1 − cos² (``square``) in [0, 1], otherwise 1 − cos in [0, 2], but at least :data:`SMALLEST`, of
    the past ``(…, Q, d)``, whose zero vectors give 1 everywhere, and keys ``(…, J, d)`` of length
    1.
    """
    with unrounded(past):
        return unlikeness(unit(past) @ unit_keys.mT, square)


def unrounded(like: Tensor) -> torch.autocast:
    """A context without autocast: β is a small difference from 1, of which rounded products leave
    little.
    """
    return torch.autocast(like.device.type, enabled=False)


def unlikeness(cosine: Tensor, square: bool) -> Tensor:
    """β of the cosine between what has been read and a source position; see :func:`diversity`."""
    return (1 - (cosine.square() if square else cosine)).clamp(min=SMALLEST)


OnWeights = Callable[[Tensor, Tensor | None, Tensor], None]
_OBSERVER: ContextVar[OnWeights | None] = ContextVar("observer", default=None)


@contextmanager
def observed(on_weights: OnWeights) -> Iterator[None]:
    """Pass α, β (None where there is no past) and ω ``(…, Q, J)`` to a function wherever they are
    computed here.
    """
    before = _OBSERVER.set(on_weights)
    try:
        yield
    finally:
        _OBSERVER.reset(before)


def reweighted(scores: Tensor, beta: Tensor | None, rescale: bool) -> Tensor:
    """ω = α · β (eq. 9), α being the softmax of scores ``(…, Q, J)``; renormalized where asked for.
    Without β, α.
    """
    if beta is None:
        weights = scores.softmax(-1)
    elif rescale:  # α · β / Σ α · β, which β = 1 leaves exactly as it is
        weights = (scores + beta.log()).softmax(-1)
    else:
        weights = scores.softmax(-1) * beta
    if observe := _OBSERVER.get():
        observe(scores.softmax(-1), beta, weights)
    return weights


@dataclass(frozen=True)
class Past:
    """What has been read before each step."""

    # ``(rows, Q, D)``: Z, the mean of what was read at the steps before, as :func:`wide`
    mean: Tensor
    has_read: Tensor  # ``(Q, 1)``, 0 for a first step that has no past, 1 for all others

    @classmethod
    def of_steps(cls, read: Tensor, first_step: str) -> Self:
        """The past of each of ``T`` steps, computed at once."""
        steps = torch.arange(read.shape[1], device=read.device)[:, None]  # (T, 1)
        # Wide, because sums of many steps grow beyond what half precision can add to.
        before = F.pad(wide(read)[:, :-1], (0, 0, 1, 0)).cumsum(1) / steps.clamp(min=1)
        return cls._of(before, steps, first_step)

    @classmethod
    def of_sum(cls, total: Tensor, steps: int, first_step: str) -> Self:
        """The past of the beams after some steps, of the sum of what they read, ``(rows, K,
        D)``.
        """
        count = torch.full((total.shape[1], 1), steps, device=total.device)
        return cls._of(wide(total) / max(steps, 1), count, first_step)

    def of_rows(self, rows: Tensor) -> Self:
        """The past of rows ``(N,)``, several of which may have the same."""
        return replace(self, mean=self.mean[rows])

    @classmethod
    def _of(cls, mean: Tensor, steps: Tensor, first_step: str) -> Self:
        begun = (steps > 0).to(mean.dtype)
        return (
            cls(mean, begun)
            if first_step == "relevance"
            else cls(mean + (1 - begun), torch.ones_like(begun))
        )


@dataclass(frozen=True)
class DppKeys:
    """The source as DPP attention sees it, the same for all steps."""

    # keys, values: ``(rows, H, J, D/H)``
    keys: Tensor
    values: Tensor
    inverse_lengths: Tensor | None  # 1 / length of each key, ``(rows, H, 1, J)``; None without DPP

    def stored(self) -> Self:
        """The same in memory as a few queries at a time read it quickly: keys by component, values
        by position.
        """
        return replace(self, keys=self.keys.mT.contiguous().mT, values=self.values.contiguous())


@dataclass(frozen=True)
class Reading:
    """What attention returns beside its output."""

    weights: Tensor  # ``(rows, H, Q, J)``, without dropout
    # ``(rows, Q, D)``: the mean of the keys by these weights, the heads one after another (eq. 22);
    # None where it is not needed.
    keys: Tensor | None


class DppAttention(Attention):
    """Multi-head attention with explicit weights, multiplied by β where a past is given (eq.
    20–22).
    """

    def __init__(
        self,
        width: int,
        heads: int,
        dropout: float,
        options: DppOptions,
        has_past: bool = True,
        has_next: bool = True,
    ) -> None:
        super().__init__(width, heads, dropout)
        self.options = options
        self.has_next = has_next
        if options.dpp and options.dpp_past == "own" and has_past:
            self.past_proj = nn.Linear(width, width)

    def dpp_keys(self, states: Tensor) -> DppKeys:
        """The source's states ``(rows, J, D)`` as this layer's keys and values."""
        keys, values = self.keys_values(states)
        return DppKeys(keys, values, inverse_length(keys).mT if self.options.dpp else None)

    def read(
        self,
        states: Tensor,
        source: DppKeys,
        mask: Tensor | None = None,
        past: Past | None = None,
        temperature: float = 1.0,
        dropout: float | None = None,
    ) -> tuple[Tensor, Reading]:
        """Attend from ``(rows, Q, D)`` to the source → the output ``(rows, Q, D)``, and what was
        read.

        Args:
            states: Queries before their projection.
            source: Of :meth:`dpp_keys`.
            mask: ``(rows, 1, 1, J)``, True where a token is; None where nothing is padded.
            past: What was read before (of the layer below, in Transformers); None for attention by
                relevance alone.
            temperature: τ, by which scores are divided.
        """
        keys, values = source.keys, source.values
        queries, directions = (
            self.split(self.q_proj(states)),
            None if past is None else self._directions(past),
        )
        if directions is None:
            products, cosine = wide(queries @ keys.mT), None
        elif queries.dtype == directions.dtype:  # in one product: the keys are read once
            products, cosine = (torch.cat([queries, directions], 2) @ keys.mT).split(
                states.shape[1], 2
            )
        else:
            products = wide(queries @ keys.mT)
            with unrounded(keys):
                cosine = directions @ wide(keys).mT
        scores = products / (keys.shape[-1] ** 0.5 * temperature)  # (rows, H, Q, J)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        beta = (
            None
            if cosine is None
            else unlikeness(cosine * source.inverse_lengths, self.options.dpp_square)
        )
        weights = reweighted(scores, beta, self.options.dpp_rescale)
        dropped = F.dropout(
            weights, self.dropout if dropout is None else dropout, self.training
        ).to(values.dtype)
        output = self.out_proj((dropped @ values).transpose(1, 2).flatten(2))
        read = (
            (dropped @ keys).transpose(1, 2).flatten(2)
            if self.options.dpp and self.has_next
            else None
        )
        return output, Reading(weights, read)

    def _directions(self, past: Past) -> Tensor:
        """What has been read, projected, each head with length 1 ``(rows, H, Q, D/H)``; zero where
        nothing has.
        """
        mean = past.mean
        if self.options.dpp_past != "none":
            layer = self.past_proj if self.options.dpp_past == "own" else self.k_proj
            with unrounded(mean):
                mean = layer(mean.to(layer.weight.dtype))
        return unit(self.split(mean * past.has_read.to(mean.dtype)))


def with_projected_past(
    settings: Mapping[str, Any], weights: dict[str, Tensor]
) -> dict[str, Tensor]:
    """Weights of a model whose DPP attention projects the past; where it was trained without, by
    the identity.
    """
    if settings.get("dpp") is not True or settings.get("dpp_past", "own") != "own":
        return weights
    if any("past_proj" in name for name in weights):
        return weights
    new = {}
    for name, value in weights.items():
        if _KEYS_OF_SOURCE.fullmatch(name):
            new[name.replace("k_proj", "past_proj")] = torch.eye(len(value), dtype=value.dtype)
            new[name.replace("k_proj.weight", "past_proj.bias")] = torch.zeros(
                len(value), dtype=value.dtype
            )
    return {**weights, **new}
