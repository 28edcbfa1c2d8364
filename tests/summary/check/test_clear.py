"""Which differences of a claim in other words show that it is wrong."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.clear import is_wrong_by
from pagesum_cli.summary.check.differences import Difference


def verdict(claim: str, text: str) -> str:
    sections = (Section("1 Intro", (Paragraph(text, ((0, 1),)),)),)
    return Checker.of([Document("a.pdf", sections)]).check(Claim(claim)).verdict


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "A cat may not be allowed to howl loudly for 20 minutes or longer.",
            "No owner of a cat shall knowingly or not knowingly allow a cat to howl loudly for any "
            "period of 20 minutes or longer.",
        ),
        (
            "Sections 10 and 11 of the Mill Act authorize the town to close mills.",
            "Whereas Section 10 and Section 11 of the Mill Act authorizes the town to close mills.",
        ),
        (
            "Oil from Harlow contained mostly camphor (25.14 %) and borneol (18.83 %).",
            "Compared to the others, our oil was particularly rich in camphor (25.14 %), borneol "
            "(18.83 %) and thymol (2.5 %).",
        ),
        (
            "The plan must be returned within three working days of receipt.",
            "Mills shall return the completed plan within three working days of receipt to the "
            "town clerk.",
        ),
        (
            "The clerk denied a rating above 50 percent for noise.",
            "Therefore, the clerk finds a rating above 50 percent for the noise is not warranted.",
        ),
        (
            "The oil had a high effect on cats and a moderate one on dogs.",
            "The tests showed that the effect of the oil was high on cats and moderate on dogs.",
        ),
        (
            "The driver said he applied the brakes and blew the horn.",
            "The driver said in his statement that although he applied the brakes as soon as he "
            "saw the crowd, he could not stop the train in time.",
        ),
        (
            "Lee and (E)-berg-2-enal were the most effective oils.",
            "Of all oils, (E)-berg-2-enal and Lee were the most effective oils in the trial.",
        ),
        ("Two mills burned in three cities in the north.", "The mills burned in the north."),
    ],
)
def test_what_other_words_have_at_the_same_place_proves_nothing(claim: str, text: str) -> None:
    assert verdict(claim, text) in ("paraphrase", "edited")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Lee fixed the mill with a saw.", "Lee left. Once back, Berg fixed the mill with a saw."),
        ("The plan is binding.", "This plan is not binding and sets no rule for other mills."),
        ("Fees for mills are transferable.", "Except for gifts, fees for mills are "
         "non-transferable."),
        ("Large sums of $5,610 were paid in 2020.", "Large sums of $6,510 were paid in 2020."),
    ],
)  # fmt: skip
def test_two_values_names_or_denials_show_that_a_claim_is_wrong(claim: str, text: str) -> None:
    assert verdict(claim, text) == "differs"


@pytest.mark.parametrize(
    ("claim", "document", "is_wrong"),
    [("October 22", "22", False), ("October 22", "November 22", True), ("22", "23", True)],
)
def test_a_day_without_its_month_is_the_same_day(claim, document, is_wrong):
    assert is_wrong_by(Difference("number", claim, document), 0.8) is is_wrong


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The rate of the anode is shown in Table 5 of this paper.", "differs"),
        ("The rate of the anode is shown in Fig. 5 of this paper.", "paraphrase"),
    ],
)
def test_another_title_of_a_number_is_another_place(claim, expected):
    assert verdict(claim, "The rate of the anode is shown in Figure 5 of this paper.") == expected
