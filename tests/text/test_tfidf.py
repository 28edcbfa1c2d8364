"""TF-IDF vectors and centrality."""

import math

import numpy as np
import pytest

from pagesum_cli.text.tfidf import TfIdf, centrality
from pagesum_cli.text.words import words_of

SENTENCES = [
    "Owls hunt mice at night.",
    "Mice fear owls.",
    "It rained.",
    "Owls hunt owls.",
    "Zinc imports rose.",
]


def test_a_sentence_about_what_the_others_are_about_is_central() -> None:
    scores = centrality(SENTENCES)
    assert scores.shape == (5,)
    assert scores[0] == max(scores)
    assert min(scores[0], scores[1], scores[3]) > max(scores[2], scores[4])
    assert np.all((scores >= 0) & (scores <= 1 + 1e-9))


@pytest.mark.parametrize(
    "sentences", [[], [""], ["...", "!"], ["One sentence."], ["same here", "same here"]]
)
def test_texts_without_a_difference_have_finite_centrality(sentences: list[str]) -> None:
    assert centrality(sentences).tolist() == [0.0] * len(sentences)


@pytest.mark.parametrize("smooth", [False, True])
def test_similarities_are_those_of_dense_vectors(smooth: bool) -> None:
    words = [words_of(sentence) for sentence in SENTENCES]
    vocabulary = sorted({word for one in words for word in one})
    n = len(words)
    dense = np.zeros((n, len(vocabulary)))
    for column, word in enumerate(vocabulary):
        frequency = sum(word in one for one in words)
        rarity = math.log((1 + n) / (1 + frequency)) + 1 if smooth else math.log(n / frequency)
        dense[:, column] = [one.count(word) * rarity for one in words]
    dense /= np.linalg.norm(dense, axis=1, keepdims=True)
    expected = dense @ dense.T
    np.fill_diagonal(expected, 0)
    for block in (1, 10, 1000):
        columns = np.concatenate(list(TfIdf.of(words, smooth).shared_columns(block)), axis=1)
        assert columns.shape == (n, 3)  # owls, hunt and mice are in two sentences or more
        similar = columns @ columns.T
        np.fill_diagonal(similar, 0)
        assert similar == pytest.approx(expected)
