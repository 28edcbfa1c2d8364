"""A few mutated inputs of each format; ``fuzz.py`` makes more of them."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

import fuzz

CHEAP = sorted(fuzz.ATTACKS.keys() - {"parquet", "cache", "mcp"})  # without large imports


@pytest.mark.parametrize("kind", CHEAP)
def test_no_mutated_file_ends_unexpectedly(kind: str) -> None:
    found = list(fuzz.outcomes(kind, 0, range(4)))
    assert [one for one in found if one[1] == "unexpected"] == []
    assert len(found) == 4
