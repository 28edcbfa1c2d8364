"""Exceptions, conditions and hedges that a claim leaves out are no matching quotes."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked


def check(claim: str, text: str) -> Checked:
    return Checker.of([plain_document(text, "a")]).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "text", "left_out"),
    [
        ("The wells were measured every two weeks.",
         "With few exceptions, the wells were measured every two weeks.", "With few exceptions,"),
        ("Owners must file a plan within 30 days.",
         "Owners must file a plan within 30 days, except in the case of illness.",
         ", except in the case of illness"),
        ("The pass is valid for two years.", "In most cases, the pass is valid for two years.",
         "In most cases,"),
        ("The fee is refunded.", "The fee is refunded only if the trip is cancelled.",
         "only if the trip is cancelled"),
        ("Horses are allowed on the trail.",
         "Horses are allowed on the trail unless a sign says otherwise.",
         "unless a sign says otherwise"),
        ("The lease ends on 31 May.",
         "The lease ends on 31 May, provided that notice is given by 1 March.",
         ", provided that notice is given by 1 March"),
        ("The owner may close the mill.",
         "If the rent remains unpaid for a month, the owner may close the mill.",
         "If the rent remains unpaid for a month,"),
        ("The shop opens at nine.", "The shop generally opens at nine.", "generally"),
        ("For all wells, 500 g was used.", "For all other wells, 500 g was used.", "other"),
        ("The mayor sold the mill.", "The former mayor sold the mill.", "former"),
        ("300 people came to the fair on Monday.",
         "Roughly 300 people came to the fair on Monday.", "Roughly"),
    ],
)  # fmt: skip
def test_a_restriction_that_is_left_out_is_shown(claim: str, text: str, left_out: str) -> None:
    checked = check(claim, text)
    assert checked.verdict == "paraphrase"
    found = [(one.kind, one.document) for one in checked.differences]
    assert found == [("restriction", left_out)]
    assert not checked.is_supported


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The board approved the plan for the mill.",
         "The board approved the plan for the mill, and the mayor signed all bills except one."),
        ("The mayor signed the lease of the mill.",
         "The board approved all bills except one, and the mayor signed the lease of the mill."),
        ("Owners pay the fee, except farmers.",
         "Owners pay the fee in May, except farmers in need."),
        ("The mill ran on Monday.", "The mill ran on Monday, even if the river was low."),
    ],
)  # fmt: skip
def test_a_restriction_of_something_else_may_be_left_out(claim: str, text: str) -> None:
    assert check(claim, text).verdict == "edited"


def test_a_claim_without_exception_is_not_what_another_sentence_denies() -> None:
    text = (
        "Owners must file a plan within 30 days, except in the case of illness. "
        "Owners must file a report within 60 days."
    )
    assert check("Owners must file a plan within 30 days.", text).verdict == "paraphrase"
