"""Clauses that set limits, and slots in which a clause has no place."""

import pytest

from pagesum_cli.shapes.limits import has_no_place_in, sets_limit, weight_of
from pagesum_cli.shapes.points import Point


@pytest.mark.parametrize(
    "text",
    [
        "The miller shall pay $40 for each stone.",
        "A mill shall be limited to four guests.",
        "A mill shall not exceed 60 consecutive or nonconsecutive days per year.",
        "No more than two dogs may be kept in a mill.",
        "Nobody under the age of sixteen may turn a stone.",
        "A permit shall expire on March 31 of the year.",
        "The owner shall give thirty days’ notice.",
    ],
)
def test_an_amount_a_number_or_a_date_is_a_limit(text: str) -> None:
    assert sets_limit(text)


@pytest.mark.parametrize(
    "text",
    [
        "Permits shall bear the number of the mill.",
        "The miller shall comply with section 12 of By-law 30.",
        "One stone in the mill shall be kept dry.",
        "The sign shall have the following: the name of a person who answers within two hours.",
    ],
)
def test_other_clauses_set_no_limit(text: str) -> None:
    assert not sets_limit(text)


def test_a_clause_with_a_limit_counts_more_than_one_on_the_document() -> None:
    texts = (
        "The miller shall pay a fee of $40.",
        "The miller shall keep the stones dry.",
        "The board may carry out the provisions of this article.",
    )
    weights = [weight_of(Point((0, 0), 0, text, 0.0)) for text in texts]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 3


@pytest.mark.parametrize(
    ("slot", "text", "other"),
    [
        (
            "authority",
            "A miller shall file a request on a form prescribed by the town.",
            "The board shall have the authority to make rules.",
        ),
        (
            "exception",
            "No miller may accept grain which is wet, provided that the clerk has warned him.",
            "Nothing in this chapter prevents a miller from grinding for the poor.",
        ),
        (
            "repeal",
            "If any part of this article is invalid, the others shall remain.",
            "This article shall take effect on January 1, 2031.",
        ),
        (
            "penalty",
            "The miller shall keep the stones dry.",
            "After three violations, a mill shall be ineligible for a permit.",
        ),
        (
            "prohibition",
            "Every miller shall keep the stones dry.",
            "A mill shall be let to only one family at a time.",
        ),
    ],
)
def test_a_clause_has_no_place_where_another_belongs(slot: str, text: str, other: str) -> None:
    assert has_no_place_in(slot, Point((0, 0), 0, text, 0.0))
    assert not has_no_place_in(slot, Point((0, 0), 0, other, 0.0))


def test_a_definition_has_no_place_in_a_slot() -> None:
    text = "“Mill” means a building with at most four stones."
    assert has_no_place_in("requirement", Point((0, 0), 0, text, 0.0))
