"""What a vote is about, and whether the vote itself says it."""

import pytest

from pagesum_cli.shapes.motions import has_result, lacks_matter, proposes, refers_back


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("Four were in favour and one abstained.", True),
        ("Motion carried by Janet Keough yea, Dick Dillon yea, and Gary Mantay yea.", True),
        ("Cllr Sarkovich proposed approval, seconded by Cllr Dahl, all were in favour.", True),
        ("The motion passed 5-2.", True),
        ("Student Advisory Vote: Aye", True),
        ("Absent: None", True),
        ("Action: Adopted Resolution 2025-046.", True),
        ("The lease was approved by five votes to two.", False),
        ("Motion to adopt the Consent Calendar, second, carried.", False),
    ],
)
def test_a_vote_of_votes_and_names_alone_does_not_say_its_matter(text: str, lacks: bool) -> None:
    assert lacks_matter(text) is lacks


@pytest.mark.parametrize(
    ("text", "refers"),
    [
        ("He will speak to the miller and report back next month.", True),
        ("This was approved unanimously.", True),
        ("It was moved and carried that the application be accepted.", True),
        ("It was agreed to mend the mill.", False),
        ("This year the mill is mended.", False),
        ("Theresa will speak to the miller.", False),
    ],
)
def test_a_sentence_about_what_the_one_before_names(text: str, refers: bool) -> None:
    assert refers_back(text) is refers


def test_a_proposal_has_a_matter_and_a_result_is_one() -> None:
    assert proposes("The Chair proposed to raise the fee to £45.")
    assert not proposes("Cllr Dahl moved approval.")
    assert has_result("All were in favour.")
    assert not has_result("Dahl moved to approve the lease.")
