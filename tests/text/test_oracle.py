"""The greedy oracle, against the rouge-score library."""

import random

import pytest
from rouge_score.rouge_scorer import RougeScorer

from pagesum_cli.text.greedy import greedy_oracle

LETTERS = "abcdefgh"


def by_rouge_score(sentences: list[str], reference: str, limit: int) -> list[int]:
    """The same by the library, for sentences of one word."""
    scorer = RougeScorer(["rouge1"])
    chosen: list[int] = []
    best = 0.0
    while len(chosen) < limit:
        free = [place for place in range(len(sentences)) if place not in chosen]
        texts = {place: " ".join(sentences[one] for one in (*chosen, place)) for place in free}
        scores = {
            place: scorer.score(reference, text)["rouge1"].fmeasure for place, text in texts.items()
        }
        top = max(free, key=scores.__getitem__)
        if scores[top] <= best:
            break
        best = scores[top]
        chosen.append(top)
    return chosen


@pytest.mark.parametrize("seed", range(5))
def test_single_words_are_counted_as_rouge_1_counts_them(seed: int) -> None:
    draw = random.Random(seed)
    sentences = [draw.choice(LETTERS) for _ in range(12)]
    reference = draw.choices([*LETTERS, "zz"], k=6)
    expected = by_rouge_score(sentences, " ".join(reference), 5)
    assert greedy_oracle([[one] for one in sentences], reference, limit=5) == expected


def test_the_closest_sentences_in_the_order_of_choice() -> None:
    sentences = [
        "it rained all day",
        "the method reads every page",
        "nobody came",
        "it is the fastest method",
    ]
    reference = ["the", "method", "reads", "every", "page", "and", "is", "the", "fastest", "method"]
    assert greedy_oracle([one.split() for one in sentences], reference, limit=9) == [1, 3]
    assert greedy_oracle([one.split() for one in sentences], reference, limit=1) == [1]


@pytest.mark.parametrize(
    ("sentences", "reference"), [([], ["a"]), ([["a"]], []), ([[], []], ["a"]), ([["b"]], ["a"])]
)
def test_nothing_is_chosen_where_nothing_helps(
    sentences: list[list[str]], reference: list[str]
) -> None:
    for distinct in (False, True):
        assert greedy_oracle(sentences, reference, limit=3, distinct=distinct) == []


def test_repeated_words_count_as_often_as_they_occur_or_once() -> None:
    sentences, reference = [["a", "a", "a"], ["a", "b"]], ["a", "a", "a", "b"]
    assert greedy_oracle(sentences, reference, limit=1) == [0]
    assert greedy_oracle(sentences, reference, limit=1, distinct=True) == [1]
