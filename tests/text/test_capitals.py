"""Texts in capitals are written in sentence case, as far as names can be guessed."""

import pytest

from pagesum_cli.text.capitals import SentenceCase, in_capitals

CASES = {
    "MY NAME IS JASON BERG. I'M THE CHAIR OF THIS COMMITTEE.": (
        "My name is Jason Berg. I'm the chair of this committee."
    ),
    "WE'LL MEET IN MAY 2024, AT 3 P.M., AND THEY MAY COME ON MONDAY.": (
        "We'll meet in May 2024, at 3 p.m., and they may come on Monday."
    ),
    "THE UNITED STATES, NEW YORK, LOS ANGELES AND THE NEW MILL": (
        "The United States, New York, Los Angeles and the new mill"
    ),
    "THE FBI AND NASA ASKED DR. O'BRIEN’S HEIRS. SO DID JOHN F. KENNEDY, AT TEN O'CLOCK.": (
        "The FBI and NASA asked Dr. O'Brien’s heirs. So did John F. Kennedy, at ten o'clock."
    ),
    "IT'S ITEM 3A OF THE 25TH. PLAN B IS “BETTER.” “WHY?” SHE SAID.": (
        "It's item 3A of the 25th. Plan B is “better.” “Why?” She said."
    ),
    "ÉCLAIRS, A BATHHOUSE AND GROẞ": "Éclairs, a bathhouse and groß",
}


@pytest.mark.parametrize(("capitals", "expected"), CASES.items())
def test_names_and_beginnings_have_capitals(capitals: str, expected: str) -> None:
    assert SentenceCase([capitals])(capitals) == expected


def test_an_unknown_word_is_a_name_where_it_follows_a_title_anywhere() -> None:
    texts = ["COUNCIL MEMBER PALMISANO IS HERE.", "THANK YOU, PALMISANO. THE BATHHOUSES CLOSE."]
    in_sentence_case = SentenceCase(texts)
    assert [in_sentence_case(one) for one in texts] == [
        "Council member Palmisano is here.",
        "Thank you, Palmisano. The bathhouses close.",
    ]


def test_an_abbreviation_without_vowels_that_comes_again_keeps_its_capitals() -> None:
    text = "THE MPRB PLANTS TREES. ASK THE MPRB, NOT THE STRG."
    assert SentenceCase([text])(text) == "The MPRB plants trees. Ask the MPRB, not the strg."


def test_lengths_stay_the_same() -> None:
    text = "İSTANBUL AND ŞIŞLI ARE FAR. THE MILL IS OLD."
    assert len(SentenceCase([text])(text)) == len(text)


def test_only_a_text_nearly_all_in_capitals_is_one() -> None:
    loud = "THE MILL IS OLD, AND THE COUNCIL SELLS IT NEXT YEAR TO SOMEBODY WHO MENDS IT."
    assert in_capitals(loud, "(laughter)")
    assert not in_capitals(loud, loud.lower())
    assert not in_capitals("MINUTES OF THE COUNCIL")
    assert not in_capitals("市议会", "")
