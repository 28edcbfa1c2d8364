"""Whether a sentence, quoted alone, points at something that is not there."""

import pytest

from pagesum_cli.quoting.context import Surroundings, context_cues, needs_context

BEFORE = ("We measured the yield of 40 farms in the north of the country.",)


@pytest.mark.parametrize(
    "text",
    [
        "They rose by a third in the year after.",
        "This shows why prices fell so fast.",
        "These farms had sown wheat in the autumn.",
        "However, yields of the northern farms fell.",
        "In contrast, farms without a loan sold their land.",
        "It was sold before the harvest began.",
        "Yields of the aforementioned farms of northern Europe fell by 12 % in 2010.",
        "These results suggest that wheat of northern Europe needs less rain than rye.",
        "Such high yields of wheat were seen in northern Europe between 1990 and 2010.",
        "Prices of wheat fell for the reasons described above between 1990 and 2010.",
        "Farms in the other group of northern Europe were given 12 kg of seeds in 2010.",
        "Among these farms of northern Europe, the latter sold 30 % of the wheat of 2010.",
    ],
)
def test_sentences_that_point_back(text: str) -> None:
    assert needs_context(text, Surroundings(BEFORE)) > 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Yields of wheat in northern Europe rose by 12 % between 1990 and 2010, "
        "according to the FAO.",
        "This paper presents a survey of the wheat farms of northern Europe between 1990 and 2010.",
        "One group of Wheat Farms of Northern Europe was given seeds, and the other group was not.",
        "Wheat Farms of Northern Europe sold 30 % of their harvest to mills in Germany and Poland.",
    ],
)
def test_sentences_that_stand_alone(text: str) -> None:
    assert (
        needs_context(
            text, Surroundings(BEFORE, is_first=True, title="Wheat Farms of Northern Europe")
        )
        < 0.5
    )


def test_a_title_explains_what_a_sentence_is_about() -> None:
    text = "The sampler keeps a list of the tokens that were drawn."
    alone, titled = (
        needs_context(text, Surroundings(BEFORE, title=title))
        for title in ("", "A Sampler of Tokens")
    )
    assert titled < alone


def test_a_text_without_words_has_no_cue_but_the_bias() -> None:
    assert context_cues("…", Surroundings()) == {"bias": 1}


def test_cues_of_length_end_at_a_number_of_words() -> None:
    cues = context_cues("Mills Of The River " + "turn slowly " * 10 + "now.", Surroundings())
    assert (cues["length"], cues["capitals"]) == (25 / 50, 3 / 8)


def test_a_pronoun_near_the_beginning_is_another_cue_than_a_later_one() -> None:
    early, late = (
        context_cues(f"Mills turn slowly in wind and {words} they stop.", Surroundings())
        for words in ("rain", "rain here")
    )
    assert early["early pronoun, nouns before"] == late["late pronoun, nouns before"] == 1


def test_a_long_noun_phrase_is_read_no_further() -> None:
    short, long = (
        context_cues(f"The {words} of Rome burned.", Surroundings())
        for words in ("new big old red mill", "new big old red stone mill")
    )
    assert short["definite: with complement"]
    assert not long["definite: with complement"]


def test_a_contrast_is_as_good_as_sure_to_need_its_other_half() -> None:
    assert needs_context("On the contrary, mills of Rome burned.", Surroundings()) == 0.9
