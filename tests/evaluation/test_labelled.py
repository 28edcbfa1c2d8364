"""Models compared by labelled sentences."""

import json
from pathlib import Path
from typing import Any

import pytest

from pagesum_cli.datasets.record import EditorLabels
from pagesum_cli.evaluation.labelled import ALL, by_kind
from pagesum_cli.evaluation.metrics.labels import shares_by_label, words_by_label

SENTENCES = [
    "The council lent the farmers seed for the spring sowing of barley.",
    "Coats were hung in the next room before the meeting of the council.",
    "The bridge over the river is closed from May because its beams are rotten.",
]


def row(**values: Any) -> dict[str, Any]:
    pairs = [["Decisions", text] for text in SENTENCES]
    return {"id": "a", "sentences": pairs, "quoted": [0, 2], "rejected": {"1": "detail"}, **values}


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    rows = [row(kind="minutes", budget=24), row(id="b", kind="notes", quoted=[0])]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def test_words_count_for_the_sentence_that_their_quote_begins_in() -> None:
    labels = EditorLabels((0,), (1,), (2,))
    quotes = [("a b c", 0), ("d e", 12), ("f", 25), ("g h", 30)]
    words = words_by_label(labels, [0, 10, 20, 30], quotes)
    assert words == {"accepted": 5, "rejected": 1, "other": 2}
    assert shares_by_label(words) == (5 / 8, 1 / 8)
    assert shares_by_label(words_by_label(labels, [0], [])) == (0, 0)


def test_kinds_are_averaged_by_document() -> None:
    found = by_kind([("b", (1.0, 0.0)), ("a", (0.5, 0.5)), ("b", (0.0, 0.25))])
    assert list(found) == [ALL, "a", "b"]
    assert (found[ALL].n, found[ALL].accepted, found[ALL].rejected) == (3, 50.0, 25.0)
    assert list(by_kind([("a", (1.0, 0.0))])) == [ALL]


def test_a_model_is_compared_with_the_bundled_ones(
    pagesum: Any, labels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagesum_cli.cli.eval.BUNDLED_NAMES", ("mini",))
    result = pagesum("eval", "--labels", labels, "--model", "mini", "--format", "json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert found["schema"] == 1
    assert list(found["models"]) == ["mini"]
    assert list(found["models"]["mini"]) == ["all", "minutes", "notes"]
    for shares in found["models"]["mini"].values():
        assert 0 <= shares["accepted"] <= shares["accepted"] + shares["rejected"] <= 100


def test_a_file_without_labels_is_refused(pagesum: Any, tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text('{"id": "a", "text": "Nothing.", "summary": "No."}\n')
    result = pagesum("eval", "--labels", tmp_path / "data.jsonl")
    assert result.code == 1
    assert "expected labelled documents, found none" in result.err
    assert "pagesum label" in result.err
    result = pagesum("eval", "--labels", tmp_path / "data.jsonl", "--data", "x")
    assert (result.code, "--data" in result.err) == (2, True)
