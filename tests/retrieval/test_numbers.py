"""Numbers with their nouns."""

import pytest

from pagesum_cli.retrieval.numbers import numbers_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We got 300 requests and granted 98 of them.", [("300", "requests"), ("98", "")]),
        ("It pays 75% of the premium.", [("75%", "premium")]),
        ("You must be at least thirteen years old.", [("thirteen", "years old")]),
        ("within thirty (30) days of notice", [("thirty (30)", "days")]),
        ("a $5.2 million scheme", [("$5.2 million", "scheme")]),
        ("two-thirds of the members", [("two-thirds", "members")]),
        ("1,495 respondents, 3 700 answers", [("1,495", "respondents"), ("3 700", "answers")]),
        ("On 5 May 2015 and March 3, 2014 nothing happened [9, 12].", []),
        ("There are none.", []),
    ],
)
def test_numbers_have_their_nouns(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.text, one.noun) for one in numbers_of(text)] == found
