"""Losses without the logits, which exist for a few tokens at a time: cross entropy, copying words,
coverage.

Ids from ``V`` on stand for words of the documents that the vocabulary lacks; ``V'`` counts them
too. There are ``J`` source tokens.
"""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.checkpoint import checkpoint

TOKENS_AT_ONCE = 256  # tokens at a time of the cross entropy
COPYING_AT_ONCE = 512  # tokens at a time where words are copied
TINY = 1e-20  # added to probabilities before their logarithm


def projected_cross_entropy(
    states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, label_smoothing: float
) -> Tensor:
    """Cross entropy of ``states · weightᵀ + bias``, smoothed over the whole vocabulary (paper, eq.
    1), token mean.

    Equals ``F.cross_entropy`` on the logits, whose memory (and that of their gradient) is never
    taken: gradients are computed in the forward pass, while a block of logits is in memory. States
    ``(tokens, D)``, weight ``(V, D)``, bias ``(V,)``, labels ``(tokens,)``, each in the vocabulary,
    of which every token gets a mass of ε/V.
    """
    return _ProjectedCrossEntropy.apply(states, weight, bias, labels, label_smoothing)


class _ProjectedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        states: Tensor,
        weight: Tensor,
        bias: Tensor,
        labels: Tensor,
        label_smoothing: float,
    ) -> Tensor:
        kind = states.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else states.dtype
        half_states, half_weight = states.to(dtype), weight.to(dtype)
        total = torch.zeros((), dtype=torch.float32, device=states.device)
        needs_gradient = any(ctx.needs_input_grad)
        states_grad = torch.empty_like(states if needs_gradient else states[:0])
        weight_grad = torch.zeros_like(weight if needs_gradient else weight[:0])
        bias_grad = torch.zeros_like(bias) if ctx.needs_input_grad[2] else None
        spread = label_smoothing / weight.shape[0]
        for start in range(0, len(labels), TOKENS_AT_ONCE):
            block = slice(start, start + TOKENS_AT_ONCE)
            logits = (half_states[block] @ half_weight.T).float().add_(bias)  # (tokens, V)
            places = labels[block, None]
            normalizer = logits.logsumexp(-1, keepdim=True)
            total += (
                normalizer - (1 - label_smoothing) * logits.gather(-1, places)
            ).sum() - spread * logits.sum()
            if needs_gradient:
                slope = logits.sub_(normalizer).exp_().sub_(spread)
                slope.scatter_add_(-1, places, slope.new_full(places.shape, label_smoothing - 1))
                slope = slope.div_(len(labels))
                if bias_grad is not None:
                    bias_grad.add_(slope.sum(0))
                slope = slope.to(dtype)
                states_grad[block] = slope @ half_weight
                weight_grad.add_(slope.T @ half_states[block])
        ctx.save_for_backward(states_grad, weight_grad, bias_grad)
        return total / len(labels)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        states_grad, weight_grad, bias_grad = ctx.saved_tensors
        return (
            states_grad * grad,
            weight_grad * grad,
            None if bias_grad is None else bias_grad * grad,
            None,
            None,
        )


def copying_log_probabilities(
    logits: Tensor, gate: Tensor, weights: Tensor, source_ids: Tensor, entries: int
) -> Tensor:
    """P(w) = (1 − p) softmax(logits)(w) + p Σ_{j: x_j = w} a_j, as logarithms → ``(B, Q, V')``,
    float32.

    Logits ``(B, Q, V)``; gate ``(B, Q, 1)``, p before its sigmoid; weights a ``(B, Q, J)``;
    source_ids x ``(B, J)``; ``entries`` is ``V'``.
    """
    generated = logits.float().softmax(-1) * (-gate.float()).sigmoid()
    places = source_ids[:, None].expand_as(weights)
    both = F.pad(generated, (0, entries - logits.shape[-1])).scatter_add(
        -1, places, weights.float() * gate.float().sigmoid()
    )
    return (both + TINY).log()


def copying_loss(
    label_log_probabilities: Tensor,
    gate: Tensor,
    weights: Tensor,
    source_ids: Tensor,
    labels: Tensor,
    vocabulary: int,
) -> Tensor:
    """−log P(label) of :func:`copying_log_probabilities`, without the other entries → ``(B, T)``,
    float32.

    Labels ``(B, T)`` from ``vocabulary`` on are words that the source alone has: their
    ``label_log_probabilities`` ``(B, T)`` among the vocabulary's words are not read.
    """
    copied = (weights.float() * (source_ids[:, None] == labels[..., None])).sum(-1)  # (B, T)
    generated = label_log_probabilities.exp().masked_fill(labels >= vocabulary, 0.0)
    choice = gate.float().squeeze(-1)
    return -(choice.sigmoid() * copied + (-choice).sigmoid() * generated + TINY).log()


def label_log_probabilities(states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor) -> Tensor:
    """Log probabilities ``(tokens,)`` of labels under softmax(states · weightᵀ + bias), float32, a
    few at a time.
    """

    def some(states: Tensor, labels: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        logits = F.linear(states, weight, bias).float()
        return logits.gather(-1, labels[:, None]).squeeze(-1) - logits.logsumexp(-1)

    blocks = zip(states.split(COPYING_AT_ONCE), labels.split(COPYING_AT_ONCE), strict=True)
    return torch.cat(
        [checkpoint(some, *block, weight, bias, use_reentrant=False) for block in blocks]
    )


def coverage_loss(weights: Tensor) -> Tensor:
    """Σ_j min(a_tj, cov_tj) of each step ``(B, T)``; cov_t sums the weights ``(B, T, J)`` before
    (See et al., 2017).
    """
    before = F.pad(weights[:, :-1], (0, 0, 1, 0)).cumsum(1)
    return torch.minimum(weights, before).sum(-1)
