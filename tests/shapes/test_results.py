"""What the sentences of a paper say of its own methods and results."""

import pytest

from pagesum_cli.shapes.results import has_same_results, is_linked, is_result, sums_up

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
