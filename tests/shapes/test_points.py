"""Sentences of a chapter as lines: which of its first ones stand alone."""

from pagesum_cli.documents.model import Sentence
from pagesum_cli.locality import Page, Pages
from pagesum_cli.shapes.points import Point, openings, points_of

TEXTS = [
    ("2 Mills", "mill is a program that grinds the grain of a whole village."),
    ("2 Mills", "This means that the wheel of a house never has to stand still."),
    ("2 Mills", "Click the button to start the wheel of the mill."),
    ("2 Mills", "The fourth sentence of a section tells how the owner of the mill is paid."),
    ("2.1 Sluices", "A sluice is a gate that controls the water of a mill."),
    ("2.1 Sluices", "The sluice is described in the Rivers chapter."),
]


def pages() -> Pages:
    sentences, place = [], 0
    for heading, text in TEXTS:
        sentences.append(Sentence(text, (), heading, place, place + len(text)))
        place += len(text) + 1
    return Pages("spatial", (Page("2 Mills", "book.txt", "", tuple(sentences), 100),))


def test_a_chapter_opens_with_sentences_that_stand_alone() -> None:
    chosen = openings(pages(), "2 Mills", "Villages")
    assert [TEXTS[place][1][:14] for _, place in chosen] == ["mill is a prog", "A sluice is a "]


def test_what_introduces_a_book_goes_on_in_its_paragraph() -> None:
    chosen = openings(pages(), "2 Mills", "The mill manual")
    assert TEXTS[1][1] in [TEXTS[place][1] for _, place in chosen]


def test_a_sentence_may_begin_with_the_name_of_a_program_only() -> None:
    assert (0, 0) not in openings(pages(), "2 Bridges", "Villages")


def test_a_sentence_about_the_title_scores_more() -> None:
    def best(title: str) -> Point:
        scores = dict.fromkeys([(0, 0), (0, 4)], 0.0)
        return max(
            points_of(pages(), scores, {"book.txt": 0}, [title], ""), key=lambda one: one.score
        )

    assert best("Mills").text.startswith("mill is")
    assert best("Sluices").text.startswith("A sluice")
