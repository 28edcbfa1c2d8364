"""Questions that name a speaker."""

import pytest

from pagesum_cli.retrieval.speakers import AskedSpeaker, asked_speaker, of_speaker

SPEAKERS = ("Reporter", "LAURA GARCIA", "Sheriff Weller", "Mayor", "Mr Will Stone", "Ms May")


@pytest.mark.parametrize(
    ("question", "names", "rest"),
    [
        ("Garcia", {"LAURA GARCIA"}, ""),
        ("laura garcia", {"LAURA GARCIA"}, ""),
        ("What did Sheriff Weller say?", {"Sheriff Weller"}, ""),
        ("What does Garcia say about the bridges?", {"LAURA GARCIA"}, "bridges"),
        ("Garcia's view of water", {"LAURA GARCIA"}, "water"),
        ("mayor", {"Mayor"}, ""),
        ("May", {"Ms May"}, ""),
        ("What may Garcia know?", {"LAURA GARCIA"}, "know"),
        ("Garcia and Weller", {"LAURA GARCIA", "Sheriff Weller"}, ""),
    ],
)
def test_a_question_names_a_speaker(question: str, names: set[str], rest: str) -> None:
    assert asked_speaker(question, SPEAKERS) == AskedSpeaker(frozenset(names), rest)


@pytest.mark.parametrize("question", ["water", "a stone bridge", "how will it end", "Mr"])
def test_a_question_names_no_speaker(question: str) -> None:
    assert asked_speaker(question, SPEAKERS) is None


def test_what_others_say_of_a_speaker_does_not_answer() -> None:
    speakers = ("Reporter", "Garcia", "Garcia")
    assert of_speaker([1.0, 0.0, 0.0], speakers, AskedSpeaker(frozenset({"Garcia"}), "")) == [
        0,
        1,
        1,
    ]
    asked = AskedSpeaker(frozenset({"Garcia"}), "bridges")
    assert of_speaker([1.0, 0.5, 0.0], speakers, asked) == [0, 0.5, 0]
    assert of_speaker([1.0, 0.0, 0.0], speakers, asked) == [0, 1, 1]
