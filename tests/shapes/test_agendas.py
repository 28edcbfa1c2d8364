"""Agendas that have the result of each item, and captions after them."""

from pagesum_cli.documents.model import Sentence
from pagesum_cli.shapes.meeting import outcomes_in

ITEMS = [
    "Pay the claim of Carl Dorn (Ordinance) (Y-5) 184350",
    "Adopt the plan for the mill (Report) (Y-4; N-1 Fox)",
    "Grant of $4,000 for the bridge (Ordinance) PASSED TO SECOND READING MAY 4, 2011 AT 9:30 AM",
    "Request of Anna Berg to speak (Communication) PLACED ON FILE",
]
CAPTIONS = [
    "I vote aye.",
    "The council approved the plan.",
    "Action: Anna Berg to repair the mill in May.",
]


def sentences(items: list[str]) -> list[Sentence]:
    found: list[Sentence] = []
    for text in [*items, *CAPTIONS]:
        start = found[-1].end + 2 if found else 0
        speaker = "Berg" if text in CAPTIONS else ""
        found.append(Sentence(text, start=start, end=start + len(text), speaker=speaker))
    return found


def test_items_are_decisions_and_captions_after_them_record_nothing() -> None:
    found = outcomes_in(sentences(ITEMS))
    assert {number: one.kind for number, one in found.items()} == dict.fromkeys(
        range(len(ITEMS)), "decision"
    )


def test_without_an_agenda_what_is_said_counts() -> None:
    found = outcomes_in(sentences(ITEMS[:2]))
    assert max(found) == len(ITEMS[:2]) + len(CAPTIONS) - 1
