"""Summaries as JSON."""

import json

import pytest

from pagesum_cli.summary.summary import Summary
from pagesum_cli.views.formats import json_view, written


def test_it_follows_the_contract(summary):
    data = json.loads(json_view(summary))
    assert data["schema"] == 1
    assert {
        "model",
        "locality",
        "summary",
        "sentences",
        "pages",
        "settings",
        "seconds",
    } <= data.keys()
    assert data["summary"] == summary.text
    assert data["pages"][3] == {
        "page": 3,
        "label": "2 Methods (2/2)",
        "source": "harvest.pdf",
        "pdf_pages": [4, 5],
        "tokens": 703,
        "truncated": True,
        "confidence": pytest.approx(summary.pages[3].confidence, abs=1e-6),
        "start": -1,
        "end": -1,
    }


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_each_sentence_lists_every_page_largest_first_summing_to_one(a_summary, count):
    data = json.loads(json_view(a_summary(labels=[f"page {i}" for i in range(count)])))
    for sentence in data["sentences"]:
        confidences = [share["confidence"] for share in sentence["pages"]]
        assert sorted(share["page"] for share in sentence["pages"]) == list(range(count))
        assert confidences == sorted(confidences, reverse=True)
        assert sum(confidences) == pytest.approx(1, abs=1e-3)


def test_one_line_is_one_line_and_the_same_data(summary):
    line = written(summary, "jsonl")
    assert "\n" not in line
    assert json.loads(line) == json.loads(json_view(summary))


def test_it_can_be_read_back(summary):
    again = Summary.from_json(json.loads(json_view(summary)))
    assert json_view(again) == json_view(summary)
