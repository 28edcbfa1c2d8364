"""The best pair of source sentences, compared with a search over all pairs by the rouge-score
library.
"""

import random
from itertools import combinations

import pytest
from rouge_score.rouge_scorer import RougeScorer

from pagesum_cli.lab.long_distance import ROUGES, Sources

WORDS = [*"abcdefg", "running", "runs", "ran"]


def by_library(sentences, target, rouge):
    """The recall of every pair, in document order, and of every sentence, to nine digits."""
    scorer = RougeScorer([rouge], use_stemmer=True)

    def recall(text):
        return round(100 * scorer.score(target, text)[rouge].recall, 9)

    both = {
        (i, j): recall(f"{sentences[i]} {sentences[j]}")
        for i, j in combinations(range(len(sentences)), 2)
    }
    return both, [recall(sentence) for sentence in sentences]


@pytest.mark.parametrize("rouge", ROUGES)
def test_equal_to_the_library_on_every_pair(rouge):
    draw = random.Random(1)
    for _ in range(60):
        # Few different words: repeated ones, ties, bigrams at the joint; empty and wordless
        # sentences.
        known = WORDS[: draw.randint(2, len(WORDS))]
        sentences = [
            " ".join(draw.choices(known, k=draw.choice((0, 1, 2, 3, 6)))) or "…" for _ in range(7)
        ]
        target = " ".join(draw.choices(known, k=draw.randint(1, 9)))
        both, alone = by_library(sentences, target, rouge)
        highest = max(both.values())
        expected = next(pair for pair, value in both.items() if value == highest)
        found = Sources(sentences, rouge).best_pair(target)
        assert (found.first, found.second) == expected, (sentences, target)
        assert found.recall == pytest.approx(highest)
        assert (found.recall_first, found.recall_second) == pytest.approx(
            (alone[expected[0]], alone[expected[1]])
        )
        assert found.gain == pytest.approx(highest - max(alone[expected[0]], alone[expected[1]]))


def test_the_joint_makes_a_bigram():
    found = Sources(["x y", "a b", "c d"], "rouge2").best_pair("a b c d")
    assert (found.first, found.second, found.recall) == (1, 2, pytest.approx(100))


def test_both_sentences_are_chosen_together():
    # The best single sentence (the first) is in no best pair.
    found = Sources(["a b c", "a b d", "c e f"], "rouge1").best_pair("a b c d e f")
    assert (found.first, found.second, found.recall) == (1, 2, 100)


def test_without_words_or_two_candidates_there_is_no_pair():
    sources = Sources(["a b", "a c", "d"], "rouge1")
    assert sources.best_pair("…") is None
    assert sources.best_pair("a b", above=50) is None  # a single sentence has more
    assert Sources(["a"], "rouge1").best_pair("a") is None


def test_points_are_exact():
    # 3 of 30 words more are 10 points, not 10.000000000000002.
    words = [f"w{number}" for number in range(30)]
    found = Sources([" ".join(words[:7]), " ".join(words[4:10])], "rouge1").best_pair(
        " ".join(words)
    )
    assert (found.gain, found.recall_second) == (10, 20)
