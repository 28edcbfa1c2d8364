"""Selected sentences are different from each other, by overlap or by the volume of their vectors."""

from itertools import pairwise

import numpy as np
import pytest
from tiny import assert_linear

from pagesum_cli.models.extractive.redundancy import DIVERSITY, RULES, Overlap, Volume
from pagesum_cli.models.extractive.selection import Candidate, Selection, Target, select_sentences
from pagesum_cli.text.greedy_map import greedy_map
from pagesum_cli.text.tfidf import TfIdf

ANY_LENGTH = Target(length=1e9, max_length=1000)


def sentences_of(*tokens: tuple[int, ...], scores: list[float] | None = None) -> list[Candidate]:
    return [
        Candidate(0, number, one, scores[number] if scores else float(-number)) for number, one in enumerate(tokens)
    ]


@pytest.mark.parametrize("rule", RULES)
def test_a_copy_is_never_selected(rule: str) -> None:
    first, other = tuple(range(12)), tuple(range(50, 62))
    sentences = sentences_of(first, first, other, first[::-1])
    choices = select_sentences(Selection(sentences, 1, 1.0, redundancy=rule), ANY_LENGTH)
    assert 1 not in [choice.candidate for choice in choices]
    assert {0, 2} <= {choice.candidate for choice in choices}


@pytest.mark.parametrize("rule", RULES.values())
def test_what_the_reader_knows_is_redundant(rule: type[Overlap]) -> None:
    known = tuple(range(12))
    redundancy = rule([known, tuple(range(50, 62))], set(pairwise(known)))
    assert redundancy.redundant.tolist() == [redundancy.repeats(0), redundancy.repeats(1)] == [True, False]


def test_the_volume_grows_as_greedy_map_finds() -> None:
    """Scores are twice θ times the logarithms of the qualities."""
    generator = np.random.default_rng(0)
    tokens = [tuple(generator.integers(0, 40, 12).tolist()) for _ in range(30)]
    scores = generator.normal(0, 2, 30)
    grams = [[*map(str, one), *(f"{first} {second}" for first, second in pairwise(one))] for one in tokens]
    vectors = TfIdf.of(grams)
    features = np.zeros((30, len(vectors.frequency)))
    features[vectors.rows, vectors.columns] = vectors.weights
    expected = greedy_map(np.exp(scores / (2 * DIVERSITY)), features, 8)
    selection = Selection(sentences_of(*tokens, scores=scores.tolist()), 1, 1.0, redundancy="map")
    found = []
    for _ in range(8):
        number = selection.best()
        assert number is not None
        selection.choose(number)
        found.append(number)
    assert found == expected


def test_alike_sentences_lose_more() -> None:
    volume = Volume([(1, 2, 3, 4), (1, 2, 3, 5), (1, 7, 8, 9), (10, 11, 12, 13)])
    assert volume.penalties.tolist() == [0, 0, 0, 0]
    volume.add(0)
    assert volume.penalties[1] < volume.penalties[2] < volume.penalties[3] == 0


def test_page_confidences_are_those_of_the_lowered_scores() -> None:
    sentences = [
        Candidate(page, number, tokens, score)
        for number, (page, tokens, score) in enumerate(
            [(0, (1, 2, 3, 4), 3.0), (0, (1, 2, 9, 8), 2.0), (1, (20, 21, 22), 1.0), (2, (30, 31), 0.5)]
        )
    ]
    selection = Selection(sentences, 3, 1.0, redundancy="map")
    selection.choose(0)
    volume = Volume([one.tokens for one in sentences])
    volume.add(0)
    weights = np.exp(np.array([2.0, 1.0, 0.5]) + volume.penalties[1:])
    assert selection.choose(2).page_confidences == pytest.approx(weights / weights.sum())


def test_time_grows_with_the_number_of_sentences() -> None:
    def select(count: int) -> None:
        generator = np.random.default_rng(0)
        sentences = sentences_of(*(tuple(row) for row in generator.integers(0, 5000, (count, 20)).tolist()))
        select_sentences(Selection(sentences, 1, 1.0, redundancy="map"), Target(300))

    assert_linear(select, 2000)
