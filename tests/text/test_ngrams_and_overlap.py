"""Words, n-grams and how much two texts share."""

import pytest

from pagesum_cli.text.words import (
    Units,
    _written,
    ngrams,
    plain_words,
    ranks,
    recall,
    stem,
    stemmed_words,
    support,
    words_of,
)


def test_words_of_any_script_and_of_rouge() -> None:
    text = "Zürich's 3.5 МЛН"
    assert words_of(text) == ["zürich", "s", "3", "5", "млн"]
    assert plain_words(text) == ["z", "rich", "s", "3", "5"]
    assert ngrams(["a", "b", "c"], 2) == [("a", "b"), ("b", "c")]
    assert ngrams(["a"], 2) == []


def test_stems_are_those_of_rouge_score() -> None:
    from nltk.stem.porter import PorterStemmer
    from rouge_score import tokenize

    text = (
        "Reading pages: the NAÏVE methods' agreed-upon probabilities, i.e. 2.5 dies & lies "
        "skies sses ies eed ings"
    )
    assert stemmed_words(text) == tokenize.tokenize(text, PorterStemmer())
    assert (stem("pages"), stem("its")) == ("page", "its")


def test_recall_counts_occurrences_of_lists_and_members_of_sets() -> None:
    assert recall(["a", "a", "b"], {"a"}) == pytest.approx(2 / 3)
    assert recall({"a", "b"}, {"a"}) == 0.5
    assert recall([], {"a"}) == 0


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("The harvest failed in April.", 1.0),
        ("Nothing to do with it.", 0.0),
        ("A failed harvest.", 0.5),  # both words, no pair
        ("The harvest was poor.", (1 / 2 + 1 / 2) / 2),
    ],
)
def test_support_is_recall_of_words_and_pairs(source: str, expected: float) -> None:
    assert support(Units.of("The harvest failed"), Units.of(source)) == pytest.approx(expected)


def test_support_of_the_sentence_itself_is_whole_in_any_script() -> None:
    for text in ("The harvest failed.", "Урожай погиб.", "収穫は失敗した。", "of the and"):
        assert support(Units.of(text), Units.of(text)) == 1
    assert support(Units.of("?!"), Units.of("?!")) == 0


def test_units_add_up() -> None:
    both = Units.of("Wheat rotted") | Units.of("Bread rose")
    assert support(Units.of("Wheat rose"), both) == pytest.approx(0.5)


def test_a_word_has_the_rank_of_its_most_frequent_spelling() -> None:
    spellings = _written()
    known = [word for word in ("may", "May", "MAY") if word in spellings]
    assert len(known) > 1
    assert ranks()["may"] == min(spellings[word] for word in known)
    assert set(ranks()) == {word.lower() for word in spellings}
