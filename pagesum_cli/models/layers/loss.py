"""The training loss without the logits: projection to the vocabulary and cross entropy, a few tokens at a time."""

from typing import Any

import torch
from torch import Tensor

TOKENS_AT_ONCE = 256
"""Logits exist for this many tokens at a time."""


def projected_cross_entropy(
    states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, label_smoothing: float
) -> Tensor:
    """Cross entropy of ``states · weightᵀ + bias``, smoothed over the whole vocabulary (paper, eq. 1), token mean.

    Equals ``F.cross_entropy`` on the logits, whose memory (and that of their gradient) is never taken: gradients are
    computed in the forward pass, while a block of logits is in memory.

    Args:
        states: ``(tokens, D)``.
        weight: ``(V, D)``.
        bias: ``(V,)``.
        labels: ``(tokens,)``, each a token of the vocabulary.
        label_smoothing: ε; a mass of ε/V goes to every token, the label included.

    Returns:
        a float32 scalar.
    """
    return _ProjectedCrossEntropy.apply(states, weight, bias, labels, label_smoothing)


class _ProjectedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, label_smoothing: float
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
            total += (normalizer - (1 - label_smoothing) * logits.gather(-1, places)).sum() - spread * logits.sum()
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
        return states_grad * grad, weight_grad * grad, None if bias_grad is None else bias_grad * grad, None, None
