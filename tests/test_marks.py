"""Marks of pages and sentences."""

import numpy as np
import pytest

from pagesum_cli.marks import FIRST_RANK, PLACES, RANKS, centrality, place_marks, rank_marks


def test_a_sentence_that_says_what_the_others_say_is_central() -> None:
    sentences = [
        "Owls hunt mice at night.",
        "Mice fear owls.",
        "It rained.",
        "Owls hunt.",
        "The ministry published figures on zinc imports.",
    ]
    found = centrality(sentences)
    assert found.shape == (5,)
    assert found[0] == max(found)
    assert min(found[0], found[1], found[3]) > max(found[2], found[4])
    assert np.all((found >= 0) & (found <= 1 + 1e-9))


@pytest.mark.parametrize("sentences", [[], [""], ["...", "!"], ["One sentence."], ["same here", "same here"]])
def test_texts_without_a_difference_have_finite_values(sentences: list[str]) -> None:
    assert centrality(sentences).tolist() == [0.0] * len(sentences)
    assert len(rank_marks(sentences)) == len(sentences)


def test_ranks_double() -> None:
    # A word each, and the common word ever less of the sentence: centrality falls.
    sentences = [f"common {' '.join(f'x{n}y{k}' for k in range(n + 1))}" for n in range(200)] + ["other", "words"]
    marks = rank_marks(sentences)
    counts = [marks.count(FIRST_RANK + rank) for rank in range(RANKS)]
    assert counts == [2, 4, 8, 16, 32, 64, 202 - 126]


def test_places_begin_anew_with_each_document() -> None:
    assert place_marks([]) == []
    assert place_marks(["a"]) == [0]
    assert place_marks(["a", "a", "a", "b"]) == [0, 1, 4, 0]
    many = place_marks(["a"] * 100)
    assert many[0] == 0
    assert many[1] == 1
    assert many[-1] == PLACES - 1
    assert many == sorted(many)
