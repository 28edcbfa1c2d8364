"""Greedy MAP of a determinantal point process."""

import numpy as np
import pytest
import tiny

from pagesum_cli.text.greedy_map import GreedyMap, greedy_map


def kernel(seed, items=9, width=6):
    """Qualities, unit features and L = q φᵀφ q."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(items, width))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    qualities = random.uniform(0.2, 3, items)
    return qualities, features, qualities[:, None] * (features @ features.T) * qualities


@pytest.mark.parametrize("seed", range(8))
def test_each_item_makes_the_determinant_largest(seed):
    qualities, features, matrix = kernel(seed)
    chosen = []
    for _ in range(5):
        others = [item for item in range(len(matrix)) if item not in chosen]
        volumes = [np.linalg.det(matrix[np.ix_([*chosen, item], [*chosen, item])]) for item in others]
        chosen.append(others[int(np.argmax(volumes))])
    assert greedy_map(qualities, features, 5) == chosen


def test_the_determinant_is_the_product_of_what_is_left():
    _, features, _ = kernel(3)
    selection = GreedyMap(len(features), lambda item: features @ features[item])
    product = 1.0
    for number, item in enumerate((4, 0, 7, 2), start=1):
        product *= selection.left[item]
        selection.add(item)
        some = features[[4, 0, 7, 2][:number]]
        assert product == pytest.approx(np.linalg.det(some @ some.T))


def test_a_copy_adds_nothing_and_no_more_than_the_dimensions_are_selected():
    features = np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert greedy_map(np.array([2.0, 1, 1.9, 0.5]), features, 4) == [0, 1, 3]


def test_quality_alone_counts_where_nothing_is_alike():
    assert greedy_map(np.array([1.0, 3, 2]), np.eye(3), 2) == [1, 2]


def test_takes_linear_time():
    def work(items):
        features = np.random.default_rng(0).normal(size=(items, 30))
        greedy_map(np.ones(items), features / np.linalg.norm(features, axis=1, keepdims=True), 20)

    tiny.assert_linear(work, 10_000)
