"""Steps of a summary and the figures on its page confidences."""

import math
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from tiny import TWO_SENTENCES

from pagesum_cli.analysis.page_confidences import Step, locality_figures, page_figures, page_of, steps_of
from pagesum_cli.summary import Source


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
    assert [step.text for step in steps_of(saved, "word")] == ["The harvest failed.", "Prices rose."]
    assert steps_of(saved, "token")[1].confidences == (0.1, 0.9)


def test_log_probabilities_add_up():
    tokens = tuple(replace(token, log_probability=-1.0) for token in TWO_SENTENCES.tokens)
    scored = replace(TWO_SENTENCES, tokens=tokens)
    assert [step.log_probability for step in steps_of(scored, "word")] == [-1, -2, -1, -1, -1]
    assert [step.log_probability for step in steps_of(scored, "sentence")] == [-4, -2]


def one_hot(leaders, pages):
    return [Step("w", True, 0, tuple(float(page == leader) for page in range(pages))) for leader in leaders]


def test_one_page_at_a_time_is_as_local_as_can_be():
    figures = locality_figures(one_hot([0, 0, 0, 1, 1, 2], 4))
    assert (figures.pages_for_80, figures.entropy) == (1, 0)
    assert figures.stays == pytest.approx(3 / 5)
    assert figures.run == pytest.approx(2)


def test_equal_pages_are_not_local_at_all():
    figures = locality_figures([Step("w", True, 0, (0.1,) * 10)] * 3)
    assert figures.pages_for_80 == 8
    assert figures.entropy == pytest.approx(math.log2(10))


def test_shuffled_figures_are_those_of_many_shuffles():
    leaders = [0] * 7 + [1] * 4 + [2] * 3
    figures = locality_figures(one_hot(leaders, 3))
    draw = random.Random(0)
    stays, runs = [], []
    for _ in range(4000):
        draw.shuffle(leaders)
        same = sum(a == b for a, b in pairwise(leaders))
        stays.append(same / (len(leaders) - 1))
        runs.append(len(leaders) - same)
    assert figures.stays_shuffled == pytest.approx(sum(stays) / len(stays), abs=0.01)
    assert figures.run_shuffled == pytest.approx(len(leaders) / (sum(runs) / len(runs)), abs=0.02)


def test_one_step_has_figures():
    figures = locality_figures(one_hot([1], 3))
    assert (figures.stays, figures.run, figures.run_shuffled) == (0, 1, 1)


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
