"""Denials, bounds and names in other words are no differences; others are."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim

RULES = (
    "Open fires and uses of gas are prohibited in rented huts.",
    "No boat agent may accept a fee for a boat which is in dry dock, unless the owner agrees.",
    "No wooden hut shall be offered for rent except in compliance with each of the rules.",
    "Deposit help may not exceed the equivalent of two months’ rent for the hut.",
    "After three breaches, any hut on the site shall be ineligible to be used as a rented hut.",
    "The costs of running a ferry, including staff, are not eligible costs under Ferry Pilot and"
    " Training Assistance.",
    "Ferry clubs that run a boat will be eligible for ferry pilot and training assistance.",
    "No person shall permit a boat which is unregistered to remain ashore for more than 30 days.",
    "The harbor is divided into six piers, each with a Senior Pier Warden.",
    "The harbor is led by the Governor of Harbors and the Clerk.",
    "The club pays dues to renew the League Card (2031-2032), the Coast Card (2031-2032).",
    "The board discussed the fees of the League Card for $12,318 and the Coast Card for $3,600.",
)


def _verdict(claim: str) -> str:
    document = Document("a.txt", (Section("", tuple(map(Paragraph, RULES))),))
    return Checker.of([document]).check(Claim(claim)).verdict


@pytest.mark.parametrize(
    "claim",
    [
        "Open fires are not permitted in rented huts.",
        "Boat agents may not accept a fee for a boat in dry dock, unless the owner agrees.",
        "Deposit help is limited to two months' rent.",
        "A site with three breaches cannot be used for rented huts.",
        "An unregistered boat may not be kept ashore for more than 30 days.",
        "Ferry clubs are eligible for ferry pilot and training assistance.",
        "The harbor has six piers, each led by a Senior Pier Warden.",
        "The Coast Card costs $3,600.",
    ],
)
def test_the_same_rule_in_other_words_does_not_differ(claim: str) -> None:
    assert _verdict(claim) in ("edited", "paraphrase")


@pytest.mark.parametrize(
    "claim",
    [
        "Open fires are not prohibited in rented huts.",
        "Deposit help may exceed the equivalent of two months’ rent for the hut.",
        "Ferry clubs that run a boat will not be eligible for ferry pilot and training assistance.",
        "The harbor is led by the Mayor of Harbors and the Clerk.",
        "The board discussed the fees of the League Card for $12,318, the Coast Card for $4,600.",
    ],
)
def test_another_rule_differs(claim: str) -> None:
    assert _verdict(claim) == "differs"
