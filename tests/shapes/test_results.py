"""What the sentences of a paper say of its own methods and results."""

import pytest

from pagesum_cli.shapes.results import (
    dangles,
    has_same_results,
    is_aside,
    is_illustration,
    is_linked,
    is_result,
    repeated,
    sums_up,
    takes_back,
)

KNOWN = ["The capacity was 581.2 mAh after 100 cycles and 1,036 mAh after 500 cycles."]


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        ("The electrode has a capacity of 581.2 mAh after 100 cycles.", True),
        ("It is retained at 1036 mAh.", True),
        ("A cathode of Na0.66Fe0.5 has 581.2 mAh.", True),
        ("The capacity was 298.5 mAh after 500 cycles.", False),
        ("It lasts for 10 days.", False),
        ("The dose of HEK-500 was stable.", False),
        ("The electrode is stable.", False),
    ],
)
def test_the_same_numbers_are_the_same_results(text: str, is_same: bool) -> None:
    assert has_same_results(text, KNOWN) is is_same


def test_a_number_is_of_what_an_abstract_presents() -> None:
    text = "This composite membrane exhibits a conductivity of 0.047 S."
    assert is_linked(text, has_number=True)
    assert not is_linked(text, has_number=False)
    assert not is_linked("This is a conductivity of 0.047 S.", has_number=True)
    assert is_linked("Moreover, the dose reduced pain.", has_number=False)


def test_what_may_be_is_no_result_without_a_number() -> None:
    assert is_result("The extract was more active than the oil.")
    assert not is_result("The space can accommodate many flowers.")
    assert is_result("The space can accommodate 83% of them.")


def test_what_a_review_highlights_is_its_conclusion() -> None:
    assert sums_up("This mini-review highlights that bacteria help plants.")
    assert not sums_up("This review covers bacteria.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The yields of all 40 farms can be found in Supplementary file 2.", True),
        ("The yields of all 40 farms were found in one village.", False),
        ("Each flock grows by births and deaths, i.e. b(x) + d(x).", True),
        ("We ran our analyses in a series of notebooks.", True),
        ("All analyses were conducted in R version 4.2.", True),
        ("All analyses were conducted in Reims.", False),
        ("The statistical analyses were performed using two models.", False),
        ("We did not have a reason to expect other yields in the two valleys.", True),
        ("Pasture is concentrated in the west of the valley.", True),
        ("The mills were built in the west of the valley.", False),
    ],
)
def test_places_formulas_tools_and_guesses_say_nothing_of_a_study(
    text: str, *, expected: bool
) -> None:
    assert is_aside(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("However, since the early yields differ, too, this is likely not due to the mill.", True),
        ("However, the effect disappears with the weather as a control.", True),
        ("But these estimates may be biased by the harvest.", True),
        ("However, since the early yields are the same, this is due to the mill.", False),
        ("However, rye was not sown.", False),
        ("The effect disappears in winter.", False),
    ],
)
def test_a_sentence_takes_back_the_one_before_it(text: str, *, expected: bool) -> None:
    assert takes_back(text) is expected


def test_an_example_with_data_that_nobody_measured() -> None:
    assert is_illustration("We illustrate this with simulated, random data (Figure 9A).")
    assert is_illustration("Synthetic samples demonstrate how the mean of the mills changes.")
    assert not is_illustration("We simulated 100 data sets of mills under each model.")
    assert not is_illustration("Random samples of rye were drawn from each mill.")


def test_a_comment_on_the_result_before_it() -> None:
    assert dangles("Unsurprisingly, the difference was not equal to 2%.")
    assert not dangles("Surprisingly, the difference between the mills was 2%.")
    assert not dangles("Interestingly, rye grew by 2%.")


def test_a_main_result_has_numbers_that_stand_in_another_section() -> None:
    texts = [
        ("Results", "The share was 43.66% of new mills and 96.05% of old ones (p = 0.001)."),
        ("Results", "The wheels turned 12.5 times, and 43.66% of them were new."),
        ("Discussion", "We found a large difference (96.05% against 43.66%)."),
        ("Discussion", "It rained on 12 days (p = 0.001, CI 0.95)."),
    ]
    assert repeated(texts) == {0, 2}
