"""What a paper says about the results of others is no value of its own."""

import pytest

from pagesum_cli.retrieval.find import relevance
from pagesum_cli.retrieval.others import may_be_of_others


@pytest.mark.parametrize(
    ("text", "headings", "expected"),
    [
        ("Other oils had high MIC values (5 mg/mL).", "The oil › Discussion", True),
        ("The oil killed 5 foxes [12].", "1 Introduction", True),
        ("We found a MIC of 5 mg/mL.", "4. Discussion", False),
        ("The oil had a MIC of 5 mg/mL.", "3. Results and Discussion", False),
        ("The oil had a MIC of 5 mg/mL.", "Results", False),
    ],
)
def test_what_may_be_of_others(text: str, headings: str, expected: bool) -> None:
    assert may_be_of_others(text, headings) is expected


def test_a_number_of_the_paper_is_before_that_of_others() -> None:
    own = ("Results", "The oil had a MIC of 5 mg/mL against the red fox.")
    other = ("Discussion", "Other oils had a MIC of 9 mg/mL against the red fox.")
    shares, _ = relevance("What is the MIC of the oil against the red fox?", [other, own])
    assert shares[1] == 1.0
    assert shares[0] < 0.8


LIMITS = (
    "No person shall keep more than two dogs in a dwelling unit.",
    "A person who keeps one dog must keep the dog on a leash.",
    "It was proposed that a household may keep no more than 5 dogs.",
)


def test_how_many_may_asks_for_a_limit() -> None:
    shares, _ = relevance("How many dogs may one household keep?", [("", one) for one in LIMITS])
    assert shares[0] == 1.0
