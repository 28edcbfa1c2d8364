"""Which examples meet in training and in validation."""

import numpy as np
import pytest

from pagesum_cli.training.data import Batches, LongestBatches, validation_batches
from pagesum_cli.training.settings import Settings


def test_processes_share_the_micro_batches_of_one() -> None:
    settings = Settings(batch=2, accumulate=4)
    (one,) = ([*Batches(19, settings)] for _ in range(1))
    shares = [[*Batches(19, settings, rank, 2)] for rank in range(2)]
    assert [batch for pair in zip(*shares, strict=True) for batch in pair] == one
    assert len(one) == 8  # two updates; the last two of ten micro-batches are left over


def test_the_longest_examples_come_first() -> None:
    batches = LongestBatches(np.array([3, 9, 5]), Settings(batch=2, accumulate=2))
    assert [*batches] == [[1, 2], [0, 1], [2, 0], [1, 2]]


@pytest.mark.parametrize(("examples", "processes"), [(2, 2), (9, 2), (16, 2), (9, 4), (1, 3)])
def test_every_process_validates_as_often_and_no_example_counts_twice(
    examples: int, processes: int
) -> None:
    shares = [validation_batches(examples, 4, rank, processes) for rank in range(processes)]
    assert len({len(batches) for batches, _ in shares}) == 1
    counted = [number for batches, count in shares for batch in batches[:count] for number in batch]
    assert sorted(counted) == list(range(examples))
