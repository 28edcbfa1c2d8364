"""Amounts of a claim beside the only one of a passage with all of its words."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


def check(claim: str, text: str) -> str:
    return Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict


FINES = (
    "Violation of leash law, second offense $35.00\n\nViolation of leash law, third offense "
    "$50.00\n\nNoise after dark, first offense $35.00"
)

NOTICES = (
    "Notice of every Annual Village Meeting shall be given by posting a copy of the warrant "
    "in at least one (1) public place, not less than seven (7) days before the day of the "
    "meeting.\n\nNotice of every Special Village Meeting shall be given by posting a copy of the"
    " warrant in at least one (1) public place in the village, not less than fourteen (14) "
    "days before the day fixed for such meeting."
)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("A third leash law offense costs $35.", FINES),
        ("Special village meetings need seven days' notice.", NOTICES),
    ],
)
def test_another_amount_differs(claim: str, text: str) -> None:
    assert check(claim, text) == "differs"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("A third leash law offense costs $50.", FINES),
        ("A second leash law offense costs $35.", FINES),
        ("Special village meetings need two weeks' notice.", NOTICES),
        ("Annual village meetings need seven days' notice.", NOTICES),
    ],
)
def test_the_same_amount_does_not_differ(claim: str, text: str) -> None:
    assert check(claim, text) == "paraphrase"
