"""Sentences relevant to a question or topic."""

import numpy as np

from pagesum_cli.models.extractive.focus import combined, relevance_by_meaning


def test_meaning_is_the_direction_from_the_mean() -> None:
    states = 5 + np.random.default_rng(0).standard_normal((20, 8)).astype(np.float32)
    relevance = relevance_by_meaning(2 * (states[3] - states.mean(0)) + states.mean(0), states)
    assert relevance.argmax() == 3
    assert relevance.min() >= 0


def test_relevance_counts_more_than_importance() -> None:
    scores = np.array([9.0, 0.0, 1.0, 0.5], np.float32)
    both = combined(np.array([0.0, 1.0, 1.0, 0.5], np.float32), scores)
    assert (-both).argsort().tolist() == [2, 1, 3, 0]
