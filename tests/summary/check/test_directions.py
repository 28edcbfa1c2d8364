"""What rises and what falls in a claim and in a document."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


def check(claim: str, text: str) -> str:
    return Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict


TRENDS = (
    "Trends also varied: Harlow, Benton, and Mill Farm showed increases in yields over time, "
    "whereas Oakham, Ryde, and Lowell showed decreases."
)

LIST = (
    "Trends varied: Harlow, Benton, and Mill Farm showed increases in yields over time, "
    "Oakham, Ryde, and Lowell showed decreases."
)


@pytest.mark.parametrize("text", [TRENDS, LIST])
def test_the_same_directions_do_not_differ(text: str) -> None:
    claim = (
        "Yields increased at Harlow, Benton and Mill Farm, but declined at Oakham, Ryde and Lowell."
    )
    assert check(claim, text) == "paraphrase"


@pytest.mark.parametrize("text", [TRENDS, LIST])
def test_exchanged_directions_differ(text: str) -> None:
    claim = (
        "Yields increased at Oakham, Ryde and Lowell, but declined at Harlow, Benton and Mill Farm."
    )
    assert check(claim, text) == "differs"
