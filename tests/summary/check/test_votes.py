"""Votes of a claim beside the results of the motions that it names."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.ballots import vote_in
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked

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


COUNTED = (
    "Ann Lee made the motion to approve the Ferry Cost Share.",
    "The motion failed with 3 in favor (Lee, Moss, Hall) and 4 against (Reed, Cole, Dunn, Park).",
    "The chair declared the motion FAILED.",
    "Bill Moss made the motion to approve the Adoption of the 2031 Budget.",
    "The motion passed with 5 in favor (Lee, Moss, Hall, Reed, Cole) and 2 against (Dunn, Park).",
    "Ann Lee made the motion to approve the Amendment to the 2030 Budget.",
    "The motion passed with 7 in favor (Lee, Moss, Hall, Reed, Cole, Dunn, Park) and 0 against.",
)
CALLED = (
    "Discussion and possible action on Resolution No. 31-07.",
    "Director Hall moved to adopt Resolution No. 31-07: “A Resolution on Lawn Watering”.",
    "Director Reed is opposed to the wording.",
    "Motion failed with the following votes: Hall – aye, Reed – nay, and Cole – nay.",
    "Director Hall moved to deny the appeal of the Marsh Lane permit.",
    "Motion carried with the following votes: Hall – aye, Reed – aye, and Cole – aye.",
)
LISTED = (
    "Motion by Trustee Lee to renew the Coastal League membership, second by Trustee Moss.",
    "Final Resolution: Motion Failed",
    "Yes: Lee, Moss",
    "No: Hall, Reed, Cole",
    "Motion by Trustee Hall to pay the harbor dredging fee, second by Trustee Lee.",
    "Final Resolution: Motion Carried",
    "Yes: Hall, Lee, Moss, Reed",
    "No: Cole",
)


def _checked(texts: tuple[str, ...], claim: str) -> Checked:
    document = Document("a.txt", (Section("", tuple(map(Paragraph, texts))),))
    return Checker.of([document]).check(Claim(claim))


@pytest.mark.parametrize(
    ("texts", "claim"),
    [
        (COUNTED, "The 2031 budget was adopted 5-2, with Dunn and Park opposed."),
        (
            COUNTED,
            "The motion to approve the Ferry Cost Share failed with 3 in favor and 4 against.",
        ),
        (COUNTED, "Director Park voted against the Adoption of the 2031 Budget."),
        (CALLED, "The motion to adopt Resolution No. 31-07 failed with Reed and Cole voting nay."),
        (CALLED, "Only Hall voted for the resolution on lawn watering."),
        (LISTED, "The motion to renew the Coastal League membership failed 2-3."),
        (LISTED, "Only Cole voted against the harbor dredging fee."),
    ],
)
def test_the_same_vote_in_other_words_is_proven(texts: tuple[str, ...], claim: str) -> None:
    assert _checked(texts, claim).verdict == "edited"


@pytest.mark.parametrize(
    ("texts", "claim", "kind"),
    [
        (COUNTED, "The 2031 budget was adopted 4-3.", "number"),
        (COUNTED, "The motion to approve the Ferry Cost Share passed.", "opposite"),
        (COUNTED, "The Ferry Cost Share was approved.", "opposite"),
        (COUNTED, "Director Park voted for the Adoption of the 2031 Budget.", "name"),
        (CALLED, "Resolution No. 31-07 on lawn watering was adopted.", "opposite"),
        (CALLED, "Only Reed voted against the resolution on lawn watering.", "name"),
        (LISTED, "The motion to renew the Coastal League membership passed 3-2.", "number"),
        (LISTED, "The harbor dredging fee was approved unanimously.", "number"),
        (LISTED, "The harbor dredging fee failed 1-4.", "opposite"),
    ],
)
def test_another_result_in_names_or_numbers_differs(
    texts: tuple[str, ...], claim: str, kind: str
) -> None:
    found = _checked(texts, claim)
    assert found.verdict == "differs"
    assert [one.kind for one in found.differences] == [kind]


@pytest.mark.parametrize(
    ("texts", "claim"),
    [
        # the motion turns it around
        (CALLED, "The appeal of the Marsh Lane permit was approved."),
        # a part that the motion does not have
        (COUNTED, "The 2031 budget was adopted 5-2 because the ferry was late."),
        (LISTED, "The harbor dredging fee for the north was approved 4-1."),
        # the vote is not there
        (COUNTED[:1], "The motion to approve the Ferry Cost Share failed 1-4."),
        # what is not stated
        (COUNTED, "The 2031 budget might have been adopted 5-2."),
    ],
)
def test_what_the_vote_does_not_say_is_neither(texts: tuple[str, ...], claim: str) -> None:
    assert _checked(texts, claim).verdict == "paraphrase"
