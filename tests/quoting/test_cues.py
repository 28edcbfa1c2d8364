"""Each cue by its own example, and by one that lacks it."""

from dataclasses import replace

import pytest

from pagesum_cli.quoting.cues import CUES, FORM, Cue, View, cues_of, is_content, is_whole


def view(text: str) -> View:
    """The sentence of an example; one without text stands for any under a certain heading."""
    return View(text or "We met in May.", "" if text else "Acknowledgements")


@pytest.mark.parametrize("cue", CUES, ids=lambda cue: cue.name)
def test_the_example_has_the_cue_and_the_other_has_none(cue: Cue) -> None:
    assert cue in cues_of(view(cue.example))
    assert list(cues_of(View(cue.other))) == []


def test_names_are_different_and_reasons_are_sentences() -> None:
    assert len({cue.name for cue in CUES}) == len(CUES)
    assert all(cue.reason[0].isupper() and cue.reason.endswith(".") for cue in CUES)


def test_a_number_may_come_first_inside_of_an_abstract() -> None:
    first = View("12 mills were closed in May.")
    assert not is_whole(first)
    assert is_whole(replace(first, may_count=True))


def test_form_and_content_are_different_things() -> None:
    caption = View("Figure 2: The mills of the river.")
    assert (is_whole(caption), is_content(caption)) == (True, False)
    assert is_content(View("and the mills were closed in May."))
    assert len(FORM) < len(CUES)


def test_a_short_text_in_capitals_is_not_shouted() -> None:
    assert is_whole(View("NASA, ESA, FAO and the WHO met on Monday."))
    assert not is_whole(View("NASA, ESA, FAO, UNICEF, UNESCO, ITU and the WHO."))
