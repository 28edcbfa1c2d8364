"""Which sentences a summary is to say."""

import torch

from pagesum_cli.decoding.constraints import Constraints, Plan
from pagesum_cli.decoding.plan import LONGEST, choose_sentences


def sentence(start: int, length: int = 10) -> list[int]:
    return list(range(start, start + length))


def test_the_most_salient_sentences_that_fit_in_reading_order() -> None:
    sentences = [sentence(100 * n) for n in range(10)]
    salience = [0.1, 0.9, 0.2, 0.8, 0.0, 0.7, 0.3, 0.3, 0.3, 0.3]
    assert choose_sentences(salience, sentences, 22) == [1, 3]
    assert choose_sentences(salience, sentences, 42) == [1, 3, 5]


def test_what_was_said_is_not_said_again() -> None:
    sentences = [sentence(0), sentence(1), *(sentence(100 * n) for n in range(1, 9))]
    salience = [0.9, 0.8, 0.7, *[0.0] * 7]
    assert choose_sentences(salience, sentences, 22) == [0, 2]


def test_stubs_and_lists_are_not_chosen() -> None:
    sentences = [sentence(0, 3), sentence(1000, LONGEST + 1), *(sentence(100 * n) for n in range(1, 9))]
    assert choose_sentences([9, 8, *range(8)], sentences, 11) == [9]


def test_what_is_not_closed_is_not_chosen() -> None:
    sentences = [sentence(100 * n) for n in range(10)]
    assert choose_sentences(range(10), sentences, 22, ends={509, 208, 307}) == [2, 5]


def test_a_short_document_is_not_repeated_whole() -> None:
    sentences = [sentence(100 * n) for n in range(5)]
    assert choose_sentences([1, 2, 3, 4, 5], sentences, 500) == [3, 4]
    assert choose_sentences([1, 2, 3, 4, 5], sentences, 500, least=33) == [2, 3, 4]
    assert choose_sentences([1], [sentence(0)], 500) == [0]
    assert choose_sentences([], [], 500) == []


def test_a_plan_is_carried_out_whole_and_in_order() -> None:
    plan = Plan((5, 8), torch.tensor([2, 0]))
    constraints = Constraints(max_length=20, min_length=0, no_repeat_ngram_size=0, eos_token_id=1, plan=plan)
    prefixes = torch.tensor([[0, 5, 3, 3], [0, 5, 3, 6], [0, 3, 3, 3], [0, 3, 3, 3]])  # two beams of each document
    allowed = constraints.apply(prefixes, torch.zeros(4, 10)) == 0
    words = [0, 2, 3, 4, 9]
    assert [row.nonzero().flatten().tolist() for row in allowed] == [
        sorted([*words, 6]),
        sorted([*words, 1]),
        sorted([*words, 1]),
        sorted([*words, 1]),
    ]
