"""Values keep their places and norms whatever white space is in them."""

import pytest

from pagesum_cli.summary.check.meanings import meanings_of


@pytest.mark.parametrize("gap", ["\r\n", "  ", "\n   ", "\t\t"])
@pytest.mark.parametrize("value", ["two{}years", "not later than{}60 days", "5{}mg"])
def test_wide_white_space_in_a_value_is_one_space(value: str, gap: str) -> None:
    def found(between: str) -> set[tuple[str, str]]:
        text = f"It took{between}them {value.format(between)}."
        return {(text[one.start : one.end], one.norm) for one in meanings_of(text)}

    one_spaced = {(words.replace(gap, " "), norm) for words, norm in found(gap)}
    assert found(" ")
    assert one_spaced == found(" ")
