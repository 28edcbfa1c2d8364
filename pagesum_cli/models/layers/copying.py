"""Copying words of the source: probabilities over an extended vocabulary, and the losses of copying and coverage.

Ids from ``V`` on stand for words of the documents that the vocabulary lacks; ``V'`` counts them too. There are ``J``
source tokens.
"""

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils.checkpoint import checkpoint

TINY = 1e-20
"""Added to probabilities before their logarithm."""
TOKENS_AT_ONCE = 512
"""Vocabulary logits exist for this many tokens at a time in training."""


def copying_log_probabilities(
    logits: Tensor, gate: Tensor, weights: Tensor, source_ids: Tensor, entries: int
) -> Tensor:
    """P(w) = (1 − p) softmax(logits)(w) + p Σ_{j: x_j = w} a_j, as logarithms.

    Args:
        logits: ``(B, Q, V)``.
        gate: ``(B, Q, 1)``, p before its sigmoid.
        weights: a, ``(B, Q, J)``.
        source_ids: x, ``(B, J)``.
        entries: ``V'``.

    Returns:
        ``(B, Q, V')``, float32.
    """
    generated = logits.float().softmax(-1) * (-gate.float()).sigmoid()
    places = source_ids[:, None].expand_as(weights)
    both = F.pad(generated, (0, entries - logits.shape[-1])).scatter_add(
        -1, places, weights.float() * gate.float().sigmoid()
    )
    return (both + TINY).log()


def copying_loss(
    label_log_probabilities: Tensor, gate: Tensor, weights: Tensor, source_ids: Tensor, labels: Tensor, vocabulary: int
) -> Tensor:
    """−log P(label) of :func:`copying_log_probabilities`, without the other entries.

    Args:
        label_log_probabilities: ``(B, T)``, of the labels among the vocabulary's words; not read for labels beyond it.
        gate: ``(B, T, 1)``.
        weights: ``(B, T, J)``.
        source_ids: ``(B, J)``.
        labels: ``(B, T)``; from ``vocabulary`` on: words that the source alone has.
        vocabulary: ``V``.

    Returns:
        ``(B, T)``, float32.
    """
    copied = (weights.float() * (source_ids[:, None] == labels[..., None])).sum(-1)  # (B, T)
    generated = label_log_probabilities.exp().masked_fill(labels >= vocabulary, 0.0)
    choice = gate.float().squeeze(-1)
    return -(choice.sigmoid() * copied + (-choice).sigmoid() * generated + TINY).log()


def label_log_probabilities(states: Tensor, weight: Tensor, bias: Tensor, labels: Tensor) -> Tensor:
    """Log probabilities of labels under softmax(states · weightᵀ + bias), a few tokens at a time.

    Args:
        states: ``(tokens, D)``.
        weight: ``(V, D)``.
        bias: ``(V,)``.
        labels: ``(tokens,)``, each less than ``V``.

    Returns:
        ``(tokens,)``, float32.
    """

    def some(states: Tensor, labels: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        logits = F.linear(states, weight, bias).float()
        return logits.gather(-1, labels[:, None]).squeeze(-1) - logits.logsumexp(-1)

    blocks = zip(states.split(TOKENS_AT_ONCE), labels.split(TOKENS_AT_ONCE), strict=True)
    return torch.cat([checkpoint(some, *block, weight, bias, use_reentrant=False) for block in blocks])


def coverage_loss(weights: Tensor) -> Tensor:
    """Σ_j min(a_tj, cov_tj) of each step, cov_t being the sum of the weights of the steps before (See et al., 2017).

    Args:
        weights: a, ``(B, T, J)``.

    Returns:
        ``(B, T)``.
    """
    before = F.pad(weights[:, :-1], (0, 0, 1, 0)).cumsum(1)
    return torch.minimum(weights, before).sum(-1)
