"""What an editor chose is quoted before anything else, and needs fewer rules."""

import pytest

from pagesum_cli.editing.editor import Decision
from pagesum_cli.models.extractive.edited import fitted, rescored
from pagesum_cli.quoting.candidates import STUB, Candidate
from pagesum_cli.quoting.choice import Selection, select_sentences
from pagesum_cli.quoting.length import Target

WORDS = 10
TARGET = Target(2 * (WORDS + 1))  # tokens, with a space each


def candidate(number: int, **values: object) -> Candidate:
    tokens = range(100 * number, 100 * number + WORDS)
    return Candidate(0, number, tokens, float(-number), words=WORDS, **values)  # type: ignore[arg-type]


def quoted(candidates: list[Candidate], decision: Decision, target: Target = TARGET) -> list[int]:
    target = fitted(target, candidates, decision)
    selection = Selection(rescored(candidates, decision), 1, 1.0)
    return [one.candidate for one in select_sentences(selection, target, whole_abstract=False)]


PLAIN = [candidate(number) for number in range(9)]


def test_the_choice_has_its_own_length() -> None:
    assert quoted(PLAIN, Decision((8,), (5, 8))) == [8]
    assert quoted(PLAIN, Decision((8, 3, 6, 2), (2, 3, 5, 6, 8))) == [2, 3, 6, 8]
    # far more than was asked for: the best ones
    assert quoted(PLAIN, Decision((8, 7, 6, 5, 4, 3, 2, 1, 0), tuple(range(9)))) == [4, 5, 6, 7, 8]


def test_a_length_that_was_asked_for_is_filled_with_finalists_alone() -> None:
    words = Target(3 * WORDS, size=lambda one: one.words, is_exact=True)
    assert quoted(PLAIN, Decision((8,), (4, 5, 8)), words) == [4, 5, 8]
    assert quoted(PLAIN, Decision((8,), (5, 8)), words) == [5, 8]
    assert quoted(PLAIN, Decision((8, 7, 6, 5), (5, 6, 7, 8)), words) == [6, 7, 8]


def test_no_rejected_sentence_is_brought_along() -> None:
    pointing = [*PLAIN[:4], candidate(4, alone=0.1, follows=True), *PLAIN[5:]]
    assert quoted(pointing, Decision((4,), (4,))) == [4]


@pytest.mark.parametrize(("shared", "expected"), [(5, [2, 3]), (WORDS, [2])])
def test_only_what_says_the_same_is_redundant(shared: int, expected: list[int]) -> None:
    own = [*PLAIN[2].tokens]
    like = [*own[:shared], *range(900, 900 + WORDS - shared)]
    candidates = [*PLAIN[:3], Candidate(0, 3, like, 0.0, words=WORDS), *PLAIN[4:]]
    assert quoted(candidates, Decision((2, 3), (2, 3))) == expected


def test_without_finalists_the_built_in_score_chooses() -> None:
    assert rescored(PLAIN, Decision((), ())) == PLAIN
    assert quoted(PLAIN, Decision((), ())) == [0, 1]
    assert quoted(PLAIN, Decision((), (4, 6, 7))) == [4, 6]
    assert {one.level for one in rescored(PLAIN, Decision((), (4,))) if one.sentence != 4} == {STUB}
