"""Claims as careful people write them, and the same with another person, place or part."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked

SALE = (
    "Harlow Mills outbid the favourite Brandon, the state-controlled monopoly, to buy the mill. "
    "Reports from the region say that nowhere near the sum was paid by Brandon Works."
)
FEES = (
    "The Membership Fee shall be $32.21 in each of the Fall and Winter Semesters for Full Time "
    "Students and $30.29 in each of the Fall and Winter Semesters for Part Time Students, provided "
    "the student meets the other conditions of membership."
)
COSTS = (
    "The council were in favour of approving the following costs. "
    "Children entertainment at a cost of £225. "
    "Ed and his band used last year at a cost of £250. "
    "The banners were pending a response."
)
MOTION = (
    "Contending that it is not at home in the county, Brandon moved to dismiss both suits. "
    "Its motion was granted in the case of Harlow and denied in that of Smith."
)
VISITS = "Residents came to the open day. Some 38 people came and aired their views on the village."
RECALL = (
    "An Officer may only be recalled by a two-thirds vote at a meeting called for that purpose."
)
VOTES = "No person shall hold more than four (4) votes at a General Meeting, including their own."
REMAND = (
    "For the reasons stated, the judgment of the Supreme Court is reversed, and the cases are "
    "remanded for further proceedings not inconsistent with this opinion."
)
INCIDENCE = (
    "The number of people living with HIV in Eastern European and Central Asian (EECA) countries, "
    "representing the only region in the world with rising HIV incidence, reached 1.6 million by "
    "2016 [6]."
)


def check(claim: str, text: str) -> Checked:
    return Checker.of([Document("a.txt", (Section("", (Paragraph(text),)),))]).check(Claim(claim))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Brandon outbid Harlow for the mill of the region.", SALE),
        ("Part-time students pay a membership fee of $32.21 in each of the Fall and Winter "
         "Semesters.", FEES),
        ("The council approved children's entertainment at a cost of £250.", COSTS),
        ("HIV incidence is falling in Eastern European and Central Asian countries.", INCIDENCE),
    ],
)  # fmt: skip
def test_another_actor_or_value_differs(claim: str, text: str) -> None:
    assert check(claim, text).verdict == "differs", check(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Harlow Mills outbid Brandon for the mill of the region.", SALE),
        ("Full-time students pay a membership fee of $32.21 in each of the Fall and Winter "
         "Semesters.", FEES),
        ("The council approved the band of last year at a cost of £250.", COSTS),
        ("Brandon's motion was granted in the case of Harlow but denied in that of Smith.", MOTION),
        ("Thirty-eight people aired their views about the village at the open day.", VISITS),
        ("An Officer can be recalled only by a two-thirds vote at a meeting called for this "
         "purpose.", RECALL),
        ("Nobody may hold more than four votes at a General Meeting, their own included.", VOTES),
        ("The judgment of the Supreme Court was reversed and the cases are remanded.", REMAND),
    ],
)  # fmt: skip
def test_the_same_in_careful_words_is_no_difference(claim: str, text: str) -> None:
    assert not check(claim, text).fails(), check(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Only an Officer may be recalled by a two-thirds vote at a meeting called for that "
         "purpose.", RECALL),
        ("Harlow's motion was granted in the case of Brandon and denied in that of Jones.", MOTION),
        ("The mill was opened.", "The mill was opened with no visitors."),
        ("The mill was opened.", "The mill was never opened."),
        ("Thirty-nine people came and aired their views on the village.", VISITS),
    ],
)  # fmt: skip
def test_near_cases_are_not_passed_as_the_same(claim: str, text: str) -> None:
    assert check(claim, text).verdict in ("differs", "paraphrase"), check(claim, text)
