"""Prepositions that only one of a claim and a document has."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim


@pytest.mark.parametrize(
    ("claim", "text", "verdict"),
    [
        ("The levy rose 5% in May.", "The levy rose to 5% in May.", "differs"),
        ("The levy rose to 5% in May.", "The levy rose 5% in May.", "differs"),
        ("The levy rose to 5% in May.", "The levy rose by 5% in May.", "differs"),
        ("The levy rose by 5% in May.", "The levy rose 5% in May.", "edited"),
        ("The board was closed by the owner in May.", "The board closed the owner in May.",
         "paraphrase"),
        ("The mill paid the owner.", "The mill was paid by the owner.", "paraphrase"),
        ("The board voted the plan.", "The board voted against the plan.", "paraphrase"),
        ("The board sold the mill to Lee.", "The board sold the mill for Lee.", "paraphrase"),
        ("The mill was sold in May.", "The mill was sold by the owner in May.", "edited"),
    ],
)  # fmt: skip
def test_a_preposition_says_which_part_a_noun_or_a_value_has(
    claim: str, text: str, verdict: str
) -> None:
    assert Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict == verdict
