"""Amounts in another unit than the passage has."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.measures import measures_in
from pagesum_cli.summary.check.results import Checked

TEXTS = (
    "In addition, hull oil at a concentration of 250 \U0001d707g/mL and above suppressed the "
    "growth of the moulds in the winter wheat.",
    "Wheat that had been inoculated was stored in the dry barn for 24 h before all of the tests.",
    "Cows got salt licks at the doses of 25, 50 and 100 mg/kg in a pilot study.",
    "Weakness was induced in sheep by administration of salt (50 μg/kg) for ten consecutive days.",
    "The owner pays a deposit within five (5) days after the notice of the sale of the mill.",
)  # fmt: skip


def check(claim: str) -> Checked:
    return Checker.of([Document("a.txt", (Section("", tuple(map(Paragraph, TEXTS))),))]).check(
        Claim(claim)
    )


@pytest.mark.parametrize(
    ("claim", "own", "other"),
    [
        ("Moulds in wheat were suppressed at 250 mg/mL of hull oil.",
         "250 mg/mL", "250 \U0001d707g/mL"),
        ("Before all tests, the dry barn held inoculated wheat for 24 days.",
         "24 days", "24 h"),
        ("To induce weakness, sheep were given 50 mg/kg of salt for ten consecutive days.",
         "50 mg/kg", "50 μg/kg"),
        ("After notice of the sale, a deposit is due from the mill's owner in five weeks.",
         "five weeks", "five (5) days"),
    ],
)  # fmt: skip
def test_another_unit_beside_the_same_number_differs(claim: str, own: str, other: str) -> None:
    found = check(claim)
    assert found.verdict == "differs"
    wrong = [(one.claim, one.document) for one in found.differences if one.kind == "unit"]
    assert wrong == [(own, other)]


@pytest.mark.parametrize(
    "claim",
    [
        "Moulds in wheat were suppressed at 250 µg/mL of hull oil.",
        "Moulds in wheat were suppressed at 250 mcg/ml of hull oil.",
        "Moulds in wheat were suppressed at 250 ug/mL of hull oil.",
        "Moulds in wheat were suppressed at 250 mg/L of hull oil.",
        "In a pilot study, cows got salt licks of 25 and 50 mg/kg.",
        "After notice of the sale, a deposit is due from the mill's owner in five days.",
    ],
)
def test_the_same_amount_in_another_notation_does_not(claim: str) -> None:
    found = check(claim)
    assert found.verdict == "paraphrase"
    assert not [one for one in found.differences if one.kind == "unit"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("20 mg kg⁻¹", [("20", "mg", "kg")]),
        ("25 and 50 mg", [("50", "mg", ""), ("25", "mg", "")]),
        ("4.5 billion", [("9/2", "billion", "")]),
        ("Table 3 has 4 rows", []),
    ],
)
def test_amounts_have_units(text: str, found: list[tuple[str, str, str]]) -> None:
    assert [(str(one.value), one.unit, one.per) for one in measures_in(text)] == found
