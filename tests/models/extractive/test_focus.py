"""Sentences relevant to a question or topic."""

import numpy as np
import pytest

from pagesum_cli.documents.model import Sentence
from pagesum_cli.models.extractive.focus import (
    _rated,
    _without_aims,
    combined,
    relevance_by_meaning,
)
from pagesum_cli.quoting.candidates import STUB, UNUSUAL, WHOLE, Candidate


def test_meaning_is_the_direction_from_the_mean() -> None:
    states = 5 + np.random.default_rng(0).standard_normal((20, 8)).astype(np.float32)
    relevance = relevance_by_meaning(2 * (states[3] - states.mean(0)) + states.mean(0), states)
    assert relevance.argmax() == 3
    assert relevance.min() >= 0


def test_relevance_counts_more_than_importance() -> None:
    scores = np.array([9.0, 0.0, 1.0, 0.5], np.float32)
    both = combined(np.array([0.0, 1.0, 1.0, 0.5], np.float32), scores)
    assert (-both).argsort().tolist() == [2, 1, 3, 0]


@pytest.mark.parametrize(
    ("focus", "is_answer"),
    [
        ("What did the tea do?", False),
        ("How much did the tea reduce the pain?", False),
        ("What was the aim of the work on tea?", True),
        ("tea and pain", True),
    ],
)
def test_the_aim_is_no_answer_to_a_question_about_something_else(
    focus: str, is_answer: bool
) -> None:
    texts = ("The aim of this study was to see what the tea does.", "The tea reduced the pain.")
    shares = _without_aims([1.0, 0.8], [Sentence(text) for text in texts], focus)
    assert (shares[0] > shares[1]) == is_answer
    assert shares[1] == 0.8


@pytest.mark.parametrize(
    ("text", "share", "expected"),
    [
        ("Every miller who grinds at night is liable to a fine.", 0.8, (WHOLE, True)),
        ("Every miller who grinds at night is liable to a fine.", 0.2, (STUB, False)),
        ("Some millers have paid large fines.", 0.8, (UNUSUAL, False)),
    ],
)
def test_what_lays_down_the_answer_has_any_length(
    text: str, share: float, expected: tuple[int, bool]
) -> None:
    item = Candidate(0, 0, range(120), 1.0, level=UNUSUAL)
    rated = _rated(item, Sentence(text), share)
    assert (rated.level, rated.binds) == expected
