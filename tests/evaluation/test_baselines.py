"""Baselines: what is written without a model."""

import pytest

from pagesum_cli.documents.records import record_from
from pagesum_cli.errors import UsageError
from pagesum_cli.evaluation.baselines import baseline, baseline_row
from pagesum_cli.evaluation.registry import BASELINES
from pagesum_cli.evaluation.rouge import Rouge

SENTENCES = [
    f"Sentence number {word} is here." for word in ("one", "two", "three", "four", "five", "six", "seven", "eight")
]
RECORD = record_from(
    {"id": "x", "text": " ".join(SENTENCES), "summary": "Sentence number three is here. Number seven is here."}
)


def test_lead_stops_nearest_to_the_references_length():
    assert baseline("lead", [RECORD])(RECORD) == " ".join(SENTENCES[:2])  # 10 words of 9


def test_lead_of_a_cluster_takes_from_each_document_in_turn():
    cluster = record_from(
        {"id": "c", "documents": [{"text": "A one. A two. A three."}, {"text": "B one. B two."}], "summary": "w " * 6}
    )
    assert baseline("lead", [cluster])(cluster) == "A one. A two. B one."


def test_oracle_finds_the_sentences_of_the_reference():
    assert baseline("oracle", [RECORD])(RECORD) == f"{SENTENCES[2]} {SENTENCES[6]}"


def test_oracle_is_above_lead_and_takes_nothing_where_nothing_helps():
    rows = {name: baseline_row(name, [RECORD], [Rouge()], 1) for name in ("lead", "oracle")}
    assert rows["oracle"].columns["rouge2"].main > rows["lead"].columns["rouge2"].main
    other = record_from({"id": "y", "text": "Nothing in common.", "summary": "All else."})
    assert baseline("oracle", [other])(other) == ""


def test_random_is_the_same_each_time_and_not_the_lead():
    texts = {baseline("random", [RECORD])(RECORD) for _ in range(3)}
    assert len(texts) == 1
    assert texts != {baseline("lead", [RECORD])(RECORD)}


@pytest.mark.parametrize("name", ["lexrank", "textrank"])
def test_ranked_sentences_stand_in_document_order_without_a_download(name):
    pytest.importorskip("sumy")
    text = baseline(name, [RECORD])(RECORD)
    chosen = [sentence for sentence in SENTENCES if sentence in text]
    assert text == " ".join(chosen)
    assert len(chosen) == 2


def test_a_table_taken_for_a_sentence_is_not_the_whole_baseline():
    pytest.importorskip("sumy")
    table = "number " * 500 + "is here."
    record = record_from({"id": "t", "text": f"{table} {' '.join(SENTENCES)}", "summary": RECORD.summary})
    assert len(baseline("textrank", [record])(record).split()) < 20


def test_an_unknown_baseline_is_told():
    with pytest.raises(UsageError, match="no baseline 'led'") as error:
        baseline("led", [RECORD])
    assert all(name in error.value.hint for name in BASELINES)
