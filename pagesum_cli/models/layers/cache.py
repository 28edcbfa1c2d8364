"""What a decoder remembers during a search: keys and values, which are never reordered, and what it has read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .attention import DppKeys, KeysValues, Past, Reading, wide
from .transformer import DecoderLayer, Encoded, MixReadings

GROWTH = 64  # steps for which memory is reserved at first; then it doubles


class BeamCache:
    """Self-attention keys and values of ``K`` beams, one slot a step and beam.

    Slots stay where they were written; a mask remembers which of them belong to each beam's own history, so that a new
    order of the beams moves only this mask.
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
        """Begin a step, in which each beam continues that of ``parents`` ``(B, K)``; None: its own.

        Returns which slots each beam may see, its new one included, ``(B, 1, K, steps·K)``; None for one beam: all.
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


@dataclass(frozen=True)
class LayerStep:
    """What the cross-attention of a layer did at a step."""

    layer: DecoderLayer
    queries: Tensor
    source: Any
    reading: Reading | None


class DecoderSteps:
    """The layers of a decoder, one token of each of ``K`` hypotheses at a time.

    One copy of each row's cross-attention keys and values serves all beams: a step attends with them as ``K`` queries.
    """

    def __init__(
        self,
        layers: Sequence[DecoderLayer],
        encoded: Encoded,
        batch: int,
        beams: int,
        temperature: float,
        first_step: str,
        mix_readings: MixReadings | None = None,
    ) -> None:
        self.layers = layers
        self.encoded = encoded
        self.temperature = temperature
        self.first_step = first_step
        self.mix_readings = mix_readings
        self.sources = [_stored(layer.source(encoded.states)) for layer in layers]
        self.read: dict[int, Tensor] = {}  # by layer, summed over the steps so far: (N or, where mixed, B, K, D)
        heads = [layer.self_attn.heads for layer in layers]
        rows = [batch, *[len(encoded.document)] * (len(layers) - 1)]
        self.cache = BeamCache(rows, heads, encoded.states.shape[-1] // heads[0], beams, batch, encoded.states)

    def advance(self, states: Tensor, parents: Tensor | None) -> tuple[Tensor, list[LayerStep]]:
        """Compute a step from its embedded tokens ``(B, K, D)`` → ``(N, K, D)``; the beams follow their parents."""
        document = self.encoded.document
        mask = self.cache.advance(parents)
        if parents is not None and self.read:
            beams = parents if self.mix_readings else parents[document]
            self.read = {number: follow(total, beams) for number, total in self.read.items()}
        past: Past | None = None
        done = []
        for number, (layer, source) in enumerate(zip(self.layers, self.sources, strict=True)):

            def store(own: KeysValues, number: int = number) -> KeysValues:
                return self.cache.put(number, own)

            states = layer.read_summary(states, mask if mask is None or number == 0 else mask[document], store=store)
            queries, rows = states, document if number == 0 else None
            states, reading = layer.cross(states, source, self.encoded.keys_mask, rows, past, self.temperature)
            done.append(LayerStep(layer, queries, source, reading))
            if reading is not None and reading.keys is not None:
                past = self._past(number, states, reading.keys)
        return states, done

    def _past(self, number: int, states: Tensor, read: Tensor) -> Past:
        """What a layer has read before this step; adds what it reads now, ``(N, K, D)``."""
        read = wide(self.mix_readings(states, read) if self.mix_readings else read)
        before = self.read.get(number)
        if before is None:
            before = torch.zeros_like(read)
        self.read[number] = before + read
        past = Past.of_sum(before, self.cache.steps - 1, self.first_step)
        return past.of_rows(self.encoded.document) if self.mix_readings else past


def _stored(source: KeysValues | DppKeys) -> KeysValues | DppKeys:
    if isinstance(source, DppKeys):
        return source.stored()
    keys, values = source
    return keys.contiguous(), values.contiguous()


def follow(values: Tensor, parents: Tensor) -> Tensor:
    """Values ``(B, K, …)`` of the beams that each beam continues, parents ``(B, K)``."""
    rows = torch.arange(len(parents), device=parents.device)[:, None]
    return values[rows, parents]
