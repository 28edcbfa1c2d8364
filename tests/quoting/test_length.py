"""How long a summary is."""

import pytest

from pagesum_cli.models.extractive.selection import Candidate, distinct_share, target_of
from pagesum_cli.options import GenerationOptions


def sentences(count: int, document: int = 0, first: int = 0) -> list[Candidate]:
    """Sentences of ten tokens that have nothing in common."""
    return [
        Candidate(
            0, n, tuple(range(10 * (first + n), 10 * (first + n) + 10)), 0.0, document=document
        )
        for n in range(count)
    ]


def length(predicted: list[float], candidates: list[Candidate], **options: object) -> float:
    return target_of(GenerationOptions(**options), predicted, candidates, 446).length


def test_a_short_document_is_not_quoted_whole() -> None:
    assert length([200], sentences(10)) == pytest.approx(0.4 * 110)


def test_as_predicted_or_half_or_twice() -> None:
    assert length([200], sentences(100)) == 200
    assert length([200], sentences(100), length="short") == 100
    assert length([200], sentences(100), length="long") == 400


def test_a_cluster_gets_nearly_what_its_documents_get() -> None:
    both = [*sentences(100), *sentences(100, document=1, first=100)]
    assert length([200, 100], both) == pytest.approx(300 / 2**0.2)


def test_repeated_documents_get_no_more() -> None:
    """Two copies have half as much to tell as two documents."""
    both = [*sentences(100), *sentences(100, document=1)]
    assert distinct_share(both) == 0.5
    assert length([200, 200], both) == pytest.approx(200 / 2**0.2)


def test_a_book_gets_more_than_a_paper() -> None:
    assert length([200], sentences(10_000)) == pytest.approx(200 * 11**0.5)


def test_limits() -> None:
    candidates = sentences(100)
    assert target_of(GenerationOptions(max_length=50), [200], candidates, 446).max_length == 50
    # of an abstract
    assert target_of(GenerationOptions(), [200], candidates, 446).max_length == 500
