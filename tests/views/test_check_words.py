"""Which differences of a claim are shown."""

import pytest

from pagesum_cli.summary.check.differences import Difference
from pagesum_cli.views.check_words import main_differences

OMISSION = Difference("omission", "", "of the town")
NAME_LEFT = Difference("name", "", "Harlow")
NAME = Difference("name", "Lee", "May")
NUMBER = Difference("number", "42", "24")
NEGATION = Difference("negation", "", "not")
WORDING = Difference("wording", "votes", "in favour")
CASE = Difference("case", "the", "THE")


@pytest.mark.parametrize(
    ("verdict", "differences", "expected"),
    [
        ("differs", [OMISSION, CASE, NAME, NUMBER], [NUMBER, NAME]),
        ("differs", [NAME_LEFT, NEGATION, NUMBER], [NUMBER, NEGATION]),
        ("differs", [CASE, NAME_LEFT, WORDING], [WORDING, NAME_LEFT]),
        ("edited", [CASE, OMISSION], [OMISSION, CASE]),
    ],
)
def test_what_changes_a_claim_most_is_shown_first(
    verdict: str, differences: list[Difference], expected: list[Difference]
) -> None:
    assert main_differences(verdict, differences) == (expected, 0)


def test_three_differences_are_shown() -> None:
    assert main_differences("edited", [CASE] * 8) == ([CASE] * 3, 5)
