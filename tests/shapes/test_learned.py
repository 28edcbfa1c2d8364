"""What is likely to be recorded in minutes, by the words of a sentence."""

import json

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.shapes.learned import (
    KINDS,
    RECORDS,
    WEIGHTS,
    around,
    decided,
    features,
    is_whole,
    kind_of,
    log_odds,
    weights,
)
from pagesum_cli.shapes.meeting import Meeting, outcomes_in, ruled_outcomes


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Motion put forward by Anna Berg.", "vote"),
        ("Terms of lease approved with changes by Dahl", "decision"),
        ("Folks to review the minutes during next week", "action"),
        ("The mill is older than the bridge.", ""),
        ("Motion put forward by whom?", ""),
        ("Terms of lease approved with changes:", ""),
        ("Seconded", ""),
    ],
)
def test_words_say_what_is_recorded(text: str, kind: str) -> None:
    assert kind_of(text, "The mill", "", "") == kind


def test_the_heading_counts() -> None:
    heading = "Action points that came out of this meeting"
    assert kind_of("Paint the wheel before the harvest", heading, "", "") == "action"
    assert kind_of("Paint the wheel before the harvest", "The history of the mill", "", "") == ""


def test_addresses_numbers_and_names_are_alike() -> None:
    one = features("Anna Berg will read https://a.example/x by 4 June", "The mill", "", "")
    two = features("Carl Dahl will read https://b.example/yz by 17 June", "The mill", "", "")
    assert {name for name in one ^ two if not name.startswith(("w ", "b ", "f "))} == set()
    assert "s Ab will" in one


def test_weights_are_added_up() -> None:
    own = {RECORDS: {"": -100, "w mill": 400}, **{kind: {"": 0} for kind in KINDS}}
    own["vote"] = {"": 1}
    assert log_odds({"w mill", "w old", "w new", "w wet"}, own[RECORDS]) == pytest.approx(1.0)
    assert decided({"w mill", "w old", "w new", "w wet"}, own) == "vote"
    assert decided({"w old"}, own) == ""


def test_the_file_has_weights_of_each_decision() -> None:
    assert set(weights()) == {RECORDS, *KINDS}
    assert all("" in own and 0 not in own.values() for own in weights().values())
    assert json.loads(WEIGHTS.read_text("utf-8")) == weights()


def document(*texts: str, heading: str = "The mill") -> Document:
    paragraphs = tuple(map(Paragraph, texts))
    return Document("mill.md", (Section(heading, paragraphs, 2, "outline"),), "")


def test_what_is_likely_is_found_beside_what_the_rules_know() -> None:
    texts = (
        "RESOLVED: the boat is sold.",
        "Motion put forward by Anna Berg.",
        "The mill is old.",
        "I say: motion put forward by Anna Berg.",
        "Motion put forward by Anna Berg.",
    )
    sentences = all_sentences(document(*texts))
    assert [sentences[one].text for one in ruled_outcomes(sentences)] == [texts[0]]
    found = {sentences[number].text: one.kind for number, one in outcomes_in(sentences).items()}
    assert found == {texts[0]: "decision", texts[1]: "vote"}
    assert len(outcomes_in(sentences)) == 2  # what is likely counts once where it stands twice
    assert around(sentences, 2) == (texts[1], "The mill", "", texts[0])


def test_what_is_only_likely_makes_no_minutes() -> None:
    assert not Meeting(document("Motion put forward by Anna Berg.")).has_outcomes
    assert Meeting(document("RESOLVED: the boat is sold.")).has_outcomes


def test_a_question_that_somebody_asked_records_nothing() -> None:
    assert not is_whole("The Chairman asked the Clerk what the procedure for the mill was.")
    assert not is_whole("Mr Berg asked whether the mill will be kept dry.")
    assert is_whole("Berg asked the clerk to write to the owner of the mill.")
    assert is_whole("The clerk will write about the mill that Berg asked about.")
