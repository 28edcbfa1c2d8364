"""Small layers that score sentences by a language model's states, those of a document beside each
other.
"""

from math import log
from typing import Self, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..layers.transformer import embedding

MAX_DEVIATION = 6.0  # standard deviations from the mean at which states are clipped
EPSILON = 1e-6  # added to variances
POSITIONS = (
    32  # first sentences with an embedding each, and equal parts of a document with one each
)
TOGETHER = 1024  # maximum number of sentences that are seen beside each other


class Standardized(nn.Module):
    """Values less their mean, over their standard deviation, both of all that was seen in
    training.
    """

    # count, mean, variance: of what was seen; ``(1,)``, ``(width,)``, ``(width,)``
    count: Tensor
    mean: Tensor
    variance: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("variance", torch.ones(width))

    def forward(self, values: Tensor) -> Tensor:
        """``(M, width)`` → ``(M, width)``, at most :data:`MAX_DEVIATION` standard deviations."""
        if self.training and torch.is_grad_enabled():
            self._see(values)
        deviations = (values - self.mean) / (self.variance + EPSILON).sqrt()
        return deviations.clamp(-MAX_DEVIATION, MAX_DEVIATION)

    @torch.no_grad()
    def _see(self, values: Tensor) -> None:
        share = len(values) / (self.count + len(values))
        difference = values.mean(0) - self.mean
        variance = (1 - share) * self.variance + share * values.var(0, correction=0)
        self.variance.copy_(variance + share * (1 - share) * difference**2)
        self.mean += share * difference
        self.count += len(values)


class HeadLayer(nn.Module):
    """A transformer layer over the sentences of a document, with normalization before each part."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.attention_norm, self.inner_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.project = nn.Linear(width, 3 * width)  # to queries, keys and values
        self.mix = nn.Linear(width, width)
        self.widen = nn.Linear(width, 2 * width)
        self.narrow = nn.Linear(2 * width, width)

    def forward(self, states: Tensor) -> Tensor:
        """``(M, width)`` → ``(M, width)``."""
        dropout = self.dropout if self.training else 0.0
        projected = self.project(self.attention_norm(states)).unflatten(-1, (3, self.heads, -1))
        queries, keys, values = projected.permute(1, 2, 0, 3)[:, None]
        mixed = F.scaled_dot_product_attention(queries, keys, values, dropout_p=dropout)
        attended = self.mix(mixed[0].transpose(0, 1).flatten(1))
        states = states + F.dropout(attended, dropout)
        inner = F.dropout(F.gelu(self.widen(self.inner_norm(states))), dropout)
        return states + F.dropout(self.narrow(inner), dropout)


class StateHead(nn.Module):
    """A transformer layer over the sentences of a document: is each quoted, and does it stand
    alone?
    """

    def __init__(self, inputs: int, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.project = nn.Linear(inputs, width)
        self.places = embedding(2 * POSITIONS, width)
        self.dropout = dropout
        self.layer = HeadLayer(width, heads, dropout)
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, 2)

    def forward(self, sentences: Tensor, places: Tensor) -> Tensor:
        """``(M, inputs)`` and ``(M, 2)`` → logits ``(M, 2)``."""
        states = self.project(sentences) + self.places(places).sum(1)
        states = F.dropout(states, self.dropout, self.training)
        groups = [self.layer(group) for group in states.split(TOGETHER)]
        return self.out(self.norm(torch.cat(groups)))


class StateScorer(nn.Module):
    """Several heads, whose logits are averaged, and the length of a summary. Computes in
    float32.
    """

    def __init__(
        self, states: int, width: int, heads: int, count: int, dropout: float, input_dropout: float
    ) -> None:
        super().__init__()
        self.norm = Standardized(states)
        self.heads = nn.ModuleList(
            StateHead(2 * states, width, heads, dropout) for _ in range(count)
        )
        self.length = nn.Linear(states + 1, 1)
        self.input_dropout = input_dropout

    def reset(self, length: int) -> None:
        """Positions do not count, and every summary has this number of tokens."""
        for head in self.heads:
            nn.init.zeros_(cast(StateHead, head).places.weight)
        nn.init.zeros_(self.length.weight)
        nn.init.constant_(self.length.bias, log(length))

    def output_parameters(self) -> list[nn.Parameter]:
        """Those of the last layer of each head."""
        heads = [cast(StateHead, head) for head in self.heads]
        return [weight for head in heads for weight in head.out.parameters()]

    def train(self, mode: bool = True) -> Self:
        """Where only the last layers are trained, nothing is dropped below them, and the mean and
        deviation of states stay as they are.
        """
        projections = [cast(StateHead, head).project.weight for head in self.heads]
        return super().train(mode and any(weight.requires_grad for weight in projections))

    def _apply(self, fn: object, recurse: bool = True) -> "StateScorer":
        """Move to another device, but stay float32: some states are a thousand times as large as
        others.
        """
        return super()._apply(lambda tensor: tensor.float().to(fn(tensor).device), recurse)  # type: ignore[operator]

    def forward(self, states: Tensor, part: Tensor) -> Tensor:
        """Score the states ``(M, states)`` of headings and sentences in order → logits ``(M, 3)``.

        They are whether an editor quotes the sentence, and whether it can stand alone; the third is
        the logarithm of the number of tokens of a summary of its document. ``part`` ``(M,)`` has
        the number of the document of each, ascending.
        """
        if not len(states):
            return states.new_zeros(0, 3)
        counts = part.unique_consecutive(return_counts=True)[1].tolist()
        normed = self.norm(states.float()).split(counts)
        return torch.cat([self._of_document(sentences) for sentences in normed])

    def _of_document(self, sentences: Tensor) -> Tensor:
        """``(m, states)`` → ``(m, 3)``."""
        mean, count = sentences.mean(0), len(sentences)
        number = torch.arange(count, device=sentences.device)
        share = POSITIONS + POSITIONS * number // count
        places = torch.stack([number.clamp(max=POSITIONS - 1), share], dim=1)
        beside = torch.cat([sentences, sentences - mean], dim=-1)
        logits = torch.stack([head(self._dropped(beside), places) for head in self.heads]).mean(0)
        size = mean.new_tensor([count]).log()
        length = self.length(torch.cat([mean, size]).detach())
        return torch.cat([logits, length.expand(count, 1)], dim=-1)

    def _dropped(self, values: Tensor) -> Tensor:
        return F.dropout(values, self.input_dropout, self.training)
