"""Scores next tokens of PageSum, remembering what has been computed."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ...decoding.scorer import Step
from ..layers.cache import BeamCache
from ..layers.packing import PackedPages


@dataclass(frozen=True)
class Memory:
    """Encoded documents: what the decoder's cross-attention reads.

    Attributes:
        states: ``(N, S, D)``; with global decoding ``(B, L, D)``: all pages of a document one after another.
        keys_mask: ``(N, 1, 1, S)``, True where a token is; None where nothing is padded.
        document: ``(N,)``, the document of each row.
        pages: The pages.
        page: With global decoding ``(B, L)``, the page of each token.
    """

    states: Tensor
    keys_mask: Tensor | None
    document: Tensor
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
    """

    def __init__(self, model: Any, memory: Memory, beams: int) -> None:
        self.model = model
        self.memory = memory
        self.beams = beams
        self.batch = memory.pages.batch
        layers = model.model.decoder.layers
        self.cross = [
            tuple(part.contiguous() for part in layer.encoder_attn.keys_values(memory.states)) for layer in layers
        ]
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
        shares = []
        for number, (layer, cross) in enumerate(zip(body.decoder.layers, self.cross, strict=True)):
            own = self.cache.put(number, layer.self_attn.keys_values(states))
            own_mask = mask if mask is None or number == 0 else mask[memory.document]
            attended = layer.self_attn(states, own, own_mask)
            states = layer.add(states, attended, layer.self_attn_layer_norm)
            if is_global:
                shares.append(self.model.attention_shares(layer, states, cross[0], memory))
            states = layer.cross(states, cross, memory.keys_mask, memory.document if number == 0 else None)
        if is_global:
            return Step(self.model.project(states), {"page": torch.stack(shares).mean(0)})
        mixed, confidences, _ = self.model.mix(states, memory.pages)  # (B, K, D), (B, P, K)
        return Step(self.model.project(mixed), {"page": confidences.transpose(1, 2)})
