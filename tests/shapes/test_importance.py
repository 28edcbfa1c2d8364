"""Which outcomes of a meeting matter more than others."""

import pytest

from pagesum_cli.shapes.importance import Weight, importance, weights
from pagesum_cli.summary.summary import Outcome


@pytest.mark.parametrize("row", weights(), ids=lambda row: row.name)
def test_each_row_fits_its_example_and_not_its_counter_example(row: Weight) -> None:
    assert row.pattern.search(row.example)
    assert not row.pattern.search(row.counter)
    assert row.reason


def test_decisions_matter_more_than_tasks_and_these_more_than_procedure() -> None:
    outcomes = [
        ("The sale for £90,000 was approved, with two against.", Outcome("vote")),
        ("Anna Berg was elected treasurer.", Outcome("decision")),
        ("Berg orders two stones by 4 June.", Outcome("action", "Berg", "by 4 June")),
        ("The mill is to be painted.", Outcome("action")),
        ("The report of the miller was received and noted.", Outcome("decision")),
        ("The minutes of 4 May were approved as a correct record.", Outcome("vote")),
    ]
    found = [importance(*one) for one in outcomes]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(found)


def test_an_outcome_with_several_amounts_matters_more_than_with_one() -> None:
    several = "The costs were approved: flour £225, a band £250, banners £80."
    one = "The costs were approved: flour £225, a band, banners."
    assert importance(several, Outcome("vote")) > importance(one, Outcome("vote"))
