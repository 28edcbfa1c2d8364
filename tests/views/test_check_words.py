"""Which differences of a claim are shown."""

import pytest

from pagesum_cli.summary.check.differences import Difference
from pagesum_cli.views.check_words import main_differences, shared_words, word_lines

OMISSION = Difference("omission", "", "of the town")
NAME_LEFT = Difference("name", "", "Harlow")
NAME = Difference("name", "Lee", "May")
NUMBER = Difference("number", "42", "24")
NEGATION = Difference("negation", "", "not")
WORDING = Difference("wording", "votes", "in favour")
CASE = Difference("case", "the", "THE")


@pytest.mark.parametrize(
    ("verdict", "differences", "expected"),
    [
        ("differs", [OMISSION, CASE, NAME, NUMBER], [NUMBER, NAME]),
        ("differs", [NAME_LEFT, NEGATION, NUMBER], [NUMBER, NEGATION]),
        ("differs", [CASE, NAME_LEFT, WORDING], [WORDING, NAME_LEFT]),
        ("edited", [CASE, OMISSION], [OMISSION, CASE]),
    ],
)
def test_what_changes_a_claim_most_is_shown_first(
    verdict: str, differences: list[Difference], expected: list[Difference]
) -> None:
    assert main_differences(verdict, differences) == (expected, 0)


def test_three_differences_are_shown() -> None:
    assert main_differences("edited", [CASE] * 8) == ([CASE] * 3, 5)


@pytest.mark.parametrize(
    ("missing", "parted", "is_apart", "lines"),
    [
        (["blue"], [], False, ["not in the passage: “blue”"]),
        ([], [["Lee"], ["was convicted"]], True,
         ["its subject and its verb come from two sentences: “Lee”; “was convicted”"]),
        (["blue"], [["Lee"], ["mill", "June"]], False,
         ["not in the passage: “blue”"]),
        ([], [["Lee"], ["mill", "June"]], False, []),
        ([], [], False,
         ["its words are in another order or form, and may be said of something else"]),
    ],
)  # fmt: skip
def test_no_line_of_a_claim_in_other_words_confirms_it(
    missing: list[str], parted: list[list[str]], is_apart: bool, lines: list[str]
) -> None:
    assert list(word_lines(missing, parted, is_subject_apart=is_apart)) == lines


def test_the_words_of_a_claim_are_marked_in_its_passage() -> None:
    passage = "The leakage of electrolyte makes it unsuitable."
    words = shared_words("It is unsuitable for the electrolyte leaks.", passage)
    assert [passage[slice(*one)] for one in words] == ["electrolyte", "unsuitable"]
