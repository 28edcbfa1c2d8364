"""A vote that does not say what it is on has the motion before it."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.retrieval.passages import passages_of

MOTION = "Lee moved that the mill stay open, and Marx seconded."


def openings(*paragraphs: str) -> dict[str, str]:
    section = Section("Mills", tuple(map(Paragraph, paragraphs)))
    return {one.text: one.opening for one in passages_of(Document("a", (section,)))}


@pytest.mark.parametrize(
    "vote",
    [
        "Motion carried.",
        "The motion passed 5-0.",
        "All were in favor.",
        "Carried unanimously.",
        "Vote: Lee, aye; Marx, no.",
        "4 Votes for 2 Votes against.",
        "3 votes for, 2 abstentions - carried",
        "5 in favour.",
    ],
)
def test_a_bare_vote_has_its_motion(vote: str) -> None:
    assert openings(f"{MOTION} {vote}")[vote] == f"{MOTION} "
    assert openings(MOTION, "The wheel is old.", vote)[vote] == f"{MOTION} … "


def test_what_is_proposed_and_seconded_is_a_motion() -> None:
    motion = "Lee proposed that only approved plans be shown, seconded by Marx."
    assert openings(f"{motion} 4 votes for, 2 against.")["4 votes for, 2 against."] == f"{motion} "


@pytest.mark.parametrize(
    "paragraphs",
    [
        ("The wheel is old.", "Motion carried."),
        (f"{MOTION} It was approved by all millers to do that.", "Motion carried."),
        (f"{MOTION} Motion carried.", "The wheel is old.", "Motion carried."),
        (MOTION, *(f"Ada Lee says that wheel {n} is old." for n in range(9)), "Motion carried."),
        (MOTION, "2 votes for the wheel and 3 votes against."),
        (MOTION, "Approved patches to the wheel exist, and Motion carried."),
    ],
)
def test_no_motion_is_before_another_vote(paragraphs: tuple[str, ...]) -> None:
    section = Section("Mills", tuple(map(Paragraph, paragraphs)))
    assert [*passages_of(Document("a", (section,)))][-1].opening == ""


def test_a_vote_is_found_by_its_motion() -> None:
    section = Section("", (Paragraph(MOTION), Paragraph("Motion carried.")))
    *_, vote = passages_of(Document("a", (section,)))
    assert vote.entry.heading == f"{MOTION} …"
    assert vote.entry.body == "Motion carried."
