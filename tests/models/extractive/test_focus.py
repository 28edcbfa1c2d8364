"""Sentences relevant to a question or topic."""

import numpy as np
import pytest

from pagesum_cli.models.extractive.focus import (
    NEIGHBORS,
    combined,
    relevance_by_meaning,
    relevance_by_words,
)

SENTENCES = [
    "The harvest was late.",
    "Prices of wheat rose in most towns.",
    "The council met twice.",
    "It lent seed to forty farms.",
    "The mills held their prices.",
    "Snow fell.",
    "Nobody knew why.",
    "They waited.",
    "The winter was long.",
]


def test_words_of_the_topic_in_any_form_make_a_sentence_relevant() -> None:
    relevance, covered = relevance_by_words("What did the price of wheat do?", SENTENCES)
    assert relevance.argmax() == 1
    assert relevance.max() == 1
    assert covered == 1
    assert relevance[4] > relevance[6] == 0  # has a word of it; has none, nor has its neighbor
    assert relevance[7:].tolist() == [0, 0]


def test_rare_words_count_more() -> None:
    sentences = [
        "The farm was sold.",
        "x y z",
        "x y z",
        "The farm was old.",
        "x y",
        "x y",
        "The mill was sold.",
        "x",
        "x",
    ]
    relevance, _ = relevance_by_words("mill farm", sentences)
    assert relevance.argmax() == 6


def test_no_word_of_the_topic() -> None:
    relevance, covered = relevance_by_words("astronomy", SENTENCES)
    assert not relevance.any()
    assert covered == 0
    assert relevance_by_words("astronomy", [])[0].shape == (0,)


def test_a_focus_of_which_one_word_occurs_is_covered_in_part() -> None:
    _, covered = relevance_by_words("wheat astronomy telescopes", SENTENCES)
    assert 0 < covered < 0.4


@pytest.mark.parametrize(
    ("focus", "answer"),
    [
        ("eugenol content", "The oil had eugenol (34.7 %) and thymol."),
        ("How much eugenol was there?", "The oil had eugenol (34.7 %) and thymol."),
        ("Why was eugenol left out?", "We left out eugenol because it burns."),
        ("limitations", "Only forty samples could be analyzed, which limits the study."),
    ],
)
def test_what_a_question_asks_for_counts(focus: str, answer: str) -> None:
    sentences = [
        "Eugenol is an oil of cloves.",
        "x",
        "y",
        "We thank the farms.",
        "x",
        "y",
        answer,
        "x",
        "y",
    ]
    assert relevance_by_words(focus, sentences)[0].argmax() == 6


def test_meaning_is_the_direction_from_the_mean() -> None:
    states = 5 + np.random.default_rng(0).standard_normal((20, 8)).astype(np.float32)
    relevance = relevance_by_meaning(2 * (states[3] - states.mean(0)) + states.mean(0), states)
    assert relevance.argmax() == 3
    assert relevance.min() >= 0


def test_relevance_counts_more_than_importance() -> None:
    scores = np.array([9.0, 0.0, 1.0, 0.5], np.float32)
    both = combined(np.array([0.0, 1.0, 1.0, 0.5], np.float32), scores)
    assert (-both).argsort().tolist() == [2, 1, 3, 0]


def test_weights_of_neighbors_sum_to_one() -> None:
    assert abs(sum(NEIGHBORS) - 1) < 1e-9
