"""Attention of each token to those near it, in blocks: memory and time grow with the number of tokens, not its square.

``L`` tokens; a token sees those at most ``reach`` places away (half a window: Longformer's convention).
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from .attention import Attention
from .transformer import EncoderLayer

MIN_BLOCK = 64
"""Tokens of the smallest block; of shorter ones there would be too many."""


def local_attention(attention: Attention, states: Tensor, mask: Tensor | None, reach: int) -> Tensor:
    """Attend from each token to those within reach, itself included.

    The queries of a block of tokens meet the keys of this block and its two neighbors. Where all tokens reach each
    other the result is that of full attention, computed as such.

    Args:
        attention: The projections.
        states: ``(B, L, D)``.
        mask: ``(B, L)``, True where a token is; None where nothing is padded.
        reach: How far a token sees to either side.

    Returns:
        ``(B, L, D)``; what padding has is not defined.
    """
    batch, length, width = states.shape
    if length <= reach + 1:
        keys_mask = None if mask is None else mask[:, None, None]
        return attention(states, attention.keys_values(states), keys_mask)
    size = max(reach, MIN_BLOCK)
    blocks = -(-length // size)
    padding = blocks * size - length
    if mask is None:
        mask = states.new_ones(batch, length, dtype=torch.bool)
    states = F.pad(states, (0, 0, 0, padding))
    keys, values = (_with_neighbors(project(states), size) for project in (attention.k_proj, attention.v_proj))
    is_token = _with_neighbors(F.pad(mask, (0, padding))[..., None], size)[..., 0]  # (B·blocks, 3·size)
    queries = attention.q_proj(states).view(batch * blocks, size, width)
    places = torch.arange(size, device=states.device)
    near = torch.arange(3 * size, device=states.device) - size - places[:, None]  # (size, 3·size): how far a key is
    sees = (near.abs() <= reach) & is_token[:, None] | (near == 0)  # without itself, padding would see nothing
    dropout = attention.dropout if attention.training else 0.0
    split = attention.split
    mixed = F.scaled_dot_product_attention(split(queries), split(keys), split(values), sees[:, None], dropout)
    joined = mixed.transpose(1, 2).reshape(batch, blocks * size, width)[:, :length]
    return attention.out_proj(joined)


def _with_neighbors(values: Tensor, size: int) -> Tensor:
    """Blocks ``(B, blocks · size, D)``, each with the block before and after it: ``(B · blocks, 3 · size, D)``.

    Before the first and after the last there are zeros.
    """
    blocks = values.unflatten(1, (-1, size))  # (B, blocks, size, D)
    padded = F.pad(blocks, (0, 0, 0, 0, 1, 1))
    return torch.cat([padded[:, :-2], blocks, padded[:, 2:]], dim=2).flatten(0, 1)


class LocalEncoderLayer(EncoderLayer):
    """An encoder layer whose self-attention is local."""

    def attend_locally(self, states: Tensor, mask: Tensor | None, reach: int) -> Tensor:
        """The self-attention sublayer; see :func:`local_attention`."""
        return self.add(states, local_attention(self.self_attn, states, mask, reach), self.self_attn_layer_norm)

    def forward(self, states: Tensor, mask: Tensor | None, reach: int = 0) -> Tensor:
        """``(B, L, D)`` → ``(B, L, D)``; mask ``(B, L)``."""
        return self.feed_forward(self.attend_locally(states, mask, reach))
