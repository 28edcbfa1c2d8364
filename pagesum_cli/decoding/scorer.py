"""What a search needs from a model, and the hypotheses that it extends."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor

OnStep = Callable[[int, int, Tensor | None], None]
"""Called after each step with the number of tokens so far, the maximum, and the new token of each
document ``(B,)`` where it is settled (greedy search) or None (beam search)."""


@dataclass(frozen=True)
class Step:
    """What a scorer returns for the next token."""

    # ``(B, K, V')``; normalized log probabilities will do. ``V'`` may exceed the vocabulary (copied
    # words).
    logits: Tensor
    # Values of ``(B, K, …)`` each by name that travel with the hypotheses: ``page`` holds page
    # confidences ``(B, K, P)``. The search does not know what they mean.
    trace: dict[str, Tensor] = field(default_factory=dict)


class Scorer(Protocol):
    """Scores the next token of ``K`` hypotheses of each of ``B`` documents."""

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        """Read one more token of every hypothesis: tokens ``(B, K)``, the newest of each.

        ``parents`` ``(B, K)`` are the hypotheses of the step before that each continues; None where
        each continues itself. A scorer's own state follows them.
        """
        ...


class Hypotheses:
    """``K`` beginnings of a summary of each of ``B`` documents, with their traces."""

    def __init__(self, start: Tensor, max_length: int, pad_token_id: int) -> None:
        batch, beams = start.shape
        self.length = 1  # tokens so far, the start token included
        # padding after ``length``
        self.tokens = start.new_full((batch, beams, max_length), pad_token_id)
        self.tokens[:, :, 0] = start
        # ``(B, K, max_length - 1, …)`` by name: row ``t`` belongs to token ``t + 1``; 0 after
        # ``length``
        self.traces: dict[str, Tensor] = {}

    @property
    def prefixes(self) -> Tensor:
        """The tokens so far, ``(B, K, length)``."""
        return self.tokens[:, :, : self.length]

    def extended(self, parents: Tensor, tokens: Tensor, trace: dict[str, Tensor]) -> "Hypotheses":
        """Hypotheses one token longer: parents, tokens ``(B, N)``; the step's trace ``(B, K, …)``
        by old hypothesis.
        """
        rows = torch.arange(parents.shape[0], device=parents.device)[:, None]
        longer = copy(self)
        longer.tokens = self.tokens[rows, parents]
        longer.traces = {
            name: self._trace(name, values)[rows, parents] for name, values in trace.items()
        }
        longer.append(tokens, {name: values[rows, parents] for name, values in trace.items()})
        return longer

    def append(self, tokens: Tensor, trace: dict[str, Tensor]) -> None:
        """Add a token to each hypothesis in place: tokens ``(B, K)``, trace ``(B, K, …)``."""
        self.tokens[:, :, self.length] = tokens
        for name, values in trace.items():
            self.traces[name] = self._trace(name, values)
            self.traces[name][:, :, self.length - 1] = values
        self.length += 1

    def _trace(self, name: str, values: Tensor) -> Tensor:
        if name in self.traces:
            return self.traces[name]
        batch, beams, steps = self.tokens.shape
        return torch.zeros(
            batch, beams, steps - 1, *values.shape[2:], dtype=values.dtype, device=values.device
        )


@dataclass(frozen=True)
class SearchResult:
    """Finished summaries."""

    tokens: Tensor  # ``(B·n, T + 1)``, beginning with the start token
    scores: Tensor  # ``(B·n,)``
    traces: dict[str, Tensor]  # ``(B·n, T, …)`` by name; 0 after the end
