"""Summaries in other people's pipelines."""

import json

import pytest

from pagesum_cli.batch import Summarize
from pagesum_cli.errors import PagesumError, UsageError

TEXT = (
    "Rain fell for eleven days. The river rose by four metres. Nobody had expected the third "
    "flood of the year."
)


@pytest.fixture(scope="module")
def summarize(tiny_extractive):
    return Summarize(str(tiny_extractive), id_column="id", sentences=1)


def test_a_batch_gets_columns_more(summarize):
    batch = {"id": [7, 8], "text": [TEXT, TEXT], "year": [1999, 2001]}
    result = summarize(batch)
    assert list(result) == ["id", "text", "year", "summary", "summary_json", "summary_error"]
    assert {name: result[name] for name in batch} == batch
    line = json.loads(result["summary_json"][1])
    assert result["summary"][1] == line["summary"]
    assert result["summary"][1] in TEXT
    assert line["settings"]["id"] == "8"
    assert line["sentences"][0]["source"]["file"] == "8"
    assert result["summary_error"] == ["", ""]


def test_a_text_without_words_takes_no_other_one_along(summarize):
    result = summarize({"id": [1, 2, 3], "text": [" …", TEXT, None]})
    assert [bool(text) for text in result["summary"]] == [False, True, False]
    first, second, third = result["summary_error"]
    assert "no sentence to quote" in first
    assert second == ""
    assert "expected text, found none" in third


def test_a_generating_model_reads_several_texts_together(tiny_checkpoint):
    batch = {"text": [TEXT * times for times in (1, 9, 1, 2)]}
    alone = Summarize(str(tiny_checkpoint), dtype="float32", max_length=20, batch_tokens=0)(batch)
    together = Summarize(str(tiny_checkpoint), dtype="float32", max_length=20, batch_tokens=10_000)(
        batch
    )
    assert together["summary"] == alone["summary"]


def test_what_is_wrong_is_raised_before_the_first_batch(tiny_extractive, tmp_path):
    with pytest.raises(PagesumError):
        Summarize(str(tmp_path / "nothing"))
    with pytest.raises(UsageError, match="no option 'wrods'"):
        Summarize(str(tiny_extractive), wrods=3)


def test_a_missing_column_is_one_line(summarize):
    with pytest.raises(UsageError, match="no column 'text', found id, body"):
        summarize({"id": [1], "body": [TEXT]})
