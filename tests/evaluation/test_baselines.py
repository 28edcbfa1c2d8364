"""Baselines: what is written without a model."""

from dataclasses import replace

import pytest

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.errors import UsageError
from pagesum_cli.evaluation.baselines import (
    BASELINES,
    baseline_row,
    check_baselines,
    lengths_of,
    summary_of,
)
from pagesum_cli.evaluation.metrics.rouge import Rouge
from pagesum_cli.evaluation.scoring import WORTH_A_POOL

SENTENCES = [
    f"Sentence number {word} is here."
    for word in ("one", "two", "three", "four", "five", "six", "seven", "eight")
]
RECORD = record_of(
    {
        "id": "x",
        "text": " ".join(SENTENCES),
        "summary": "Sentence number three is here. Number seven is here.",
    }
)


def written(name, record, words=9):
    return summary_of(name, record, words)


def test_lead_stops_nearest_to_its_length():
    assert written("lead", RECORD) == " ".join(SENTENCES[:2])  # 10 words of 9


def test_the_length_is_that_of_the_scored_systems_summary_or_of_the_references():
    other = record_of({"id": "y", "text": "All else. Is here.", "summary": "All."})
    predictions = ["one two three", "one two three four"]
    for rule, lengths in {
        "system": [3, 4],
        "reference": [9, 1],
        "average": [5, 5],
        "7": [7, 7],
    }.items():
        assert lengths_of(rule, predictions, [RECORD, other]) == lengths


def test_each_summary_has_its_own_length_whatever_the_number_of_processes():
    records = [replace(RECORD, id=str(number)) for number in range(WORTH_A_POOL)]
    lengths = [5 * (1 + number % 7) for number in range(WORTH_A_POOL)]
    rows = [baseline_row("lead", records, lengths, [Rouge()], processes) for processes in (1, 2)]
    assert rows[0] == rows[1]
    assert rows[0].words == sum(lengths) / len(lengths)


def test_lead_of_a_cluster_takes_from_each_document_in_turn():
    cluster = record_of(
        {
            "id": "c",
            "documents": [{"text": "A one. A two. A three."}, {"text": "B one. B two."}],
            "summary": "w",
        }
    )
    assert written("lead", cluster, 6) == "A one. A two. B one."


def test_oracle_finds_the_sentences_of_the_reference():
    assert written("oracle", RECORD) == f"{SENTENCES[2]} {SENTENCES[6]}"


def test_the_nearest_oracle_takes_a_sentence_for_each_of_the_reference():
    text = "Owls hunt at night. Owls hunt at night in barns. Mice hide. Rain fell."
    summary = [
        "At night owls hunt.",
        "Owls hunt in barns at night.",
        "Owls hunt at night!",
        "Nobody came.",
    ]
    record = record_of({"id": "n", "text": text, "summary": summary})
    # The first and third of the reference are nearest to the same sentence, and the last one to
    # none.
    assert written("oracle-nearest", record) == "Owls hunt at night. Owls hunt at night in barns."
    plain = record_of(
        {"id": "n", "text": text, "summary": "Mice were hiding. Rain fell on the town."}
    )
    assert written("oracle-nearest", plain) == "Mice hide. Rain fell."


def test_oracles_are_marked_as_such():
    rows = {
        name: baseline_row(name, [RECORD], [9], [Rouge()], 1)
        for name in ("lead", "oracle", "oracle-nearest")
    }
    assert [row.uses_reference for row in rows.values()] == [False, True, True]


def test_oracle_is_above_lead_and_takes_nothing_where_nothing_helps():
    rows = {name: baseline_row(name, [RECORD], [9], [Rouge()], 1) for name in ("lead", "oracle")}
    assert rows["oracle"].columns["rouge2"].main > rows["lead"].columns["rouge2"].main
    other = record_of({"id": "y", "text": "Nothing in common.", "summary": "All else."})
    assert written("oracle", other) == ""


def test_random_is_the_same_each_time_and_not_the_lead():
    texts = {written("random", RECORD) for _ in range(3)}
    assert len(texts) == 1
    assert texts != {written("lead", RECORD)}


@pytest.mark.parametrize("name", ["lexrank", "textrank"])
def test_ranked_sentences_stand_in_document_order_without_a_download(name):
    pytest.importorskip("sumy")
    text = written(name, RECORD)
    chosen = [sentence for sentence in SENTENCES if sentence in text]
    assert text == " ".join(chosen)
    assert len(chosen) == 2


def test_a_table_taken_for_a_sentence_is_not_the_whole_baseline():
    pytest.importorskip("sumy")
    table = "number " * 500 + "is here."
    record = record_of(
        {"id": "t", "text": f"{table} {' '.join(SENTENCES)}", "summary": RECORD.summary}
    )
    assert len(written("textrank", record).split()) < 20


def test_a_ranked_baseline_shorter_than_every_sentence_is_the_shortest_one():
    pytest.importorskip("sumy")
    record = record_of(
        {"id": "s", "text": "Owls hunt mice by night. Mice fear owls.", "summary": "Owls."}
    )
    assert written("lexrank", record, 1) == "Mice fear owls."


def test_an_unknown_baseline_is_told():
    with pytest.raises(UsageError, match="no baseline 'led'") as error:
        check_baselines(["led"])
    assert all(name in error.value.hint for name in BASELINES)


def test_the_diverse_baseline_repeats_nothing_and_passes_over_long_lists():
    twice = "Rain fell on the wheat in April."
    texts = [
        twice,
        twice,
        "Wheat prices rose in April after the rain.",
        "Rain, wheat, " + "prices, " * 50 + "April.",
    ]
    record = record_of({"id": "m", "text": texts, "summary": "w"})
    assert written("map", record, 16) == f"{texts[0]} {texts[2]}"
    assert written("map", record_of({"id": "n", "text": ["One."], "summary": "w"}), 3) == "One."
