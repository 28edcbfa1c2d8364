"""What a search needs from a model."""

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor

StepCallback = Callable[[int, int, Tensor | None], None]
"""Called after each step with the tokens so far, the greatest possible number, and the new token of each document
``(B,)`` where it is settled (greedy search, a plan) or None (beam search)."""


class Scorer(Protocol):
    """Scores the next token of ``K`` prefixes of each of ``B`` documents."""

    def step(self, tokens: Tensor, parents: Tensor | None) -> tuple[Tensor, Tensor]:
        """Read one more token of every prefix.

        Args:
            tokens: ``(B, K)``, the newest token of each prefix.
            parents: ``(B, K)``, the prefix of the step before that each prefix continues; None where each continues
                itself.

        Returns:
            logits of the next token ``(B, K, V)`` and page confidences ``(B, K, P)``.
        """
        ...


class Prefixes:
    """``K`` beginnings of a summary of each of ``B`` documents, and the page confidences that each token came from.

    Attributes:
        length: tokens written so far, the start token counted.
        tokens: ``(B, K, max_length)``, padding behind ``length``.
        confidences: ``(B, K, max_length - 1, P)``: row ``t`` belongs to token ``t + 1``; 0 behind ``length``.
    """

    def __init__(self, start: Tensor, max_length: int, pages: int, pad_token_id: int) -> None:
        batch, beams = start.shape
        self.length = 1
        self.tokens = start.new_full((batch, beams, max_length), pad_token_id)
        self.tokens[:, :, 0] = start
        self.confidences = torch.zeros(batch, beams, max_length - 1, pages, device=start.device)

    @property
    def written(self) -> Tensor:
        """The tokens so far, ``(B, K, length)``."""
        return self.tokens[:, :, : self.length]

    def continued(self, parents: Tensor, tokens: Tensor, confidences: Tensor) -> "Prefixes":
        """Prefixes one token longer.

        Args:
            parents: ``(B, N)``, the prefix that each new one continues.
            tokens: ``(B, N)``, what is added.
            confidences: ``(B, K, P)``, the confidences of the step, by old prefix.
        """
        rows = torch.arange(parents.shape[0], device=parents.device)[:, None]
        longer = object.__new__(Prefixes)
        longer.length = self.length + 1
        longer.tokens = self.tokens[rows, parents]
        longer.tokens[:, :, self.length] = tokens
        longer.confidences = self.confidences[rows, parents]
        longer.confidences[:, :, self.length - 1] = confidences[rows, parents]
        return longer
