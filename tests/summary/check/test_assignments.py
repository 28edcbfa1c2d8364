"""Values of a claim belong to the same things as in the document."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked

OILS = "The average yield was 1.33% for the aerial part and 0.74% for the roots."
SURVIVAL = (
    "3-year survival of patients treated with or without the new drug was 84.8 and 88.2% "
    "respectively (P = 0.986)."
)
STAY = (
    "The mean stay was 12.2 days in the trial group compared with 10.8 days in the control group."
)
LIST = "The share of smokers was 31% among the miners, 12% among the teachers and 7% in the army."


def check(claim: str, text: str) -> Checked:
    return Checker.of([Document("a.txt", (Section("", (Paragraph(text),)),))]).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The yield was 0.74% of the aerial parts and 1.33% of the roots, on average.", OILS),
        ("The average yield of oil was 0.74 % in aerial parts but 1.33 % in roots.", OILS),
        ("On average, the roots had a yield of 1.33%, and the aerial parts 0.74%.", OILS),
        ("Average yields of the aerial part and the roots were 0.74% and 1.33%.", OILS),
        ("The 3-year survival was 88.2% with the new drug and 84.8% without it (P = 0.986).",
         SURVIVAL),
        ("In the control group the mean stay was 12.2 days, in the trial group 10.8 days.", STAY),
        ("The trial group (10.8 days) had a mean stay unlike the control group (12.2 days).", STAY),
        ("31% of the teachers and 12% of the miners were smokers, a share of 7% in the army.",
         LIST),
    ],
)  # fmt: skip
def test_exchanged_values_differ(claim: str, text: str) -> None:
    checked = check(claim, text)
    assert checked.verdict == "differs", checked
    assert "order" in {one.kind for one in checked.differences}


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The yield was 0.74% of the roots and 1.33% of the aerial parts, on average.", OILS),
        ("On average, the roots had a yield of 0.74%, and the aerial parts 1.33%.", OILS),
        ("The roots and the aerial part had average yields of 0.74% and 1.33%.", OILS),
        ("Average yields of 0.74 and 1.33% were seen in the roots and the aerial part.", OILS),
        ("The 3-year survival was 84.8% with the new drug and 88.2% without it (P = 0.986).",
         SURVIVAL),
        ("The 3-year survival was 88.2% without the new drug and 84.8% with it (P = 0.986).",
         SURVIVAL),
        ("People in the control group stayed only 10.8 days, those in the trial group 12.2.", STAY),
        ("12% of the teachers, 7% of the army and 31% of the miners were smokers.", LIST),
        ("Of the 50 patients who took part, 24 received the drug and 26 did not.",
         "24 of the patients were given the drug in the trial, in which there were 50."),
        ("We visited 120 farms; 40 farms had no seed left, and 12 had no horses.",
         "12 farms had lost their horses and 40 their seed, of the 120 that we visited."),
    ],
)  # fmt: skip
def test_the_same_values_in_another_order_do_not_differ(claim: str, text: str) -> None:
    checked = check(claim, text)
    assert "order" not in {one.kind for one in checked.differences}, checked.differences


def test_numbers_of_names_say_which_value_is_meant() -> None:
    text = "We downloaded 614 sequences for genotype 1b and 295 for genotype 3a from the database."
    wrong = "Genotype 3a was represented by 614 sequences and genotype 1b by 295."
    right = "Genotype 1b was represented by 614 sequences and genotype 3a by 295."
    assert check(wrong, text).verdict == "differs"
    assert check(right, text).verdict == "paraphrase"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("In Asia, 4.5 million people were thought to carry antibodies, and 1.9 million were ill.",
         "In Europe, 6.8 million people were estimated in 2015 to be positive for antibodies and "
         "4.7 million people were living with it, while in Asia, these figures were 4.5 million "
         "and 1.9 million people [5]."),
        ("The Court held that §56 is about jurisdiction of states over railroads.",
         "The court held that the state could exercise jurisdiction over railroads within the "
         "meaning of 45 U. S. C. §56 and was found within the compass of Rule 4."),
    ],
)  # fmt: skip
def test_numbers_of_references_are_no_values(claim: str, text: str) -> None:
    assert check(claim, text).verdict == "paraphrase"
