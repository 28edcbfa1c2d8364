"""What sentences are quoted first."""

import pytest

from pagesum_cli.quoting.candidates import STUB, UNUSUAL, WHOLE, level_of


@pytest.mark.parametrize(
    ("tokens", "level"), [(7, UNUSUAL), (8, WHOLE), (100, WHOLE), (101, UNUSUAL)]
)
def test_very_short_and_long_sentences_come_after_those_of_usual_length(
    tokens: int, level: int
) -> None:
    assert level_of(range(tokens), is_whole=True) == level
    assert level_of(range(tokens), is_whole=False) == STUB
