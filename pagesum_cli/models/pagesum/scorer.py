"""Scores next tokens of PageSum, remembering what has been computed."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

from ...decoding.scorer import Step
from ..layers.cache import DecoderSteps
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

    Args:
        model: A ``PageSumModel``.
        memory: Encoded documents.
        beams: ``K``.
        temperature: τ, by which the scores of DPP attention are divided.
    """

    def __init__(self, model: Any, memory: Memory, beams: int, temperature: float = 1.0) -> None:
        self.model = model
        self.memory = memory
        self.shape = (memory.pages.batch, beams, -1)
        mix = partial(model.mix_readings, pages=memory.pages) if model.reads_across_pages else None
        layers, first_step = model.model.decoder.decoder_layers, model.config.dpp_first_step
        self.steps = DecoderSteps(layers, memory, memory.pages.batch, beams, temperature, first_step, mix)

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        """See :class:`~pagesum_cli.decoding.scorer.Scorer`."""
        body, memory = self.model.model, self.memory
        embedded = body.embed(tokens.flatten())[:, None]
        states = body.decoder.embed(embedded, self.steps.cache.steps).view(self.shape)  # (B, K, D)
        states, done = self.steps.advance(states, parents)
        if memory.page is not None:
            shares = [
                self.model.attention_shares(one.layer, one.queries, one.source, one.reading, memory) for one in done
            ]
            return Step(self.model.project(states), {"page": torch.stack(shares).mean(0)})
        mixed, confidences, _ = self.model.mix(states, memory.pages)  # (B, K, D), (B, P, K)
        return Step(self.model.project(mixed), {"page": confidences.transpose(1, 2)})
