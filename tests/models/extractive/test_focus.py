"""Sentences relevant to a question or topic."""

import torch

from pagesum_cli.models.extractive.focus import combined, relevance_by_meaning


def test_meaning_is_the_direction_from_the_mean() -> None:
    generator = torch.Generator().manual_seed(0)
    states = 5 + torch.randn(20, 8, generator=generator)
    relevance = relevance_by_meaning(2 * (states[3] - states.mean(0)) + states.mean(0), states)
    assert relevance.argmax() == 3
    assert relevance.min() >= 0


def test_relevance_counts_more_than_importance() -> None:
    scores = torch.tensor([9.0, 0.0, 1.0, 0.5])
    both = combined(torch.tensor([0.0, 1.0, 1.0, 0.5]), scores)
    assert both.argsort(descending=True).tolist() == [2, 1, 3, 0]
