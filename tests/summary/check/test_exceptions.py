"""Claims about all of what a passage excepts some of, and with opposite states."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


def check(claim: str, text: str) -> str:
    return Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict


FARMS = "For all farms with the exception of Oakham, rain explains the yield."

BUDGET = (
    "While the 2005-06 Budget is in deficit, the Council has taken measures to return the "
    "Budget to surplus, such as savings."
)

CALLS = (
    "Holding all else fixed, female voters are slightly more likely to have a missed call "
    "than male voters, with a difference of 2 points."
)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Rain explains the yield in all farms.", FARMS),
        ("The 2005-06 budget is in surplus.", BUDGET),
        ("Male voters are more likely to have a missed call than female voters.", CALLS),
    ],
)
def test_a_dropped_exception_and_an_opposite_differ(claim: str, text: str) -> None:
    assert check(claim, text) == "differs"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Rain explains the yield in all farms but Oakham.", FARMS),
        ("The 2005-06 budget is in deficit.", BUDGET),
        ("Female voters are more likely to have a missed call than male voters.", CALLS),
    ],
)
def test_the_same_does_not_differ(claim: str, text: str) -> None:
    assert check(claim, text) in ("edited", "paraphrase")
