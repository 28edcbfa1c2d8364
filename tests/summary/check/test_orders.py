"""Claims that say the same in another order are edited quotes, and those that do not are none."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim

PLAN = "The plan was adopted by the council on 4 May 2021 in the old hall."
MAYOR = "Mayor Ann Lee praised town workers at a meeting on Monday after the mill got its grant."
BOTH = "The council met on Monday and the board approved the plan on Friday."
SHARED = "The council met and the board approved the plan on Friday."
LETTERS = "The board got 530 letters in 2015 and 417 in 2016."


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The council adopted the plan.", PLAN),
        ("On 4 May 2021, the council adopted the plan.", PLAN),
        ("On 4 May 2021, the plan was adopted by the council.", PLAN),
        ("Town workers were praised by Mayor Ann Lee.", MAYOR),
        ("On Monday, Mayor Ann Lee praised town workers at a meeting.", MAYOR),
        ("On Friday, the board approved the plan.", BOTH),
        ("The plan was approved by the board.", BOTH),
        ("In 2015, the board got 530 letters.", LETTERS),
    ],
)
def test_a_moved_phrase_or_a_passive_is_an_edited_quote(claim: str, text: str) -> None:
    checked = Checker.of([plain_document(text, "a")]).check(Claim(claim))
    assert checked.verdict == "edited"
    assert "moved" in {one.kind for one in checked.differences}


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The plan adopted the council.", PLAN),
        ("The council adopted the plan.", "The plan was not adopted by the council in May."),
        ("The council adopted the plan.", "The end of the plan was adopted by the council."),
        ("The council adopted the plan.", "The plan was adopted by the council members of Ely."),
        ("The council adopted the plan.",
         "With few exceptions, the plan was adopted by the council."),
        ("Mayor Ann Lee was praised by town workers.", MAYOR),
        ("Workers were praised by Mayor Ann Lee.", MAYOR),
        ("On Friday, the council met.", BOTH),
        ("On Monday, the board approved the plan.", BOTH),
        ("The council met on Friday.", SHARED),
        ("In 2016, the board got 530 letters.", LETTERS),
    ],
)  # fmt: skip
def test_another_statement_is_no_edited_quote(claim: str, text: str) -> None:
    verdict = Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict
    assert verdict in ("differs", "paraphrase", "not found")
