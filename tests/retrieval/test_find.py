"""The order of answers from several documents."""

from pagesum_cli.retrieval.find import find, mixed
from pagesum_cli.retrieval.passages import Passage
from pagesum_cli.retrieval.store import Store

DATA = '{"name": "a", "file": "a.md"}'
MILLS = ("Two foxes live in the mill.", "The miller mends the wheel.", "The river is cold.")


def test_the_best_of_each_document_is_before_the_third_of_another() -> None:
    scores = {1: 1.0, 2: 0.9, 3: 0.8, 4: 0.5, 5: 0.7}
    documents = {1: "a", 2: "a", 3: "a", 4: "b", 5: "a"}
    assert mixed(scores, documents) == [1, 2, 4, 3, 5]


def test_an_answer_that_is_far_better_stays_before_it() -> None:
    scores = {1: 1.0, 2: 0.9, 3: 0.8, 4: 0.3}
    assert mixed(scores, {1: "a", 2: "a", 3: "a", 4: "b"}) == [1, 2, 3, 4]


def test_the_answers_of_one_document_are_ordered_by_score() -> None:
    assert mixed({1: 0.2, 2: 1.0, 3: 0.5, 4: 0.9}, dict.fromkeys(range(1, 5), "a")) == [2, 4, 3, 1]


def test_few_words_of_a_question_in_any_passage_are_noted() -> None:
    store = Store()
    store.add("a", [(DATA, [Passage(text, "sentence").entry for text in MILLS])])
    assert not find("Which foxes live in the mill?", store, ["a"], 5).is_partial
    partial = find("Which foxes buy golden umbrellas in the mill?", store, ["a"], 5)
    assert partial.is_partial != partial.is_doubtful
    store.close()


FINES = (
    "A dog must be on a lead.",
    "Nobody minds the foxes.",
    "The market is open in May.",
    "Any person who blocks a road shall pay a fine of $50.",
    "Snow must be cleared.",
)


def test_words_that_are_near_no_answer_of_the_kind_asked_for_are_named() -> None:
    store = Store()
    store.add("a", [(DATA, [Passage(text, "sentence").entry for text in FINES])])
    lacking = find("What is the fine for smoking umbrellas in a library?", store, ["a"], 5).lacking
    assert lacking == ("smoking", "umbrellas", "library")
    assert find("What is the fine for blocking a road?", store, ["a"], 5).lacking == ()
    assert find("Which umbrellas smoke in a library?", store, ["a"], 5).lacking == ()
    store.close()
