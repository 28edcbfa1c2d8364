"""What states the same raises no alarm: capitals, titles, abbreviations, notations."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked

LOUD = (
    "THE JOINT DEBT OF HARLOW MILL AND THE OTHER OWNERS UNDER THIS CONTRACT WILL NOT EXCEED $500 "
    "(FIVE)."
)
CELLS = "Cells of the farm express allele 35:01 and 6% of others express C1."
EGGS = (
    "Embryonated chicken eggs (ECEs) were bought in town.",
    "Each group had five ECEs in the trial.",
)
TESTS = "For the yields of the farms, two ways analysis (ANOVA) with Tukey post hoc test was used."


def check(claim: str, *texts: str) -> Checked:
    section = Section("", tuple(map(Paragraph, texts)))
    return Checker.of([Document("a.txt", (section,), "The Harlow mill")]).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("Harlow Mill's debt will not exceed $500.", [LOUD]),
        ("The joint debt of Harlow Mill and the other owners under this contract will not exceed "
         "$500 (five).", [LOUD]),
        ("THE OWNER MAY NOT SELL THE MILL TO LEE.", ["The owner may not sell the mill to Lee."]),
        ("The farms were compared by two-way ANOVA with Tukey's post hoc test.", [TESTS]),
        ("Cells of the farm express allele 35:01.", [CELLS]),
        ("Each group had five embryonated eggs in the trial.", EGGS),
        ("Members pay every two and a half years.", ["Members pay every 2.5 years."]),
        ("Members pay £40 a month for the hall.", ["Members pay £40 per month for the hall."]),
        ("In May, Smith opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("In May, Mayor Smith opened the bridge.", ["In May, Smith opened the bridge."]),
        ("In May, Mrs Smith opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("In May the council paid for the mill.", ["In May the Parish Council paid for the mill."]),
        ("The Harlow mill had 24 wheels, five of iron and 19 of oak.",
         ["In total, 24 wheels were built comprising five of iron and 19 of oak."]),
        ("The limit was 0.25 mg/ml for winter wheat.",
         ["Winter wheat had a limit of 0.25 mg/ml, while that for rye was 0.5 mg/ml."]),
    ],
)  # fmt: skip
def test_the_same_does_not_differ(claim: str, texts: list[str]) -> None:
    checked = check(claim, *texts)
    assert checked.verdict in ("verbatim", "edited", "paraphrase"), checked.differences


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("Harlow Mill's debt will not exceed $900.", [LOUD]),
        ("Harlow Mill's debt will exceed $500.", [LOUD]),
        ("Cells of the farm express allele 35:02.", [CELLS]),
        ("Each group had five chicken legs in the trial.", EGGS),
        ("Members pay every two and a half years.", ["Members pay every 3.5 years."]),
        ("Members pay £40 a month for the hall.", ["Members pay £40 per week for the hall."]),
        ("In May, Governor Smith opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("In May, President Smith opened it.", ["In May, Vice President Smith opened it."]),
        ("In May, Mayor Jones opened the bridge.", ["In May, Mayor Smith opened the bridge."]),
        ("The reactor yields 5 mW in summer.", ["The reactor yields 5 MW in summer."]),
    ],
)  # fmt: skip
def test_what_is_not_the_same_differs(claim: str, texts: list[str]) -> None:
    assert check(claim, *texts).verdict == "differs"
