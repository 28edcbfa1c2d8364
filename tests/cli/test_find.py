"""``pagesum find``: formats, exit codes, and files that cannot be read."""

import csv
import io
import json

import pytest

from pagesum_cli.documents.read import read_file
from pagesum_cli.retrieval.find import Answer, Answers
from pagesum_cli.retrieval.passages import Passage
from pagesum_cli.views.find import Found, csv_view

TEXT = """# Requests

## Numbers

The council got 300 requests in 2014. It granted 98 of the requests.

| Year | Requests |
| --- | --- |
| 2012 | 14 requests |
| 2013 | 600 requests |

## Fees

<b>Copies</b> | pages cost 5 cents each. Owls hunt at night.
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr("pagesum_cli.retrieval.index.folder_for", lambda kind: tmp_path / "cache")
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "report.md").write_text(TEXT, encoding="utf-8")
    (folder / "notes.txt").write_text("Snow fell. Nobody came.", encoding="utf-8")
    return folder


def test_json_follows_the_contract(pagesum, folder):
    result = pagesum("find", "How many requests were there?", folder, "--format", "json")
    assert result.code == 0
    data = json.loads(result.out)
    assert data["schema"] == 1
    assert data["question"] == "How many requests were there?"
    found = {one["text"]: one for one in data["answers"]}
    granted = found["It granted 98 of the requests."]
    assert granted["numbers"] == [{"text": "98", "noun": "requests"}]
    assert granted["section"] == "Numbers"
    assert granted["headings"] == "Numbers"
    assert granted["file"] == str(folder / "report.md")
    rows = [text for text, one in found.items() if one["kind"] == "table row"]
    assert sorted(rows) == ["2012 | 14 requests", "2013 | 600 requests"]


def test_the_name_of_another_file_with_the_same_content_is_not_shown(pagesum, folder):
    assert "report.md" in pagesum("find", "requests", folder / "report.md").out
    copy = folder / "copy.md"
    (folder / "report.md").rename(copy)
    for form in ("text", "json", "csv", "md", "html"):
        result = pagesum("find", "requests", copy, "--format", form)
        assert result.code == 0
        assert "report" not in result.out


def test_offsets_are_those_of_the_text(pagesum, folder):
    data = json.loads(pagesum("find", "cents", folder, "--format", "json").out)
    (document,) = read_file(str(folder / "report.md"))
    answer = data["answers"][0]
    assert answer["text"] == document.text[answer["start"] : answer["end"]]


@pytest.mark.parametrize("name", ["table", "text", "csv", "md", "html"])
def test_every_format_has_the_answers(pagesum, folder, name):
    result = pagesum("find", "Who granted requests?", folder, "--format", name)
    assert result.code == 0
    assert "It granted 98 of the requests." in result.out
    assert "report.md" in result.out


def test_the_table_says_that_a_match_may_not_answer(pagesum, folder):
    out = pagesum("find", "Who granted requests?", folder).out
    assert "matching passages" in out
    assert "may not answer the question" in " ".join(out.split())


def test_the_numbers_shown_are_those_asked_for(pagesum, folder):
    text = "The council spent $5 million on 300 requests at 6 a.m. on May 5."
    (folder / "spent.txt").write_text(text, encoding="utf-8")
    out = pagesum("find", "How much was spent?", folder / "spent.txt", "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["numbers"] == "$5 million"


def test_csv_has_a_row_for_each_answer(pagesum, folder):
    out = pagesum("find", "How many requests?", folder, "--format", "csv", "--limit", "2").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["rank"] for row in rows] == ["1", "2"]
    assert "requests" in rows[0]["text"]


def test_csv_names_pages_as_a_range_and_shows_what_belongs_to_an_answer():
    label = Passage("It ends.", "sentence", "Ends", "Ends", (96, 97), ("95", "96"), opening="(a) ")
    answer = Answer(label, 1.0, "x", 0, "", "", (), (), ("", ""))
    found = Found(Answers("When?", (answer,), 1, False, False), {"x": "a.pdf"}, {})
    (row,) = csv.DictReader(io.StringIO(csv_view(found)))
    assert (row["pdf_pages"], row["page_labels"]) == ("96–97", "95–96")
    assert (row["opening"], row["text"]) == ("(a)", "It ends.")
    assert "start" not in row


def test_text_of_documents_is_escaped(pagesum, folder):
    page = pagesum("find", "cents", folder, "--format", "html").out
    assert "<mark>" in page
    assert "<b>Copies" not in page
    table = pagesum("find", "cents", folder, "--format", "md").out
    assert "\\| pages" in table


def test_nothing_found_is_one_line_and_exit_code_1(pagesum, folder):
    result = pagesum("find", "zzyzx", folder)
    assert result.code == 1
    assert result.out == ""
    assert "2 files: nothing was found about 'zzyzx'" in result.err


@pytest.mark.parametrize("question", ["", "?"])
def test_a_question_without_words_is_wrong_usage(pagesum, folder, question):
    result = pagesum("find", question, folder)
    assert result.code == 2
    assert "expected a question or topic, found no word" in result.err


def test_a_file_that_cannot_be_read_is_one_line_and_the_rest_goes_on(pagesum, folder):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    result = pagesum("find", "requests", folder, "--format", "text")
    assert result.code == 0
    assert result.err.count("broken.pdf") == 1
    assert "not read: " in result.err
    assert "600 requests" in result.out
