"""What a decoder remembers during a search: keys and values, which are never reordered, and what it
has read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .attention import KeysValues, Past, Reading, wide
from .packed import can_pack, packed
from .transformer import DecoderLayer, Encoded, MixReadings

# steps for which memory is reserved at least; before more is, slots that no beam can see are
# dropped
ROOM = 16


class BeamCache:
    """Self-attention keys and values of ``K`` beams, one slot a step and beam.

    Slots stay where they were written; a mask remembers which of them belong to each beam's own
    history, so that a new order of the beams moves only this mask. Beams soon share all but their
    last tokens: most slots are dropped.
    """

    def __init__(
        self,
        documents: Sequence[Tensor],
        heads: Sequence[int],
        width: int,
        beams: int,
        like: Tensor,
    ) -> None:
        self.steps = 0
        self._documents = documents  # by layer, the document of each row
        self._beams = beams
        batch = len(documents[0])
        self._slots = [
            [like.new_empty(len(rows), head, 0, width) for _ in range(2)]
            for rows, head in zip(documents, heads, strict=True)
        ]
        self._own = torch.eye(beams, dtype=torch.bool, device=like.device).expand(batch, -1, -1)
        self._history = self._own[:, :, :0]  # (B, K, slots): those that each beam may see

    def advance(self, parents: Tensor | None) -> Tensor | None:
        """Begin a step, in which each beam continues that of ``parents`` ``(B, K)``; None: its own.

        Returns which slots each beam may see, its new one included, ``(B, 1, K, slots)``; None for
        one beam: all.
        """
        self.steps += 1
        if parents is not None:
            self._history = follow(self._history, parents)
        if self._history.shape[2] + self._beams > self._slots[0][0].shape[2]:
            self._make_room()
        self._history = torch.cat([self._history, self._own], dim=2)
        return None if self._beams == 1 else self._history[:, None]

    def put(self, layer: int, keys_values: KeysValues) -> KeysValues:
        """Store the step's keys and values ``(rows, H, K, D/H)``; returns all so far ``(rows, H,
        slots, D/H)``.
        """
        used = self._history.shape[2]
        for slots, new in zip(self._slots[layer], keys_values, strict=True):
            slots[:, :, used - self._beams : used] = new
        keys, values = (slots[:, :, :used] for slots in self._slots[layer])
        return keys, values

    def _make_room(self) -> None:
        seen = self._history.any(1)  # (B, slots)
        count = int(seen.sum(1).max()) if self.steps > 1 else 0
        kept = seen.int().argsort(dim=1, descending=True, stable=True)[:, :count]  # (B, count)
        self._history = self._history.gather(2, kept[:, None].expand(-1, self._beams, -1))
        more = max(ROOM * self._beams, count // 4)
        for rows, slots in zip(self._documents, self._slots, strict=True):
            for item, values in enumerate(slots):
                _, heads, _, width = values.shape
                slots[item] = values.new_empty(len(rows), heads, count + more, width)
                index = kept[rows][:, None, :, None].expand(-1, heads, -1, width)
                slots[item][:, :, :count] = values.gather(2, index)


@dataclass(frozen=True)
class LayerStep:
    """What the cross-attention of a layer did at a step."""

    layer: DecoderLayer
    queries: Tensor
    source: Any
    reading: Reading | None


class DecoderSteps:
    """The layers of a decoder, one token of each of ``K`` hypotheses at a time.

    One copy of each row's cross-attention keys and values serves all beams: a step attends with
    them as ``K`` queries.
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
        is_packed = can_pack(encoded.states)
        self.layers = [packed(layer) if is_packed else layer for layer in layers]
        self.encoded = encoded
        self.temperature = temperature
        self.first_step = first_step
        self.mix_readings = mix_readings
        self.sources = [layer.stored_source(encoded.states) for layer in layers]
        # by layer, summed over the steps so far: (N or, where mixed, B, K, D)
        self.read: dict[int, Tensor] = {}
        heads = [layer.self_attn.heads for layer in layers]
        documents = [
            torch.arange(batch, device=encoded.document.device),
            *[encoded.document] * (len(layers) - 1),
        ]
        self.cache = BeamCache(
            documents, heads, encoded.states.shape[-1] // heads[0], beams, encoded.states
        )

    def advance(self, states: Tensor, parents: Tensor | None) -> tuple[Tensor, list[LayerStep]]:
        """Compute a step from its embedded tokens ``(B, K, D)`` → ``(N, K, D)``; the beams follow
        their parents.
        """
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

            states = layer.read_summary(
                states, mask if mask is None or number == 0 else mask[document], store=store
            )
            queries, rows = states, document if number == 0 else None
            states, reading = layer.cross(
                states, source, self.encoded.keys_mask, rows, past, self.temperature
            )
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


def follow(values: Tensor, parents: Tensor) -> Tensor:
    """Values ``(B, K, …)`` of the beams that each beam continues, parents ``(B, K)``."""
    rows = torch.arange(len(parents), device=parents.device)[:, None]
    return values[rows, parents]
