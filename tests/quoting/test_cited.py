"""Sentences on a work of others that they call this study."""

import pytest
from tiny import assert_linear

from pagesum_cli.quoting.cited import is_of_cited

BEFORE = "A study by Lee et al. (2011) suggested that rye grows on hills."


@pytest.mark.parametrize(
    ("before", "text", "part"),
    [
        (BEFORE, "This study revealed that rye needs rain.", "introduction"),
        (BEFORE, "This study revealed that rye needs rain.", ""),
        (BEFORE, "This study revealed that rye needs rain (Lee et al., 2011).", "discussion"),
        (BEFORE, "The authors found that rye needs rain.", "discussion"),
        ("[Lee et al. 2011] grew rye.", "This work showed that rye needs rain.", "introduction"),
        ("Kim et al. [12] grew rye.", "The study was done on hills.", "introduction"),
    ],
)
def test_this_study_is_the_one_that_the_sentence_before_cites(
    before: str, text: str, part: str
) -> None:
    assert is_of_cited(text, before, part)


@pytest.mark.parametrize(
    ("before", "text", "part"),
    [
        (BEFORE, "This study revealed that rye needs rain.", "discussion"),
        (BEFORE, "This study aims to find how much rain rye needs.", "introduction"),
        (BEFORE, "Our study revealed that rye needs rain.", "introduction"),
        (BEFORE, "Rye needs rain.", "introduction"),
        (BEFORE, "This study revealed that rye needs rain.", "abstract"),
        ("Rye grows on hills (Lee et al., 2011).", "This study found rye.", "introduction"),
        ("", "The authors found that rye needs rain.", "introduction"),
    ],
)
def test_any_other_sentence_is_on_no_cited_work(before: str, text: str, part: str) -> None:
    assert not is_of_cited(text, before, part)


@pytest.mark.parametrize("part", ["[Lee ", "Lee et al ", "(A", "The study by "])
def test_the_patterns_are_linear(part: str) -> None:
    assert_linear(
        lambda n: is_of_cited("This study found [A" + part * n, part * n, "results"), 2000
    )
