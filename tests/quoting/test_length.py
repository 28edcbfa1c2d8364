"""How long a summary is."""

import pytest

from pagesum_cli.options import GenerationOptions
from pagesum_cli.quoting.candidates import Candidate
from pagesum_cli.quoting.length import Target, distinct_share, target_of


def sentences(count: int, document: int = 0, first: int = 0) -> list[Candidate]:
    """Sentences of ten tokens and twenty words that have nothing in common."""
    return [
        Candidate(
            0,
            n,
            tuple(range(10 * (first + n), 10 * (first + n) + 10)),
            0.0,
            words=20,
            document=document,
        )
        for n in range(count)
    ]


def target(predicted: list[float], candidates: list[Candidate], **options: object) -> Target:
    return target_of(GenerationOptions(**options), predicted, candidates, 446)


def length(predicted: list[float], candidates: list[Candidate], **options: object) -> float:
    return target(predicted, candidates, **options).length


def test_a_short_document_is_not_quoted_whole() -> None:
    assert length([200], sentences(10)) == pytest.approx(0.4 * 110)


def test_as_predicted_or_half_or_twice() -> None:
    assert length([200], sentences(100)) == 200
    assert length([200], sentences(100), length="short") == 100
    assert length([200], sentences(100), length="long") == 400


def test_no_longer_than_what_was_learned() -> None:
    assert length([1000], sentences(200)) == 446


def test_a_single_document_gets_at_least_what_an_editor_quotes() -> None:
    assert length([20], sentences(50)) == pytest.approx(0.1 * 550)
    assert length([20], sentences(100)) == 80
    assert length([20], sentences(100), length="short") == 40
    both = [*sentences(100), *sentences(100, document=1, first=100)]
    assert length([20, 20], both) == pytest.approx(40 / 2**0.2)


def test_a_cluster_gets_nearly_what_its_documents_get() -> None:
    both = [*sentences(100), *sentences(100, document=1, first=100)]
    assert length([200, 100], both) == pytest.approx(300 / 2**0.2)


def test_repeated_documents_get_no_more() -> None:
    """Two copies have half as much to tell as two documents."""
    both = [*sentences(100), *sentences(100, document=1)]
    assert distinct_share(both) == 0.5
    assert length([200, 200], both) == pytest.approx(200 / 2**0.2)


def test_a_book_gets_more_than_a_paper() -> None:
    assert length([200], sentences(909)) == 200
    assert length([200], sentences(10_000)) == pytest.approx(200 * 11**0.5)


def test_limits() -> None:
    candidates = sentences(100)
    assert target([200], candidates, max_length=50).max_length == 50
    assert target([200], candidates, min_length=90).min_length == 90
    assert target([200], candidates).max_length == 500  # of an abstract
    assert target([200], candidates, length="short").max_length == 446
    assert target([200], candidates).limit == 500


def test_an_abstract_is_quoted_up_to_two_and_a_half_times_the_length() -> None:
    assert Target(100).limit_of_beginning == 250
    assert Target(100, max_length=200).limit_of_beginning == 200
    assert Target(100, is_exact=True).limit_of_beginning == pytest.approx(110)


def test_a_length_that_was_asked_for_is_met_within_a_tenth() -> None:
    asked = target([200], sentences(100), words=100)
    assert asked.is_exact
    assert asked.limit == pytest.approx(110)
    assert (asked.is_met(90), asked.is_met(89)) == (True, False)
    assert asked.size_of(sentences(3)) == 60
    asked = target([200], sentences(100), sentences=3)
    assert (asked.length, asked.is_exact, asked.size_of(sentences(3))) == (3, True, 3)


def test_a_selection_is_as_near_to_its_target_as_it_can_be() -> None:
    assert not Target(100).is_enough(90, 20)
    assert Target(100).is_enough(90, 21)
    assert not Target(100, min_length=95).is_enough(90, 21)


def test_a_selection_has_room_for_as_many_words_as_were_asked_for() -> None:
    two = sentences(2)
    in_words = Target(50, size=lambda candidate: candidate.words)
    assert in_words.spare_words(two) == pytest.approx(15)
    assert Target(33).spare_words(two) == pytest.approx((36.3 - 22) * 40 / 22)  # in tokens
    assert in_words.spare_words([]) == 0
