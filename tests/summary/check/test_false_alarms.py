"""True claims that words beside other words made look wrong: symbols, exceptions, other forms."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


def check(claim: str, text: str) -> str:
    return Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict


YIELDS = (
    "The highest median estimates of Y₁ were for the Harlow field in 2006 and 2008, with "
    "values of 0.18 and 0.21, respectively."
)
WELLS = (
    "During 1993 to 2016, county wells in our dataset had a median nitrate level of 23 mg/L, "
    "median depth of 460 m, and a median temperature of 9 °C.\n\nWe found that nitrate rose at a"
    " rate of 0.12 mg/L per year."
)
RINGS = (
    "We were able to obtain ring data for all but two of the farms (Harlow and Benton), and "
    "we drew samples of the annual yields of each farm."
)
PANEL = (
    "It hardly need be mentioned that even if a complaint had been heard before the formation"
    " of the panel, the board always has the discretion to send the parties to the panel, if "
    "necessary."
)
FENCE = (
    "It was agreed that Mr Benton should be asked to get new panels and posts for the fence "
    "and tidy the area."
)
TALK = (
    "We had last year nearly 700 citations for noise and then a hundred and forty-one arrests"
    " for begging so that is the picture."
)
SUIT = "The plaintiffs, four of the largest mills in the state, sued the county on June 1."
GRADIENT = (
    "We analyzed data from the county program on plants in 383 sites of 1 km2, covering a "
    "modelled nitrogen gradient from 2 to 44 kg ha−1 yr−1."
)
APPEAL = (
    "DECIDED ON\n\n16.10.2018\n\nIn all these circumstances, the council dismissed the appeal with "
    "cost."
)
SHRUBS = (
    "This leads us to estimate the fraction of shrub species in the county that are evergreen"
    " to be between 45% and 48%, which is lower than the 59% in the survey."
)
FLOUR = (
    "The mills sold flour in sacks, and they hold that flour from other states was cheap.\n\nAs "
    "the mills say, this suit is not about old sacks nor about anything else that came in "
    "from other states."
)
TROUT = (
    "We then used data from the county program that counts species of trout in 383 study "
    "sites of 1 km² that are spread over the county, covering a gradient from 2 to 44 kg ha⁻¹"
    " yr⁻¹."
)
REPORTS = "31 out of 71 new reports and 146 out of 152 old reports had positive results."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "The highest median yield was estimated for the Harlow, at 0.18 in 2006 and"
            " 0.21 in 2008.",
            YIELDS,
        ),
        ("Nitrate in county wells rose by 0.12 mg/L a year from 1993 to 2016.", WELLS),
        ("Ring data could not be obtained for Harlow and Benton.", RINGS),
        (
            "Even if a complaint had been heard before the panel was formed, the board can"
            " still send the parties to the panel.",
            PANEL,
        ),
        ("Mr Benton will be asked to get new panels for the fence.", FENCE),
        ("Officers made 141 arrests for begging.", TALK),
        ("Four mills sued the county on June 1.", SUIT),
        ("The gradient of nitrogen went from 2 to 44 kg per hectare and year.", GRADIENT),
        ("The council dismissed the appeal on 16 October 2018.", APPEAL),
        ("We estimate that between 45% and 48% of shrub species are evergreen.", SHRUBS),
        ("The mills say the suit is not about flour from other states.", FLOUR),
        ("Trout were found at 383 sites.", TROUT),
        ("Positive results were found in 31 of 71 new reports.", REPORTS),
    ],
)  # fmt: skip
def test_a_true_claim_does_not_differ(claim: str, text: str) -> None:
    assert check(claim, text) in ("edited", "paraphrase")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The highest median yield was estimated for the Harlow, at 0.21 in 2006 and 0.18 in 2008.",
         YIELDS),
        ("Officers made 140 arrests for begging.", TALK),
        ("The council dismissed the appeal on 17 October 2018.", APPEAL),
    ],
)  # fmt: skip
def test_a_false_one_does(claim: str, text: str) -> None:
    assert check(claim, text) == "differs"
