"""Words of a claim that a reader should compare with those of the passage."""

import pytest

from pagesum_cli.summary.check.alignment import Side
from pagesum_cli.summary.check.contrasts import contrasts
from pagesum_cli.summary.check.tokens import tokens_of


def compared(claim: str, passage: str) -> list[tuple[str, str]]:
    sides = [Side(text, tokens_of(text)) for text in (claim, passage)]
    return [(one.claim, one.document) for one in contrasts(sides[0], sides[1:])]


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        (
            "The permit fee is refunded if the city refuses an application.",
            "Where the city refuses an application, there shall be no refund of a permit fee.",
            [("refunded", "no refund")],
        ),
        (
            "The permit fee is not refunded if the city refuses an application.",
            "Where the city refuses an application, there shall be no refund of a permit fee.",
            [],
        ),
        (
            "A charity may place two boxes on its land.",
            "A charity or a school may place one box on land.",
            [("two", "one")],
        ),
        (
            "The signal was absent in the majority of pollination networks.",
            "The signal was found on a global scale and in the majority of pollination networks.",
            [("absent", "was found")],
        ),
        (
            "After 1000 cycles at 100 mA a capacity of 298 mAh remains.",
            "It delivers a capacity of 581 mAh after 50 cycles at 100 mA, and a capacity of "
            "298 mAh remains after 1000 cycles at 700 mA.",
            [("100", "700")],
        ),
        (
            "After 1000 cycles at 700 mA a capacity of 298 mAh remains.",
            "It delivers a capacity of 581 mAh after 50 cycles at 100 mA, and a capacity of "
            "298 mAh remains after 1000 cycles at 700 mA.",
            [],
        ),
    ],
)
def test_words_to_compare(claim, passage, expected):
    assert compared(claim, passage) == expected
