"""The decoder's own keys and values during beam search, which are never reordered."""

from collections.abc import Sequence

import torch
from torch import Tensor

from .attention import KeysValues

GROWTH = 64
"""Steps for which memory is reserved at first; then it doubles."""


class BeamCache:
    """Self-attention keys and values of ``K`` beams, one slot a step and beam.

    Slots stay where they were written; a mask remembers which of them belong to each beam's own history, so that a new
    order of the beams moves only this mask.

    Args:
        rows: Rows of each layer's states: documents in the first layer, pages in the others.
        heads: ``H`` of each layer.
        width: ``D / H``.
        beams: ``K``.
        batch: ``B``.
        like: Gives dtype and device.
    """

    def __init__(
        self, rows: Sequence[int], heads: Sequence[int], width: int, beams: int, batch: int, like: Tensor
    ) -> None:
        self.steps = 0
        self._capacity = 0
        self._layers: list[KeysValues] = []
        self._shapes = [(row, head, width) for row, head in zip(rows, heads, strict=True)]
        self._beams = beams
        self._batch = batch
        self._like = like
        self._own = torch.eye(beams, dtype=torch.bool, device=like.device)  # (K, K): a step's slot of each beam
        self._history = torch.zeros(batch, beams, 0, beams, dtype=torch.bool, device=like.device)  # (B, K, steps, K)

    def advance(self, parents: Tensor | None) -> Tensor | None:
        """Begin a step.

        Args:
            parents: ``(B, K)``, the beam of the step before that each beam continues; None for its own.

        Returns:
            Which slots each beam may see, its new one included, ``(B, 1, K, steps·K)``; None for one beam: all.
        """
        if self.steps == self._capacity:
            self._grow()
        self.steps += 1
        if self._beams == 1:
            return None
        if parents is not None:
            documents = torch.arange(self._batch, device=parents.device)[:, None]
            self._history = self._history[documents, parents]
        now = self._own[None, :, None].expand(self._batch, -1, -1, -1)
        self._history = torch.cat([self._history, now], dim=2)
        return self._history.flatten(2)[:, None]

    def put(self, layer: int, keys_values: KeysValues) -> KeysValues:
        """Store the step's keys and values ``(rows, H, K, D/H)``; returns all so far ``(rows, H, steps·K, D/H)``."""
        for slots, new in zip(self._layers[layer], keys_values, strict=True):
            slots[:, :, self.steps - 1] = new
        keys, values = (slots[:, :, : self.steps].flatten(2, 3) for slots in self._layers[layer])
        return keys, values

    def _grow(self) -> None:
        more = max(GROWTH, self._capacity)
        grown = []
        for number, (rows, heads, width) in enumerate(self._shapes):
            shape = (rows, heads, more, self._beams, width)
            room = [torch.empty(shape, dtype=self._like.dtype, device=self._like.device) for _ in range(2)]
            if self._layers:
                room = [torch.cat(pair, dim=2) for pair in zip(self._layers[number], room, strict=True)]
            grown.append((room[0], room[1]))
        self._layers = grown
        self._capacity += more
