"""What somebody says is quoted with its question, and with what takes it back."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality import Pages
from pagesum_cli.locality.flow import Page
from pagesum_cli.summary.summary import Draft
from pagesum_cli.summary.turns import with_whole_answers

TURNS = (
    ("Q", "Thank you for coming. Will you close the bridge?"),
    ("Berg", "No, we will not close it. But if there are cracks, we will. The mill is safe."),
    ("Q", "What do the people want?"),
    ("Berg", "Most people want bicycles. They have said so. Yes, all of them."),
    ("", "However, it was quiet on the square."),
)
QUESTION, NO, BUT, SAFE, WANT, MOST, ALL = 1, 2, 3, 4, 5, 6, 8


def draft_of(*chosen: int, may_add: bool = True) -> Draft:
    paragraphs = tuple(Paragraph(text, speaker=speaker) for speaker, text in TURNS)
    sentences = all_sentences(Document("a.txt", (Section("", paragraphs),)))
    pages = Pages("spatial", (Page("", "a.txt", "", tuple(sentences), 20),))
    places = tuple((0, number) for number in chosen)
    rows = [[1.0] for _ in chosen]
    return with_whole_answers(pages, Draft(rows, sentences=places), may_add=may_add)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ((NO,), (QUESTION, NO, BUT)),  # never the opposite of what was said
        ((BUT,), (QUESTION, NO, BUT)),
        ((QUESTION, NO, BUT), (QUESTION, NO, BUT)),
        ((SAFE,), (SAFE,)),
        ((MOST,), (MOST,)),  # says enough without the question
        ((ALL,), (ALL,)),  # what follows is nobody's
    ],
)
def test_an_answer_is_whole(chosen: tuple[int, ...], expected: tuple[int, ...]) -> None:
    draft = draft_of(*chosen)
    assert draft.sentences == tuple((0, number) for number in expected)
    assert len(draft.page_confidences) == len(expected)


def test_where_the_number_is_given_a_part_of_an_answer_is_marked() -> None:
    draft = draft_of(NO, SAFE, may_add=False)
    assert draft.sentences == ((0, NO), (0, SAFE))
    assert draft.needs_context == (True, False)


def said(*turns: tuple[str, str]) -> tuple[int, ...]:
    """Which sentences the first of several turns is quoted with."""
    paragraphs = tuple(Paragraph(text, speaker=speaker) for speaker, text in turns)
    sentences = all_sentences(Document("a.txt", (Section("", paragraphs),)))
    pages = Pages("spatial", (Page("", "a.txt", "", tuple(sentences), 20),))
    draft = with_whole_answers(pages, Draft([[1.0]], sentences=((0, 0),)), may_add=True)
    return tuple(place for _, place in draft.sentences)


@pytest.mark.parametrize(
    "correction",
    [
        "Actually, it was 14.",
        "That is not quite right: it was 14.",
        "No, sorry, that’s wrong.",
        "I misspoke, it was the north bridge.",
        "Let me correct that.",
    ],
)
def test_a_statement_is_quoted_with_its_correction(correction: str) -> None:
    assert said(("Berg", f"We lost twelve bridges. {correction} They were old.")) == (0, 1)
    assert said(("Berg", "We lost twelve bridges."), ("Ames", correction)) == (0, 1)


@pytest.mark.parametrize(
    "following", ["Actually I love bridges.", "It is wrong to close them.", "The mill stands."]
)
def test_what_follows_is_no_correction(following: str) -> None:
    assert said(("Berg", f"We lost twelve bridges. {following}")) == (0,)


def test_another_speaker_does_not_limit_what_was_said() -> None:
    assert said(("Berg", "We lost twelve bridges."), ("Ames", "But the mill stands.")) == (0,)
