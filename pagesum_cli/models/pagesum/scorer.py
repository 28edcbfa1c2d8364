"""Scores next tokens of PageSum, remembering what has been computed."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ...decoding.scorer import Step
from ..layers.attention import KeysValues
from ..layers.cache import BeamCache
from ..layers.dpp import DppKeys, Past, wide
from ..layers.packing import PackedPages
from ..layers.transformer import Encoded


@dataclass(frozen=True)
class Memory(Encoded):
    """Encoded documents: what the decoder's cross-attention reads.

    With global decoding ``states`` are ``(B, L, D)``: all pages of a document one after another.

    Attributes:
        pages: The pages.
        page: With global decoding ``(B, L)``, the page of each token.
    """

    pages: PackedPages
    page: Tensor | None = None


class PageScorer:
    """Scores next tokens of ``K`` hypotheses of each document.

    One copy of each page's cross-attention keys and values serves all beams: a step attends with the beams as ``K``
    queries.

    Args:
        model: A ``PageSumModel``.
        memory: Encoded documents.
        beams: ``K``.
        temperature: τ, by which the scores of DPP attention are divided.
    """

    def __init__(self, model: Any, memory: Memory, beams: int, temperature: float = 1.0) -> None:
        self.model = model
        self.memory = memory
        self.beams = beams
        self.temperature = temperature
        self.batch = memory.pages.batch
        layers = model.model.decoder.layers
        self.cross = [stored(layer.source(memory.states)) for layer in layers]
        self.across = model.reads_across_pages
        self.read: dict[int, Tensor] = {}  # by layer, summed over the steps so far: (N or, across pages, B, K, D)
        heads = [layer.self_attn.heads for layer in layers]
        rows = [self.batch, *[len(memory.document)] * (len(layers) - 1)]
        weight = model.model.shared.weight
        self.cache = BeamCache(rows, heads, weight.shape[1] // heads[0], beams, self.batch, weight)

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        """See :class:`~pagesum_cli.decoding.scorer.Scorer`."""
        body, memory = self.model.model, self.memory
        is_global = memory.page is not None
        embedded = body.embed(tokens.flatten())[:, None]
        states = body.decoder.embed(embedded, self.cache.steps).view(self.batch, self.beams, -1)  # (B, K, D)
        mask = self.cache.advance(parents)
        if parents is not None and self.read:
            beams = parents if self.across else parents[memory.document]
            each = torch.arange(len(beams), device=beams.device)[:, None]
            self.read = {number: total[each, beams] for number, total in self.read.items()}
        past: Past | None = None
        shares = []
        for number, (layer, cross) in enumerate(zip(body.decoder.layers, self.cross, strict=True)):
            own = self.cache.put(number, layer.self_attn.keys_values(states))
            own_mask = mask if mask is None or number == 0 else mask[memory.document]
            attended = layer.self_attn(states, own, own_mask)
            states = layer.add(states, attended, layer.self_attn_layer_norm)
            queries, rows = states, memory.document if number == 0 else None
            states, reading = layer.cross(states, cross, memory.keys_mask, rows, past, self.temperature)
            if is_global:
                shares.append(self.model.attention_shares(layer, queries, cross, reading, memory))
            if reading is not None and reading.keys is not None:
                past = self._past(number, states, reading.keys)
        if is_global:
            return Step(self.model.project(states), {"page": torch.stack(shares).mean(0)})
        mixed, confidences, _ = self.model.mix(states, memory.pages)  # (B, K, D), (B, P, K)
        return Step(self.model.project(mixed), {"page": confidences.transpose(1, 2)})

    def _past(self, number: int, states: Tensor, read: Tensor) -> Past:
        """What a layer has read before this step; adds what it reads now, ``(N, K, D)``."""
        if self.across:
            read = self.model.mix_readings(states, read, self.memory.pages)
        read = wide(read)
        before = self.read.get(number)
        if before is None:
            before = torch.zeros_like(read)
        self.read[number] = before + read
        past = Past.of_sum(before, self.cache.steps - 1, self.model.config.dpp_first_step)
        return past.of_rows(self.memory.document) if self.across else past


def stored(source: KeysValues | DppKeys) -> KeysValues | DppKeys:
    """Keys and values in memory as they are read at every step."""
    if isinstance(source, DppKeys):
        return source.stored()
    keys, values = source
    return keys.contiguous(), values.contiguous()
