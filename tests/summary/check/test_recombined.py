"""Claims with the beginning of one part of a sentence and the end of another one."""

import pytest

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim

LAKE = (
    "The lake had a maximum of 21.4 degrees in July 2011 and a minimum of 3.2 degrees in January "
    "2012."
)
LETTERS = "The board got 530 letters in 2015 and 417 in 2016."
TROUT = "Trout rose by 14% in the upper lake and fell by 9% in the lower lake."
THEFTS = "Thefts fell from 131 in 2014 to 88 in 2015."
PAIRS = "The mean mass of eggs was 1.2 ± 0.1 and 2.7 ± 0.3 g for ducks and geese, respectively."
STOCK = (
    "In May the mill sold 410 sacks, a 3% rise on the 398 of the year before, and 77 barrels, a "
    "60% rise on the 48 of the year before."
)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The maximum was 21.4 degrees in January 2012.", LAKE),
        ("The minimum was 3.2 degrees in July 2011.", LAKE),
        ("In 2016 the board got 530 letters.", LETTERS),
        ("In 2015, the board got 417 letters.", LETTERS),
        ("Trout fell by 9% in the upper lake.", TROUT),
        ("Trout rose by 14% in the lower lake.", TROUT),
        ("In 2014, there were 88 thefts.", THEFTS),
        ("There were 131 thefts in 2015.", THEFTS),
        ("The mean mass of eggs was 2.7 ± 0.3 g for ducks.", PAIRS),
    ],
)
def test_a_value_with_the_phrase_of_another_one_differs(claim: str, text: str) -> None:
    assert Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict == "differs"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The maximum was 21.4 degrees in July 2011.", LAKE),
        ("In January 2012, the minimum was 3.2 degrees.", LAKE),
        ("In 2016, the board got 417 letters.", LETTERS),
        ("The board got 417 letters in 2016, after 530 in 2015.", LETTERS),
        ("The board got 530 letters in 2015 and fewer in 2016.", LETTERS),
        ("Trout rose by 14% in the upper lake.", TROUT),
        ("Trout fell by 9% in the lower lake.", TROUT),
        ("In 2015, there were 88 thefts.", THEFTS),
        ("There were 131 thefts in 2014.", THEFTS),
        ("The mean mass of eggs was 2.7 ± 0.3 g for geese.", PAIRS),
        ("The board voted 5 to 4 to sell the mill.",
         "The board voted 5 to 4 to sell the mill and 7 to 2 to keep the dam."),
    ],
)  # fmt: skip
def test_a_value_with_its_own_phrase_does_not_differ(claim: str, text: str) -> None:
    assert Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict != "differs"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The share of clay was less than one half.",
         "The share of clay was greater than one half, and that of sand was less than one half."),
        ("The first grant pays for the school.",
         "The first grant is for the mill and the second grant pays for the school."),
        ("In May the mill sold 410 sacks, a 60% rise on the year before.", STOCK),
    ],
)  # fmt: skip
def test_the_ends_of_two_parts_are_no_quote(claim: str, text: str) -> None:
    assert Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict != "edited"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The board met on Monday.", "The board of owners and farmers met on Monday."),
        ("Trout fell by 9% in the lower lake.", TROUT),
        ("The mill burned in May.", "The mill, which Lee built and Ely ran, burned in May."),
    ],
)
def test_a_whole_part_may_be_left_out(claim: str, text: str) -> None:
    assert Checker.of([plain_document(text, "a")]).check(Claim(claim)).verdict == "edited"
