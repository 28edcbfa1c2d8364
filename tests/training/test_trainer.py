"""Which examples meet in validation."""

import pytest

from pagesum_cli.training.trainer import InTurn


@pytest.mark.parametrize(("examples", "processes"), [(2, 2), (9, 2), (16, 2), (9, 4), (1, 3)])
def test_every_process_validates_as_often_and_no_example_counts_twice(examples: int, processes: int) -> None:
    shares = [InTurn(examples, 4, rank, processes) for rank in range(processes)]
    assert len({len(share) for share in shares}) == 1
    counted = [number for share in shares for batch in share.batches[: share.counted] for number in batch]
    assert sorted(counted) == list(range(examples))
