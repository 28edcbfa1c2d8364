"""Multi-head attention."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

KeysValues = tuple[Tensor, Tensor]


class Attention(nn.Module):
    """Multi-head attention under BART's parameter names.

    Args:
        width: ``D``.
        heads: ``H``.
        dropout: Of the attention weights.
    """

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

    def forward(
        self, states: Tensor, keys_values: KeysValues, mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        """Attend from ``(rows, queries, D)`` to keys and values ``(rows, H, tokens, D/H)`` → ``(rows, queries, D)``."""
        dropout = self.dropout if self.training else 0.0
        queries = self.split(self.q_proj(states))
        mixed = F.scaled_dot_product_attention(queries, *keys_values, mask, dropout, is_causal=causal)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))

    def shares(self, states: Tensor, keys: Tensor, mask: Tensor, group: Tensor, groups: int) -> Tensor:
        """Sum the attention weights by groups of keys; the mean over heads, without dropout.

        The fused kernel does not return its weights, so they are computed beside it.

        Args:
            states: ``(rows, queries, D)``.
            keys: ``(rows, H, tokens, D/H)``.
            mask: ``(rows, tokens)``, True where a token is.
            group: ``(rows, tokens)``, the group of each token.
            groups: Number of groups.

        Returns:
            ``(rows, queries, groups)``, summing to 1 over the groups.
        """
        queries = self.split(self.q_proj(states))
        scores = (queries @ keys.transpose(-1, -2)).float() / keys.shape[-1] ** 0.5  # (rows, H, queries, tokens)
        weights = scores.masked_fill(~mask[:, None, None], float("-inf")).softmax(-1).mean(1)  # (rows, queries, tokens)
        return sum_by_group(weights, group, groups)


def sum_by_group(weights: Tensor, group: Tensor, groups: int) -> Tensor:
    """Attention weights ``(rows, queries, tokens)`` in float32, summed by the tokens' groups ``(rows, tokens)``."""
    index = group[:, None].expand_as(weights)
    return torch.zeros(*weights.shape[:2], groups, device=weights.device).scatter_add_(-1, index, weights)
