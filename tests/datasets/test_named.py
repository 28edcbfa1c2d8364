"""Data sets by name and path."""

import json

import pytest

from pagesum_cli.datasets.named import DataRequest, read_data, read_texts, sample_path
from pagesum_cli.errors import PagesumError, UsageError


def records_file(path, ids):
    path.write_text(
        "".join(
            json.dumps({"id": one, "text": f"Text {one}.", "summary": "S."}) + "\n" for one in ids
        )
    )
    return path


def test_the_sample_is_small_and_whole():
    problems = []
    records = read_data(DataRequest("sample"), problems.append)
    assert len(records) == 6
    assert problems == []
    assert all(
        record.summary and record.extra["licence"] and record.extra["url"] for record in records
    )
    assert sample_path().stat().st_size < 500_000


def test_limit_and_shuffle(tmp_path):
    file = str(records_file(tmp_path / "a.jsonl", "abcdefgh"))
    ids = [record.id for record in read_data(DataRequest(file, limit=3), print)]
    mixed = [record.id for record in read_data(DataRequest(file, shuffle_seed=1), print)]
    assert ids == ["a", "b", "c"]
    assert sorted(mixed) == list("abcdefgh") != mixed
    assert [
        record.id for record in read_data(DataRequest(file, limit=3, shuffle_seed=1), print)
    ] == mixed[:3]


def test_a_second_record_with_an_id_is_told_and_left_out(tmp_path):
    problems = []
    records = read_data(
        DataRequest(str(records_file(tmp_path / "a.jsonl", "aba"))), problems.append
    )
    assert [record.id for record in records] == ["a", "b"]
    assert "second record" in problems[0]


def test_an_unknown_name_is_told_with_all_and_the_nearest():
    with pytest.raises(
        UsageError, match="sample, arxiv, arxiv-discourse, pubmed, govreport, multinews"
    ) as error:
        read_data(DataRequest("multi-news"), print)
    assert error.value.hint == "did you mean multinews?"


def test_what_has_no_usable_copy_on_the_hub_says_what_to_put_where():
    with pytest.raises(PagesumError) as error:
        read_data(DataRequest("arxiv-discourse"), print)
    assert "test.txt" in error.value.hint
    assert "--data-dir" in error.value.hint


def test_an_empty_file_has_no_records(tmp_path):
    (tmp_path / "a.jsonl").write_text("\n")
    with pytest.raises(PagesumError, match="no record that can be used"):
        read_data(DataRequest(str(tmp_path / "a.jsonl")), print)


def test_predictions_and_references_of_different_length(tmp_path):
    first, second = tmp_path / "p.txt", tmp_path / "r.txt"
    first.write_text("one\ntwo\nthree\n")
    second.write_text("one\ntwo\n")
    with pytest.raises(PagesumError, match=r"has 3 lines, .* has 2"):
        read_texts(first, second)


def test_a_prediction_in_another_encoding_is_told(tmp_path):
    (tmp_path / "p.txt").write_bytes(b"\xef\xbb\xbfone\ncaf\xe9\n")
    with pytest.raises(PagesumError, match=r"p.txt: expected UTF-8, found something else") as error:
        read_texts(tmp_path / "p.txt", tmp_path / "p.txt")
    assert "iconv" in error.value.hint


def test_an_empty_prediction_is_a_line(tmp_path):
    first, second = tmp_path / "p.txt", tmp_path / "r.txt"
    first.write_text("one\n\n")
    second.write_text("one\u2028still one\ntwo")
    assert read_texts(first, second) == [("one", "one\u2028still one"), ("", "two")]
