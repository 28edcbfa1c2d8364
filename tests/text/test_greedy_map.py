"""Greedy MAP of a determinantal point process."""

from itertools import islice

import numpy as np
import pytest
import tiny

from pagesum_cli.text.greedy import greedy_map


def selected(qualities, features, number=None):
    """The first items that are selected."""
    return list(
        islice(greedy_map(np.array(qualities), lambda item: features @ features[item]), number)
    )


@pytest.mark.parametrize("seed", range(8))
def test_each_item_makes_the_determinant_largest(seed):
    random = np.random.default_rng(seed)
    features = random.normal(size=(9, 6))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    qualities = random.uniform(0.2, 3, 9)
    kernel = qualities[:, None] * (features @ features.T) * qualities
    chosen = []
    for _ in range(5):
        others = [item for item in range(9) if item not in chosen]
        determinants = [
            np.linalg.det(kernel[np.ix_([*chosen, item], [*chosen, item])]) for item in others
        ]
        chosen.append(others[int(np.argmax(determinants))])
    assert selected(qualities, features, 5) == chosen


def test_a_copy_adds_nothing_and_no_more_than_the_dimensions_are_selected():
    features = np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert selected([2.0, 1, 1.9, 0.5], features) == [0, 1, 3]


def test_quality_alone_counts_where_nothing_is_alike():
    assert selected([1.0, 3, 2, 0], np.eye(4)) == [1, 2, 0]


def test_takes_linear_time():
    def work(items):
        features = np.random.default_rng(0).normal(size=(items, 30))
        selected(np.ones(items), features / np.linalg.norm(features, axis=1, keepdims=True), 20)

    tiny.assert_linear(work, 10_000)
