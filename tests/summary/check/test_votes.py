"""Votes of a claim beside the results of the motions that it names."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.votes import vote_in

TEXTS = (
    "Ann Lee said that the ramp of the mill was closed, and the hearing was long.",
    "Ann Lee moved that the hearing on the mill be continued to Monday.",
    "Bill Moss seconded the motion.",
    "It passed 5-0.",
    "Bill Moss moved to accept the budget with an amendment. Ann Lee seconded.",
    "The motion carried 4-1.",
    "Bill Moss moved to adjourn the meeting. Motion passed unanimously.",
)


@pytest.mark.parametrize(
    ("claim", "own", "other"),
    [
        ("The motion to continue the mill hearing passed 4-1.", "4-1", "5-0"),
        ("The council voted 3-2 to accept the amended budget.", "3-2", "4-1"),
        ("The budget was unanimously approved.", "unanimously", "4-1"),
        ("The motion to adjourn passed 4-1.", "4-1", "unanimously"),
    ],
)
def test_another_result_of_the_motion_differs(claim: str, own: str, other: str) -> None:
    found = Checker.of([Document("a.txt", (Section("", tuple(map(Paragraph, TEXTS))),))]).check(
        Claim(claim)
    )
    assert found.verdict == "differs"
    (one,) = found.differences
    assert (one.kind, one.claim, one.document) == ("number", own, other)
    assert "moved" in found.sources[0].sentence.text


@pytest.mark.parametrize(
    "claim",
    [
        "The motion to continue the mill hearing passed 5-0.",
        "The motion to continue the mill hearing passed unanimously.",
        "The budget was approved by four votes to one.",
        "The motion to adjourn passed 5-0.",
        "The motion to sell the boats passed 3-2.",  # of which nothing is known
    ],
)
def test_the_same_result_and_other_motions_do_not(claim: str) -> None:
    found = Checker.of([Document("a.txt", (Section("", tuple(map(Paragraph, TEXTS))),))]).check(
        Claim(claim)
    )
    assert [one for one in found.differences if one.document] == []


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        ("It passed by a vote of 4 to 1.", (4, 1)),
        ("It was approved with three votes to none.", (3, 0)),
        ("The vote was 5–2.", (5, 2)),
        ("The budget of 2017-18 was approved.", None),
        ("Resolution 12-19 was read.", None),
    ],
)
def test_votes_are_read(text: str, vote: tuple[int, int] | None) -> None:
    found = vote_in(text)
    assert (found and (found.ayes, found.noes)) == vote
