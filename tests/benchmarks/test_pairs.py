"""A few pairs of texts; ``pairs.py`` makes more of them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

import pairs


def test_no_pair_with_another_character_is_verbatim() -> None:
    found = [pair for pair in pairs.pairs(1, 300) if pairs.verdict(*pair) == "verbatim"]
    assert found == []
