"""Keys and values of prompts, one a row, with room for the summaries that are written on them.

Imports Transformers: only where a language model computes.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

# tokens for which memory is reserved at a time
ROOM = 64


class PromptLayer(DynamicLayer):
    """Keys and values of a layer, in memory that is reserved for more tokens than there are.

    Prompts are of different length and end at the same place: the summary's tokens follow in all
    rows.
    """

    def __init__(self, rows: int, length: int) -> None:
        super().__init__()
        self.rows, self.length = rows, length
        self.stored: list[Tensor] = []  # keys and values ``(rows, H, room, D)``

    def put(self, row: int, keys_values: tuple[Tensor, Tensor]) -> None:
        """Store the keys and values of a prompt ``(1, H, tokens, D)``."""
        if not self.stored:
            self.lazy_initialization(*keys_values)
            for one in keys_values:
                shape = (self.rows, one.shape[1], self.length + ROOM, one.shape[3])
                self.stored.append(one.new_zeros(shape))
        for stored, new in zip(self.stored, keys_values, strict=True):
            stored[row, :, self.length - new.shape[2] : self.length] = new[0]
        self._show(self.length)

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Add a step's keys and values; returns all of them."""
        start = self.get_seq_length()
        end = start + key_states.shape[2]
        for number, new in enumerate((key_states, value_states)):
            if end > self.stored[number].shape[2]:
                rows, heads, _, width = new.shape
                more = new.new_zeros(rows, heads, end - start + ROOM, width)
                self.stored[number] = torch.cat([self.stored[number], more], dim=2)
            self.stored[number][:, :, start:end] = new
        return self._show(end)

    def repeat(self, beams: int) -> None:
        """Give each row to several beams."""
        self.stored = [one.repeat_interleave(beams, dim=0) for one in self.stored]
        self._show(self.length)

    def follow(self, rows: Tensor) -> None:
        """Let each row continue the summary of another one with the same prompt."""
        end = self.get_seq_length()
        for stored in self.stored:
            stored[:, :, self.length : end] = stored[rows, :, self.length : end]

    def keep(self, tokens: int) -> None:
        """Keep as many tokens after the prompts, and forget the others."""
        self._show(self.length + tokens)

    def _show(self, end: int) -> tuple[Tensor, Tensor]:
        keys, values = (one[:, :, :end] for one in self.stored)
        self.keys, self.values = keys, values
        return keys, values


class PromptCache:
    """The layers of a language model for prompts that share their beginning."""

    def __init__(self, rows: int, length: int) -> None:
        self.rows, self.length = rows, length
        self.layers: list[PromptLayer] = []

    def put(self, row: int, read: Cache) -> None:
        """Store a prompt that was read."""
        if not self.layers:
            self.layers = [PromptLayer(self.rows, self.length) for _ in read.layers]
        for layer, keys_values in zip(self.layers, _contents(read), strict=True):
            layer.put(row, keys_values)

    def for_beams(self, beams: int) -> Cache:
        """What a language model takes, for several beams of each prompt."""
        if beams > 1:
            for layer in self.layers:
                layer.repeat(beams)
        return Cache(layers=list(self.layers))

    def follow(self, rows: Tensor) -> None:
        """Let each row continue the summary of another one."""
        for layer in self.layers:
            layer.follow(rows)

    def keep(self, tokens: int) -> None:
        """Keep as many tokens after the prompts, and forget the others."""
        for layer in self.layers:
            layer.keep(tokens)


def continued(prefix: Cache | None) -> Cache:
    """A cache that begins with a shared prefix, which stays as it is."""
    cache = DynamicCache()
    for keys, values in _contents(prefix) if prefix is not None else ():
        own = DynamicLayer()
        own.lazy_initialization(keys, values)
        own.keys, own.values = keys, values
        cache.layers.append(own)
    return cache


def _contents(cache: Cache) -> Iterator[tuple[Tensor, Tensor]]:
    """Keys and values of each layer."""
    for layer in cache.layers:
        filled: Any = layer  # models with layers of another kind were refused
        yield filled.keys, filled.values
