"""Intervals and tests: figures that can be known beforehand."""

import numpy as np
import pytest

from pagesum_cli.evaluation.report import compare, interval, significance_of


def test_an_interval_is_the_same_each_time_and_holds_the_mean():
    scores = np.random.default_rng(1).normal(50, 10, 400)
    low, high = interval(scores)
    assert (low, high) == interval(scores)
    assert low < scores.mean() < high
    # The normal approximation of a mean of 400.
    assert high - low == pytest.approx(2 * 1.96 * scores.std() / 20, rel=0.1)


def test_an_interval_of_equal_scores_is_a_point():
    assert interval([7.0, 7.0, 7.0]) == (7.0, 7.0)


def test_intervals_hold_the_true_mean_about_95_times_in_100():
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(200):
        low, high = interval(rng.normal(0, 1, 60))
        held += low <= 0 <= high
    assert 180 <= held <= 198


def test_equal_systems_do_not_differ():
    one = compare([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert (one.difference, one.wins, one.ties, one.losses) == (0, 0, 3, 0)
    assert one.p_bootstrap == one.p_randomization == 1


def test_a_system_that_is_always_better_differs():
    rng = np.random.default_rng(3)
    first = rng.normal(40, 10, 100)
    found = compare(first, first + rng.normal(2, 1, 100))
    assert found.difference == pytest.approx(2, abs=0.4)
    assert found.low > 0
    assert found.p_bootstrap == found.p_randomization == pytest.approx(1 / 1001)
    assert found.wins > 90


def test_more_resamples_find_smaller_p_values():
    first = np.random.default_rng(5).normal(40, 10, 50)
    assert compare(first, first + 2, resamples=4999).p == pytest.approx(1 / 5000)


def test_p_values_of_several_systems_are_corrected_by_holm():
    """Beside the procedure as it is printed: sorted, the smallest times the number of tests, and
    never decreasing.
    """
    rng = np.random.default_rng(6)
    base = rng.normal(40, 10, 40)
    shifts = {"a": 0.0, "b": 0.4, "c": 0.8, "d": 3.0}
    systems = {name: base + shift + rng.normal(0, 2, 40) for name, shift in shifts.items()}
    tests = significance_of(
        {name: [{"x": {"f": one}} for one in scores] for name, scores in systems.items()}
    )
    last = 0.0
    for left, test in zip(
        range(6, 0, -1), sorted(tests, key=lambda test: test.comparison.p), strict=True
    ):
        last = max(last, min(1.0, left * test.comparison.p))
        assert test.p_holm == pytest.approx(last)
    assert len({test.p_holm for test in tests}) > 2


def test_randomization_of_few_documents_is_near_the_exact_test():
    # Of the 2^4 ways to sign four equal differences, two are as extreme.
    assert compare([0.0] * 4, [1.0] * 4).p_randomization == pytest.approx(2 / 16, abs=0.03)


def test_p_values_of_systems_that_do_not_differ_are_spread_out():
    rng = np.random.default_rng(4)
    low = {"bootstrap": 0, "randomization": 0}
    for _ in range(200):
        found = compare(rng.normal(0, 1, 40), rng.normal(0, 1, 40), resamples=200)
        low["bootstrap"] += found.p_bootstrap < 0.05
        low["randomization"] += found.p_randomization < 0.05
    assert all(2 <= count <= 24 for count in low.values()), low
