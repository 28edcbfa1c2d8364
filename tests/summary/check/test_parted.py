"""Claims that take their words from two sentences."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.report import to_json

TEXTS = (
    "A bond agent was convicted today in a scheme of eight people to find clients in the jail.",
    "Ernest Lee, 37, of Harlow, is charged with 49 counts of lending money without a license.",
    "The owner of the mill sold all of the flour that was left.",
)


@pytest.mark.parametrize(
    ("claim", "words", "is_apart"),
    [
        ("Ernest Lee was convicted today.", {("Ernest Lee",), ("convicted today",)}, True),
        ("Ernest Lee is a bond agent.", {("Ernest Lee",), ("bond agent",)}, True),
        ("All of the flour left was sold by the mill owner.", set(), False),
    ],
)
def test_a_claim_of_two_sentences_says_which_words_are_of_which(
    claim: str, words: set[tuple[str, ...]], is_apart: bool
) -> None:
    documents = [Document("a.txt", (Section("", tuple(map(Paragraph, TEXTS))),))]
    found = Checker.of(documents).check(Claim(claim))
    assert found.verdict == "paraphrase"
    assert {*found.parted.words} == words
    assert found.parted.is_subject_apart is is_apart
    (data,) = to_json([found], documents, {})["claims"]
    assert {*map(tuple, data.get("words_of_passages", ()))} == words
