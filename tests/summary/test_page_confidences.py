"""Steps of a summary and the figures on its page confidences."""

import random
from dataclasses import replace

import numpy as np
import pytest
from tiny import TWO_SENTENCES

from pagesum_cli.summary.page_confidences import (
    Step,
    locality_figures,
    page_figures,
    page_of,
    steps_of,
)
from pagesum_cli.summary.summary import Source


def test_words_are_averages_of_their_tokens():
    words = steps_of(TWO_SENTENCES, "word")
    assert [word.text for word in words] == ["The", "harvest", "failed.", "Prices", "rose."]
    assert words[1].confidences == pytest.approx((0.4, 0.6))
    assert [word.sentence for word in words] == [0, 0, 0, 1, 1]


def test_no_weight_is_lost_from_tokens_to_words():
    words, tokens = steps_of(TWO_SENTENCES, "word"), steps_of(TWO_SENTENCES, "token")
    for page in range(2):
        assert sum(word.tokens * word.confidences[page] for word in words) == pytest.approx(
            sum(token.confidences[page] for token in tokens)
        )


def test_without_tokens_there_are_sentences():
    saved = replace(TWO_SENTENCES, tokens=())
    assert [step.text for step in steps_of(saved, "word")] == [
        "The harvest failed.",
        "Prices rose.",
    ]
    assert steps_of(saved, "token")[1].confidences == (0.1, 0.9)


def test_log_probabilities_add_up():
    tokens = tuple(replace(token, log_probability=-1.0) for token in TWO_SENTENCES.tokens)
    scored = replace(TWO_SENTENCES, tokens=tokens)
    assert [step.log_probability for step in steps_of(scored, "word")] == [-1, -2, -1, -1, -1]
    assert [step.log_probability for step in steps_of(scored, "sentence")] == [-4, -2]


def one_hot(leaders, pages):
    return [
        Step("w", True, 0, tuple(float(page == leader) for page in range(pages)))
        for leader in leaders
    ]


def random_steps(count, pages, seed=0):
    draw = random.Random(seed)
    rows = [[draw.random() ** 3 for _ in range(pages)] for _ in range(count)]
    return [Step("w", True, 0, tuple(value / sum(row) for value in row)) for row in rows]


def test_one_page_at_a_time_is_as_local_as_can_be():
    figures = locality_figures(one_hot([0, 0, 0, 1, 1, 2], 4))
    assert (figures.entropy, figures.largest) == (0, 1)
    assert figures.change == pytest.approx(2 / 5)


def test_equal_pages_are_not_local_at_all():
    figures = locality_figures([Step("w", True, 0, (0.1,) * 10)] * 3)
    assert (figures.entropy, figures.largest) == (pytest.approx(1), pytest.approx(0.1))
    assert (figures.change, figures.change_shuffled) == (0, pytest.approx(0, abs=1e-12))


def test_figures_are_those_of_the_matrix():
    steps = random_steps(30, 7)
    matrix = np.array([step.confidences for step in steps])  # (T, P)
    figures = locality_figures(steps)
    assert figures.entropy == pytest.approx(-(matrix * np.log(matrix)).sum(1).mean() / np.log(7))
    assert figures.largest == pytest.approx(matrix.max(1).mean())
    assert figures.change == pytest.approx(np.abs(np.diff(matrix, axis=0)).sum(1).mean() / 2)
    apart = np.abs(matrix[:, None] - matrix[None]).sum(2) / 2  # (T, T)
    assert figures.change_shuffled == pytest.approx(apart[~np.eye(30, dtype=bool)].mean())


def test_shuffled_figures_are_those_of_many_shuffles():
    steps = one_hot([0] * 7 + [1] * 4 + [2] * 3, 3) + random_steps(6, 3)
    figures = locality_figures(steps)
    draw = random.Random(0)
    changes = []
    for _ in range(3000):
        draw.shuffle(steps)
        changes.append(locality_figures(steps).change)
    assert figures.change_shuffled == pytest.approx(sum(changes) / len(changes), abs=0.01)
    assert figures.change < 0.5 * figures.change_shuffled


def test_one_step_or_page_has_figures():
    figures = locality_figures(one_hot([1], 3))
    assert (figures.largest, figures.change, figures.change_shuffled) == (1, None, None)
    alone = locality_figures(one_hot([0, 0], 1))
    assert (alone.entropy, alone.change) == (0, 0)


def test_pages_know_the_sentences_and_words_they_lead():
    first, second = page_figures(TWO_SENTENCES)
    assert (first.sentences, first.words) == ((0,), 2)
    assert (second.sentences, second.words) == ((1,), 3)
    assert (second.peak, second.peak_word) == (0.9, "Prices")
    assert first.share + second.share == pytest.approx(1)


def test_a_quoted_sentence_belongs_to_the_page_it_stands_on():
    source = Source(1, 3, "a.pdf", "2 Methods", (2,), 10, 30)
    first, second = TWO_SENTENCES.sentences
    quoted = replace(TWO_SENTENCES, tokens=(), sentences=(replace(first, source=source), second))
    assert [page_of(sentence) for sentence in quoted.sentences] == [1, 1]
    assert [one.sentences for one in page_figures(quoted)] == [(), (0, 1)]
    assert [one.words for one in page_figures(quoted)] == [0, 5]
    assert page_figures(quoted)[0].peak_word == ""
