"""A number that belongs to another item of an enumeration is found."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.enumerations import wrong_items
from pagesum_cli.summary.check.tokens import tokens_of

TOXIC = (
    "Grade 3–4 toxicity was most commonly haematological: neutropenia in 46 (61%) of 75 patients, "
    "thrombocytopenia in 45 (60%), and anaemia in 26 (35%)."
)
CITIES = "There were 12 cases in Berlin, 30 in Hamburg and 7 in Munich in the first week of May."
TURNS = "In Berlin, trains ran between 3 and 5 times a day, in Hamburg 9 times a day in summer."
NOTICE = (
    "Notice of the meeting shall be posted in one (1) public place in the town, not less than "
    "fourteen (14) days before the day of the meeting."
)


def wrong(claim: str, text: str) -> list[str]:
    ours, theirs = (tokens_of(one, set()) for one in (claim, text))
    return [one.document for one in wrong_items(ours, [theirs])]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "The most common grade 3–4 toxicity was thrombocytopenia, seen in 61% of patients.",
            TOXIC,
        ),
        ("Anaemia as a toxicity of grade 3–4 was seen in 60% of the patients.", TOXIC),
        ("In the first week of May, Munich had 30 cases.", CITIES),
    ],
)
def test_a_number_of_another_item(claim: str, text: str) -> None:
    assert len(wrong(claim, text)) == 1


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The most common grade 3–4 toxicity was neutropenia, seen in 61% of patients.", TOXIC),
        ("Anaemia as a toxicity of grade 3–4 was seen in 35% of the patients.", TOXIC),
        ("In the first week of May, Hamburg had 30 cases.", CITIES),
        ("In the first week of May, Berlin had 12 cases.", CITIES),
        ("Trains ran 5 times a day in Berlin in summer.", TURNS),
        ("Notice of the meeting must be posted at least fourteen days before.", NOTICE),
    ],
)
def test_the_right_number(claim: str, text: str) -> None:
    assert not wrong(claim, text)


def test_a_claim_with_such_a_number_differs() -> None:
    sections = (Section("", (Paragraph(TOXIC),)),)
    claim = "The most common grade 3–4 toxicity was thrombocytopenia, seen in 61% of patients."
    assert Checker.of([Document("a.txt", sections)]).check(Claim(claim)).verdict == "differs"
